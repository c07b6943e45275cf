"""Read cards by their whole faces: strips are searched all over the mat, then fitted, then named."""
