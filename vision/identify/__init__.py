"""What a corner shows, compared with the enrolled deck."""
