"""What the program can do for whoever asks, a menu or an activity: games, decks, settings, the camera, scores."""
