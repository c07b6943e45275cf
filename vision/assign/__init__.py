"""From corners to named cards: hypotheses, further evidence, and one assignment for the whole table."""
