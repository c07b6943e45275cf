"""Numbers of ``vision.identify``: what of a crop is compared with the deck, and what it weighs.

Pixels are those of crops, 2.5 a millimetre. Odds are natural logarithms. Unless something else is said, a value was
chosen on the out-of-distribution benchmark (``models/README.md``).
"""

from __future__ import annotations

from dataclasses import dataclass, field

Rect = tuple[int, int, int, int]
"""x0, y0, x1, y1 in px."""


@dataclass(frozen=True)
class EmbedderConfig:
    """How the embedder is run."""

    batch: int = 16
    """This many crops at once: enough to keep the cores busy, few enough for their cache and a small memory."""


@dataclass(frozen=True)
class MatcherConfig:
    """What the matcher has to say to be believed."""

    blur_px: float = 1.0
    """Gaussian blur of crops that are seen or enrolled: noise goes, and one is about as sharp as the other."""
    sure_odds: float = 5.0
    """From these on a corner shows the face. Of genuine cards on real photographs 95 % reach it at a corner, of the
    likeliest others none."""
    never_odds: float = -2.0
    """A card that leaves ``asked_from`` unexplained is none of the deck's if no corner of it reaches this."""
    near_odds: float = 3.0
    """One that leaves nearly 1 has to reach this; between the two the limit rises. All 70 genuine SEVEN cards of
    photographs and the benchmark that left so much reach it, and two of 6 others."""
    back_odds: float = 2.3
    """From these on it is the deck's back: of 200 that lay on tables and photographs all that were named have 2.7 and
    more, of 150 cards of another game and 20 other backs none has more than 1.9."""
    asked_from: float = 0.4
    """It is asked of SEVEN cards that leave this much unexplained, a quarter of the genuine ones there and all others,
    of papers that leave 1, and of all backs."""


@dataclass(frozen=True)
class TemplateConfig:
    """What of an enrolled crop is compared point by point."""

    index_top_px: int = 3
    """First row of a SEVEN card's index box."""
    index_bottom_px: int = 40
    """Row below the last one."""
    index_width_px: int = 43
    """Width of the box."""
    left_px: int = 3
    """The box begins no further left."""
    right_px: int = 157
    """The box ends no further right."""
    step_px: int = 4
    """Step between the places that are tried for it."""
    left_share: float = 0.4
    """The left corner is taken while it tells cards apart this much as well as the best place: a fan still shows it."""
    min_difference: float = 0.12
    """Least difference of two cards (share of the ground) that counts for that."""
    title_box_px: Rect = (8, 3, 152, 46)
    """A paper's title."""
    back_box_px: Rect = (3, 3, 46, 40)
    """What shows of a back in a fan."""
    blur_px: float = 0.8
    """Gaussian blur against noise before templates are compared."""
    blank_std: float = 0.5
    """A template that varies by less than this (grey levels) shows nothing, and is compared with nothing."""
    spectra_kept: int = 2
    """Spectra kept of one template: of it whole, and of as much as shows in most columns."""


@dataclass(frozen=True)
class InkConfig:
    """Measuring ink and ground in a crop, and which inks are one."""

    ink_rows: int = 26
    """Ink and ground are measured in this many upper rows (10 mm)."""
    ground_rows: int = 34
    """A crop's ground colour is measured in this many upper rows: below, the next card of a column may lie."""
    min_ink: float = 0.1
    """Least difference from the ground (a share of it) that counts as printed on."""
    ink_share: float = 0.4
    """So does this share of what the boldest points differ by, if it is more."""
    min_ink_points: int = 20
    """With fewer inked points there is no ink colour."""
    same_ink_deg: float = 2.0
    """Suits whose enrolled ink colours differ by no more are printed in one ink."""


@dataclass(frozen=True)
class DeckConfig:
    """Which embeddings of a deck are alike."""

    distinct_cosine: float = 0.05
    """Embeddings that differ by less (1 − cosine) are alike; pictures of one card differ by 0.01 to 0.1 themselves."""
    symmetric_cosine: float = 0.7
    """A card looks the same from both sides from this cosine of its two embeddings on."""


@dataclass(frozen=True)
class CandidateConfig:
    """Which of the deck's templates are compared with a crop."""

    candidates: int = 10
    """This many of the likeliest embeddings have their template compared."""
    more_candidates: int = 40
    """This many where a corner is looked at again after registration."""
    by_template: int = 4
    """This many more where embeddings crowd, and of papers always: those whose template fits best at half the size."""
    crowd_cosine: float = 0.15
    """Embeddings crowd where still more than ``candidates`` lie this near to the likeliest."""
    near_cosine: float = 0.3
    """Further behind the likeliest (12 log odds) a template is not compared; a paper's title is."""
    unlike_cosine: float = 0.85
    """Where likely no corner is, one whose likeliest cosine is below this is not compared at all: of 890 such at decks
    unseen in training three were somewhat like a card."""
    min_rows: int = 24
    """Fewer visible rows of a template (10 mm) say too little: at least this many are compared."""
    min_variance: float = 1e-3
    """A place that varies by less (grey levels squared, a point and colour) counts as if by so much."""


