"""Numbers of ``vision.enrol``: finding the cards of a page, checking how they are seen, and which card is which.

Unless something else is said, a value was chosen on the enrolment pages of the out-of-distribution benchmark
(``models/README.md``) and on pages of the simulated table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Rect = tuple[int, int, int, int]
"""x0, y0, x1, y1 in px."""


@dataclass(frozen=True)
class PageConfig:
    """Where the cards of a page lie, and which of its corners count."""

    reach_mm: float = 30.0
    """A card this far from its place still lies on it."""
    near_share: float = 1.9
    """It lies near it up to this many times as far."""
    filled: float = 0.75
    """A page of papers with less than this share of its cards may be the seven page: some of its places lie near
    theirs."""
    other_page: float = 0.9
    """A picture with more than this share of another page's places filled shows that page."""
    max_tilt_deg: float = 15.0
    """A card lies upright to within this."""
    min_score: float = 0.35
    """A corner counts from this score on."""
    score_share: float = 0.6
    """Where a card lies alone, corners of less than this share of the clearest one's score are clutter."""
    agree_mm: float = 4.0
    """Two corners agree if they put their card this near to each other."""
    nearly_mm: float = 6.0
    """Clear ones agree if they put it this near to each other: a frame may mislead both."""
    clear_score: float = 0.5
    """Clear: from this score on."""
    rim_mm: float = 5.0
    """Cards keep so far from the mat's rim."""
    marker_free_mm: float = 66.0
    """Squares of this side at its corners stay free for markers of 50 mm with their borders, and a little."""
    nearest_aside_mm: float = 250.0
    """The card beside the papers lies so far right of the middle at least, clear of the last column."""


@dataclass(frozen=True)
class PageOutlineConfig:
    """When a card's outline counts more than its detected corners."""

    off_mm: float = 1.5
    """How far off the detector puts a card of which two corners agree."""
    far_off_mm: float = 5.0
    """How far off it puts any other."""
    far_off_deg: float = 2.0
    """By how much it turns that, or whoever laid it on its place did."""
    askew_deg: float = 1.0
    """An outline turned by less than this against two corners that agree confirms them."""
    clear_outline: float = 10.0
    """A card near which something was detected is there, without a corner, where its outline is so clear."""
    very_clear_outline: float = 16.0
    """So clear must it be where nothing was detected near it."""
    elsewhere_outline: float = 12.0
    """Where two corners agree, an outline elsewhere must be so clear: a grey card on a grey mat shows none."""


@dataclass(frozen=True)
class PageQualityConfig:
    """How well the cards of a page are seen, and of which kind they are."""

    glare_share: float = 0.12
    """Glare lies on a card of whose crops more than this share is clipped, unlike the page's others."""
    washed_out: float = 0.3
    """A place of which more than this share is clipped hides its card."""
    between_mm: float = 50.0
    """So far beside the places the mat itself is looked at."""
    min_sharpness: float = 9.0
    """A page below this sharpness is blurred."""
    smeared: float = 0.5
    """Edges across a movement keep less than this share of the steepness of those along it; at rest 0.6 to 1."""
    odd_kind_odds: float = 3.0
    """A card is of another kind if both its corners say so by this much more than is usual on its page."""
    odd_kind_percentile: int = 90
    """Usual is this percentile of the page: all of a deck's SEVEN cards may look like papers."""
    alike_odds: float = 3.0
    """Cards distinguished by lower odds are named as look-alikes."""
    surely_another: float = 0.95
    """A card to be learnt anew is doubted if it is another one with more than this probability."""


@dataclass(frozen=True)
class GridPageConfig:
    """Pages of a game's own, whose cards are learnt by their whole faces (measured on three invented arts)."""

    bare_strip_mm: float = 16.0
    """In the middle between two cards the bare mat is looked at over this width at most."""
    bare_share: float = 0.46
    """It is looked at over this share of the gap at most."""
    other_ground: float = 10.0
    """An empty place has the mat's colour to within this many grey levels."""
    more_spread: float = 8.0
    """It spreads by no more than this many grey levels beyond the mat."""
    filled: float = 0.75
    """With less than this share of its cards it is hardly that page."""
    min_sharpness: float = 7.0
    """A page is blurred where three of four cards are less sharp."""


