"""What players look up while they play: what a screen says, and each game in a few leaves (``ui/help/<game>.py``)."""