@dataclass(frozen=True)
class SimilarityConfig:
    """How like a corner is to each of the deck's: weights of embedding, template, ink and ground."""

    embedding_weight: float = 40.0
    """Log odds per unit of cosine; fitted on invented decks held out from training."""
    template_weight: float = 20.0
    """Log odds per unit of correlation; fitted with the other."""
    min_correlation: float = -0.2
    """No template counts as less like than this."""
    tint_sigma: float = 0.05
    """How far the ground's colour (logarithm) strays once the light is corrected."""
    shade_sigma: float = 0.2
    """How far its brightness (logarithm) strays."""
    max_ground_odds: float = 5.0
    """The ground weighs no more: shadow and glare falsify it."""
    min_ground_rows: int = 12
    """Fewer visible rows say nothing of the ground: in a fan the next card covers the crop from the side."""
    ink_weight: float = 0.75
    """Weight of the ink colour, a Student's t of its angle."""
    ink_deg: float = 5.0
    """By how much an ink colour usually strays from the enrolled one, at times by far more."""
    max_ink_odds: float = 2.6
    """The ink colour weighs no more."""
    nothing_odds: float = 44.0
    """Log odds of a corner that shows nothing of the deck (badly detected, glare, a finger): one that fits no card
    better says nothing about the card."""


@dataclass(frozen=True)
class PartConfig:
    """The part of a crop that is compared pairwise: what is surely card, as far down as an index reaches."""

    top_px: int = 5
    """The part compared pairwise: what is surely card, as far down as an index reaches. First row."""
    bottom_px: int = 50
    """Row below the last one."""
    left_px: int = 6
    """First column."""
    right_px: int = 154
    """Column right of the last one."""
    open_bottom_px: int = 42
    """The next card of a column begins below this row."""
    depths_px: tuple[int, ...] = (45, 37, 32, 27, 22)
    """Rows compared: the deepest of these that no other card covers, or the last. The first is the whole part, the
    second ends at ``open_bottom_px``."""
    round_corner_px: int = 8
    """A card's corners are round: they show the mat."""
    sample_step: int = 5
    """Light and noise are measured in every so many points."""

    @property
    def width_px(self) -> int:
        """Width of the part compared."""
        return self.right_px - self.left_px

    @property
    def height_px(self) -> int:
        """Its height."""
        return self.bottom_px - self.top_px

    @property
    def open_height_px(self) -> int:
        """Its height above the next card of a column."""
        return self.open_bottom_px - self.top_px


@dataclass(frozen=True)
class AlignmentConfig:
    """Laying templates over crops to a fraction of a pixel."""

    slack_px: int = 3
    """How far a box of a template may lie from where the whole says."""
    max_shift_px: int = 4
    """A finer alignment that moves further than this from the coarse one is not believed."""
    max_turn: float = 0.06
    """One that turns further (sine) is not believed."""
    fine_steps: int = 20
    """Steps of the alignment of two templates (once for each pair)."""
    fine_epsilon: float = 1e-4
    """That alignment ends where the correlation gains less."""
    quick_steps: int = 8
    """Steps of the alignment of a crop (for every corner)."""
    quick_epsilon: float = 1e-3
    """That alignment ends where the correlation gains less."""


@dataclass(frozen=True)
class LightFitConfig:
    """Bringing templates and crops to one light and sharpness."""

    white: float = 200.0
    """Grey level that counts as 1."""
    grain_px: float = 0.5
    """Gaussian blur of lightness, against the worst noise."""
    fringe_px: float = 2.5
    """Gaussian blur of colour: fine colour is a lens's fringes and a sensor's noise, not ink."""
    blurs_px: tuple[float, ...] = (0.0, 0.5, 0.8)
    """Blurs that a crop is compared with."""
    blur_reach_px: int = 4
    """None of them reaches further."""
    sharpness_px: tuple[tuple[float, float], ...] = ((0.5, 0.5), (0.0, 0.5), (0.5, 0.0), (0.8, 0.5), (0.5, 0.8))
    """Blurs of crop and templates: the pair that fits best counts. Much softer would fit even better, as it takes off
    noise, and hide what tells templates apart."""
    min_slope: float = 0.5
    """Least contrast of a crop as a share of the template's."""
    max_slope: float = 1.5
    """Most of it."""
    slope_prior: float = 0.002
    """Weight of a share of 1, per point."""
    shared_slope: float = 0.5
    """How much the three colours' mean counts in each one's slope: the light's colour is known roughly only, and where
    two inks differ the hue tells them apart. From 0 to 5 held-out crops hardly tell; this misread the fewest."""
    uneven: float = 0.15
    """Uneven light on an enrolment page makes no more difference than this (1 is white)."""


