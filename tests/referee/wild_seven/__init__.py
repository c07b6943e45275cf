"""Wild Seven at the table, in millimetres."""
