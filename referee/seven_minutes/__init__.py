"""Seven Minutes at the table: the score of a finished one."""
