"""Dice: found by their top faces, and read."""

from vision.dice.reader import DiceReader, SeenDie
from vision.dice.region import read_in_picture, read_on_mat

__all__ = ["DiceReader", "SeenDie", "read_in_picture", "read_on_mat"]
