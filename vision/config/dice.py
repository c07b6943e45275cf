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
    stride_px: int = 4
    """One place of the finder's maps is this many px."""
    edge_px: float = 32.0
    """The maps give an edge as the logarithm of its share of this."""
    usual_edge_mm: float = 16.0
    """Edge of the usual die."""
    min_score: float = 0.15
    """Less likely places are no dice."""
    apart_share: float = 0.55
    """Two finds nearer than this share of the edge are one die."""
    least_edge_mm: float = 9.5
    """A shorter edge is no die's: dice have 12 to 19 mm, and measured ones err by up to three."""
    most_edge_mm: float = 24.0
    """Nor is a longer one."""
    most: int = 80
    """No more finds of one picture are read, the likeliest first."""
    second_face: float = 0.3
    """A die that shows two faces, the less likely with at least this likelihood, stands on an edge."""
    one_die_share: float = 0.84
    """Two faces nearer than this share of the edge are faces of one die."""


@dataclass(frozen=True)
class DiceFaceConfig:
    """Reading a top face."""

    px_per_mm: float = 3.0
    """Scale of the crops."""
    no_die: float = 0.08
    """A find without a value may be dropped where there is no die with this probability."""
    some_die: float = 0.1
    """It is, if one, and what it is likeliest, is less likely than this: of 396 cocked dice 374 are found, and of what
    looks like dice on 98 tables of SEVEN cards nothing (seeds from 600000 on)."""
    sure: tuple[float, float, float] = (0.6, 0.4, 0.85)
    """A value that the pips counted with and without the network make counts from this mean probability on over the
    four ways a crop can be turned, this one in each, and this share of the six values'."""
    sure_less: tuple[float, float, float] = (0.75, 0.6, 0.96)
    """The same where one of the two counts could not be made."""
    max_hidden: float = 0.15
    """A value counts where the die seems hidden, or to lie on another one, with no higher probability."""
    max_cocked: float = 0.2
    """It counts where the die seems cocked with no higher probability: of 615 right readings none did with more than
    0.17 (seeds from 900000 on), and where a die's side was taken for its top, it did with 0.23."""
    other: float = 0.12
    """A cause is reported where its probability is above this, else the die is doubtful."""
    stands_scale: float = 1.12
    """Where a die's bottom face would show is predicted a little too close to its top."""
    lens: tuple[float, float] = (0.65, 1.15)
    """The lens is not known: where a flat die's bottom face shows is between these shares of what is expected."""
    off_level: float = 0.15
    """A die leans whose bottom face would show farther than this from where a flat one's would, in edges."""
    off_level_few: float = 0.13
    """The same with fewer than four pips, whose places tell nothing."""
    printed_level: float = 0.98
    """The pips of a picture, which shows no sides, lie as on a level face to this share."""
    printed_lean: float = 0.35
    """It is one where a die's sides should show by more than this: without them pips would be closer by 0.06."""
    most_lean: float = 0.85
    """Where that is unknown, it is one whose sides should show farther than this from the top face's middle."""


@dataclass(frozen=True)
class DicePipsConfig:
    """Counting pips without a network. Shares and lengths are of the face's edge, areas of its square."""

    likely: float = 0.4
    """The face reader's pips are where they are likelier than this."""
    face_share: float = 0.48
    """The body's colour is the median within this from the middle."""
    blur_px: float = 0.7
    """Noise is smoothed by this."""
    most_percentile: float = 97.0
    """What stands out most is this percentile of the difference from the body's colour."""
    min_contrast: float = 22.0
    """Where that is less than this (levels of 255), nothing is counted."""
    thresholds: tuple[float, ...] = (0.4, 0.52, 0.65)
    """Blobs are what stands out by more than these shares of that; they have to agree."""
    reach_share: float = 0.6
    """Farther from the middle nothing is looked at: side faces have pips too."""
    pip_reach: float = 0.46
    """A pip's middle is no farther from the face's middle."""
    min_area: float = 0.006
    """Smaller blobs are specks."""
    max_area: float = 0.17
    """Larger blobs are no pips."""
    min_roundness: float = 0.78
    """A pip fills at least this share of the circle that has its spread."""
    alike: float = 2.6
    """A face's largest pip has at most this many times the area of its smallest."""
    off_middle: float = 0.13
    """The middle of all pips is no farther from the face's middle."""


@dataclass(frozen=True)
class DiceSiteConfig:
    """Looking at the places where pips should lie, and at those where none should."""

    blur_px: float = 1.2
    """Each place counts with its surroundings."""
    ring: float = 0.3
    """Round a single pip the body shows so far away, in edges."""
    apart: float = 0.6
    """Places nearer to a pip than this share of a step show its rim."""
    min_contrast: float = 16.0
    """Pips differ from the body by at least this, in levels of 255."""
    inked: float = 0.6
    """Each pip has at least this share of that difference."""
    clean: float = 0.4
    """Each free place has at most this share of it."""


@dataclass(frozen=True)
class DiceLatticeConfig:
    """How pips lie on a face, in shares of its edge."""

    turn_deg: int = 3
    """Lattices are tried at every so many degrees."""
    min_step: float = 0.16
    """Pips lie at least this far from the face's axes."""
    max_step: float = 0.31
    """They lie at most this far from them."""
    round_deg: int = 30
    """A single pip's surroundings are looked at every so many degrees."""
    max_misfit: float = 0.09
    """Each pip lies no farther than this from where the value's pips lie."""
    min_level: float = 0.9
    """The lattice of a level face is as wide as it is high, to this share; pips of a cocked die lie closer one way."""


@dataclass(frozen=True)
class DiceLeanConfig:
    """Where the camera is. Focal lengths are in half diagonals of the picture."""

    usual_focal: float = 1.3
    """A usual lens, which sees 75 degrees from corner to corner."""
    usual_weight: float = 0.01
    """It counts as much as a mat's perspective from 6 degrees off the vertical."""
    min_focal: float = 0.8
    """No lens is wider than this."""
    max_focal: float = 3.0
    """No lens is longer than this."""


@dataclass(frozen=True)
class DiceColourConfig:
    """The body's colour and its name; values and saturations from 0 to 1."""

    body_share: float = 0.42
    """The colour is the median within this share of the edge from the face's middle."""
    as_dark: float = 0.12
    """Two dice are of one brightness where they differ by less."""
    black: float = 0.22
    """What is darker than this is black."""
    dark_grey: float = 0.33
    """So is what has no colour and is darker than this."""
    white: float = 0.72
    """What has no colour and is brighter than this is white."""
    grey: float = 0.22
    """Less saturated than this is no colour."""
    brown: float = 0.62
    """A dull red or orange darker than this is brown."""
    dull: float = 0.75
    """Colours are dull up to this saturation."""


@dataclass(frozen=True)
class DiceConfig:
    """Reading dice."""

    find: DiceFindConfig = field(default_factory=DiceFindConfig)
    face: DiceFaceConfig = field(default_factory=DiceFaceConfig)
    lean: DiceLeanConfig = field(default_factory=DiceLeanConfig)
    pips: DicePipsConfig = field(default_factory=DicePipsConfig)
    sites: DiceSiteConfig = field(default_factory=DiceSiteConfig)
    lattice: DiceLatticeConfig = field(default_factory=DiceLatticeConfig)
    colour: DiceColourConfig = field(default_factory=DiceColourConfig)
