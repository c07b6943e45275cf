"""Seven Euchre at the table, in millimetres."""
