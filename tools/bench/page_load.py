"""How soon each page is on a phone, and how heavy: a real Chromium, cold, every page of the gallery."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from rules.text import Language
from tests.web.gallery import PAGES, SIZES, PagesShown, chromium, pages_of
from tests.web.test_browser import visit

_LARGEST = """() => new Promise(told => new PerformanceObserver(list => told(list.getEntries().at(-1).startTime))
.observe({type: "largest-contentful-paint", buffered: true}))"""


def main() -> None:
    """Print the figures."""
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium(Path(folder)) as browser,
        pages_of(Path(folder) / "state") as pages,
    ):
        _load_page(browser, pages)


def _load_page(browser: Any, pages: PagesShown) -> None:
    found = []
    for language in Language.all():
        for name in PAGES:
            came: list[Any] = []
            phone = visit(browser, pages.entrance, SIZES[0], language.code)
            phone.on("requestfinished", lambda request, came=came: came.append(request))
            phone.goto(pages.address(name))
            paint = phone.evaluate(_LARGEST)
            phone.wait_for_timeout(300)
            found.append((paint, sum(sum(_measure_sizes(one)) for one in came) / 1000, f"{name} ({language.code})"))
            phone.context.close()
    for paint, kilobytes, name in found:
        print(f"{paint:6.0f} ms {kilobytes:6.1f} kB  {name}")
    print(
        f"largest contentful paint: {max(found)[0]:.0f} ms at most, "
        f"{statistics.median(one[0] for one in found):.0f} ms at the median"
    )
    print(f"weight: {max(one[1] for one in found):.0f} kB at most")


def _measure_sizes(request: Any) -> tuple[int, int]:
    sizes = request.sizes()
    return sizes["responseBodySize"], sizes["responseHeadersSize"]


if __name__ == "__main__":
    main()
