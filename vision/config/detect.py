"""Numbers of ``vision.detect``: which detections count, which are one card's, and what lies over them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class DetectionConfig:
    """Peaks of the detector's heat map that count as corners."""

    min_score: float = 0.2
    """A corner counts from this score on."""
    min_paired_score: float = 0.1
    """A fainter one counts from this on, where the card's other corner was found: a plain back gives no clearer
    ones."""
    partner_mm: float = 5.0
    """Two corners are one card's if they put its centre no further apart."""
    partner_deg: float = 8.0
    """Such two corners face away from each other to within this."""


@dataclass(frozen=True)
class SuppressionConfig:
    """Non-maximum suppression: fainter detections near a surer one, in the surer one's frame."""

    same_corner_mm: float = 7.0
    """Nearer than this it is the same corner."""
    radius_mm: float = 17.0
    """Further off than this it is a corner of its own."""
    radius_deg: float = 12.0
    """Turned by more than this it is a corner of its own."""
    mark_mm: float = 13.5
    """A suit mark stands no further than this from its card's anchor."""
    mark_score: float = 0.62
    """A detection that near counts from this score on."""
    column_step_mm: float = 13.0
    """The next card of a column comes no sooner than this; what lies nearer, straight below, is the suit mark."""
    column_beside_mm: float = 4.0
    """Straight below: no further to the side than this."""
    score: float = 0.5
    """Beyond ``mark_mm`` a detection counts from this score on."""
    score_share: float = 0.65
    """It also counts from this share of the surer one's score on."""


@dataclass(frozen=True)
class FanConfig:
    """Corners of tight fans that the detector missed: those of cards that step by some 10 mm run into each other."""

    min_score: float = 0.3
    """A gap is looked for between corners from this score on."""
    min_step_mm: float = 7.0
    """The next card's corner comes no sooner than this."""
    max_step_mm: float = 17.0
    """In a gap of more than this a corner may have been missed."""
    max_gap_mm: float = 40.0
    """A wider gap is none."""
    max_turn_deg: float = 40.0
    """Across a gap cards turn by no more than this."""
    apart_mm: float = 2.5
    """Places nearer to each other than this are looked at once: corners are laid over the deck's to that."""


@dataclass(frozen=True)
class PairingConfig:
    """Which two corners belong to one card."""

    same_centre_mm: float = 9.0
    """Corners that put their card's centre this near to each other are one card's: one on top would hide the other."""
    facing_deg: float = 14.0
    """A corner faces back if it is turned by 180 degrees to within this."""
    rough_centre_mm: float = 12.0
    """A corner that faces back and puts the centre no further off may be the other one, detected badly."""
    diagonal_mm: float = 4.0
    """Error of the distance between a card's two anchors, where both are turned askew."""
    askew_deg: float = 18.0
    """How far such a corner is turned from the line between the two: the next card of a fan leaves half of it free."""
    column_deg: float = 60.0
    """Cards of a column face the same way to within this."""


@dataclass(frozen=True)
class OcclusionConfig:
    """What lies over a corner's crop."""

    min_score: float = 0.35
    """A corner that lies on another card counts from this score on."""
    slack_px: int = 2
    """Rows left out above where a card begins."""
    index_mm: tuple[float, float] = (9.0, 10.5)
    """No card covers this point of one whose corner was found; what seems to is a second detection of it."""
    beside_mm: float = 20.0
    """In a fan that leans left the next card's corner lies up to so far beside the card that it covers."""
    fan_deg: float = 20.0
    """The next card of a fan is turned by no more than this."""
    fan_min_step_mm: float = 8.0
    """It lies at least so far below."""
    fan_max_step_mm: float = 40.0
    """It lies at most so far below. A fan that leans right shows its corners on the cards themselves."""
    clear_score: float = 0.6
    """A card's lower corner with this score is surely there; fainter ones are often a mark of a card below."""


@dataclass(frozen=True)
class DetectConfig:
    """Card corners."""

    detection: DetectionConfig = field(default_factory=DetectionConfig)
    suppression: SuppressionConfig = field(default_factory=SuppressionConfig)
    fan: FanConfig = field(default_factory=FanConfig)
    pairing: PairingConfig = field(default_factory=PairingConfig)
    occlusion: OcclusionConfig = field(default_factory=OcclusionConfig)
