"""Tables of a load generator, which play games from records: what a broker and a hall bear."""
