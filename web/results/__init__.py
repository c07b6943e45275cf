"""Results as phones show and send them: the photograph, the cards drawn, one picture with all of it."""