@dataclass(frozen=True)
class DesignConfig:
    """Whether such pages are of one deck, and no card is there twice (measured on three invented arts)."""

    small_px: tuple[int, int] = (22, 33)
    """Faces are compared over parts of 3 mm."""
    same_levels: float = 9.0
    """They are one where no part differs by this many grey levels: words a letter apart differ by twice that."""
    mostly: float = 0.5
    """A page shows another one's cards if more than this share of them is there."""
    faces: int = 6
    """A page of fewer faces shows no design, and one with backs alone another one."""
    rim_mm: float = 2.0
    """The cards' rims are no part of a design."""
    design_px: tuple[int, int] = (32, 50)
    """A design is looked at over parts of 2 mm."""
    print_px: tuple[int, int] = (8, 12)
    """Whether there is print at all is looked at over parts of 8 mm."""
    same_design: float = 0.5
    """Pages of one deck are of one design: for what they have in common they correlate by 0.58 and more, those of two
    decks by 0.48 at most (but for two invented arts, by 0.65)."""
    has_a_head: float = 0.1
    """A design has a head where faces are usually so much liker the others than if turned (correlation)."""
    turned: float = 0.2
    """A face lies upside down that is as much liker them turned, by this share of what is usual (measured on ten
    invented arts and a printed one: none that lies right is)."""
    nearly_all: float = 5.0
    """Print is nearly everywhere where all but this percentile of the other faces have it."""
    least_print: float = 6.0
    """What is less steep than this many grey levels (Sobel) is no print."""
    blank: float = 0.45
    """A face has none where it has less than this share of what nearly all others have."""
    covered: float = 0.1
    """Something lies over a face of which more than this share is blank (the same: 0.083 at most of those that lie
    free, 0.115 at least with the upper quarter covered)."""


@dataclass(frozen=True)
class SilhouetteConfig:
    """A card's four sides, searched where the picture begins to differ from the mat (seven invented arts)."""

    px_per_mm: float = 4.0
    """Scale of the search."""
    around_mm: float = 5.0
    """So much is looked at on either side of a card's edge; other cards lie 12 mm away."""
    rim_mm: float = 1.5
    """So much of that, farthest out, shows the mat."""
    rounds: int = 2
    """Each begins from how the last one found the card to lie."""
    part_mm: float = 4.0
    """A side is searched in parts of this length."""
    corner_mm: float = 4.0
    """A side's rounded ends of this length are left out."""
    least_parts: float = 0.6
    """So large a share of the parts must be clear."""
    least_spread: float = 1.5
    """The mat spreads by at least this many grey levels."""
    most_spreads: float = 8.0
    """What differs by more of the mat's spreads is as different as can be."""
    least_rise: float = 1.0
    """From mat to card it must differ by this many spreads more."""
    clear_edges: float = 16.0
    """An outline by edges that stands out so far tells where the card lies; its sides tell how it is turned."""
    most_skew_deg: float = 1.5
    """The four sides agree to within this."""
    most_mm: float = 2.5
    """They agree with the outline by its edges to within this."""
    most_deg: float = 5.0
    """They agree with how that is turned to within this."""


@dataclass(frozen=True)
class SurroundingsConfig:
    """What lies round the cards of a page (three invented arts on ten cloths, and real cards on white and black)."""

    px_per_mm: int = 2
    """Scale of the look."""
    from_mm: float = 1.5
    """A card's surroundings begin so far from its sides, beyond how exactly they are known."""
    to_mm: float = 4.5
    """They end so far from them, before the next card."""
    corner_mm: float = 4.0
    """So much at the corners is left out."""
    part_mm: float = 4.0
    """They are looked at in parts of this length."""
    dark_levels: float = 12.0
    """Below this many grey levels a difference counts by its levels, above by its share."""
    shade: float = 0.6
    """A shadow is darker in all colours by no more than this (logarithm)."""
    least_spread: float = 0.06
    """The mat spreads by so much at least (logarithm)."""
    strange: float = 2.8
    """Something else lies there from this many spreads on: of cards lying free no side has more than 2.4, of such that
    lie half under another one or under a strip 3.1 and more (but for white on white)."""


