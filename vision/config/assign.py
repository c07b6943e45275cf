"""Numbers of ``vision.assign``: from corners to hypotheses, further evidence, and the assignment of names.

Odds are natural logarithms, on the scale of ``SimilarityConfig``. Scores are the detector's, 0 to 1. Unless something
else is said, a value was chosen on the out-of-distribution benchmark (``models/README.md``).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class HypothesisConfig:
    """From corners and their similarities to what each card could be."""

    contradiction: float = 0.05
    """Two corners whose names agree with less than this probability contradict each other."""
    fainter_share: float = 0.6
    """A corner with less than this share of another's score is far fainter."""
    misled: float = 0.003
    """How often a corner does not show its card though it seems to."""
    far_better_odds: float = 3.0
    """Of two corners that contradict each other the one that fits this much worse is likelier the misled one, the more
    so the worse it fits; of two that fit about as well neither decides."""
    half_misled_odds: float = 47.0
    """Corners that fit no card better than this are as often misled as not: counted of 1741 among decks unseen in
    training."""
    misled_decay_odds: float = 2.0
    """For each of this above ``half_misled_odds`` corners are e times less often misled."""
    hardly_seen_score: float = 0.5
    """A corner alone that is fainter than this is misled as often."""
    faint_score: float = 0.3
    """A back's corner fainter than this, alone or among clear cards, is its pattern's repeat: a fan of backs is
    counted."""
    unclear_score: float = 0.45
    """A back has to reach this where it may show nothing, as lines on a mat cross like a corner, or where it would lie
    through a far clearer card."""
    max_nothing: float = 0.02
    """A corner surely shows a card where the probability that it shows nothing is below this."""
    max_nothing_alone: float = 5e-5
    """A corner alone, though nothing lies on the card's other one, must be below this or be clear: of the lines of a
    mat that meet like a corner some look like a back or a paper. So must a card of which the detector hardly saw one
    corner and nothing of the other."""


@dataclass(frozen=True)
class BackConfig:
    """Backs searched by their whole face, where a pattern misled the detector."""

    reach_mm: float = 30.0
    """How far from the place that a corner tells of a card's centre may lie."""
    min_score: float = 0.35
    """Corners fainter than this are not looked at: every mat has some."""
    max_searches: int = 10
    """At most this many places are searched in one reading."""
    face_score: float = 0.6
    """The score of a corner that only the whole face showed."""
    fan_step_mm: float = 20.0
    """In a fan of backs the next one lies further on than this; nearer, the pattern of one fits again."""
    overlap_odds: float = 50.0
    """Where backs lie over each other, a pattern's repeat shows something too: both corners together must show more
    than twice this."""
    same_search_mm: float = 20.0
    """Hypotheses nearer to each other than this, and turned alike, are searched as one."""
    same_search_deg: float = 3.0
    """They are turned alike to within this, but for quarter turns."""
    inset_mm: float = 3.0
    """Cards overlap where one holds a point this far inside the other's outline; cards that only touch share none."""


@dataclass(frozen=True)
class FaceConfig:
    """Finding a back's face in a part of the mat."""

    px_per_mm: float = 0.8
    """Coarse enough to take a millisecond, fine enough for a pattern's lines."""
    min_fit: float = 0.6
    """Least correlation of a face with what is seen; where it lies nowhere, patterns of lines reach 0.5."""
    max_places: int = 3
    """A pattern that repeats fits in several places: no more of them are reported."""
    place_mm: float = 5.0
    """Such places are at least this far apart."""
    rim_px: int = 4
    """The outermost 1.6 mm of a face are left out: what lies beside the card is no part of it."""
    same_mm: float = 3.0
    """Two places found for a face, turned alike, are one if they lie no further apart than this."""
    same_deg: float = 15.0
    """They are turned alike to within this."""
    known_share: float = 0.95
    """A point of the small face counts where this share of it is known."""


@dataclass(frozen=True)
class InkColourConfig:
    """The ink colour of a SEVEN card against those of the others on the same table."""

    sure: float = 0.99
    """Cards named with this probability by all else show what a suit's ink looks like on this table."""
    max_odds: float = 6.0
    """The most that is said against an ink: print under glare or another card's edge may look like any."""
    min_known: int = 6
    """With fewer cards to go by nothing is said."""
    min_deg: float = 0.7
    """Inks stray by no less than this."""
    median_share: float = 1.18
    """The median of how far inks stray, over their deviation."""


