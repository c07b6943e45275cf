"""A benchmark on pictures that training never saw: decks and tables made here, rendered by a path tracer.

Nothing in this package is shared with the training code or the simulated table, and nothing else imports it.
"""
