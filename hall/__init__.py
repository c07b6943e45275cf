"""A hall of tables: what a table sends to a broker, and the board that shows all of them."""
