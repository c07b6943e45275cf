"""``make bench-photos``: the real photographs beside the checkout, read with decks learnt from photographed pages.

Each folder of ``shared/photos`` holds pages, pictures and their truth; without it this says so. A card that was taught
and that a person can name counts. Then a seventh of the deck's cards is taken out of the learnt deck, in turn: each
card is once one that was never enrolled, and should have no name. ``PHOTOS=FOLDER`` keeps a sheet of what failed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Set
from pathlib import Path

import cv2
import numpy as np

from device.capture.eye import card_reader
from tools.benchmark_ood.failures import cut_cell
from tools.benchmark_ood.foreign import drop_cards
from tools.benchmark_ood.measure import Tally, Truth, held_against
from vision.arrays import Picture
from vision.enrol import PAGES, enrol
from vision.identify.deck import SEVEN_NAMES, Deck
from vision.mat import Mat, find_mat
from vision.picture import load_picture
from vision.reader import Reader

SHARED = Path(__file__).resolve().parents[3] / "shared" / "photos"
DRAWS = 7
Table = tuple[Truth, Picture, Mat]


def learn_deck(reader: Reader, folder: Path) -> Deck:
    """Learn the deck of a set, as laid: it is no SEVEN deck, so that its order is what its pages say."""
    seven, review, complete = (load_picture(folder / f"enrol-{page}.jpg") for page in PAGES)
    return enrol(reader, folder.name, seven, review, complete, as_laid=True)


def keep_asked(truth: Truth, unknown: Set[str] = frozenset()) -> Truth:
    """Keep what counts of a table: what a person can name, and of that what was taught."""
    cards = [card if card["card"] not in unknown else {**card, "card": "other"} for card in truth["cards"]]
    return {**truth, "cards": [card if card.get("ask", True) else {**card, "visible": 0.0} for card in cards]}


def read_whole(reader: Reader, deck: Deck, tables: list[Table], keep: Path | None) -> Tally:
    """Count what comes of a set's tables with the whole deck."""
    total, cells = Tally(), []
    for truth, picture, mat in tables:
        tally, entries = held_against(keep_asked(truth), reader.read(picture, mat, deck))
        failed = [e for e in entries if e.get("stray") or not e["read"]]
        cells += [cut_cell(picture, mat, {"frame": truth["frame"], **entry}) for entry in failed]
        total.add(tally)
        missed = [
            f"{e['card']} for {e['truth']}"
            if e.get("stray")
            else f"{e['card']} ({e['unread']['cause'] if e['unread'] else 'missed'})"
            for e in failed
        ]
        print(f"{truth['frame']}: {tally.read} of {tally.cards}  {', '.join(missed)}", flush=True)
    if keep and cells:
        cells += [np.full_like(cells[0], 255)] * (-len(cells) % 6)
        rows = [np.hstack(cells[k : k + 6]) for k in range(0, len(cells), 6)]
        cv2.imwrite(str(keep / f"{deck.name}.png"), np.vstack(rows))
    return total


def left_out(reader: Reader, deck: Deck, tables: list[Table]) -> tuple[int, int]:
    """Count how many cards never enrolled lay there, in all draws, and how many of them got a name."""
    names = list(np.random.default_rng(1).permutation(SEVEN_NAMES))
    lay = named = 0
    for draw in range(DRAWS):
        gone = set(names[draw::DRAWS])
        fewer = drop_cards(deck, gone)
        for truth, picture, mat in tables:
            entries = held_against(keep_asked(truth, gone), reader.read(picture, mat, fewer))[1]
            lay += sum(card["card"] in gone and card.get("ask", True) for card in truth["cards"])
            named += sum(entry.get("stray", False) and entry["truth"] == "other" for entry in entries)
    return lay, named


def main() -> None:
    """Learn, read and count."""
    sets = sorted(folder.parent for folder in SHARED.glob("*/truth-score.jsonl"))
    if not sets:
        print("photos: there are no photographs beside this checkout (../shared/photos)")
        return
    keep = Path(os.environ["PHOTOS"]) if os.environ.get("PHOTOS") else None
    reader, rows = card_reader(), []
    for folder in sets:
        deck = learn_deck(reader, folder)
        tables = []
        for line in (folder / "truth-score.jsonl").read_text().splitlines():
            truth = json.loads(line)
            if "frame" in truth:
                picture = load_picture(folder / truth["frame"])
                tables.append((truth, picture, find_mat(picture, tuple(truth["mat_mm"]))))
        tally = read_whole(reader, deck, tables, keep)
        lay, named = left_out(reader, deck, tables)
        rows.append(
            f"| {folder.name} | {tally.read} of {tally.cards} | {tally.causes['foreign']} | {tally.misread} "
            f"| {tally.false} | {tally.right} of {tally.tables} | {named} of {lay} |"
        )
    print("\n| photographs | read | called foreign | misread | false | tables whole | never enrolled, named |")
    print("|---|" + "---:|" * 6)
    print("\n".join(rows))


if __name__ == "__main__":
    main()
