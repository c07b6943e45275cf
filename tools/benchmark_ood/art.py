"""Twenty-four decks in the manners in which the world prints cards; four of them are nasty on purpose.

A deck is a table of choices (`DECKS`): how index, middle, ground and papers are made. No two decks share
index, font and colours. Measures are those of real cards: index ranks of 4 to 15 mm, most about 8.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tools.benchmark_ood.ink import CARD_MM, KANJI, LETTER, Colour, Sheet, mix

W, H = CARD_MM
SUITS = "HOBCSTF"
LOWEST = {letter: k + 1 for k, letter in enumerate(SUITS)}
NAMES = {1: "A", 13: "K", **{n: str(n) for n in range(2, 13)}}
PAPERS = [
    "straight5",
    "straight7",
    "straight9",
    "straight11",
    "three",
    "five",
    "three_pairs",
    "four_pairs",
    "triple_threes",
    "straight_flush4",
    "straight_flush6",
    "sum49",
    "sum100",
    "ace_king",
    "all_even",
    "end_flag",
]
POINTS = (1, 3, 5, 9, 1, 4, 2, 5, 7, 4, 7, 2, 6, 2, 6, 1)
SEVEN = [f"{letter}{NAMES[LOWEST[letter] + row]}" for letter in SUITS for row in range(7)]

WHITE: Colour = (250, 249, 246)
CREAM: Colour = (244, 235, 214)
BLACK: Colour = (26, 24, 28)
SEVEN_INKS: dict[str, tuple[Colour, ...]] = {
    "plain": (
        (205, 32, 44),
        (122, 62, 140),
        (32, 92, 168),
        (214, 140, 20),
        (236, 190, 30),
        (22, 132, 92),
        (52, 48, 54),
    ),
    "muted": ((160, 60, 62), (112, 98, 52), (60, 88, 120), (158, 118, 60), (88, 120, 92), (112, 80, 122), (72, 70, 74)),
    "bright": (
        (240, 20, 90),
        (120, 190, 40),
        (10, 130, 230),
        (255, 140, 0),
        (250, 205, 0),
        (0, 170, 170),
        (110, 40, 170),
    ),
    "light": (
        (255, 120, 130),
        (190, 230, 130),
        (130, 190, 255),
        (255, 205, 110),
        (250, 240, 150),
        (140, 235, 215),
        (215, 175, 255),
    ),
    "red-black": ((190, 24, 32), (28, 26, 30), (28, 26, 30), (190, 24, 32), (190, 24, 32), (28, 26, 30), (28, 26, 30)),
    "black": (BLACK,) * 7,
    "navy": ((28, 44, 92),) * 7,
    "sepia": ((96, 58, 30),) * 7,
    "two-tone": (
        (178, 60, 30),
        (24, 92, 110),
        (178, 60, 30),
        (24, 92, 110),
        (178, 60, 30),
        (24, 92, 110),
        (178, 60, 30),
    ),
    "white": (WHITE,) * 7,
    "pale": (
        (238, 150, 160),
        (180, 205, 150),
        (150, 185, 220),
        (228, 196, 140),
        (232, 218, 130),
        (150, 210, 200),
        (190, 170, 210),
    ),
}


@dataclass(frozen=True)
class Deck:
    """One printed deck: every field names a choice that the drawing functions below make."""

    name: str
    index: str
    middle: str
    font: str
    inks: str
    rank_mm: float
    drawing: int
    paper: str
    back: str
    ground: str = "white"
    border: str = "none"
    paper_font: str = "kaku"
    middle_font: str = ""
    nasty: bool = False

    @property
    def seed(self) -> int:
        return int(sum(ord(c) * 31**k for k, c in enumerate(self.name)) % 2**31)


DECKS = (
    Deck("casino", "corner", "pips", "century-bold", "red-black", 8.5, 0, "journal", "lattice"),
    Deck("modern", "corner", "number", "helvetica-bold", "plain", 8, 2, "bar", "stripes", paper_font="helvetica-bold"),
    Deck("banner", "banner", "suit", "gothic-demi", "bright", 9, 0, "plain", "rings", paper_font="kaku"),
    Deck("night", "corner", "suit", "quicksand-bold", "light", 8, 1, "dark", "stars", ground="dark"),
    Deck("jumbo", "corner", "blank", "narrow-bold", "red-black", 15, 3, "bar", "solid", paper_font="narrow-bold"),
    Deck("engraved", "row", "ornate", "palatino-bold", "sepia", 7, 2, "diploma", "scales", "cream", "double", "mincho"),
    Deck("centre", "centre", "number", "bookman", "muted", 9, 0, "journal", "plaid", paper_font="bookman"),
    Deck("four", "four", "suit", "times-bold", "red-black", 7, 1, "plain", "lattice", border="line"),
    Deck("tint", "corner", "number", "cabin-bold", "plain", 8, 3, "bar", "waves", "tint", paper_font="cabin-bold"),
    Deck("spine", "spine", "pips", "helvetica-bold", "plain", 9, 1, "spine", "stripes"),
    Deck("badge", "badge", "scene", "quicksand-bold", "plain", 7, 0, "badge", "rings", "gradient"),
    Deck("kanji", "corner", "number", "mincho", "navy", 8, KANJI, "vertical", "scales", "cream", "line", "mincho"),
    Deck("comic", "corner", "face", "comic", "bright", 10, 2, "badge", "solid", paper_font="comic"),
    Deck("thin", "corner", "number", "quicksand-light", "plain", 9, 1, "plain", "lattice", paper_font="quicksand"),
    Deck("full", "corner", "suit", "gothic-demi", "white", 8.5, 2, "dark", "plaid", "full", paper_font="gothic-demi"),
    Deck(
        "frame",
        "row",
        "pips",
        "century",
        "two-tone",
        6.5,
        3,
        "diploma",
        "waves",
        border="thick",
        paper_font="century-bold",
    ),
    Deck("mono", "corner", "suit", "libertine-bold", "black", 8, 0, "journal", "stars", paper_font="libertine-bold"),
    Deck(
        "typewriter",
        "centre",
        "pips",
        "courier-bold",
        "red-black",
        7,
        2,
        "vertical",
        "stripes",
        "kraft",
        paper_font="courier-bold",
    ),
    Deck(
        "right",
        "right",
        "number",
        "biolinum-bold",
        "muted",
        8,
        1,
        "spine",
        "rings",
        border="line",
        paper_font="biolinum-bold",
    ),
    Deck(
        "medallion",
        "medallion",
        "ornate",
        "palatino",
        "plain",
        7,
        0,
        "diploma",
        "lattice",
        border="double",
        paper_font="palatino",
    ),
    Deck("nasty-tiny", "row", "scene", "helvetica", "black", 4, 0, "plain", "solid", "gradient", nasty=True),
    Deck("nasty-pale", "corner", "number", "gothic", "pale", 7, 1, "plain", "waves", nasty=True),
    Deck(
        "nasty-script",
        "corner",
        "ornate",
        "chancery",
        "sepia",
        8,
        LETTER,
        "vertical",
        "plaid",
        "cream",
        paper_font="mincho",
        nasty=True,
    ),
    Deck("nasty-gold", "corner", "scene", "libertine-display", "muted", 6, 3, "dark", "scales", "leather", nasty=True),
)


def draw_face(deck: Deck, name: str) -> np.ndarray:
    """Draw a side of a card: a SEVEN card, ``back``, or a paper's as ``three/review``; (792, 567, 3) RGB uint8."""
    if name == "back":
        return _draw_back(deck)
    if "/" in name:
        kind, side = name.split("/")
        return _draw_paper(deck, PAPERS.index(kind), side == "complete")
    return _draw_seven(deck, name[0], name[1:])


