"""The hall, as the table has it: which one it is in, what it is told, whom it calls, and whether it can be reached."""
