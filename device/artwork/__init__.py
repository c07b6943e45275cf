"""How the program's own cards, papers and markers are drawn: printed by `printing`, recognised when learnt."""
