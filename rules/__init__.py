"""The games: deck, combinations, positions, moves, refusals and records. Standard library only."""
