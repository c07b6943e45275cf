"""Many simulated games, refereed with people's mistakes in them: ``make soak``."""
