"""``python -m tools.benchmark_ood.hard``: tables as an evening at a kitchen table brings them, kind by kind.

Tables of the benchmark's sensible decks are painted flat, each kind with one thing that makes it hard. Counted are the
cards that a person can name at that size: at one of a card's ends at least half of what tells it from every other card
of its deck is uncovered and has a fifth of its contrast left (``disturbed.Table.nameable``).
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.capture.eye import card_reader
from referee.table import Detections
from tools.benchmark_ood import disturbed, flat, plan
from tools.benchmark_ood.art import DECKS
from tools.benchmark_ood.art import Deck as Invented
from tools.benchmark_ood.camera import Look
from tools.benchmark_ood.failures import cut_cell
from tools.benchmark_ood.foreign import take_shot
from tools.benchmark_ood.ground import MATS
from tools.benchmark_ood.measure import Truth, held_against, learn
from tools.benchmark_ood.scene import Rng, Scene
from vision.arrays import Picture
from vision.errors import VisionError
from vision.identify.deck import Deck
from vision.mat import find_mat
from vision.reader import Reader

Change = Callable[[disturbed.Table, Rng], None]


@dataclass(frozen=True)
class Kind:
    """One kind of table: how it is taken, and what lies on it or happens to it."""

    says: str
    px_per_mm: float = 0.0
    """So many pixels per mm; 0: 2.5 or 3."""
    glare: str = ""
    """How lamps mirror in the lamination; else none, or some."""
    tilt: float = 0.0
    """Degrees by which the camera looks askew; 0: up to 8 either way."""
    bow: tuple[float, float] = (0.0, 0.0)
    """By how many mm cards are bent, least and most."""
    sleeve: Callable[[Rng], disturbed.Sleeve] | None = None
    laid: Callable[[Scene, Rng], Scene] | None = None
    change: Change | None = None


KINDS = {
    "control": Kind("good conditions"),
    "2px": Kind("2.0 px per mm", px_per_mm=2.0),
    "glare": Kind("strong glare", glare="strong"),
    "glossy": Kind(
        "glossy sleeves", sleeve=lambda rng: disturbed.Sleeve(float(rng.uniform(0.005, 0.03)), 0.35, 0.0), glare="some"
    ),
    "matte": Kind(
        "matte sleeves",
        sleeve=lambda rng: disturbed.Sleeve(float(rng.uniform(0.04, 0.1)), 0.0, float(rng.uniform(0.08, 0.18))),
    ),
    "bent": Kind("cards bent by 2 to 6 mm", bow=(2.0, 6.0)),
    "hands": Kind("hands that rest on cards", change=disturbed.rest_hands),
    "shadow": Kind("a lamp's hard shadow edge", change=disturbed.shadow_edges),
    "tilt": Kind("25° of tilt", tilt=25.0),
    "fans": Kind("hands laid open in steps of 10 to 17 mm", laid=disturbed.lay_fans),
    "across": Kind("cards across two columns", laid=disturbed.lay_across),
}


@dataclass
class Count:
    """What became of the cards of some tables: of all, and of those that a person can name."""

    tables: int = 0
    whole: int = 0
    cards: int = 0
    nameable: int = 0
    read: int = 0
    """Of those nameable."""
    beyond: int = 0
    """Read, of those not nameable."""
    misread: int = 0
    false: int = 0
    silent: int = 0
    causes: Counter[str] = field(default_factory=Counter)

    def add(self, truth: Truth, entries: list[dict[str, Any]]) -> None:
        cards = [entry for entry in entries if "stray" not in entry]
        can = [entry for entry in cards if entry["nameable"]]
        strays = [entry for entry in entries if "stray" in entry]
        self.tables += 1
        self.cards += len(cards)
        self.nameable += len(can)
        self.read += sum(entry["read"] for entry in can)
        self.beyond += sum(entry["read"] for entry in cards if not entry["nameable"])
        self.misread += sum(entry["truth"] is not None for entry in strays)
        self.false += sum(entry["truth"] is None for entry in strays)
        self.causes.update(entry["unread"]["cause"] for entry in can if entry["unread"])
        self.silent += sum(not entry["read"] and not entry["unread"] for entry in can)
        self.whole += int(not strays and all(entry["read"] for entry in can))

    def write_row(self, says: str) -> str:
        """Write its line of a Markdown table."""
        causes = ", ".join(f"{cause.replace('_', ' ')} {count}" for cause, count in self.causes.most_common())
        return (
            f"| {says} | {self.tables} | {self.cards} | {self.nameable} | {self.read / max(1, self.nameable):.2%} "
            f"| {self.beyond} of {self.cards - self.nameable} | {self.misread} | {self.false} | {causes or '–'} "
            f"| {self.silent} | {self.whole} |"
        )


HEAD = (
    "| | tables | cards | nameable | read | of the others | misread | false | can't see | missed | whole |\n"
    "|---|" + "---:|" * 7 + "---|" + "---:|" * 2
)


def look_for(shot: plan.Shot, kind: Kind, rng: Rng) -> Look:
    """Choose how the camera hangs."""
    look = plan.look_for(shot, rng)
    if not kind.tilt:
        return look
    way = rng.uniform(0, 2 * math.pi)
    steep = math.tan(math.radians(kind.tilt))
    tilt = (math.degrees(math.atan(steep * math.cos(way))), math.degrees(math.atan(steep * math.sin(way))))
    return replace(look, tilt=tilt)


def photograph_table(painter: flat.Painter, shot: plan.Shot, kind: Kind, rng: Rng) -> tuple[Picture, Truth]:
    """Photograph a table of this kind, and say what lies there."""
    laid = plan.laid_for(shot, rng)
    look, lens = look_for(shot, kind, rng), plan.lens_for(shot, rng)
    if kind.laid is not None:
        laid = kind.laid(laid, rng)
    (w, h), (ax, ay) = shot.mat_mm, (math.tan(math.radians(a)) for a in look.tilt)
    eye = (w / 2 + look.height * ax, h / 2 - look.height * ay, look.height)
    lies = tuple(
        disturbed.Lie(
            card,
            eye,
            float(rng.choice([-1, 1]) * rng.uniform(*kind.bow)) if kind.bow[1] else 0.0,
            bool(rng.random() < 0.5),
        )
        for card in laid.cards
    )
    painted = disturbed.Table.paint_bare(painter, laid, lies, shot.mat, shot.stops, rng)
    sleeve = kind.sleeve(rng) if kind.sleeve else None
    for number in range(len(lies)):
        painted.lay(number, sleeve, 0.25 if shot.glare != "none" else 0.0, rng)
    disturbed.fall_off(painted, rng)
    if flat.SHINE[shot.glare]:
        disturbed.add_lamps(painted, flat.SHINE[shot.glare], rng)
    if kind.change is not None:
        kind.change(painted, rng)
    light = painted.image * painted.gain[..., None] + painted.veil[..., None]
    light *= flat.lamp_colour(look.warm)
    drawn = flat.seen_from_above(light, shot, look, lens, rng)
    written = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, lens.quality])[1]
    picture = np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), np.uint8)
    truth = laid.list_truth()
    for card, shown, can in zip(truth, painted.list_shown(), painted.list_nameable(), strict=True):
        card["visible"], card["nameable"] = round(shown, 3), can
    return picture, {"mat_mm": list(shot.mat_mm), "cards": truth}


def shot_for(deck: Invented, kind: Kind, number: int, rng: Rng) -> plan.Shot:
    """Choose how a table of this kind is taken."""
    scale = kind.px_per_mm or float(rng.choice([2.5, 3.0], p=[0.3, 0.7]))
    glare = kind.glare or str(rng.choice(["none", "some"]))
    stops = float(rng.choice([-0.5, 0.0, 0.5]))
    return plan.Shot(deck, "", number, plan.SCALES[scale], scale, str(rng.choice(MATS)), glare, stops)


def learn_deck(reader: Reader, painter: flat.Painter, invented: Invented, keep: Path | None) -> Deck | None:
    """Learn the deck from its pages, or load it from the folder where it was kept there."""
    path = keep / f"{invented.name}.deck" if keep else None
    if path is not None and path.exists():
        return Deck.load(path)
    pages = [take_shot(painter, shot)[0] for shot in plan.list_shots() if shot.deck is invented and shot.page]
    deck, why = learn(reader, invented.name, pages)
    if deck is None:
        print(f"{invented.name}: not learnt: {why}", flush=True)
    elif path is not None:
        deck.save(path)
    return deck


def main() -> None:
    """Paint, read and count."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmark_ood.hard", description=__doc__)
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"of {', '.join(KINDS)} (default: all)")
    parser.add_argument("--decks", type=int, default=10, help="so many sensible decks (default %(default)s)")
    parser.add_argument("--tables", type=int, default=1, help="tables of each kind and deck (default %(default)s)")
    parser.add_argument("--seed", type=int, default=4_100_000, help="of the first table (default %(default)s)")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="a folder for learnt decks, tables and sheets of what failed"
    )
    options = parser.parse_args()
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    reader, kinds = card_reader(), {name: KINDS[name] for name in options.kinds.split(",")}
    counts = {name: Count() for name in kinds}
    cells: dict[str, list[Picture]] = {name: [] for name in kinds}
    start = time.monotonic()
    for invented in [deck for deck in DECKS if not deck.nasty][: options.decks]:
        painter = flat.Painter(invented)
        deck = learn_deck(reader, painter, invented, options.keep)
        for name, kind in kinds.items() if deck else ():
            for number in range(options.tables):
                rng = np.random.default_rng([options.seed + number, invented.seed, list(KINDS).index(name)])
                frame = f"{name}-{invented.name}-{number}"
                picture, truth = photograph_table(painter, shot_for(invented, kind, number, rng), kind, rng)
                entries, shown = read(reader, deck, frame, picture, truth)
                counts[name].add(truth, entries)
                cells[name] += shown
                if options.keep and shown:
                    cv2.imwrite(str(options.keep / f"{frame}.png"), picture)
                    with (options.keep / "failed.jsonl").open("a") as file:
                        file.writelines(json.dumps(e) + "\n" for e in entries if _has_failed(e))
        print(f"{time.monotonic() - start:.0f} s", flush=True)
    if options.keep:
        for name, some in cells.items():
            _write_sheet(some, options.keep / f"failed-{name}.png")
    print("\n" + HEAD)
    for name, count in counts.items():
        print(count.write_row(kinds[name].says))