@dataclass(frozen=True)
class CardEndConfig:
    """Where cards end that are laid over each other (ten arts on ten cloths, and real cards on black felt)."""

    usual_mm: float = 3.0
    """How far off all cards of a page may lie together."""
    steps: int = 81
    """This many places are tried from one end of the reach to the other."""
    shadow: float = 0.8
    """What gets darker inwards in all colours counts by so much less: it may be a card's shadow."""
    seen_mm: float = 0.4
    """How much the cards' own outlines err."""
    unseen: float = 0.6
    """What a place counts where no card's outline is."""
    apart_mm: float = 0.8
    """Another place for all cards lies farther away than this."""


@dataclass(frozen=True)
class SureLieConfig:
    """When it is sure how a card of a page lies (the same)."""

    several: int = 4
    """Fewer cards have nothing in common that could be seen."""
    another_design: float = 0.75
    """A card whose sides look less like most cards' than this share of the usual is looked at alone, as a back."""
    alike: float = 0.6
    """A card whose sides look more like most cards' than this (correlation) lies as they do."""
    off_mm: float = 2.0
    """A card's own outline is looked for so far off the page's way."""
    off_deg: float = 0.8
    """It is looked for turned by so much."""
    near_mm: float = 0.6
    """A place is confirmed where the outline lies so near to it."""
    near_deg: float = 0.7
    """A turn is confirmed where two looks at it agree so well."""
    rival: float = 0.6
    """Places are unsure where the next best is as good as this share of the best (pages learnt right have 0.57 at most,
    but for one; of those off most have 0.69 and more)."""
    rival_alone: float = 0.35
    """The same of a card alone: one with a black rim on black felt had 0.4 where it was 3 mm off."""


@dataclass(frozen=True)
class CardsOverCardsConfig:
    """How the cards of a page are laid over each other (ten arts on ten cloths, and real cards on black felt)."""

    px_per_mm: int = 4
    """Scale of the search."""
    reach_mm: float = 5.0
    """So far off its place a card is searched."""
    turns_deg: tuple[tuple[float, float], ...] = ((0.5, 4.0), (0.25, 0.5))
    """Steps of the turns tried, and how far either way."""
    finer_deg: tuple[float, ...] = (-0.5, -0.25, 0.0, 0.25, 0.5)
    """Then these, once it is known what the cards have in common."""
    outside_mm: float = 6.0
    """A side is looked at from so far outside on."""
    inside_mm: float = 12.0
    """It is looked at to so far inside."""
    corner_mm: float = 12.0
    """So much at its ends is left out."""
    dark_levels: float = 12.0
    """Below this many grey levels a step counts by its levels, above by its share."""
    soft_mm: tuple[float, ...] = (1.5, 1.0, 0.7, 0.5, 0.35, 0.3)
    """Sides are compared ever less blurred."""
    rare: float = 0.05
    """What counts against a card that lies as far off as can be (correlation)."""
    rounds: int = 3
    """How often what they have in common is found anew."""
    least_spread: float = 0.2
    """What cards have in common varies by this share of it at least."""


@dataclass(frozen=True)
class PageAlignmentConfig:
    """How exactly it is found where the cards of a page lie."""

    search: CardsOverCardsConfig = field(default_factory=CardsOverCardsConfig)
    end: CardEndConfig = field(default_factory=CardEndConfig)
    sure: SureLieConfig = field(default_factory=SureLieConfig)


@dataclass(frozen=True)
class OutlineConfig:
    """A card's four sides, searched in how steep the picture is."""

    px_per_mm: float = 2.0
    """Scale of the search."""
    step_mm: float = 0.25
    """Step of the shifts tried."""
    step_deg: float = 2.0
    """Step of the turns tried."""
    finer_deg: tuple[float, ...] = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)
    """Then these about the best."""
    reach: float = 2.5
    """A card is searched this many times as far off as its place usually errs."""
    max_turn_deg: float = 10.0
    """It is searched turned by no more than this."""
    around_mm: float = 4.0
    """So far beyond that the picture is looked at for what is usual there."""
    round_corner_mm: float = 6.0
    """Corners are round: a side is looked at from here on."""
    max_slope: float = 25.0
    """A steeper edge (grey levels a pixel) says no more: print often is, a white card on a white mat is not."""
    min_gain: float = 1.5
    """An outline elsewhere must stand out by so much more, in standard deviations of what lies about."""
    exact: float = 8.0
    """From this clearness on the place is made exact by where the picture is steepest nearby."""
    near_px: tuple[float, ...] = tuple(k / 4 for k in range(-10, 11))
    """Nearby: these shifts."""
    top_share: float = 0.7
    """An edge lies in the middle of where the picture is at least so steep, as a share of the most."""


