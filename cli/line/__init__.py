"""The command line: what may be typed, the help on it, and what is said of wrong use, in both languages."""
