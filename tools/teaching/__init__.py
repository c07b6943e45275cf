"""Prints what a game teaches while it is played."""
