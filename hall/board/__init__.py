"""The board: all tables of a hall as they are now, who needs the director, results and standings."""
