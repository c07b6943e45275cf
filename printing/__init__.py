"""Sheets at true size: markers, mats, papers, a deck."""
