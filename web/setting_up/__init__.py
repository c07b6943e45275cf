"""Setting up on phones: the camera aimed, a deck learnt."""