# ---- SEVEN cards -----------------------------------------------------------------------------------------------------


def _make_grounds(deck: Deck, suit: str, rng: np.random.Generator) -> tuple[Sheet, Colour, Colour]:
    """Make the empty card, its ground colour and the suit's ink."""
    ink = SEVEN_INKS[deck.inks][SUITS.index(suit)]
    strong = SEVEN_INKS["plain"][SUITS.index(suit)]
    ground = {
        "cream": CREAM,
        "dark": (30, 32, 44),
        "kraft": (196, 164, 122),
        "leather": (44, 62, 52),
        "tint": mix(WHITE, ink, 0.22),
        "full": mix(strong, BLACK, 0.15),
    }.get(deck.ground, WHITE)
    sheet = Sheet(ground)
    if deck.ground == "gradient":
        top, low = mix(WHITE, strong, 0.05), mix(WHITE, strong, 0.55)
        for k in range(88):
            sheet.draw_box(0, k, W, k + 1.1, mix(top, low, abs(k - 43.5) / 43.5))
    if deck.ground in ("kraft", "leather"):
        for _ in range(900):
            x, y, a = rng.uniform(0, W), rng.uniform(0, H), rng.uniform(0, math.pi)
            d = rng.uniform(0.5, 2.5)
            shade = mix(ground, BLACK if rng.random() < 0.6 else WHITE, rng.uniform(0.03, 0.12))
            sheet.draw_line([(x, y), (x + d * math.cos(a), y + d * math.sin(a))], 0.12, shade)
    if deck.ground == "leather":
        ink = (206, 172, 96)
    return sheet, ground, ink


