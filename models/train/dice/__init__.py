"""Training of the networks that read dice."""
