"""Seven Euchre: an auction for trumps, and twelve tricks between two sides."""
