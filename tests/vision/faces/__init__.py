"""Tables whose cards are read by their whole faces."""
