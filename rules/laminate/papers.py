"""The paper kinds of Laminate Rummy and the building blocks that every kind, built in or of the house, is made of.

Source: the booklet's table of combinations with RULINGS.md. The four building blocks are ``Run`` (consecutive ranks),
``Sets`` (cards of equal rank), ``Sum`` (ranks adding up) and ``Ranks`` (given ranks, one card each). House papers come
as TOML text, for example::

    [[paper]]
    name = "little_flush"
    en = "Little Flush"
    ja = "3ストフラ"
    points = 2
    copies = 3
    run = { length = 3, one_suit = true }

with ``sets = { of = 2, ranks = 5 }``, ``sum = { exactly = 21 }``, ``sum = { at_least = 77 }`` or
``ranks = ["A", 7, "K"]`` in place of ``run``. This room reads no files: the text is passed in.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations
from typing import Any, TypeGuard

from rules.cards import ALL, RANK_NAMES, Card, Suit, cards_in, mask_of
from rules.laminate.counting import OF_RANK, ONES, RANK_OF, RANKS, packed, total

_RANK_OF_NAME = {name: rank for rank, name in RANK_NAMES.items()}


@dataclass(frozen=True, slots=True)
class Run:
    """Exactly ``length`` consecutive ranks, one card each, of any suits or of one suit; K and A are not joined."""

    length: int
    one_suit: bool = False

    def accepts(self, mask: int) -> bool:
        """True where the cards of the mask, all of them, are such a run."""
        return mask in _flushes(self.length) if self.one_suit else packed(mask) in _straights(self.length)

    def may_hold(self, mask: int) -> bool:
        """True where some combination holds these cards and perhaps others; the mask is not empty."""
        cards = cards_in(mask)
        ranks = {card.rank for card in cards}
        close = len(ranks) == len(cards) and max(ranks) - min(ranks) < self.length
        if self.one_suit:
            return close and len({card.suit for card in cards}) == 1 and self.length <= _IN_SUIT
        return close and self.length <= len(RANKS)

    def examples(self) -> tuple[tuple[str, ...], ...]:
        """Rows of small cards that show it, as a paper prints them."""
        lowest = max(1, min(3, 13 - self.length))
        ranks = tuple(RANK_NAMES[rank] for rank in range(lowest, 14))[: self.length]
        if self.one_suit:
            return ("★",) * self.length, ranks
        half = self.length if self.length <= 6 else (self.length + 1) // 2
        return tuple(row for row in (ranks[:half], ranks[half:]) if row)

    def rule(self) -> tuple[str, str]:
        """What it takes, in English and in Japanese, as the end of a sentence."""
        if self.one_suit:
            return (
                f"exactly {self.length} consecutive ranks of one suit",
                f"同じスートの連続した数字をちょうど{self.length}枚",
            )
        return f"exactly {self.length} consecutive ranks", f"連続した数字をちょうど{self.length}枚"


@dataclass(frozen=True, slots=True)
class Sets:
    """Exactly ``of`` cards of each of exactly ``ranks`` different ranks."""

    of: int
    ranks: int = 1

    def accepts(self, mask: int) -> bool:
        """True where the cards of the mask, all of them, are such sets."""
        return packed(mask) in _equal_sets(self.of, self.ranks)

    def may_hold(self, mask: int) -> bool:
        """True where some combination holds these cards and perhaps others; the mask is not empty."""
        held = Counter(card.rank for card in cards_in(mask))
        enough = [rank for rank, count in _RANK_TOTALS.items() if count >= self.of]
        fit = all(rank in enough and count <= self.of for rank, count in held.items())
        return fit and len(held) <= self.ranks <= len(enough)

    def examples(self) -> tuple[tuple[str, ...], ...]:
        """Rows of small cards that show it, as a paper prints them."""
        low, step = (4, 2) if self.ranks < 6 else (max(1, min(4, 14 - self.ranks)), 1)
        if self.of > 5:  # the ranks of which there are most
            low, step = 7 - self.ranks // 2, 1
        sets = tuple((RANK_NAMES[low + step * number],) * self.of for number in range(self.ranks))
        if self.ranks < 4:
            return sets
        return tuple(sum(sets[n : n + 2], ()) for n in range(0, self.ranks, 2))

    def rule(self) -> tuple[str, str]:
        """What it takes, in English and in Japanese, as the end of a sentence."""
        if self.ranks == 1:
            return f"exactly {self.of} cards of one rank", f"同じランクのカードをちょうど{self.of}枚"
        return (
            f"exactly {self.of} cards of each of {self.ranks} different ranks",
            f"{self.ranks}種類のランクのカードを、それぞれちょうど{self.of}枚ずつ",
        )


@dataclass(frozen=True, slots=True)
class Sum:
    """Any number of cards whose ranks add to exactly ``total``, or to at least that; A counts 1 and K counts 13.

    Only with ``at_least`` may more cards be laid or cited than the combination needs.
    """

    total: int
    at_least: bool = False

    def accepts(self, mask: int) -> bool:
        """True where the cards of the mask, all of them, add to it."""
        return total(mask) >= self.total if self.at_least else total(mask) == self.total

    def may_hold(self, mask: int) -> bool:
        """True where some combination holds these cards and perhaps others; the mask is not empty."""
        if self.at_least:
            return self.total <= _DECK_SUM
        lacking = self.total - total(mask)
        sums = 1  # bit n: the other cards can add to n
        for card in cards_in(ALL & ~mask):
            sums |= sums << card.rank
        return lacking >= 0 and bool(sums >> lacking & 1)

    def examples(self) -> tuple[tuple[str, ...], ...]:
        """What it adds to, as a paper prints it."""
        return (("Σ", "≧" if self.at_least else "=", str(self.total)),)

    def rule(self) -> tuple[str, str]:
        """What it takes, in English and in Japanese, as the end of a sentence."""
        if self.at_least:
            return f"ranks that add to {self.total} or more", f"ランクの合計が{self.total}以上"
        return f"ranks that add to exactly {self.total}", f"ランクの合計がちょうど{self.total}"


@dataclass(frozen=True, slots=True)
class Ranks:
    """One card of each of the given ranks, any suits; a rank may be given more than once."""

    ranks: tuple[int, ...]

    def accepts(self, mask: int) -> bool:
        """True where the cards of the mask, all of them, are those ranks."""
        return packed(mask) == sum(1 << 4 * (rank - 1) for rank in self.ranks)

    def may_hold(self, mask: int) -> bool:
        """True where some combination holds these cards and perhaps others; the mask is not empty."""
        wanted = Counter(self.ranks)
        there = all(count <= _RANK_TOTALS[rank] for rank, count in wanted.items())
        return there and Counter(card.rank for card in cards_in(mask)) <= wanted

    def examples(self) -> tuple[tuple[str, ...], ...]:
        """Rows of small cards that show it, as a paper prints them."""
        names = tuple(RANK_NAMES[rank] for rank in self.ranks)
        return (names,) if len(names) < 5 else (names[: len(names) // 2], names[len(names) // 2 :])

    def rule(self) -> tuple[str, str]:
        """What it takes, in English and in Japanese, as the end of a sentence."""
        names = [RANK_NAMES[rank] for rank in self.ranks]
        listed = ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
        return f"exactly {listed}, one card each", f"{'・'.join(names)}を1枚ずつ"


Combination = Run | Sets | Sum | Ranks


@cache
def _straights(length: int) -> frozenset[int]:
    """Every run of that length over any suits, packed by rank."""
    run = ONES & (1 << 4 * length) - 1
    return frozenset(run << 4 * (low - 1) for low in range(1, 15 - length))


@cache
def _flushes(length: int) -> frozenset[int]:
    """Every run of that length in one suit, as masks of cards."""
    run = (1 << length) - 1
    return frozenset(run << 7 * place + low for place in range(len(Suit)) for low in range(8 - length))


@cache
def _equal_sets(of: int, ranks: int) -> frozenset[int]:
    """So many cards of each of so many different ranks, packed by rank."""
    enough = [rank for rank, count in _RANK_TOTALS.items() if count >= of]
    return frozenset(sum(of << 4 * (rank - 1) for rank in chosen) for chosen in combinations(enough, ranks))


_RANK_TOTALS = {rank: OF_RANK[rank].bit_count() for rank in RANKS}
_DECK_SUM = sum(RANK_OF)
_IN_SUIT = 7


@dataclass(frozen=True, slots=True)
class PaperKind:
    """A kind of paper: its name in records, points, copies in the supply, names for players and combination.

    ``combination`` is ``None`` for the End Flag alone, which is never published.
    """

    name: str
    points: int
    copies: int
    en: str
    ja: str
    combination: Combination | None

    def accepts(self, cards: Sequence[Card]) -> bool:
        """True where the cards, all of them and each of them once, are this paper's combination."""
        mask = mask_of(cards)
        return self.combination is not None and mask.bit_count() == len(cards) and self.combination.accepts(mask)

    def may_hold(self, cards: Sequence[Card]) -> bool:
        """True where these cards, one or more and each of them once, may be what is left of this paper.

        The End Flag has one card, whichever it is.
        """
        if self.combination is None:
            return len(cards) == 1
        mask = mask_of(cards)
        return mask.bit_count() == len(cards) and self.combination.may_hold(mask)

    # What is printed on it (``referee.papers``)

    @property
    def examples(self) -> tuple[tuple[str, ...], ...]:
        """Rows of small cards that show what it asks for; a sign alone on the End Flag."""
        return self.combination.examples() if self.combination else (("▶",),)

    @property
    def groups(self) -> tuple[int, ...]:
        """How many cards belong together in it, group by group; none where it asks for a sum or for nothing."""
        match self.combination:
            case Run(length):
                return (length,)
            case Sets(of, ranks):
                return (of,) * ranks
            case Ranks(given):
                return (1,) * len(given)
        return ()

    @property
    def one_suit(self) -> bool:
        """Whether all its cards are of one suit."""
        return isinstance(self.combination, Run) and self.combination.one_suit

    @property
    def total(self) -> int:
        """What its ranks add to; 0 where it asks for no sum."""
        return self.combination.total if isinstance(self.combination, Sum) else 0


