"""Numbers of ``vision.faces``: cards that are learnt and read by their whole faces.

Unless something else is said, a value was chosen on rendered tables of six invented arts and of the printed set
(``python -m tests.vision.faces.bench``).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class FaceSearchConfig:
    """Where on the mat a card of the deck may lie: strips of all faces are compared everywhere, coarsely."""

    px_per_mm: float = 0.4
    """Scale of that picture."""
    strip_mm: float = 22.0
    """So much of a card's head shows in a column, whose step is 25 mm and at times a little less."""
    turns_deg: tuple[float, ...] = (-6.0, -3.0, 0.0, 3.0, 6.0)
    """Cards lie turned by these against their player's: so coarsely a strip is still like itself 6 degrees askew."""
    blur_px: float = 0.7
    """Strips and picture are softened by this."""
    min_spread: float = 4.0
    """A place whose grey levels spread less (standard deviation) is bare mat."""
    coarser_likeness: float = 0.45
    """Only round places that are so like a strip at half the scale is searched: 1500 cards of nine decks are by 0.48
    at least."""
    coarser_within: float = 0.1
    """Of places beside each other there those that are like one by no more than this less than the likeliest."""
    coarser_turned: float = 0.15
    """What is less like one than like one upside down by more than this is none."""
    min_likeness: float = 0.55
    """A place is looked at from this correlation on."""
    apart_mm: float = 7.0
    """Of two places nearer to each other the likelier one is looked at first."""
    near_px: int = 5
    """What lies so near to a change is looked at anew: width of the square by which it is grown."""
    tile_px: int = 64
    """Of a picture in which little changed only tiles of this size (at the fit's scale) are straightened."""
    tile_edge_px: int = 8
    """A tile is straightened with so much round it, for softening's sake."""
    most_places: int = 400
    """No more places are looked at."""
    same_names: int = 5
    """This many of a place's likeliest faces tell how the card lies."""


@dataclass(frozen=True)
class FaceFitConfig:
    """How a card lies at such a place, and which faces it may show there."""

    kept_px_per_mm: float = 2.0
    """Scale at which faces are kept and laid exactly."""
    px_per_mm: float = 1.0
    """Scale at which all faces are compared."""
    place_off: float = 32.0
    """A place is none where all likely faces' heads are off by more grey levels (RMS): of 1230 cards 99 % are off
    by 24, the rest by up to 40, but three quarters of 7700 places that are no card's by 35 and more."""
    around_mm: float = 5.0
    """A place is exact to within this."""
    tried_names: int = 2
    """How a card lies is found out with this many of a place's likeliest faces."""
    laid_names: int = 3
    """At most this many faces are laid exactly."""
    as_likely: float = 0.02
    """Their strips correlate by no more than this less than the likeliest one's."""
    names: int = 12
    """At most this many faces are compared in full."""
    likely_within: float = 0.3
    """Their strips correlate by no more than this less than the likeliest one's."""
    nearest_names: int = 6
    """This many faces that are most like the likeliest are compared too."""
    min_likeness: float = 0.5
    """A place where no strip correlates so far is no card's."""
    blur_px: float = 0.8
    """Softening of faces and pictures in full, so that no fraction of a pixel counts."""
    same_card_mm: float = 14.0
    """Cards whose middles are nearer than this are one: a column's step is never so short."""
    seen_weight: float = 0.5
    """Of two fits the one that explains a whole face more counts for so much correlation more."""
    explained_share: float = 0.6
    """A place of which cards that were found explain so much is none."""


@dataclass(frozen=True)
class FaceStepsConfig:
    """How a strip is laid exactly."""

    steps: int = 5
    """The exact fit takes at most this many steps."""
    most_turn: float = 0.02
    """No step turns by more (radians)."""
    least_step_mm: float = 0.05
    """The fit goes on while a step moves by more."""
    least_turn: float = 0.001
    """It goes on while a step turns by more (radians)."""
    least_contrast: float = 0.2
    """It is given up where the strip has less than this share of its contrast."""


