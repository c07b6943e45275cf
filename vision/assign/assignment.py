"""From ends and their looks to cards: which ends are one card, what each card is, and which can't be told.

The table is decoded as a whole: every SEVEN card exists once and every paper kind in a known number, so a name goes to
the card that claims it best, and a card that loses its name is reported as doubtful rather than given its second best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from referee.layouts import CARD_MM
from referee.table import Sighting, Unread
from vision.arrays import Floats
from vision.detect.detector import ANCHOR_MM, End, degrees_apart, end_of_card, has_partner
from vision.identify.deck import BACK, SEVEN_NAMES, Deck

SURE = 0.90
"""A name is given from this probability on."""
NOTHING = 44.0
"""Log odds of an end that shows nothing of the deck's (a corner not quite found, glare, a finger), on the scale of
``vision.identify.similarity``: an end that fits no card better than this says nothing about the card."""
SAME_PLACE_MM = 9.0
"""Ends that put their card's middle so near to each other are one card's: one that lay over the other would hide it."""
_SAME_WAY_DEG = 60.0
_OPPOSITE_DEG, _ROUGHLY_MM = 14.0, 12.0
"""An end that faces back and puts the middle no further off than the second may be the other one, found badly."""
_BETWEEN_MM = (CARD_MM[0] - 2 * ANCHOR_MM[0], CARD_MM[1] - 2 * ANCHOR_MM[1])
_DIAGONAL_MM, _DIAGONAL_OFF_MM, _ASKEW_DEG = math.hypot(*_BETWEEN_MM), 4.0, 18.0
"""From one end's anchor to the other's, by how much that is off where both ends are one card's, and by how much each is
turned from how the line between the two has it."""
_SEVEN = frozenset(SEVEN_NAMES)
_TAKEN = 0.1
_OWN = 0.5
"""What a card must be by its own evidence before the others' names may make it sure."""
_TWICE_MM = 30.0
_ASTRAY_MM, _ASTRAY_BACK_MM = 2.0, 5.0
"""One card seen twice: an end lies no further than this beyond the other's edges, where they face one way (a suit mark
taken for a corner) and where they face each other. The next card of a column lies further out."""
_TOUCH_MM = math.hypot(*CARD_MM)
"""Cards whose middles are further apart than this don't touch each other."""
_PILE_MM, _SURE_SLIVER = 13.0, 0.995
"""A card whose centre is this near to a whole card's lies under it, as in a pile, where half of a 10 passes for an 11.
In a column the step is longer."""
_AGREE, _FAINTER = 0.05, 0.6
"""Two ends whose names agree with less than this probability contradict each other; one is far fainter than the other
with less than this share of its score."""
_MISLED, _FAR_BETTER = 0.003, 3.0
"""So often an end does not show its card though it seems to. The more it fits worse (log odds) than the card's other
end, by more than the second, the likelier it is that one; the less likely the other. Of two that fit about as well and
contradict each other neither decides."""
_HALF_MISLED, _FADING, _HARDLY_SEEN = 47.0, 2.0, 0.5
"""Ends that fit no card better than the first (log odds) are as often misled as not, and e times less often for each of
the second above: as counted of 1741 among decks that training never saw. So is an end alone that is fainter than the
third."""
_FAINT, _UNCLEAR, _HARDLY = 0.3, 0.45, 0.02
"""A back's end fainter than this, alone or among clear cards, is its pattern's repeat: a fan of backs is counted. It
has to reach the second where it shows nothing with more than this probability, as lines on a mat may cross like a
corner, and where it would lie through a far clearer card."""
_FAN_MM = 23.0
"""Backs of a fan lie about so far apart or further. One of which both ends were found, and which surely is a back, is
then there, though it seems to lie through the next: on that the pattern may go on as if a corner were there."""
_SURELY_IN_MM, _ALONG_MM = 2.0, 6.0
"""A corner this far within a card's outline surely lies on it; a mark along an edge is no further below the corner."""
_ACROSS_DEG = 30.0
"""Cards turned by a right angle against each other, or by no more than this less or more, lie across each other."""
_SHOWS_WELL = 5e-5
"""An end alone, though nothing lies on the card's other end, has to show its card so well (its ``nothing`` is below
this) or to be clear: of the lines of a mat that meet like a corner some look like a back or a paper's print as well.
So has a card of which the finder hardly saw the one end and nothing of the other, whatever lies there."""
_CLEAR_END, _VEILED_END = 0.78, 0.6
"""From these scores on an end that shows nothing is a card's all the same; fainter ones are clutter. The second where
glare or blur tells why nothing shows: without strong glare most such ends are lines that meet like a corner. Where
nothing shows at the card's other end either, though it should lie open, no score alone makes it a card's."""
_VEILS, _VEILS_BOTH = frozenset({"glare", "blurred"}), frozenset({"glare"})
"""What may keep an end from showing, and what both ends of a card that lies open, of which only one was found."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A card on the mat before it has its name.

    ``chance`` gives the probability of each name of the deck, ``turned`` whether, under each name, the card's upper end
    is the second one, and ``nothing`` the probability that no end shows anything of this deck. ``whole`` says that both
    ends show, ``bare`` that nothing of the deck shows where the other end should lie open.
    """

    ends: tuple[int, ...]
    x: float
    y: float
    angle: float
    chance: Floats
    turned: NDArray[np.bool_]
    nothing: float
    score: float
    whole: bool
    bare: bool = False


