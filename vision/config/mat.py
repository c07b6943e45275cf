"""Numbers of ``vision.mat``: markers, the mat's model, when a mat is kept, and the light."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class MarkerConfig:
    """Finding the ArUco markers and measuring their corners."""

    search_sides_px: tuple[int, ...] = (750, 1500, 3000)
    """Longest sides of the reduced pictures in which codes are searched, before the full one, until all four show."""
    same_share: float = 0.3
    """Two detections of one id nearer to each other than this share of the side are the same marker."""
    gamma: float = 2.2
    """Light is about this power of a camera's value."""
    side_from: float = 0.1
    """A side is cut across from this share of its length on."""
    side_to: float = 0.9
    """It is cut across up to this share of it."""
    side_samples: int = 48
    """It is cut across at this many places."""
    min_contrast: float = 0.004
    """Least step of light (0 to 1, linear) from black to white at a side that can be measured."""
    min_crossings: int = 12
    """Clear crossings that a side needs to be measured."""


@dataclass(frozen=True)
class MatFitConfig:
    """Fitting the mat's model to its markers. Sigmas are prior standard deviations."""

    size_error: float = 0.05
    """A measured size further off the given one than this share is an error."""
    size_warning: float = 0.02
    """Further off than this share it is a warning."""
    usual_share: float = 0.01
    """A mat of unknown size that measures nearer to the usual one's size than this share is taken for that, where cards
    are learnt and read by their whole faces. Measured: 0.7 % off by the blur of markers' edges; learnt so, of 114 cards
    12 are not read and 1 is read as another one, else 2 and none."""
    max_rms_mm: float = 6.0
    """Greatest RMS error of the corners with which markers still pass for the corners of one mat."""
    min_side_mm: float = 300.0
    """Shortest side of a mat."""
    max_side_mm: float = 2000.0
    """Longest side of a mat."""
    trust_rounds: int = 5
    """Fits at most, each trusting corners the less the further off they were in the one before."""
    askew_sigma_deg: float = 1.5
    """How askew people lay a marker about its outer corner."""
    k1_sigma: float = 0.1
    """The lens's radial coefficient, per squared half diagonal."""
    bleed_sigma_free_mm: float = 0.03
    """How far overexposed white eats into the black squares, with the mat's size unknown: much bleeding and a larger
    mat look the same."""
    bleed_sigma_mm: float = 1.0
    """The same with the mat's size given."""
    corner_sigma_px: float = 0.15
    """Error of a measured corner."""


@dataclass(frozen=True)
class ThreeMarkersConfig:
    """A mat measured from three markers, and a fourth that contradicts the others."""

    focal: float = 1.25
    """Usual focal length in half diagonals of the picture: 77 degrees across the diagonal, between a Pi's camera
    module and a telephone."""
    focal_sigma: float = 0.3
    """How far (logarithm) a camera's focal length is from the usual one."""
    turned_sigma: float = 0.002
    """How well a camera's pixels are square and its axis meets the middle of the picture (rad, or logarithm)."""
    askew_mm: float = 8.0
    """With a fourth marker further than this from where the three others say, the markers form no rectangle."""
    askew_rms_mm: float = 0.3
    """Below this RMS error of the corners nobody asks for that: honest tables have 0.1."""


@dataclass(frozen=True)
class MatKeepConfig:
    """When the mat measured before is kept."""

    moved_mm: float = 1.0
    """A marker further than this from where it was means that it, or the camera, was moved."""
    kept_mm: float = 0.25
    """A new measurement nearer than this says nothing new: the old value is kept, and with it everything cached."""
    still_share: float = 0.8
    """A side that moved less than this share of ``kept_mm`` keeps its marker's corners within it."""


@dataclass(frozen=True)
class BorderConfig:
    """Sampling the markers' white borders and black frames."""

    border_near_mm: float = 1.8
    """The white border is sampled from this far outside the black square on: the lens blurs what is nearer."""
    border_far_mm: float = 6.2
    """It is sampled to this far: TABLE.md grants 8 mm."""
    ink_near_mm: float = 1.8
    """The black frame is sampled from this far inside on."""
    ink_far_mm: float = 6.2
    """It is sampled to this far; the code's own frame is 50 mm / 6 = 8.3 mm wide."""
    saturated: int = 250
    """Camera value (of 255) from which nothing can be measured."""
    min_contrast: float = 1.6
    """White border to black frame in camera values: printed black gives 3 to 8, a hand over the marker about 1."""
    max_spread: float = 0.25
    """Samples of a border further from their median than this share of it do not count."""


@dataclass(frozen=True)
class LightConfig:
    """White balance and fall-off over the mat."""

    paper_white: float = 235.0
    """What white paper comes out as in each channel (of 255)."""
    max_gain: float = 8.0
    """No camera value is multiplied by more than this."""
    slope_sigma: float = 0.35
    """How much light (logarithm) falls off from the middle to an edge; keeps two markers from bending the plane."""
    white_sigma: float = 0.03
    """Error of a border's white (logarithm)."""
    dome: float = 0.06
    """How much brighter (logarithm) the middle is than a plane through the corners says: lenses and lamps darken
    them."""
    edge: float = 1.15
    """Beyond this many half sides from the middle nothing was measured: the light goes on unchanged."""


@dataclass(frozen=True)
class VeilConfig:
    """Veiling glare, which adds light rather than scaling it."""

    whitest: float = 250.0
    """Nothing comes out brighter but for veiling glare: white paper, its noise and the light's unevenness."""
    mat_cell_px: int = 8
    """Veils over the straightened mat are looked for in means over cells of this many px a side."""
    mat_reach_cells: int = 5
    """A veil reaches over this many cells (32 mm): the white round a print tells how bright the veil over it is."""
    patch_cell_px: int = 4
    """The same over crops."""
    patch_reach_cells: int = 7
    """The same over crops (11 mm)."""


@dataclass(frozen=True)
class FocusConfig:
    """Measuring how sharp a picture is at the sides of the markers."""

    side_from: float = 0.15
    """A side is looked at from this share of its length on."""
    side_to: float = 0.85
    """It is looked at up to this share of it."""
    side_samples: int = 24
    """It is looked at in this many places."""
    reach_mm: float = 5.0
    """Across it, so far is looked to both sides."""
    step_mm: float = 0.05
    """It is looked at in steps of so much."""
    ends: int = 6
    """Black and white are taken from this part, one in so many, at both ends."""
    min_step: float = 20.0
    """A side is measured where white is so much lighter than black (camera values)."""
    low_share: float = 0.1
    """The step from black to white begins at this share of it."""
    high_share: float = 0.9
    """The step ends at this share of it."""


@dataclass(frozen=True)
class MatConfig:
    """The mat and its light."""

    markers: MarkerConfig = field(default_factory=MarkerConfig)
    fit: MatFitConfig = field(default_factory=MatFitConfig)
    three: ThreeMarkersConfig = field(default_factory=ThreeMarkersConfig)
    keep: MatKeepConfig = field(default_factory=MatKeepConfig)
    border: BorderConfig = field(default_factory=BorderConfig)
    light: LightConfig = field(default_factory=LightConfig)
    veil: VeilConfig = field(default_factory=VeilConfig)
    focus: FocusConfig = field(default_factory=FocusConfig)
