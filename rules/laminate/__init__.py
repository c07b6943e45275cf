"""Laminate Rummy: the first game of the house."""
