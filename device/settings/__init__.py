"""What people may set: the kinds of values, their defaults, and the file that keeps them."""
