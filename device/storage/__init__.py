"""What is kept: the journal of games, decks, recordings."""
