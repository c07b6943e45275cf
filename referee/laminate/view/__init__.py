"""What lies on the table of Laminate Rummy: its layout, and the view made of what the reader saw."""
