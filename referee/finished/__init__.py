"""What a finished table comes to, without a record of the game."""
