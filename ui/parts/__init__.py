"""The parts that a screen is drawn from: colours, text, signs, cards, what is read from afar and what near by."""