def pair_ends(ends: Sequence[End]) -> list[tuple[int, ...]]:
    """Put the two ends of one whole card together; what stays alone is a covered card's only end."""
    options = []
    centres = [end.centre for end in ends]
    for i, a in enumerate(ends):
        for j in range(i + 1, len(ends)):
            gap = math.dist(centres[i], centres[j])
            if gap < SAME_PLACE_MM and (off := 180 - degrees_apart(a.angle, ends[j].angle)) < _OPPOSITE_DEG:
                options.append((gap + off / 3, i, j))
    pairs = _best_pairs(options)
    alone = sorted({*range(len(ends))} - {i for pair in pairs for i in pair})
    pairs += _pairs_askew(ends, alone)
    taken = {i for pair in pairs for i in pair}
    return [*pairs, *((i,) for i in alone if i not in taken)]


def _best_pairs(options: Sequence[tuple[float, int, int]]) -> list[tuple[int, int]]:
    """Of pairs, each with how badly it fits, those that fit best, so that none is in two of them."""
    pairs: list[tuple[int, int]] = []
    taken: set[int] = set()
    for _, i, j in sorted(options):
        if not taken & {i, j}:
            pairs.append((i, j))
            taken |= {i, j}
    return pairs


def _pairs_askew(ends: Sequence[End], alone: Sequence[int]) -> list[tuple[int, int]]:
    """Those of the ends left alone that are two of one card, each found some degrees askew; by their numbers.

    In a fan the next card leaves half of an end free. Its turn then errs, and puts the card's centre far off; where the
    two ends lie is found well, and how far apart they are is known.
    """
    options = []
    for n, i in enumerate(alone):
        for j in alone[n + 1 :]:
            a, b = ends[i], ends[j]
            gap = abs(math.dist((a.x, a.y), (b.x, b.y)) - _DIAGONAL_MM)
            if gap > _DIAGONAL_OFF_MM or 180 - degrees_apart(a.angle, b.angle) > _ASKEW_DEG:
                continue
            angle = _pose([a, b])[2]
            askew = max(degrees_apart(angle, a.angle), degrees_apart(angle + 180, b.angle))
            if askew < _ASKEW_DEG:
                options.append((gap + askew / 3, i, j))
    return _best_pairs(options)