END_FLAG = "end_flag"

BUILT_IN: tuple[PaperKind, ...] = (
    PaperKind("straight5", 1, 4, "5 Straight", "5ストレート", Run(5)),
    PaperKind("straight7", 3, 3, "7 Straight", "7ストレート", Run(7)),
    PaperKind("straight9", 5, 2, "9 Straight", "9ストレート", Run(9)),
    PaperKind("straight11", 9, 1, "11 Straight", "11ストレート", Run(11)),
    PaperKind("three", 1, 4, "Three Cards", "3カード", Sets(3)),
    PaperKind("five", 4, 3, "Five Cards", "5カード", Sets(5)),
    PaperKind("three_pairs", 2, 3, "Three Pairs", "スリーペア", Sets(2, 3)),
    PaperKind("four_pairs", 5, 2, "Four Pairs", "フォーペア", Sets(2, 4)),
    PaperKind("triple_threes", 7, 1, "Triple Threes", "トリプルスリー", Sets(3, 3)),
    PaperKind("straight_flush4", 4, 2, "4 Straight Flush", "4ストフラ", Run(4, one_suit=True)),
    PaperKind("straight_flush6", 7, 2, "6 Straight Flush", "6ストフラ", Run(6, one_suit=True)),
    PaperKind("sum49", 2, 4, "49", "49", Sum(49)),
    PaperKind("sum100", 6, 1, "100+", "100+", Sum(100, at_least=True)),
    PaperKind("ace_king", 2, 1, "AK", "AK", Ranks((1, 13))),
    PaperKind("all_even", 6, 1, "All Even", "オールイーブン", Ranks((2, 4, 6, 8, 10, 12))),
    PaperKind(END_FLAG, 1, 1, "End Flag", "エンドフラグ", None),
)


