"""The page on phones, as the table has it: where it is reached, its process, and what it is told."""
