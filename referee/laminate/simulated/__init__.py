"""Laminate Rummy at a simulated table: its players, their mistakes, and how cards come to lie."""
