"""Seven Minutes: cards flipped into a row, and two dice that may strike it."""
