"""Seven Euchre at the table: where its cards lie, what a look at them means, and a simulated table."""