def claims(
    ends: Sequence[End], odds: Floats, behind: Mapping[int, Floats] | None = None, apart: Floats | None = None
) -> list[Claim]:
    """What each card could be.

    Args:
        ends: the ends found.
        odds: their log odds (n, m) to the deck's ends (upper, lower, upper, …).
        behind: for ends found without their opposite end, the log odds (m) of what lies where that should be. It
            counts where it bears out what the found end says or fits a card far better; else another may lie there.
        apart: how far the deck's ends (m, m) are apart, 0 alike to 1 distinct (``Deck.apart``); all distinct if absent.
    """
    out = []
    for pair in pair_ends(ends):
        seen = [evidence(odds[k], apart) for k in pair]
        group = _without_a_mark(pair, ends, seen)
        seen = [seen[pair.index(k)] for k in group]
        fits = [float(odds[k].max()) for k in group]
        whole = len(group) == 2 and all(nothing < 0.5 for _, nothing in seen)
        bare = False
        if len(group) == 1 and behind and group[0] in behind:
            other = evidence(behind[group[0]], apart)
            partner = has_partner(ends[group[0]], ends, _ROUGHLY_MM, _OPPOSITE_DEG)
            bare = other[1] > 0.5 and not partner and not _under_another(group[0], ends, odds)
            better = float(behind[group[0]].max()) - fits[0]
            alike = other[1] < 0.5 and _best(other[0]) == _best(seen[0][0])
            if seen[0][1] < 0.5 and (alike or (other[1] < _HARDLY and better > _FAR_BETTER)):
                seen.append(other)
                fits.append(fits[0] + better)
                whole = True
        each = [chance for chance, _ in seen]
        if len(each) == 2:
            better = fits[0] - fits[1]
            each = [_not_wholly(each[0], fits[0], better), _not_wholly(each[1], fits[1], -better)]
        elif ends[group[0]].score < _HARDLY_SEEN:
            each = [_not_wholly(each[0], fits[0])]
        up, low = np.log(each[0][0::2]), np.log(each[0][1::2])
        for chance in each[1:]:
            up, low = up + np.log(chance[1::2]), low + np.log(chance[0::2])
        both = np.logaddexp(up, low)
        chance = np.exp(both - both.max())
        x, y, angle = _pose([ends[k] for k in group])
        out.append(
            Claim(
                group,
                x,
                y,
                angle,
                np.asarray(chance / chance.sum(), np.float32),
                low > up,
                float(np.prod([nothing for _, nothing in seen])),
                max(ends[k].score for k in group),
                whole,
                bare,
            )
        )
    return out


def lies_on(upper: End, lower: End) -> bool:
    """Whether a corner that shows lies on another card, and the two face about the same way, as in a column."""
    return degrees_apart(upper.angle, lower.angle) < _SAME_WAY_DEG and lower.holds(upper.x, upper.y)


def _under_another(number: int, ends: Sequence[End], odds: Floats) -> bool:
    """Whether the other corner of an end's card lies under a card of which an end shows (log odds (n, m))."""
    end = ends[number]
    corner = end_of_card(*end.centre, end.angle + 180)
    return any(
        row.max() > NOTHING and other is not end and lies_on(other, end) and other.holds(corner.x, corner.y)
        for other, row in zip(ends, odds, strict=True)
    )


def _without_a_mark(
    pair: tuple[int, ...], ends: Sequence[End], seen: Sequence[tuple[Floats, float]]
) -> tuple[int, ...]:
    """Of two ends opposite each other the one alone that is a card's, where the other is a mark seen upside down.

    That one is far fainter, and shows another card or none.
    """
    if len(pair) == 1:
        return pair
    clear, faint = sorted(pair, key=lambda k: -ends[k].score)
    if ends[faint].score >= _FAINTER * ends[clear].score:
        return pair
    (one, nothing), (other, none_either) = (seen[pair.index(k)] for k in (clear, faint))
    if nothing > 0.5:
        return pair
    agree = float((one[0::2] + one[1::2]) @ (other[0::2] + other[1::2]))
    return (clear,) if none_either > 0.5 or agree < _AGREE else pair


def with_log_odds(claim: Claim, added: Floats) -> Claim:
    """The claim once log odds (n) of the deck's names are added to what its ends say."""
    logs = np.log(np.maximum(claim.chance, 1e-12)) + added
    chance = np.exp(logs - logs.max())
    return replace(claim, chance=np.asarray(chance / chance.sum(), np.float32))


