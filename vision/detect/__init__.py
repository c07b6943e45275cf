"""Where card corners show on the mat, which of them belong to one card, and what lies over them."""
