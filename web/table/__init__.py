"""Pages of a table that is there: a game begun at it."""