def _best(chance: Floats) -> int:
    return int((chance[0::2] + chance[1::2]).argmax())


def evidence(odds: Floats, apart: Floats | None = None) -> tuple[Floats, float]:
    """Probability of each of the deck's ends (m) from one end seen, and of its showing nothing of the deck.

    Between two of the deck's ends that hardly differ, a difference seen on the table is mostly noise, and counts as
    little as they differ: blank lower ends say nothing of which card it is, and look-alikes stay doubtful.
    """
    if apart is not None:
        best = int(odds.argmax())
        odds = odds[best] - (odds[best] - odds) * apart[best]
    top = max(float(odds.max()), NOTHING)
    p = np.exp(odds - top)
    nothing = math.exp(NOTHING - top)
    total = float(p.sum()) + nothing
    return np.asarray((p + nothing / len(p)) / total, np.float32), nothing / total


def _not_wholly(chance: Floats, fit: float, better: float = -math.inf) -> Floats:
    """An end's probabilities (m) as it may mislead.

    Args:
        chance: what it shows.
        fit: how well it fits the card that it fits best (log odds).
        better: by how much better than the card's other end does, negative where it fits worse; absent if none shows.
    """
    far = math.copysign(max(abs(better) - _FAR_BETTER, 0.0), better)
    most = max(_MISLED, math.exp((_HALF_MISLED - fit) / _FADING))
    odds = min(_MISLED * math.exp(-far), most)
    misled = odds / (1 + odds)
    return np.asarray((1 - misled) * chance + misled / len(chance), np.float32)


def _pose(ends: Sequence[End]) -> tuple[float, float, float]:
    if len(ends) == 1:
        (x, y), angle = ends[0].centre, ends[0].angle
        return x, y, angle
    a, b = ends
    # Each end errs in its angle; the line between the two anchors, 70 mm apart along the card, errs far less.
    angle = math.degrees(math.atan2(b.y - a.y, b.x - a.x) - math.atan2(*_BETWEEN_MM[::-1])) % 360
    return (a.x + b.x) / 2, (a.y + b.y) / 2, angle


def decode(
    found: Sequence[Claim],
    deck: Deck,
    copies: dict[str, int],
    cause: Callable[[int], str],
    facing: Callable[[float], float] = lambda y: 0.0,
) -> tuple[list[Sighting], list[Unread]]:
    """Give every card its name or say that it can't be read.

    Args:
        found: the cards on the mat.
        deck: the enrolled deck.
        copies: how many there are of each paper kind; SEVEN cards are single, backs without number.
        facing: which way cards lie at a height y (mm), in degrees: it settles the angle of a whole card whose two ends
            look alike.
        cause: why the card of that number would be hard to read (``glare``, ``covered`` …), or ``doubtful``; asked only
            for cards that stay unread.
    """
    names = deck.names
    alone = [int(card.chance.argmax()) if float(card.chance.max()) > _OWN else -1 for card in found]
    found = each_card_once(found, names)
    order = sorted(range(len(found)), key=lambda k: (found[k].score < _FAINT, -float(found[k].chance.max())))
    left: dict[str, int] = {}
    sightings: list[Sighting] = []
    named: list[Claim] = []
    unread: list[Unread] = []
    for k in order:
        card = found[k]
        best = int(card.chance.argmax())
        name = names[best]
        sure = float(card.chance[best])
        lines = _may_be_lines(card)
        if lines and (card.score < _VEILED_END or cause(k) not in (_VEILS_BOTH if _lies_open(card) else _VEILS)):
            continue
        near = [other for other in named if math.dist((card.x, card.y), (other.x, other.y)) < _TOUCH_MM]
        if card.nothing > 0.5 and any(_both_show(other) and _in_each_other(card, other) for other in near):
            continue
        if name == BACK and too_faint_for_a_back(card):
            continue
        clearer = [other for other in near if other.score > card.score and _in_each_other(card, other)]
        if name == BACK and len(card.ends) == 2 and sure >= SURE:
            clearer = [other for other in clearer if math.dist((card.x, card.y), (other.x, other.y)) < _FAN_MM]
        if any(_far_fainter(card, other, name) or _near(card, other) for other in clearer):
            continue
        key = name.split("/")[0]
        if any(s.name == name and _same_card(c, card, name in _SEVEN) for s, c in zip(sightings, named, strict=True)):
            continue
        if name != BACK and any(_is_mark_of(card, other) for other in near):
            continue
        if name == BACK and any(
            s.name == BACK and _is_pattern_of(card, c) for s, c in zip(sightings, named, strict=True)
        ):
            continue
        peeps = not card.whole and any(c.whole and _near(c, card) for c in named)
        if lines or sure < (_SURE_SLIVER if peeps else SURE) or best != alone[k]:
            unread.append(_unread(card, names, cause(k)))
            continue
        stock = 1 if name in _SEVEN else copies.get(key, len(found))
        if name != BACK and left.setdefault(key, stock) <= 0:
            unread.append(_unread(card, names, "doubtful"))
            continue
        left[key] = left.get(key, stock) - 1
        angle = card.angle
        alike = "/" not in name and bool(deck.symmetric[best])
        if (bool(card.turned[best]) and not alike) or (
            alike and card.whole and degrees_apart(angle, facing(card.y)) > 90
        ):
            angle = (angle + 180) % 360
        visible = 1.0 if card.whole else 0.4
        sightings.append(Sighting(name, card.x, card.y, angle, sure, visible))
        named.append(card)
    return sightings, [
        u for u in unread if not any(math.hypot(u.x - s.x, u.y - s.y) < SAME_PLACE_MM for s in sightings)
    ]