@dataclass(frozen=True)
class OrderCueConfig:
    """What tells cards apart in a deck never seen before; each cue counts what it is worth there."""

    rank_floor: float = -8.0
    """Log probabilities of ranks are no lower than this."""
    rank_noise: float = 1.5
    """Where more than a tenth of the ranks are worse believed than this (−log), ranks count less."""
    suit_noise: float = 0.01
    """How unlike (1 − cosine) the suit vectors of two cards of one suit are at any rate."""
    ink_noise_deg: float = 2.0
    """How unlike their ink colours are at any rate."""
    max_unlike: float = 6.0
    """The most that one cue counts against a card."""
    unknown: float = 1.0
    """What a cue counts that can't be measured for a card: a tenth of right cards exceed 1."""
    whole_crop_px: Rect = (3, 3, 157, 52)
    """Where a crop's ink is measured."""


@dataclass(frozen=True)
class SevenOrderConfig:
    """Whether SEVEN cards lie in each other's place. Costs are log odds."""

    swap_odds: float = 3.5
    """Two cards lie in each other's place if both together fit better so by this: in right pages of 13 decks no pair
    gains more than 1.8."""
    each_odds: float = 0.5
    """Each of the two must fit better by this."""
    misplaced_odds: float = 5.0
    """The same for a single card that looks like another one; right pages of all but one of 24 decks stay below 3.4."""
    second_copy_odds: float = 2.5
    """Less will do for a card that looks the same as the one on that other card's own place."""
    same_cosine: float = 0.95
    """Cards look the same from this cosine on."""
    striking_cosine: float = 0.03
    """For one that fits poorly, so much more alike will do than nearly any two cards of this deck."""
    poor_cost: float = 5.5
    """From this cost on a card fits its own place poorly; it may still be the right one."""
    whole_page_odds: float = 80.0
    """A page is laid the wrong way round as a whole if its ranks fit better so by this much."""
    min_read: float = -2.0
    """It is reported only where half of the ranks are read with this log probability or more."""
    column_odds: float = 15.0
    """The same for a whole column."""
    rows_share: float = 0.5
    """The suits lie in rows where cards of a row are this much less unlike than those of a column; right pages: over
    1."""


@dataclass(frozen=True)
class PaperOrderConfig:
    """Whether papers lie in each other's place, upside down, or on the same side twice."""

    paper_swap: float = 0.08
    """Two papers lie in each other's place if both titles fit better so, by this much together (correlation)."""
    paper_misplaced: float = 0.12
    """The same for one paper that looks the same as another."""
    known_titles: int = 10
    """With fewer papers whose two sides share a title nothing is said."""
    turned: float = 0.18
    """A paper lies upside down if its corners fit better so by this much (cosine)."""
    same_side: float = 0.93
    """A paper may show the same side on both pages from this cosine on."""
    stands_out: float = 0.15
    """It does if its cosine is so much more than usual."""
    page_same_side: float = 0.965
    """All papers do from this usual cosine on."""


@dataclass(frozen=True)
class PaperPrintConfig:
    """What is printed on a paper, without its colours. Pixels as in crops, 2.5 a millimetre."""

    fine_px: float = 0.8
    """Print is what a picture blurred by this has more than its ground."""
    ground_px: float = 6.0
    """Blurred by this only the ground is left."""
    max_shift_px: int = 5
    """A card may be cut out this far off (2 mm)."""
    rounds: int = 3
    """Finding out how far is repeated so often."""
    rim_px: int = 3
    """The rim of a face is not compared."""
    min_gain: float = 0.1
    """A face is moved only where that fits so much better (correlation): what stands lower on one card only is no
    reason to."""