def _draw_border(deck: Deck, sheet: Sheet, ink: Colour) -> None:
    if deck.border == "line":
        sheet.draw_frame(2.6, 0.35, mix(ink, WHITE, 0.25), 2)
    elif deck.border == "double":
        sheet.draw_frame(2.0, 0.5, ink, 2.5)
        sheet.draw_frame(3.1, 0.2, ink, 1.8)
    elif deck.border == "thick":
        sheet.draw_frame(0, 3.2, ink)
        sheet.draw_frame(3.6, 0.25, ink)


def _draw_seven(deck: Deck, suit: str, rank: str) -> np.ndarray:
    rng = np.random.default_rng([deck.seed, SUITS.index(suit), len(rank), ord(rank[-1])])
    sheet, ground, ink = _make_grounds(deck, suit, rng)
    MIDDLES[deck.middle](deck, sheet, suit, rank, ink, ground)
    _draw_border(deck, sheet, ink)
    INDICES[deck.index](deck, sheet, suit, rank, ink, ground)
    return sheet.get_pixels()


def _index_corner(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour, x: float = 8.0) -> None:
    """Rank with the suit below, upper left and turned lower right."""
    size = deck.rank_mm
    inset = 1.5 if deck.border != "none" else 0.0
    x = x + inset + max(0.0, size - 10) * 0.35

    def paint() -> None:
        y = 3.2 + inset
        sheet.draw_text(x, y, rank, deck.font, size, ink, "mt", fit=size * 1.25)
        if size > 12:
            sheet.draw_suit(suit, x + size * 1.15, y + size * 0.35, size * 0.6, ink, ground, deck.drawing)
        else:
            sheet.draw_suit(suit, x, y + size + 0.9 + size * 0.32, size * 0.64, ink, ground, deck.drawing)

    sheet.both_ends(paint)


