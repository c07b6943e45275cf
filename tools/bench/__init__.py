"""Benchmarks of the rooms."""
