"""A finished table scored from one look: what people say of it, the look itself, and how the score is written out."""