@dataclass(frozen=True)
class Papers:
    """The paper kinds a game is played with, in their fixed order; the built-in ones unless told otherwise."""

    kinds: tuple[PaperKind, ...] = BUILT_IN
    _by_name: Mapping[str, int] = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_name = {kind.name: place for place, kind in enumerate(self.kinds)}
        if len(by_name) != len(self.kinds) or END_FLAG not in by_name:
            raise ValueError("paper kinds need different names, and the End Flag must be one of them")
        object.__setattr__(self, "_by_name", by_name)
        object.__setattr__(self, "_hash", hash(self.kinds))

    def __hash__(self) -> int:
        return self._hash

    def __iter__(self) -> Iterator[PaperKind]:
        return iter(self.kinds)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> PaperKind:
        return self.kinds[self._by_name[name]]

    def __len__(self) -> int:
        return len(self.kinds)

    def place(self, name: str) -> int:
        """The kind's place in ``kinds``, -1 where there is none of that name."""
        return self._by_name.get(name, -1)

    @cached_property
    def house(self) -> tuple[PaperKind, ...]:
        """The kinds that are not built in."""
        return tuple(kind for kind in self.kinds if kind not in BUILT_IN)


LAMINATE = Papers()
"""The 16 built-in kinds: 35 paper cards."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in a house-papers text: its line, counted from 1, and what is wrong, in English and in Japanese."""

    line: int
    en: str
    ja: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.en}"