def shows_no_card(card: Claim) -> bool:
    """Whether a claim shows nothing of the deck, or little at one end and nothing where the other should lie open."""
    return card.nothing >= 0.5 or (card.bare and card.nothing > _SHOWS_WELL)


def _may_be_lines(card: Claim) -> bool:
    """Whether what seems a card's corner may as well be lines that meet: it is not clear, and little bears it out."""
    hardly = card.whole and len(card.ends) == 1 and card.score < _FAINT and card.nothing > _SHOWS_WELL
    return _lies_open(card) or (card.score < _CLEAR_END and (shows_no_card(card) or hardly))


def _lies_open(card: Claim) -> bool:
    """Whether a card should lie open, but nothing of the deck shows at the end found nor where its other one is."""
    return card.bare and card.nothing > 0.5


def too_faint_for_a_back(card: Claim) -> bool:
    """Whether what shows a back's print is seen so faintly that it may be the pattern's repeat."""
    return len(card.ends) == 1 and card.score < (_FAINT if card.nothing < _HARDLY else _UNCLEAR)


def each_card_once(found: Sequence[Claim], names: Sequence[str]) -> list[Claim]:
    """The claims' chances once it counts that every SEVEN card lies in one place only.

    Mean field: what one card surely is, no other card is. Claims so near to each other that they may be one card twice
    leave each other alone. No claim is pushed harder than ``_TAKEN``, so two cards that both look like one name end
    doubtful, neither with its second best.
    """
    once = np.array([name in _SEVEN for name in names])
    own = np.stack([c.chance for c in found]) if found else np.zeros((0, len(names)), np.float32)
    rivals = np.array([[a is not b and not _one_card(a, b) for b in found] for a in found])
    chance = own
    for _ in range(4 if found else 0):
        free = np.log(np.maximum(1 - chance * once, _TAKEN))
        pushed = own * np.maximum(np.exp(rivals.astype(np.float32) @ free), _TAKEN)
        chance = pushed / pushed.sum(axis=1, keepdims=True)
    return [replace(c, chance=row) for c, row in zip(found, chance, strict=True)]


def _near(a: Claim, b: Claim) -> bool:
    """Whether two cards lie so near to each other that one lies under the other, or is a mark of it."""
    return math.dist((a.x, a.y), (b.x, b.y)) < _PILE_MM


