"""Numbers of the reader itself: how corners are searched again, what keeps a card unread, and incremental reading.

Odds are natural logarithms, on the scale of ``SimilarityConfig``. Scores are the detector's, 0 to 1. Unless something
else is said, a value was chosen on the out-of-distribution benchmark (``models/README.md``).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class KindConfig:
    """What the detector's score and kind say about what a corner shows."""

    other_kind_odds: float = 2.5
    """Against a card of another kind than the detector takes the corner for: it errs in about one of twelve."""
    shows_kind_odds: float = 3.0
    """For a card of that kind, where the detector sees the corner clearly: what is veiled or blurred may be like no
    template as such and yet far more like one than like all others."""
    shows_kind_from: float = 0.5
    """These odds rise from this score on."""
    shows_kind_to: float = 0.6
    """They are full from this score on."""
    faint_odds: float = 2.0
    """Against a corner that the detector hardly sees showing anything at all."""
    faintest_score: float = 0.35
    """Those odds are full up to this score."""
    faint_score: float = 0.45
    """From this score on they are none."""
    own_card_odds: float = 53.0
    """A suppressed corner is one of its own from these on: suit marks reached 51 (with the embedder before this one), a
    dozen corners that some card really had showed 53 to 58."""
    top_seats_share: float = 0.38
    """Cards in this upper share of the mat belong to the seats at the top and face the other way."""


@dataclass(frozen=True)
class SearchConfig:
    """Which corners are looked at again, and where."""

    clear_lead_odds: float = 4.6
    """A lead that leaves no doubt."""
    almost_odds: float = 6.0
    """How far below ``similarity.nothing_odds`` a corner may be a card's after all."""
    max_loss_odds: float = 1.0
    """How much worse a registered corner may fit and still be believed."""
    rival_odds: float = 6.0
    """A rival no further behind is registered to a doubtful corner too."""
    same_mm: float = 0.8
    """Poses this near, and turned alike, show the same."""
    same_deg: float = 1.0
    """They are turned alike to within this."""
    clear_back_score: float = 0.5
    """A corner taken for a back's that shows the deck poorly is searched nearby from this score on: many a line is."""
    clear_score: float = 0.35
    """Any other is from this score on."""
    poor_odds: float = 50.0
    """Corners that show the deck no better are searched nearby: of true ones one in fifty."""
    max_nearby: int = 24
    """At most this many in one reading, those that show nothing first."""
    nearby_px: int = 12
    """So far to each side (of a crop), nearly 5 mm."""
    better_odds: float = 2.5
    """A corner that shows something lies elsewhere only if it shows the deck clearer there by more than this."""
    plain_odds: float = 55.0
    """A corner that shows the deck as well as this shows it hardly better anywhere: 60 is the most."""
    max_contradicting: int = 6
    """At most this many whole cards whose corners show different names are looked at again."""


@dataclass(frozen=True)
class QualityConfig:
    """How well a crop can be seen, and why a card stays unread."""

    min_px_per_mm: float = 1.9
    """Below this a crop's index can't be read: the camera must come nearer or have more pixels."""
    clipped: int = 250
    """A point is clipped where all its channels reach this (of 255)."""
    bloom_px: int = 3
    """What lies so near to a clipped point is no ground either: side of the square."""
    glare_share: float = 0.25
    """Glare is the cause from this clipped share of a crop on."""
    veil: float = 25.0
    """It also is where it adds so much (white paper is 235)."""
    blurred: float = 8.0
    """Blur is the cause below this sharpness."""
    well_lit: float = 230.0
    """Sharpness is measured as if the card's ground had this grey level."""
    darkest: float = 25.0
    """No ground counts as darker than this for that."""


@dataclass(frozen=True)
class IncrementalConfig:
    """``vision.incremental``: what counts as a change. Pixels are the detector's, 1.25 a millimetre."""

    min_change: float = 12.0
    """Grey levels (of 255, white at 235) by which a point must change, however little noise there is: the faintest
    index marks differ from their ground by some 30, and fill a third of a point and more."""
    noise_factor: float = 4.0
    """A change counts from this many times the usual difference on, since most of a mat stays as it was."""
    max_noise: float = 8.0
    """With a usual difference above this the light or the camera changed, not the cards."""
    light_change: float = 0.1
    """White paper that has become so much brighter or darker (logarithm), or another colour, means another light."""
    max_share: float = 0.5
    """Detecting in more than this share of the mat costs as much as reading all of it."""
    reach_px: int = 32
    """How far from a change the detector may see corners otherwise: what it goes by lies within a crop's height."""
    around_px: int = 64
    """How much round that the detector is shown, so that it sees what it would see in the whole picture."""
    drift_px: int = 4
    """How far a corner's anchor drifts between two readings: one just inside may now be just outside."""
    crop_step_mm: float = 3.0
    """Step of the points of a crop that are checked for change."""
    face_step_mm: float = 5.0
    """The same where a back is looked for by its face."""


@dataclass(frozen=True)
class StillnessConfig:
    """``vision.stillness``: when nothing moves over the mat."""

    blocks_across: int = 160
    """A luma picture is averaged down to about this many blocks across."""
    min_change: float = 5.0
    """Least change of a block (of 255) that counts, however quiet the sensor: paper edges change blocks by far more."""
    noise_factor: float = 6.0
    """A change counts from this many standard deviations of the sensor's noise on."""
    still_frames: int = 3
    """At least this many frames are still."""
    follow_s: float = 4.0
    """Time constant with which a still picture follows slow changes of light."""


@dataclass(frozen=True)
class ReadingConfig:
    """The reader itself."""

    kind: KindConfig = field(default_factory=KindConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    quality: QualityConfig = field(default_factory=QualityConfig)
    incremental: IncrementalConfig = field(default_factory=IncrementalConfig)
    stillness: StillnessConfig = field(default_factory=StillnessConfig)