def _has_failed(entry: dict[str, Any]) -> bool:
    return bool(entry.get("stray")) or (entry["nameable"] and not entry["read"])


def read(
    reader: Reader, deck: Deck | None, frame: str, picture: Picture, truth: Truth
) -> tuple[list[dict[str, Any]], list[Picture]]:
    """Read the table: one entry a card or stray sighting, and pictures of those that failed."""
    assert deck is not None, "the deck was learnt"
    began = time.process_time()
    try:
        mat = find_mat(picture, tuple(truth["mat_mm"]))
        reading = reader.read(picture, mat, deck)
    except VisionError as error:
        print(f"{frame}: {error}", flush=True)
        return held_against(truth, Detections((), ()))[1], []
    spent = time.process_time() - began
    entries = [{"frame": frame, **entry} for entry in held_against(truth, reading)[1]]
    failed = [entry for entry in entries if _has_failed(entry)]
    cards = [entry for entry in entries if "stray" not in entry]
    can = [entry for entry in cards if entry["nameable"]]
    said = ", ".join(
        f"{e['card']} for {e['truth']}"
        if e.get("stray")
        else f"{e['card']} ({e['unread']['cause'] if e['unread'] else 'missed'})"
        for e in failed
    )
    print(f"{frame}: {sum(e['read'] for e in can)} of {len(can)} of {len(cards)}, {spent:.1f} s  {said}", flush=True)
    return entries, [cut_cell(picture, mat, entry) for entry in failed]


def _write_sheet(cells: list[Picture], path: Path) -> None:
    if not cells:
        return
    columns = 6
    cells = [*cells, *[np.full_like(cells[0], 255)] * (-len(cells) % columns)]
    rows = [np.hstack(cells[k : k + columns]) for k in range(0, len(cells), columns)]
    cv2.imwrite(str(path), np.vstack(rows))


if __name__ == "__main__":
    main()
