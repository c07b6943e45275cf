"""``python -m tools.benchmark_ood.card``: puts what ``tools.benchmark_ood.measure`` found into the model card."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import cv2

from vision.picture import load_picture

CACHE = Path(__file__).parent / "cache"
CARD = Path(__file__).parents[2] / "models" / "README.md"
_BEGIN, _END = "<!-- measured by make bench-vision -->", "<!-- end of what was measured -->"
_QUALITY, _SHEET_PX = 78, 1332
"""JPEG quality and width of the sheet of failures in the card."""


def write_section(results: dict[str, Any], tables: str) -> str:
    """Write the card's section on the benchmark's decks, Markdown, from results.json and results.md."""
    learnt = results["sums"]["total"]["decks learnt"]
    causes = ", ".join(
        f"{cause.replace('_', ' ')} {count}" for cause, count in sorted(learnt["causes"].items(), key=lambda kv: -kv[1])
    )
    decks = len(results["sums"]["deck"]) + len(results["refused"])
    refused = "; ".join(f"`{deck}` ({why.split('. ')[0]})" for deck, why in results["refused"].items())
    doubted = "; ".join(f"`{deck}` ({why.split(': ')[0]})" for deck, why in results["doubted"].items())
    return "\n".join(
        [
            _BEGIN,
            "![Shares by px per mm, mat, glare and exposure](benchmark_ood.png)",
            "",
            tables.split("\n\nNot enrolled")[0].split("\n\nEnrolled as laid")[0].strip(),
            "",
            "A table is *right* where every card that counts is read and there is neither a misread nor a false card.",
            "*Strips* are cards of which less than half shows.",
            "*Can't see* are cards reported as not readable, with place, cause and candidates",
            f"({causes} on the decks learnt); *missed* are those that nothing was said of.",
            "",
            f"- **Not learnt**: {len(results['refused'])} of {decks}. {refused}".rstrip(),
            f"- **Learnt after a needless question**, which `--as-laid` answers: {len(results['doubted'])}. "
            f"{doubted}".rstrip(),
            "",
            "![What was read wrongly or not at all](failures.jpg)",
            _END,
        ]
    )


def main() -> None:
    """Write the section, the plot and the sheet of failures."""
    results = json.loads((CACHE / "results.json").read_text())
    card = CARD.read_text()
    before, rest = card.split(_BEGIN)
    CARD.write_text(before + write_section(results, (CACHE / "results.md").read_text()) + rest.split(_END)[1])
    shutil.copyfile(CACHE / "results.png", CARD.parent / "benchmark_ood.png")
    sheet = load_picture(CACHE / "failures.png")
    size = (_SHEET_PX, round(sheet.shape[0] * _SHEET_PX / sheet.shape[1]))
    small = cv2.resize(sheet, size, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(CARD.parent / "failures.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    print(f"written: {CARD.name}, benchmark_ood.png and failures.jpg in {CARD.parent.name}/")


if __name__ == "__main__":
    main()