@dataclass(frozen=True)
class CentreCropConfig:
    """Which cards have their centre crop compared, with which names, and what that weighs."""

    margin_px: int = 5
    """How much more is cut all round on the table; the enrolled crop is looked for within that."""
    weight: float = 11.0
    """Log odds of a centre crop that is surely the one and not the other. Of decks unseen in training 76 of 132 spoke
    for the card's name and 2 against it, both hardly."""
    no_doubt: float = 0.999
    """A card that is surer by its corners is not asked, unless another one claims the same name."""
    min_rivals: int = 3
    """At least this many names are compared."""
    max_rivals: int = 15
    """No more names are compared, where all others taken together are not negligible."""
    min_probability: float = 1e-5
    """Names less likely are not compared."""
    negligible: float = 0.005
    """Probability of all others together that is."""
    max_cards: int = 8
    """At most this many cards are asked in one reading, the most doubtful first."""
    clear_misfit: float = 10.0
    """Crops that differ by this much (squared, summed; 1 is white) are fully distinguished."""
    min_fit: float = 0.6
    """What fits both worse than this correlation is neither: the card lies elsewhere, or under another whose corner was
    not found."""
    neither_share: float = 0.7
    """What is as far from both as this share of what they are apart is neither too."""
    min_visible: float = 0.5
    """Where less of a crop shows, or of what two of them differ in, nothing is said."""


@dataclass(frozen=True)
class CentrePrintConfig:
    """Comparing centre crops. Pixels as in crops, 2.5 a millimetre."""

    white: float = 200.0
    """Grey level that counts as 1."""
    blur_px: float = 1.0
    """Gaussian blur against noise and the finest print."""
    slack_px: int = 3
    """How far two enrolled crops may lie apart, and one from where the whole fits best."""
    blot_px: int = 7
    """Differences are summed over squares of this side."""
    noise_factor: float = 2.0
    """Crops differ where they are further apart than this many times what they are on the whole, which is noise."""
    min_difference: float = 0.08
    """What is less than this (1 is white) is no difference, but the faintest of prints."""
    min_share: float = 0.1
    """Nor is what is less than this share of the greatest difference."""
    min_px: int = 60
    """Fewer points say nothing of light or difference."""
    min_slope: float = 0.6
    """Least contrast of what is seen as a share of the enrolled."""
    max_slope: float = 1.4
    """Most of it."""
    slope_prior: float = 0.01
    """Weight of a share of 1, per point."""


@dataclass(frozen=True)
class AssignmentConfig:
    """One name for each card of the table, or none."""

    min_probability: float = 0.90
    """A name is given from this probability on."""
    max_push: float = 0.1
    """Other cards' claims to a name divide its probability by ten at the most: two cards that both look like one end
    doubtful, neither with its second best."""
    own_probability: float = 0.5
    """What a card must be by its own evidence before the others' names may make it sure."""
    twice_mm: float = 30.0
    """One card seen twice lies no further apart than this."""
    beyond_mm: float = 2.0
    """Where the two face one way (a suit mark taken for a corner), each anchor lies no further beyond the other's
    edges."""
    beyond_facing_mm: float = 5.0
    """Where they face each other, no further than this; the next card of a column lies further out."""
    pile_mm: float = 13.0
    """A card whose centre is this near to a whole card's lies under it, as in a pile; in a column the step is
    longer."""
    pile_probability: float = 0.995
    """It gets its name from this probability on: half of a 10 passes for an 11."""
    fan_step_mm: float = 23.0
    """Backs of a fan lie about so far apart or further. One of which both corners were found is then there, though it
    seems to lie through the next: on that the pattern may go on as if a corner were there."""
    within_mm: float = 2.0
    """A corner this far within a card's outline surely lies on it."""
    along_edge_mm: float = 6.0
    """A mark along an edge lies no further below the corner."""
    across_deg: float = 30.0
    """Cards turned by a right angle to within this lie across each other."""
    clear_score: float = 0.78
    """A corner that shows nothing is a card's all the same from this score on; fainter ones are clutter."""
    veiled_score: float = 0.6
    """From this score on it is a card's where glare or blur tells why: else most such are lines that meet."""


@dataclass(frozen=True)
class AssignConfig:
    """Which card is which."""

    hypothesis: HypothesisConfig = field(default_factory=HypothesisConfig)
    back: BackConfig = field(default_factory=BackConfig)
    face: FaceConfig = field(default_factory=FaceConfig)
    ink_colour: InkColourConfig = field(default_factory=InkColourConfig)
    centre_crop: CentreCropConfig = field(default_factory=CentreCropConfig)
    centre_print: CentrePrintConfig = field(default_factory=CentrePrintConfig)
    assignment: AssignmentConfig = field(default_factory=AssignmentConfig)
