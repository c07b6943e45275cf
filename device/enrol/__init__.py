"""Learning a deck, live or from pictures."""
