"""Seven Wonders at the table."""
