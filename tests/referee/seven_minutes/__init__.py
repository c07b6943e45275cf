"""Seven Minutes at the table."""