def _same_card(seen: Claim, card: Claim, seven: bool) -> bool:
    """Whether two claims to one name are one card; of papers and backs there are several."""
    if seven:
        return _one_card(seen, card)
    off = degrees_apart(seen.angle, card.angle)
    return math.hypot(seen.x - card.x, seen.y - card.y) < SAME_PLACE_MM and min(off, 180 - off) < 25


def _one_card(a: Claim, b: Claim) -> bool:
    """Whether two claims may be one card seen twice: the ends of each lie on the other's card, or nearly."""
    if math.hypot(a.x - b.x, a.y - b.y) > _TWICE_MM:
        return False
    return all(_on(end, card, _astray(end, card)) for one, card in ((a, b), (b, a)) for end in _anchors(one))


def _is_mark_of(card: Claim, whole: Claim) -> bool:
    """Whether what seems a card's corner is a mark along an edge of a whole one.

    A card that had its corner there would lie on the other and hide the far corner of it that shows. Backs are left
    out: in a fan of them one's pattern goes on in the next.
    """
    if len(card.ends) > 1 or card.whole or len(whole.ends) < 2:
        return False
    (corner,) = _anchors(card)
    near, far = sorted(_anchors(whole), key=lambda end: degrees_apart(end.angle, corner.angle))
    turn = math.radians(near.angle)
    below = (corner.y - near.y) * math.cos(turn) - (corner.x - near.x) * math.sin(turn)
    return abs(below) < _ALONG_MM and _on(corner, whole, -_SURELY_IN_MM) and _on(far, card, -_SURELY_IN_MM)


def _is_pattern_of(card: Claim, whole: Claim) -> bool:
    """Whether what seems a back's only corner is the pattern of a whole one across it: in a fan they lie abreast."""
    if len(card.ends) > 1 or card.whole or not whole.whole:
        return False
    if abs((card.angle - whole.angle) % 180 - 90) > _ACROSS_DEG:
        return False
    (corner,) = _anchors(card)
    return _on(corner, whole, -_SURELY_IN_MM)


def _far_fainter(card: Claim, other: Claim, name: str) -> bool:
    """Whether a card is so faint beside another that it need not be one; backs in a fan are faint anyhow."""
    share = max(_FAINT, _FAINTER * other.score)
    return card.score < (min(_UNCLEAR, share) if name == BACK else share)


def _both_show(card: Claim) -> bool:
    """Whether both of a card's ends were found, and show what it is."""
    return len(card.ends) == 2 and card.nothing < _HARDLY


def _in_each_other(a: Claim, b: Claim) -> bool:
    """Whether a corner of each shows within the other's outline: each would lie on the other, so one is no card.

    Of a card that is not whole the second corner is no evidence: what was found there shows nothing of it.
    """
    return all(
        any(_on(end, card, -_SURELY_IN_MM) for end in _anchors(one)[: 2 if one.whole else 1])
        for one, card in ((a, b), (b, a))
    )


def _anchors(card: Claim) -> list[End]:
    turns = (0.0, 180.0) if len(card.ends) > 1 or card.whole else (0.0,)
    return [end_of_card(card.x, card.y, card.angle + turn) for turn in turns]


def _astray(end: End, card: Claim) -> float:
    return _ASTRAY_BACK_MM if len(card.ends) == 2 or degrees_apart(end.angle, card.angle) > 90 else _ASTRAY_MM


def _on(end: End, card: Claim, beyond: float) -> bool:
    """Whether an end's anchor lies within a card's outline, or no further than this (mm) beyond it."""
    c, s = math.cos(math.radians(card.angle)), math.sin(math.radians(card.angle))
    dx, dy = end.x - card.x, end.y - card.y
    return abs(dx * c + dy * s) < CARD_MM[0] / 2 + beyond and abs(dy * c - dx * s) < CARD_MM[1] / 2 + beyond


def _unread(card: Claim, names: Sequence[str], cause: str) -> Unread:
    best = np.argsort(-card.chance)[:3]
    likely = tuple(names[int(k)] for k in best if card.chance[k] > 0.02)
    return Unread(card.x, card.y, card.angle, cause, likely, 1.0 if card.whole else 0.4)
