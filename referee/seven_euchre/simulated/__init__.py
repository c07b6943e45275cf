"""A simulated table of Seven Euchre."""
