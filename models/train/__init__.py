"""Training: invented decks, scenes, networks."""
