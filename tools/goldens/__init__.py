"""Does one checkout behave as another? Both are run on this machine and their outputs held against each other.

A checkout is talked to through what stays the same whatever is rebuilt inside: the ``sevenmat`` command, its outputs,
exit codes and files (FORMATS.md), and ``python -m tools.soak``. Nothing of its inside is imported.
"""
