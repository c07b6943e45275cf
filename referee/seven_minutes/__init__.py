"""Seven Minutes at the table, and the score of a finished one."""
