"""Numbers of ``vision.dice``: where dice are looked for, when a face is sure, what a colour is called.

Scales and sizes are those that the networks were trained on (``models.train.dice``).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class DiceFindConfig:
    """Finding top faces."""

    px_per_mm: float = 2.0
    """Scale at which they are searched."""
    min_score: float = 0.25
    """Less likely places are no dice."""
    apart_share: float = 0.55
    """Two finds nearer than this share of the edge are one die."""
    least_edge_mm: float = 10.5
    """Dice have edges from 12 to 19 mm; measured ones err by a millimetre."""
    most_edge_mm: float = 21.0
    """… at most."""
    most: int = 24
    """No more finds of one picture are read, the likeliest first."""


@dataclass(frozen=True)
class DiceFaceConfig:
    """Reading a top face."""

    px_per_mm: float = 3.0
    """Scale of the crops."""
    crop_px: int = 72
    """Side of a crop: 24 mm."""
    no_die: float = 0.5
    """From this probability on that there is none, a find is dropped."""
    sure: float = 0.88
    """A value counts from this mean probability on over the four ways a crop can be turned …"""
    sure_each: float = 0.6
    """… and from this one in each of them."""


@dataclass(frozen=True)
class DiceColourConfig:
    """The body's colour and its name; values and saturations from 0 to 1."""

    body_share: float = 0.42
    """The colour is the median within this share of the edge from the face's middle."""
    as_dark: float = 0.12
    """Two dice are of one brightness where they differ by less."""
    black: float = 0.22
    """Darker than this is black …"""
    dark_grey: float = 0.33
    """… and so is what has no colour and is darker than this."""
    white: float = 0.72
    """What has no colour and is brighter than this is white."""
    grey: float = 0.22
    """Less saturated than this is no colour."""
    brown: float = 0.62
    """A dull red or orange darker than this is brown …"""
    dull: float = 0.75
    """… dull up to this saturation."""


@dataclass(frozen=True)
class DiceConfig:
    """Reading dice."""

    find: DiceFindConfig = field(default_factory=DiceFindConfig)
    face: DiceFaceConfig = field(default_factory=DiceFaceConfig)
    colour: DiceColourConfig = field(default_factory=DiceColourConfig)
