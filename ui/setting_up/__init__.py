"""Screens for setting up: a name being written, what the camera sees, cards as they were learnt."""
