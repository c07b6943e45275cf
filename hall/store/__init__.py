"""What a hall keeps: games with their entries, results and points, in SQLite or PostgreSQL."""
