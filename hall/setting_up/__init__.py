"""A hall from nothing: the broker's files, the tables' passwords, the service of the board, and a sheet to join by."""
