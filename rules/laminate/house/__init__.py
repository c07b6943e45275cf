"""Papers of the house: kinds that players make themselves, beside the built-in ones."""
