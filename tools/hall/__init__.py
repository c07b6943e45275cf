"""A hall on trial: a real broker and database, many simulated tables, and what goes wrong between them."""
