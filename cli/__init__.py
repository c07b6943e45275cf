"""The ``sevenmat`` command, a module for each of its parts."""