def _index_right(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    _index_corner(deck, sheet, suit, rank, ink, ground, x=W - 10.5)


def _index_row(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    """Rank and suit side by side."""
    size, inset = deck.rank_mm, {"double": 3.6, "thick": 4.4}.get(deck.border, 1.2)

    def paint() -> None:
        y = 2.6 + inset + size / 2
        wide = sheet.draw_text(2.6 + inset, y, rank, deck.font, size, ink, "lm")
        sheet.draw_suit(suit, 2.6 + inset + wide + 1.4 + size * 0.42, y, size * 0.88, ink, ground, deck.drawing)

    sheet.both_ends(paint)


def _index_four(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    _index_corner(deck, sheet, suit, rank, ink, ground, 7.4)
    _index_corner(deck, sheet, suit, rank, ink, ground, W - 10.4)


def _index_centre(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    """Draw the rank in the middle of the upper edge between two suits."""
    size = deck.rank_mm

    def paint() -> None:
        y = 5.2 + size / 2
        wide = sheet.draw_text(W / 2, y, rank, deck.font, size, ink)
        for side in (-1, 1):
            sheet.draw_suit(suit, W / 2 + side * (wide / 2 + size * 0.9), y, size * 0.9, ink, ground, deck.drawing)

    sheet.both_ends(paint)


def _index_banner(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    """Draw a band in the suit's colour along both short edges, rank and suit in white."""
    size = deck.rank_mm

    def paint() -> None:
        sheet.draw_box(0, 0, W, 15, ink)
        sheet.draw_text(4, 7.8, rank, deck.font, size, WHITE, "lm")
        sheet.draw_suit(suit, W / 2, 7.8, size, WHITE, ink, deck.drawing)
        sheet.draw_suit(suit, W - 9, 7.8, size * 0.7, mix(ink, WHITE, 0.55), ink, deck.drawing)

    sheet.both_ends(paint)


def _index_spine(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    """Draw a coloured spine down the left edge, rank and suit at both ends, as on a book; the right edge is white."""
    sheet.draw_box(0, 0, 14, H, ink)

    def paint() -> None:
        x = 7.0
        sheet.draw_text(x, 3.5, rank, deck.font, deck.rank_mm * 0.85, WHITE, "mt", fit=10)
        sheet.draw_suit(suit, x, 15.2, 6.2, WHITE, ink, deck.drawing)

    paint()
    sheet.draw_text(7, H - 10, rank, deck.font, deck.rank_mm * 0.85, WHITE, "mb", fit=10)
    sheet.draw_suit(suit, 7, H - 5.2, 6.2, WHITE, ink, deck.drawing)


def _index_badge(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    """Draw the rank white in a disc, the suit beside it on a white plate."""

    def paint() -> None:
        sheet.draw_box(9, 4, 27, 15, WHITE, 5)
        sheet.draw_disc(9.5, 9.5, 7.2, WHITE)
        sheet.draw_disc(9.5, 9.5, 6.4, ink)
        sheet.draw_text(9.5, 9.5, rank, deck.font, deck.rank_mm, WHITE, fit=9)
        sheet.draw_suit(suit, 21.4, 9.5, 8, ink, WHITE, deck.drawing)

    sheet.both_ends(paint)


def _index_medallion(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    """Draw two ringed medallions in opposite corners: rank in one, suit in the other."""

    def paint() -> None:
        for x in (11.5, W - 11.5):
            sheet.draw_disc(x, 11.5, 7, ground)
            sheet.draw_ring(x, 11.5, 7, 0.5, ink)
        sheet.draw_text(11.5, 11.5, rank, deck.font, deck.rank_mm, ink, fit=10)
        sheet.draw_suit(suit, W - 11.5, 11.5, 8, ink, ground, deck.drawing)

    sheet.both_ends(paint)


INDICES = {
    "corner": _index_corner,
    "right": _index_right,
    "row": _index_row,
    "four": _index_four,
    "centre": _index_centre,
    "banner": _index_banner,
    "spine": _index_spine,
    "badge": _index_badge,
    "medallion": _index_medallion,
}

_ROWS = {
    1: "1",
    2: "11",
    3: "111",
    4: "22",
    5: "212",
    6: "222",
    7: "232",
    8: "323",
    9: "333",
    10: "3223",
    11: "3233",
    12: "3333",
    13: "32323",
}


def _middle_pips(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    count = {"A": 1, "K": 13}.get(rank) or int(rank)
    rows = [int(c) for c in _ROWS[count]]
    left = 24.0 if deck.index == "spine" else 19.0
    size = 17.0 if count == 1 else 8.2
    for r, many in enumerate(rows):
        y = H / 2 + (r - (len(rows) - 1) / 2) * (46 / max(3, len(rows)))
        for k in range(many):
            x = (left + W - 15) / 2 + (k - (many - 1) / 2) * (W - 15 - left) / max(2, many - 0.0)
            sheet.draw_suit(suit, x, y, size, ink, ground, deck.drawing)


def _middle_number(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    sheet.draw_text(W / 2, H / 2 - 3, rank, deck.middle_font or deck.font, 26, ink, fit=38)
    sheet.draw_suit(suit, W / 2, H / 2 + 18, 9, ink, ground, deck.drawing)


def _middle_suit(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    sheet.draw_suit(suit, W / 2, H / 2, 34, ink, ground, deck.drawing)


def _middle_blank(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    sheet.draw_suit(suit, W / 2 + 6, H / 2, 14, ink, ground, deck.drawing)


def _middle_ornate(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    soft = mix(ground, ink, 0.45)
    for r in (21, 19.5, 15):
        sheet.draw_ring(W / 2, H / 2, r, 0.35, ink if r < 20 else soft)
    for k in range(24):
        a = math.radians(15 * k)
        x0, y0 = W / 2 + 15.5 * math.cos(a), H / 2 + 15.5 * math.sin(a)
        sheet.draw_line([(x0, y0), (W / 2 + 19 * math.cos(a + 0.12), H / 2 + 19 * math.sin(a + 0.12))], 0.3, soft)
    sheet.draw_suit(suit, W / 2, H / 2, 18, ink, ground, deck.drawing)


def _middle_scene(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    """Draw a small landscape in a window: hills, a sun and the suit as a tree."""
    rng = np.random.default_rng([deck.seed, ord(suit), ord(rank[-1]), len(rank)])
    strong = SEVEN_INKS["plain"][SUITS.index(suit)]
    sheet.draw_box(9, 20, W - 9, H - 20, mix((150, 190, 225), strong, 0.2), 3)
    sheet.draw_disc(rng.uniform(20, 43), rng.uniform(27, 34), rng.uniform(3, 6), (248, 222, 140))
    for layer in range(3):
        base, high, phase = 44 + 8 * layer, rng.uniform(3, 7), rng.uniform(0, 6)
        hills = [(x, base + high * math.sin(x / 7 + phase)) for x in np.linspace(9, W - 9, 30)]
        sheet.draw_poly([*hills, (W - 9, H - 20), (9, H - 20)], mix((70, 120, 70), strong, 0.25 + 0.2 * layer))
    sheet.draw_suit(suit, W / 2, 46, 18, mix(strong, BLACK, 0.25), (235, 235, 230), deck.drawing % 4)


def _middle_face(deck: Deck, sheet: Sheet, suit: str, rank: str, ink: Colour, ground: Colour) -> None:
    """Draw the suit grown large with eyes and a mouth, as on children's cards."""
    sheet.draw_suit(suit, W / 2, H / 2, 36, ink, ground, 0)
    for side in (-1, 1):
        sheet.draw_disc(W / 2 + side * 5, H / 2 - 2, 2.6, WHITE)
        sheet.draw_disc(W / 2 + side * 5 + 0.5, H / 2 - 1.6, 1.3, BLACK)
    sheet.draw_line(
        [(W / 2 + 5 * math.cos(a), H / 2 + 5 + 2.5 * math.sin(a)) for a in np.linspace(0.3, 2.8, 12)], 0.8, BLACK
    )


MIDDLES = {
    "pips": _middle_pips,
    "number": _middle_number,
    "suit": _middle_suit,
    "blank": _middle_blank,
    "ornate": _middle_ornate,
    "scene": _middle_scene,
    "face": _middle_face,
}

# ---- papers ----------------------------------------------------------------------------------------------------------

TITLES_JA = [
    "五連番",
    "七連番",
    "九連番",
    "十一連番",
    "同位三枚",
    "同位五枚",
    "三対",
    "四対",
    "三枚×三組",
    "同スート四連",
    "同スート六連",
    "合計四九",
    "合計百以上",
    "エースとキング",
    "偶数全部",
    "終了旗",
]
TITLES_EN = [
    "Run of Five",
    "Run of Seven",
    "Run of Nine",
    "Run of Eleven",
    "Three Alike",
    "Five Alike",
    "Three Pairs",
    "Four Pairs",
    "Three Threes",
    "Suited Four",
    "Suited Six",
    "Forty-Nine",
    "Hundred Plus",
    "Ace & King",
    "All Even",
    "End Flag",
]
TITLES_SHORT = [
    "R5",
    "R7",
    "R9",
    "R11",
    "×3",
    "×5",
    "2·2·2",
    "2·2·2·2",
    "3·3·3",
    "SR4",
    "SR6",
    "Σ49",
    "Σ100",
    "A+K",
    "EVEN",
    "END",
]


def _is_japanese(font: str) -> bool:
    return font in ("mincho", "kaku")


def _title_of(deck: Deck, kind: int) -> tuple[str, str]:
    """Return the words on a paper and the face that they are set in."""
    if _is_japanese(deck.paper_font):
        return TITLES_JA[kind], deck.paper_font
    return TITLES_EN[kind], deck.paper_font


def _plain_font(font: str) -> str:
    return "helvetica-bold" if _is_japanese(font) else font


def _draw_diagram(sheet: Sheet, kind: int, x: float, y: float, ink: Colour, hole: Colour) -> None:
    """Draw what the paper asks for, as little cards."""
    columns: tuple[int, ...] = {
        0: (1, 2, 3, 4, 5),
        1: (1, 2, 3, 4, 5, 6, 7),
        2: tuple(range(1, 10)),
        3: tuple(range(1, 12)),
        4: (3, 3, 3),
        5: (3, 3, 3, 3, 3),
        6: (2, 2, 0, 4, 4, 0, 3, 3),
        7: (1, 1, 0, 3, 3, 0, 2, 2, 0, 4, 4),
        8: (2, 2, 2, 0, 4, 4, 4, 0, 3, 3, 3),
        9: (2, 3, 4, 5),
        10: (1, 2, 3, 4, 5, 6),
        11: (5, 3, 6, 2),
        12: (6, 6, 5, 6, 4, 6),
        13: (1, 7),
        14: (1, 2, 3, 4, 5, 6),
        15: (6,),
    }[kind]
    step = min(5.0, 44 / len(columns))
    for k, high in enumerate(columns):
        if high:
            x0 = x + (k - len(columns) / 2) * step
            tall = 3 + 14 * high / max(columns)
            sheet.draw_box(x0 + 0.4, y - tall, x0 + step - 0.4, y, ink, 0.5)
            sheet.draw_box(x0 + 0.8, y - tall + 0.4, x0 + step - 0.8, y - tall + 1.4, hole)


def _draw_paper(deck: Deck, kind: int, complete: bool) -> np.ndarray:
    sheet = PAPER_MANNERS[deck.paper](deck, kind, complete)
    return sheet.get_pixels()


def _paper_plain(deck: Deck, kind: int, complete: bool) -> Sheet:
    """Draw a white paper with a title in the middle; the finished side has a tinted ground and a tick."""
    ground: Colour = (222, 236, 214) if complete else WHITE
    ink: Colour = (30, 84, 52) if complete else (70, 70, 74)
    sheet = Sheet(ground)
    title, font = _title_of(deck, kind)
    sheet.draw_text(W / 2 + 4, 10.5, title, font, 6, ink, fit=42)
    sheet.draw_line([(6, 18.5), (W - 6, 18.5)], 0.4, ink)
    if complete:
        sheet.draw_line([(4, 9.5), (6, 12), (9.5, 6.5)], 1.1, (30, 130, 70))
    else:
        sheet.draw_ring(6.5, 9.5, 2.6, 0.6, ink)
    _draw_diagram(sheet, kind, W / 2, 52, ink, ground)
    sheet.draw_text(W / 2, 70, str(POINTS[kind]), _plain_font(font), 12, ink)
    return sheet


def _paper_bar(deck: Deck, kind: int, complete: bool) -> Sheet:
    """Draw a coloured head bar, the title on the left, the points on the right; red under review, blue after."""
    bar: Colour = (32, 84, 150) if complete else (186, 52, 44)
    sheet = Sheet(WHITE if complete else (246, 240, 232))
    sheet.draw_box(0, 0, W, 16.5, bar)
    title, font = _title_of(deck, kind)
    sheet.draw_text(4, 8.4, title, font, 5.6, WHITE, "lm", fit=40)
    sheet.draw_disc(W - 9, 8.4, 5.6, WHITE)
    sheet.draw_text(W - 9, 8.4, str(POINTS[kind]), font, 6, bar)
    sheet.draw_text(4, 22, "PUBLISHED" if complete else "UNDER REVIEW", font, 3, bar, "lm")
    _draw_diagram(sheet, kind, W / 2, 58, bar, WHITE)
    for k in range(5):
        sheet.draw_line([(8, 66 + 3.4 * k), (W - 8 - (k % 3) * 9, 66 + 3.4 * k)], 0.5, mix(bar, WHITE, 0.6))
    return sheet


def _paper_journal(deck: Deck, kind: int, complete: bool) -> Sheet:
    """Draw a journal's first page; the finished side carries a red seal and a frame."""
    sheet = Sheet((240, 232, 206) if complete else (236, 237, 238))
    ink = BLACK
    title, font = _title_of(deck, kind)
    words = _plain_font(font)
    sheet.draw_text(W / 2, 5.0, "JOURNAL OF SEVENOLOGY", words, 2.1, ink)
    sheet.draw_line([(5, 7.4), (W - 5, 7.4)], 0.5, ink)
    sheet.draw_text(W / 2 - 1.5, 13.0, title, font, 5.5, ink, fit=33)
    sheet.draw_line([(5, 18.6), (W - 5, 18.6)], 0.25, ink)
    if complete:
        sheet.draw_frame(1.4, 0.8, (150, 112, 40))
        sheet.draw_disc(W - 9.5, 12.8, 4.4, (176, 36, 40))
        sheet.draw_ring(W - 9.5, 12.8, 3.5, 0.3, WHITE)
        sheet.draw_text(W - 9.5, 12.8, str(POINTS[kind]), words, 3.6, WHITE)
    else:
        sheet.draw_text(W - 9.5, 12.8, str(POINTS[kind]), words, 3.8, ink)
        sheet.draw_text(8.5, 13.0, "?", words, 5.4, (120, 120, 120))
    for column in (5.5, 33.5):
        for k in range(16):
            sheet.draw_line(
                [(column, 25 + 3.1 * k), (column + 24 - (k % 5 == 4) * 9, 25 + 3.1 * k)], 0.45, (150, 148, 142)
            )
    _draw_diagram(sheet, kind, W / 2, 84, mix(ink, WHITE, 0.25), WHITE)
    return sheet


def _paper_dark(deck: Deck, kind: int, complete: bool) -> Sheet:
    """Light letters on a dark ground: slate under review, burgundy with gold when done."""
    ground: Colour = (92, 24, 40) if complete else (48, 58, 70)
    ink: Colour = (236, 206, 128) if complete else (214, 224, 232)
    sheet = Sheet(ground)
    title, font = _title_of(deck, kind)
    sheet.draw_frame(2, 0.5 if not complete else 1.0, ink, 2)
    sheet.draw_text(W / 2, 11, title, font, 6, ink, fit=36)
    sheet.draw_poly([(5, 11), (7.5, 7.5), (10, 11), (7.5, 14.5)], ink) if complete else sheet.draw_ring(
        7.5, 11, 2.2, 0.5, ink
    )
    sheet.draw_text(W - 7.5, 11, str(POINTS[kind]), _plain_font(font), 5, ink)
    sheet.draw_line([(8, 20), (W - 8, 20)], 0.3, ink)
    _draw_diagram(sheet, kind, W / 2, 58, ink, ground)
    return sheet


def _paper_diploma(deck: Deck, kind: int, complete: bool) -> Sheet:
    """Draw an ornate sheet; the finished side has a gold guilloche frame and a ribbon, the other a plain thin one."""
    ink: Colour = (74, 50, 26)
    gold: Colour = (186, 140, 50)
    sheet = Sheet((250, 242, 218) if complete else (232, 234, 230))
    if complete:
        sheet.draw_frame(0, 3.4, gold)
        for k in range(30):
            sheet.draw_disc(2.1 * k + 1, 1.7, 0.6, (250, 242, 218))
            sheet.draw_disc(2.1 * k + 1, H - 1.7, 0.6, (250, 242, 218))
    else:
        sheet.draw_frame(3, 0.3, ink)
    title, font = _title_of(deck, kind)
    sheet.draw_text(W / 2, 11.5, title, font, 6.2, ink, fit=44)
    for side in (-1, 1):
        sheet.draw_line([(W / 2 + side * 6, 19), (W / 2 + side * 20, 19)], 0.35, ink)
    sheet.draw_disc(W / 2, 19, 1.3, gold if complete else ink)
    _draw_diagram(sheet, kind, W / 2, 50, ink, WHITE)
    sheet.draw_ring(W / 2, 66, 8, 0.6, gold if complete else ink)
    sheet.draw_text(W / 2, 66, str(POINTS[kind]), _plain_font(font), 8, ink)
    if complete:
        sheet.draw_poly([(W / 2 - 5, 73), (W / 2 - 8, 83), (W / 2 - 3, 80), (W / 2, 74)], (176, 36, 40))
        sheet.draw_poly([(W / 2 + 5, 73), (W / 2 + 8, 83), (W / 2 + 3, 80), (W / 2, 74)], (176, 36, 40))
    return sheet


def _paper_spine(deck: Deck, kind: int, complete: bool) -> Sheet:
    """Draw a spine on the left, striped under review and full afterwards; a short name large, the long one small."""
    ink: Colour = (20, 110, 116) if complete else (110, 104, 96)
    sheet = Sheet(WHITE)
    sheet.draw_box(0, 0, 12, H, ink)
    if not complete:
        for k in range(-3, 30):
            sheet.draw_poly([(0, 6 * k), (12, 6 * k - 8), (12, 6 * k - 5), (0, 6 * k + 3)], WHITE)
    title, font = _title_of(deck, kind)
    words = _plain_font(font)
    sheet.draw_text(17, 8, TITLES_SHORT[kind], words, 7, ink, "lm", fit=30)
    sheet.draw_text(17, 16.5, title, font, 3.2, ink, "lm", fit=42)
    sheet.draw_text(W - 4, 8, str(POINTS[kind]), words, 7, ink, "rm")
    _draw_diagram(sheet, kind, 37, 60, ink, WHITE)
    return sheet


def _paper_badge(deck: Deck, kind: int, complete: bool) -> Sheet:
    """Draw a cheerful paper: a coloured disc with the short name, a balloon with the long one; a smile when done."""
    colour = SEVEN_INKS["bright"][(kind * 3) % 7]
    sheet = Sheet(mix(WHITE, colour, 0.28) if complete else WHITE)
    sheet.draw_disc(11, 11, 8.4, colour)
    title, font = _title_of(deck, kind)
    sheet.draw_text(11, 11, TITLES_SHORT[kind], "quicksand-bold", 5, WHITE, fit=14)
    sheet.draw_box(21, 5, W - 3, 17, WHITE if complete else (232, 232, 232), 5)
    sheet.draw_text(23.5, 11, title, font, 4.6, BLACK, "lm", fit=25.5)
    if complete:
        sheet.draw_disc(W - 7.5, 11, 3.2, (250, 205, 0))
        sheet.draw_line([(W - 9, 11.6), (W - 7.5, 12.8), (W - 6, 11.6)], 0.5, BLACK)
    else:
        for k in range(3):
            sheet.draw_disc(W - 9.5 + 2.2 * k, 11, 0.8, (110, 110, 110))
    _draw_diagram(sheet, kind, W / 2, 56, colour, WHITE)
    sheet.draw_text(W / 2, 72, f"{POINTS[kind]}", "quicksand-bold", 9, colour)
    return sheet


def _paper_vertical(deck: Deck, kind: int, complete: bool) -> Sheet:
    """Draw an old slip of paper: a title on top, a vertical column of writing, a vermilion seal when finished."""
    sheet = Sheet((238, 222, 184) if complete else (226, 226, 220))
    ink: Colour = (40, 32, 28)
    title, font = _title_of(deck, kind)
    japanese = title if _is_japanese(font) else TITLES_JA[kind]
    sheet.draw_text(W / 2 + 6, 11, title, font, 5.8, ink, fit=40)
    if complete:
        sheet.draw_box(4, 5, 14.5, 16.5, (190, 50, 36), 1)
        sheet.draw_text(9.2, 10.8, "済", "mincho", 6.4, (246, 232, 200))
    else:
        sheet.draw_frame(2.2, 0.25, ink)
        sheet.draw_text(9.2, 10.8, "査", "mincho", 6, mix(ink, WHITE, 0.35))
    sheet.upright_text(W - 10, 24, japanese, "mincho", 6, ink)
    for k in range(5):
        sheet.draw_line([(W - 19 - 6 * k, 26), (W - 19 - 6 * k, 80 - 7 * (k % 3))], 0.4, mix(ink, WHITE, 0.4))
    _draw_diagram(sheet, kind, 22, 82, ink, WHITE)
    return sheet


PAPER_MANNERS = {
    "plain": _paper_plain,
    "bar": _paper_bar,
    "journal": _paper_journal,
    "dark": _paper_dark,
    "diploma": _paper_diploma,
    "spine": _paper_spine,
    "badge": _paper_badge,
    "vertical": _paper_vertical,
}

# ---- backs -----------------------------------------------------------------------------------------------------------


def _draw_back(deck: Deck) -> np.ndarray:
    rng = np.random.default_rng(deck.seed + 1)
    colour: Colour = SEVEN_INKS[("muted", "plain", "bright")[int(rng.integers(3))]][int(rng.integers(7))]
    light = mix(colour, WHITE, 0.55)
    bordered = bool(rng.random() < 0.7)
    sheet = Sheet(colour)
    BACK_MANNERS[deck.back](sheet, colour, light)
    if bordered:
        sheet.draw_frame(0, float(rng.uniform(3, 5)), WHITE)
    return sheet.get_pixels()


def _back_lattice(sheet: Sheet, colour: Colour, light: Colour) -> None:
    for k in range(-20, 36):
        sheet.draw_line([(4.5 * k, 0), (4.5 * k + H, H)], 0.5, light)
        sheet.draw_line([(4.5 * k, H), (4.5 * k + H, 0)], 0.5, light)


def _back_stripes(sheet: Sheet, colour: Colour, light: Colour) -> None:
    for k in range(-10, 16):
        sheet.draw_poly([(8 * k, 0), (8 * k + 4, 0), (8 * k + 4 + 30, H), (8 * k + 30, H)], light)


def _back_rings(sheet: Sheet, colour: Colour, light: Colour) -> None:
    for r in range(3, 60, 5):
        sheet.draw_ring(W / 2, H / 2, r, 1.4, light)


def _back_stars(sheet: Sheet, colour: Colour, light: Colour) -> None:
    for row in range(11):
        for column in range(8):
            sheet.draw_suit(
                "S", 4 + 8.2 * column + 4.1 * (row % 2), 4 + 8.1 * row, 4.2, light, colour, (row + column) % 3
            )


def _back_solid(sheet: Sheet, colour: Colour, light: Colour) -> None:
    sheet.draw_frame(6, 0.6, light, 2)
    sheet.both_ends(lambda: sheet.draw_text(W / 2, H / 2 - 13, "SEVEN", "gothic-demi", 9, light))
    sheet.draw_line([(12, H / 2), (W - 12, H / 2)], 0.5, light)


def _back_scales(sheet: Sheet, colour: Colour, light: Colour) -> None:
    for row in range(24):
        for column in range(9):
            x, y = 8 * column + 4 * (row % 2), 4 * row
            for r, ink in ((5.2, light), (4.5, colour), (3.2, light), (2.5, colour)):
                sheet.draw_disc(x, y, r, ink)


def _back_plaid(sheet: Sheet, colour: Colour, light: Colour) -> None:
    dark = mix(colour, BLACK, 0.4)
    for k in range(9):
        sheet.draw_box(0, 10 * k + 2, W, 10 * k + 4.5, light)
        sheet.draw_box(10 * k + 1, 0, 10 * k + 3.5, H, dark)
        sheet.draw_box(10 * k + 6, 0, 10 * k + 6.5, H, light)


def _back_waves(sheet: Sheet, colour: Colour, light: Colour) -> None:
    for k in range(30):
        xs = np.linspace(0, W, 60)
        sheet.draw_line([(x, 3.2 * k + 1.3 * math.sin(x / 3 + 0.9 * k)) for x in xs], 0.9, light)


BACK_MANNERS = {
    "lattice": _back_lattice,
    "stripes": _back_stripes,
    "rings": _back_rings,
    "stars": _back_stars,
    "solid": _back_solid,
    "scales": _back_scales,
    "plaid": _back_plaid,
    "waves": _back_waves,
}