@dataclass(frozen=True)
class DifferenceConfig:
    """Where two templates differ."""

    noise_factor: float = 2.0
    """Templates differ where they are further apart than this many times what they are on the whole, which is noise."""
    max_noise_share: float = 1 / 3
    """No more than this share of the most is taken for noise: some templates differ nearly everywhere."""
    min_difference: float = 0.05
    """Least difference (1 is white) that counts."""
    box_share: float = 0.3
    """Boxes go round what differs by this share of the most."""
    slight_share: float = 0.1
    """Where these are hidden, boxes go round what differs by this share of it."""
    max_boxes: int = 5
    """At most this many boxes, those that differ most."""
    blot_px: int = 7
    """Differences are summed over squares of this side."""


@dataclass(frozen=True)
class PairwiseConfig:
    """Pairwise verification: the top candidates are compared two by two, only where their templates differ."""

    weight: float = 9.0
    """Log odds of a comparison won clearly. 13 names 1.3 % more of the benchmark's crops and misreads 1.0 % more."""
    share: float = 0.7
    """The share that the similarity as a whole keeps beside it."""
    close_odds: float = 7.0
    """Candidates within these log odds of the likeliest are compared."""
    close_paper_odds: float = 9.0
    """Papers from further behind: a numeral alone may tell them apart."""
    max_rivals: int = 5
    """At most this many candidates."""
    max_rounds: int = 3
    """Who beats the likeliest is compared with the others in a further round, so often at the most."""
    partial_weight: float = 0.7
    """Weight of a comparison by what is left of a hidden mark: of those won by a fifth to two fifths a quarter were won
    by the wrong one, where all shows a tenth."""
    below_nothing_odds: float = 3.0
    """A corner further below ``similarity.nothing_odds`` shows no card whatever comparisons say: mats give many
    such."""
    max_rise_odds: float = 4.0
    """Who beats the likeliest shows the deck no more clearly than that by more than this: comparisons ask which."""
    kept: int = 600
    """Pairs of templates kept in memory."""


@dataclass(frozen=True)
class MisfitConfig:
    """How far two templates misfit what is seen in the boxes where they differ."""

    min_rows: int = 3
    """Fewer visible rows of a box are not compared."""
    hidden_share: float = 0.5
    """Where less of a box shows, what differs slightly elsewhere is compared too."""
    clear_misfit: float = 1.0
    """Templates that misfit each other by this much (squared, summed) or more are fully distinguished."""
    max_veil: float = 0.25
    """Glare and blur may brighten or darken a box as a whole by so much (1 is white); a hue differs by more."""
    max_shadow: float = 0.3
    """The shadow of the card below may darken a box's foot, and brighten its top, by so much."""
    neither_share: float = 1.1
    """A box in which both misfit by more than noise and this share of what they misfit each other shows neither."""
    occlusion_error_rows: int = 3
    """By this many rows (1.2 mm) the card below may begin higher than its corner was detected."""


@dataclass(frozen=True)
class RegistrationConfig:
    """Registration: a doubtful corner is straightened over the template that it most looks like."""

    steps: int = 30
    """Steps of the alignment."""
    epsilon: float = 1e-4
    """It ends where the correlation gains less."""
    min_fit: float = 0.5
    """Least correlation of an alignment that is believed."""
    max_turn_deg: float = 8.0
    """Greatest turn of one."""


@dataclass(frozen=True)
class OpenSetAlignmentConfig:
    """Laying the template of the likeliest card over what is seen."""

    sharpness_px: tuple[tuple[float, float], ...] = (
        (0.5, 0.5),
        (0.0, 0.5),
        (0.5, 0.0),
        (0.8, 0.5),
        (0.5, 0.8),
        (0.0, 1.2),
    )
    """Blurs of crop and template: the first is tried first, then the pair that fits best."""
    slack_px: int = 1
    """A blot may lie so far from where the whole says."""
    room_px: int = 3
    """A blot of another card's template may lie less far than this from there."""
    steps: int = 20
    """Steps of the alignment."""
    epsilon: float = 1e-4
    """It ends where the correlation gains less."""
    min_rows: int = 8
    """At least this many rows are aligned."""
    upper_rows: int = 30
    """If all that show say nothing, these are: a card that nobody found may lie over the others."""
    max_shift_px: float = 4.0
    """An alignment that moves further is not believed."""
    max_turn: float = 0.13
    """One that turns further (sine) is not believed."""
    slopes: tuple[float, float] = (0.1, 1.6)
    """Contrast of a crop as a share of the template's: glare may take nearly all of it."""

    @property
    def quick(self) -> tuple[tuple[float, float], ...]:
        """The blurs tried first."""
        return self.sharpness_px[:1]


