"""The referee of Laminate Rummy."""