@dataclass(frozen=True)
class FaceToneConfig:
    """How the tone is found out in which a picture shows the faces. Values are shares of white."""

    places: int = 24
    """This many of the likeliest places are looked at."""
    most_cards: int = 15
    """At most this many cards tell the tone."""
    least_cards: int = 3
    """With fewer cards the tone is not known."""
    least_likeness: float = 0.85
    """Cards tell it that correlate so far with a face: at a power of 2.2 or without colour most do by 0.9."""
    darkest: float = 0.04
    """Darker points tell nothing."""
    brightest: float = 0.8
    """Brighter points tell nothing."""
    least_points: int = 60
    """A head with fewer points tells nothing."""
    least_spread: float = 0.15
    """Points nearly of one tone (standard deviation of their logarithm) tell nothing."""
    usual_power: float = 0.12
    """Powers whose logarithm differs by no more are one."""
    usual_colour: float = 0.15
    """Shares of colour that differ by no more are one."""


@dataclass(frozen=True)
class FaceRivalsConfig:
    """Which faces are compared with a card in full."""

    compared: int = 10
    """At most this many faces, those that differ least from a card's head, are compared with it in full."""
    surely_compared: int = 3
    """At least this many are compared."""
    compared_off: float = 16.0
    """Their heads are off (squared) by no more than this many times the likeliest one's."""
    compared_points: int = 2000
    """They are compared at this many points or a few more."""


@dataclass(frozen=True)
class FaceNameConfig:
    """When a card shows a face of the deck. Grey levels are those of a mat whose white is at 235."""

    surely: float = 0.75
    """Least correlation of a face with what shows of the card, rows' means left out or not: 2700 cards of thirteen
    decks have 0.78 and more, 54 dark edges that were taken for plain backs 0.68 and less."""
    most_off: float = 20.0
    """A face differs from what shows by at most this many grey levels (RMS)."""
    clearly: float = 0.9
    """What correlates so far is a card before anything else: a head turned by 180 degrees correlated by 0.88."""
    perhaps: float = 0.6
    """From this correlation on it is looked at whether a face of the deck lies there."""
    perhaps_off: float = 24.0
    """It is looked at only where the difference is no greater than this (grey levels, RMS)."""
    differing_points: int = 15
    """This many points tell by how much two faces differ most."""
    share_of_difference: float = 0.3
    """They are compared where they differ by more than this share of that."""
    least_difference: float = 6.0
    """They are compared where they differ by at least this many grey levels."""
    least_seen: float = 0.3
    """A card is named only if so much of its strip can be compared."""
    candidates: int = 3
    """At most this many names are reported of a card that can't be named."""
    lost_share: float = 0.3
    """Glare is the cause where so much of what shows is clipped."""


@dataclass(frozen=True)
class FaceSureConfig:
    """When a card that shows a face is named, and not asked about with the likeliest names."""

    likeness: float = 0.86
    """It correlates so far with the face: 5700 cards of five decks in pictures of any tone, colour and noise that were
    named rightly have 0.88 and more, a coin on a board 0.84."""
    strip_likeness: float = 0.93
    """One of which hardly more than the strip shows correlates so far: edges of boards that were taken for plain backs
    in pale pictures have 0.92 and less, as have four of 53 cards."""
    strip_visible: float = 0.18
    """Hardly more than the strip by which it was found shows where no more of the face does than this."""
    share: float = 0.66
    """Between the face and its nearest rival it lies so far on the face's side: 1 is the face itself, 0 the rival."""
    lead: float = 5.0
    """It lies this many standard errors beyond their middle: of 1600 cards that show in columns of seven arts one is
    nearer to a wrong face, by 0.55 and 1.3."""
    misfit: float = 0.6
    """Where the two are printed otherwise it differs from the face by this share of their difference at most."""


@dataclass(frozen=True)
class FaceShownConfig:
    """How much of a card shows."""

    shown_mm: float = 15.0
    """So much of its strip at least: in a narrow column the next one lies on the rest."""
    least_row: float = 0.05
    """A row of points of which less shows is not looked at."""
    band_mm: float = 3.0
    """What shows is found out in bands of this many mm."""
    band_off: float = 10.0
    """A band that shows differs from the face by at most this many grey levels (RMS)."""
    band_off_upper: float = 18.0
    """In the strip, by which the card was found, it differs by at most this many."""
    head_off: float = 4.0
    """The face's head is off (squared) by no more than this many times the likeliest's: the bare paper of a card that
    nobody found is what some other face shows there."""
    rim_mm: float = 1.5
    """A face's rim is not compared: round its corners shows what it lay on when it was learnt, or lies on now."""
    turned_like: float = 0.6
    """A face whose lower end, turned, correlates so far with its head may lie either way up."""
    turned_from: float = 0.5
    """Either way is looked at where so much of the face shows."""
    edge_px: int = 5
    """So much round a card that lies on another is not looked at: width of the square that its outline is grown by."""
    most_gain: float = 1.2
    """A card is brighter or darker than it was learnt by this factor at most."""