@dataclass(frozen=True)
class PaperNamesConfig:
    """Similarity of papers to papers as they may be printed. Pixels as in crops, 2.5 a millimetre."""

    face_slack_px: int = 4
    """How far faces may lie apart."""
    faces_known: float = 0.2
    """How much more like its own kind's face (correlation, less what all have in common) a paper must be on average for
    the printed set to be known: papers printed by this program are by 0.3, other decks by 0.08 at the most."""
    faces_apart: float = 0.15
    """How much better two papers must fit each other's place; no right pair fits better than by −0.2."""
    names_known: float = 0.18
    """The same for names: decks with the game's own names are by 0.19 to 0.4, others by 0.12 at the most."""
    names_apart: float = 0.2
    """The same for names; no right pair fits better than by 0.08."""
    head_px: int = 64
    """Names stand in this many upper rows."""
    capitals_mm: tuple[float, ...] = (3.0, 3.6, 4.4, 5.2, 6.2, 7.2)
    """Heights of capitals that are tried."""
    stretches: tuple[float, ...] = (0.75, 1.0, 1.3)
    """Widths that are tried, as shares of the lettering's own."""
    smaller: tuple[float, ...] = (0.93, 1.0, 1.07)
    """Once size and width are about right: what else to multiply the size by."""
    narrower: tuple[float, ...] = (0.9, 1.0, 1.1)
    """What else to multiply the width by."""
    rooms_mm: tuple[tuple[float, bool], ...] = ((60.0, False), (46.0, False), (46.0, True), (38.0, False), (38.0, True))
    """Widths that names have to fit in, and whether longer ones are made smaller for it or only narrower."""
    short_names: int = 10
    """This many of the shortest names settle the size: longer ones may have been made to fit."""
    other_places: tuple[int, ...] = (1, 3)
    """Against that counts how they fit the places this many further on."""
    level_px: int = 2
    """How far up or down a name may stand on one head."""
    rim_px: int = 5
    """Empty rim round a name."""


@dataclass(frozen=True)
class PaperPointsConfig:
    """Spots that part the papers into groups as their points do. Pixels as in crops, 2.5 a millimetre."""

    windows_px: tuple[tuple[int, int], ...] = ((10, 12), (14, 16), (20, 24))
    """Windows that points are looked for in: 4 × 4.8, 5.6 × 6.4 and 8 × 9.6 mm."""
    step_px: int = 3
    """Step between the spots."""
    slack_px: int = 2
    """How far the same print may lie apart on two papers."""
    blank: float = 1.0
    """Where any paper's outlines vary by less than this (grey levels), it shows nothing."""
    clear: float = 0.5
    """A parting must stand out by so much (summed correlation)."""
    rival: float = 3.0
    """It must stand out this many times more than the one that the right order makes."""
    few: int = 4
    """A parting that puts more papers out of place is there by chance: it looks like no mistake that players make."""


@dataclass(frozen=True)
class EnrolConfig:
    """Learning a deck."""

    page: PageConfig = field(default_factory=PageConfig)
    page_outline: PageOutlineConfig = field(default_factory=PageOutlineConfig)
    page_quality: PageQualityConfig = field(default_factory=PageQualityConfig)
    grid: GridPageConfig = field(default_factory=GridPageConfig)
    design: DesignConfig = field(default_factory=DesignConfig)
    surroundings: SurroundingsConfig = field(default_factory=SurroundingsConfig)
    alignment: PageAlignmentConfig = field(default_factory=PageAlignmentConfig)
    outline: OutlineConfig = field(default_factory=OutlineConfig)
    silhouette: SilhouetteConfig = field(default_factory=SilhouetteConfig)
    order_cues: OrderCueConfig = field(default_factory=OrderCueConfig)
    seven_order: SevenOrderConfig = field(default_factory=SevenOrderConfig)
    paper_order: PaperOrderConfig = field(default_factory=PaperOrderConfig)
    paper_print: PaperPrintConfig = field(default_factory=PaperPrintConfig)
    paper_names: PaperNamesConfig = field(default_factory=PaperNamesConfig)
    paper_points: PaperPointsConfig = field(default_factory=PaperPointsConfig)
