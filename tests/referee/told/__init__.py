"""Tables with the whole verdict on each, word for word as players read it; ``record`` writes ``told.txt`` anew."""
