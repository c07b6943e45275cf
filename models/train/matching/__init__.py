"""The matcher: whether a crop that is seen and an enrolled one show the same face, trained on invented decks."""