@dataclass(frozen=True)
class OpenSetRegionConfig:
    """Where the cards of a deck differ from each other."""

    differ_share: float = 0.12
    """The cards of a deck differ where they spread by more than this share of the most."""
    differ_most: float = 99.5
    """The most is this percentile of their spread."""
    foot_share: float = 0.05
    """The lowest rows, with this share of all that differs, don't count: there the next card begins."""
    min_cards: int = 4
    """Of fewer cards where they differ can't be found."""
    around_px: int = 4
    """So much of the part is looked at round where they differ."""


@dataclass(frozen=True)
class OpenSetCoverConfig:
    """What other cards hide."""

    beside_occluder_px: tuple[int, int] = (13, 7)
    """So high and so wide what lies near a card that was found counts as hidden."""
    beside_cover_px: tuple[int, int] = (7, 5)
    """The same near a card that was not found."""
    free_rows: int = 28
    """The upper rows of a part, which tell its light."""
    least: float = 0.06
    """A card that was not found differs from the template by at least this (1 is white)."""
    ink_share: float = 0.25
    """It differs by at least this share of the ink."""
    ink_percentile: float = 98.0
    """The ink is the template's at this percentile."""
    noise: float = 4.0
    """It differs by this many times what half of the part does."""
    width_px: int = 55
    """It does so this far along the lower or the upper edge."""
    height_share: float = 0.7
    """Along the right edge it does so over this share of the height."""
    filled_share: float = 0.6
    """There so much differs from where it begins to the edge."""


@dataclass(frozen=True)
class OpenSetEvidenceConfig:
    """Evidence that a corner shows the card it is named as. Chosen on flat tables (``tools.benchmark_ood.foreign``)."""

    max_unexplained: float = 0.15
    """A corner of which a blot is left unexplained by a larger share shows another card."""
    max_better: float = 0.05
    """So does one where another card's template explains a blot better by a larger share than this and the noise."""
    noise_factor: float = 1.5
    """The noise counts this many times, as a share of the ink."""
    max_noise: float = 0.05
    """It counts as no more than this."""
    most_blots: int = 4
    """This many blots, the worst, are asked for other templates."""
    blot_px: int = 7
    """A blot is a square of this side."""
    blot_share: float = 0.6
    """At least this share of a blot shows."""
    strong_percentile: float = 95.0
    """What is left is a share of the ink there and of the ink at this percentile."""
    noise_percentile: float = 30.0
    """What blots are left unexplained at this percentile is noise."""
    least_weight: float = 0.35
    """A channel in which a card has little contrast counts less, at least so much."""
    min_points: int = 40
    """Fewer points (px) that show say nothing."""
    min_blots: int = 30
    """Fewer blots say nothing."""
    displaced_px: int = 20
    """A corner may lie so far from where it was found."""

    @property
    def half_blot_px(self) -> int:
        """A blot reaches so far from its middle."""
        return self.blot_px // 2


@dataclass(frozen=True)
class OpenSetConfig:
    """Whether a corner shows the card that it is likeliest at all."""

    evidence: OpenSetEvidenceConfig = field(default_factory=OpenSetEvidenceConfig)
    alignment: OpenSetAlignmentConfig = field(default_factory=OpenSetAlignmentConfig)
    region: OpenSetRegionConfig = field(default_factory=OpenSetRegionConfig)
    cover: OpenSetCoverConfig = field(default_factory=OpenSetCoverConfig)


@dataclass(frozen=True)
class IdentifyConfig:
    """What corners show."""

    embedder: EmbedderConfig = field(default_factory=EmbedderConfig)
    matcher: MatcherConfig = field(default_factory=MatcherConfig)
    template: TemplateConfig = field(default_factory=TemplateConfig)
    ink: InkConfig = field(default_factory=InkConfig)
    deck: DeckConfig = field(default_factory=DeckConfig)
    candidates: CandidateConfig = field(default_factory=CandidateConfig)
    similarity: SimilarityConfig = field(default_factory=SimilarityConfig)
    part: PartConfig = field(default_factory=PartConfig)
    alignment: AlignmentConfig = field(default_factory=AlignmentConfig)
    light_fit: LightFitConfig = field(default_factory=LightFitConfig)
    difference: DifferenceConfig = field(default_factory=DifferenceConfig)
    pairwise: PairwiseConfig = field(default_factory=PairwiseConfig)
    misfit: MisfitConfig = field(default_factory=MisfitConfig)
    registration: RegistrationConfig = field(default_factory=RegistrationConfig)
    open_set: OpenSetConfig = field(default_factory=OpenSetConfig)