@dataclass(frozen=True)
class FaceLooksConfig:
    """What a picture may change of any face, so that it is no evidence (standard deviations; the rest is evidence)."""

    points_mm: float = 1.0
    """Faces are compared at points so far apart, every second of those kept: nearer ones tell nothing more."""
    noise_levels: float = 3.0
    """A point's noise is at least this many grey levels."""
    points_alike: float = 6.0
    """This many of the points compared, colours and neighbours, have their noise together."""
    usual_lie: tuple[float, float, float] = (0.4, 0.4, 0.4)
    """A face lies otherwise than it was learnt by this many points right and down, and degrees."""
    most_off_lie: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """It lies otherwise by these at most."""
    laid_again: int = 5
    """How it lies is found out at most this many times."""
    least_off_lie: float = 0.3
    """It is found out again while it lies otherwise by more than this."""
    softness_cards: int = 15
    """This many cards tell how sharp a picture is."""
    usual_blur: float = 0.7
    """A card may be so much less or more sharp, of a softening by one point."""
    most_blur: float = 1.5
    """It may be so by this at most."""
    usual_gain: float = 0.12
    """It is brighter by this factor in all."""
    usual_shade: float = 6.0
    """From one edge to the other it is brighter by this many grey levels."""
    usual_tint: float = 0.03
    """It is brighter in each colour by this factor."""
    usual_tint_shade: float = 2.0
    """From one edge to the other it is brighter in each colour by this many grey levels."""


@dataclass(frozen=True)
class FaceSurfaceConfig:
    """What lies on the mat beside the cards that are read."""

    bin_levels: int = 8
    """The mat's colour is the commonest, by bins of this many grey levels."""
    other_levels: float = 12.0
    """Something else differs from the mat's colour by more grey levels than this."""
    spreads: float = 2.0
    """It differs by more than this many times the mat's own usual difference."""
    most_share: float = 0.6
    """A mat of which more is of other colours has none of its own, and nothing is reported."""
    smooth_mm: float = 2.0
    """A card and its face are smoothed so far before they are compared: fine lines never fit."""
    like_levels: float = 12.0
    """A card explains what is like its face to this many grey levels."""
    band_mm: float = 3.0
    """What it explains is looked at in bands of this many mm."""
    least_like: float = 0.6
    """Of a band of which less is like the face it explains nothing."""
    least_clear: float = 0.35
    """Nor does it of one of which less is free of glare."""
    edge_px: int = 3
    """Edges and shadows: what is explained is grown by a square of this width, at the search's scale."""
    border_mm: float = 12.0
    """The markers' white borders reach so far into the mat."""
    least_wide_mm: float = 12.0
    """What is narrower is a line or a word."""
    least_mm2: float = 250.0
    """What is smaller is no card: of one in a column 65 × 18 mm show at least."""
    wider_mm: float = 70.0
    """What is wider both ways is more than a card, a board mostly, and reported once."""
    most_mm: float = 120.0
    """What is longer is several cards, reported in parts half as long."""


@dataclass(frozen=True)
class FacesConfig:
    """All of them."""

    search: FaceSearchConfig = field(default_factory=FaceSearchConfig)
    fit: FaceFitConfig = field(default_factory=FaceFitConfig)
    steps: FaceStepsConfig = field(default_factory=FaceStepsConfig)
    tone: FaceToneConfig = field(default_factory=FaceToneConfig)
    rivals: FaceRivalsConfig = field(default_factory=FaceRivalsConfig)
    name: FaceNameConfig = field(default_factory=FaceNameConfig)
    sure: FaceSureConfig = field(default_factory=FaceSureConfig)
    shown: FaceShownConfig = field(default_factory=FaceShownConfig)
    looks: FaceLooksConfig = field(default_factory=FaceLooksConfig)
    surface: FaceSurfaceConfig = field(default_factory=FaceSurfaceConfig)
