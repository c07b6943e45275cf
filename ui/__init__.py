"""What the small display shows."""