class HousePapersError(ValueError):
    """The house-papers text can't be used; ``faults`` says why, line by line."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


_BLOCKS = ("run", "sets", "sum", "ranks")
_KEYS = ("name", "en", "ja", "points", "copies", *_BLOCKS)
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


def house_papers(text: str, base: Papers = LAMINATE) -> Papers:
    """The paper kinds of ``base`` and, after them, those that the TOML text defines.

    Raises:
        HousePapersError: with the line of each fault.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise HousePapersError((_toml_fault(text, error),)) from error
    reader = _HouseReader(text, base)
    kinds = reader.read(data)
    if reader.faults:
        raise HousePapersError(tuple(sorted(reader.faults, key=lambda fault: fault.line)))
    return Papers(base.kinds + kinds)


def combination_in(key: str, value: object) -> Combination | None:
    """What ``key = value`` of a house-papers text stands for; ``None`` where it can't be."""
    return _HouseReader("", LAMINATE).block(key, value, 1)


def _toml_fault(text: str, error: tomllib.TOMLDecodeError) -> Fault:
    found = re.search(r"\(at line (\d+)", str(error))
    line = int(found.group(1)) if found else max(1, len(text.splitlines()))
    message = re.sub(r" \(at .*\)\Z", "", str(error))
    return Fault(line, f"this is not TOML: {message}", f"TOMLとして読めません（{message}）")


