"""The program at the table, from switching on to switching off."""