class _HouseReader:
    """Reads ``[[paper]]`` tables, collecting faults with the line they stand in."""

    def __init__(self, text: str, base: Papers) -> None:
        self.lines = text.splitlines()
        self.heads = [n for n, line in enumerate(self.lines, 1) if re.match(r"\s*\[\[\s*\"?paper\"?\s*\]\]", line)]
        self.base = base
        self.faults: list[Fault] = []

    def read(self, data: Mapping[str, Any]) -> tuple[PaperKind, ...]:
        for key in data:
            if key != "paper":
                self.fault(self.line_of(key), f"unknown key {key!r}", f"知らない項目です：{key}")
        tables = data.get("paper", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self.fault(self.line_of("paper"), "write each paper as [[paper]]", "論文は [[paper]] の形で書いてください")
            return ()
        kinds: list[PaperKind] = []
        names = {kind.name for kind in self.base}
        for number, table in enumerate(tables):
            kind = self.paper(table, number)
            if kind is None:
                continue
            if kind.name in names:
                self.fault(
                    self.line_of("name", number),
                    f"there is a paper {kind.name!r} already",
                    f"論文 {kind.name} は既にあります",
                )
            names.add(kind.name)
            kinds.append(kind)
        return tuple(kinds)

    def fault(self, line: int, en: str, ja: str) -> None:
        self.faults.append(Fault(line, en, ja))

    def line_of(self, key: str, number: int | None = None) -> int:
        """The line a key stands in, within the table of that number; the table's head where the key is not found."""
        first, last = 1, len(self.lines)
        if number is not None and number < len(self.heads):
            first = self.heads[number]
            last = self.heads[number + 1] - 1 if number + 1 < len(self.heads) else last
        pattern = re.compile(rf"\s*\[?\[?\s*(?:paper\s*\.\s*)?[\"']?{re.escape(key)}[\"']?\s*[\].=]")
        for line in range(first, last + 1):
            if pattern.match(self.lines[line - 1]):
                return line
        return first

    def paper(self, table: Mapping[str, Any], number: int) -> PaperKind | None:
        before = len(self.faults)
        head = self.line_of("paper", number)
        for key in table:
            if key not in _KEYS:
                self.fault(self.line_of(key, number), f"unknown key {key!r}", f"知らない項目です：{key}")
        for key in ("name", "en", "ja"):
            if key not in table:
                self.fault(head, f"the paper lacks {key!r}", f"論文に {key} がありません")
            elif not isinstance(table[key], str) or not table[key].strip():
                self.fault(self.line_of(key, number), f"{key!r} must be text", f"{key} は文字列で書いてください")
        name = table.get("name")
        if isinstance(name, str) and name.strip() and not _NAME.match(name):
            self.fault(
                self.line_of("name", number),
                "'name' takes small letters, digits and underscores, a letter first",
                "name は英小文字で始め、英小文字・数字・_ だけで書いてください",
            )
        for key in ("points", "copies"):
            if key not in table:
                self.fault(head, f"the paper lacks {key!r}", f"論文に {key} がありません")
            elif not _whole(table[key], 1):
                self.fault(
                    self.line_of(key, number),
                    f"{key!r} must be a whole number of 1 or more",
                    f"{key} は1以上の整数で書いてください",
                )
        blocks = [key for key in _BLOCKS if key in table]
        combination: Combination | None = None
        if len(blocks) != 1:
            self.fault(
                self.line_of(blocks[1], number) if blocks else head,
                "a paper needs exactly one of run, sets, sum and ranks",
                "役は run・sets・sum・ranks のうちちょうど1つで書いてください",
            )
        else:
            combination = self.block(blocks[0], table[blocks[0]], self.line_of(blocks[0], number))
        if len(self.faults) > before or combination is None:
            return None
        return PaperKind(table["name"], table["points"], table["copies"], table["en"], table["ja"], combination)

    def block(self, key: str, value: Any, line: int) -> Combination | None:
        if key == "ranks":
            return self.ranks(value, line)
        allowed = {"run": {"length", "one_suit"}, "sets": {"of", "ranks"}, "sum": {"exactly", "at_least"}}[key]
        if not isinstance(value, dict):
            form = ", ".join(sorted(allowed))
            self.fault(line, f"{key!r} must be a table with {form}", f"{key} は {form} を持つ表で書いてください")
            return None
        unknown = sorted(set(value) - allowed)
        if unknown:
            self.fault(line, f"unknown key {unknown[0]!r} in {key!r}", f"{key} に知らない項目があります：{unknown[0]}")
            return None
        return {"run": self.run, "sets": self.sets, "sum": self.sum}[key](value, line)

    def run(self, value: Mapping[str, Any], line: int) -> Combination | None:
        length, one_suit = value.get("length"), value.get("one_suit", False)
        if not isinstance(one_suit, bool):
            self.fault(line, "'one_suit' must be true or false", "one_suit は true か false で書いてください")
            return None
        longest = 7 if one_suit else 13
        if not _whole(length, 2) or length > longest:
            self.fault(
                line, f"'length' must be a whole number from 2 to {longest}", f"length は2から{longest}までの整数です"
            )
            return None
        return Run(length, one_suit)

    def sets(self, value: Mapping[str, Any], line: int) -> Combination | None:
        of, ranks = value.get("of"), value.get("ranks", 1)
        if not _whole(of, 1) or not _whole(ranks, 1):
            self.fault(
                line, "'of' and 'ranks' must be whole numbers of 1 or more", "of と ranks は1以上の整数で書いてください"
            )
            return None
        if sum(1 for total in _RANK_TOTALS.values() if total >= of) < ranks:
            self.fault(
                line,
                f"the deck has no {ranks} ranks with {of} cards each",
                f"{of}枚以上あるランクは{ranks}種類もありません",
            )
            return None
        return Sets(of, ranks)

    def sum(self, value: Mapping[str, Any], line: int) -> Combination | None:
        if len(value) != 1:
            self.fault(
                line,
                "'sum' needs either 'exactly' or 'at_least'",
                "sum は exactly か at_least のどちらか1つで書いてください",
            )
            return None
        ((key, total),) = value.items()
        if not _whole(total, 1) or total > _DECK_SUM:
            self.fault(
                line,
                f"{key!r} must be a whole number from 1 to {_DECK_SUM}",
                f"{key} は1から{_DECK_SUM}までの整数です",
            )
            return None
        return Sum(total, key == "at_least")

    def ranks(self, value: Any, line: int) -> Combination | None:
        if not isinstance(value, list) or not value:
            self.fault(line, "'ranks' must be a list of ranks", "ranks はランクの並びで書いてください")
            return None
        ranks: list[int] = []
        for item in value:
            rank = _RANK_OF_NAME.get(item) if isinstance(item, str) else item
            if not _whole(rank, 1) or rank > 13:
                self.fault(
                    line,
                    f"{item!r} is no rank; ranks are A, 2 to 12 and K",
                    f"{item} というランクはありません（A・2～12・K）",
                )
                return None
            ranks.append(rank)
        for rank in ranks:
            if ranks.count(rank) > _RANK_TOTALS[rank]:
                name = RANK_NAMES[rank]
                self.fault(
                    line,
                    f"the deck has only {_RANK_TOTALS[rank]} of rank {name}",
                    f"{name}は{_RANK_TOTALS[rank]}枚しかありません",
                )
                return None
        return Ranks(tuple(sorted(ranks)))


def _whole(value: object, least: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least
