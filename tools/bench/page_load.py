"""How soon each page is on a phone, and how heavy: a real Chromium, cold, every page of the gallery in both languages.

Beside it how soon what the table shows stands in an open browser, from the call that tells its page to the letters.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from rules.text import Language
from tests.device.web.gallery import PAGES, SIZES, PagesShown, chromium, pages_of
from tests.device.web.test_browser import visit
from tests.device.web.test_table_page import NOW, Table, now

VERDICTS = 100
_LARGEST = """() => new Promise(told => new PerformanceObserver(list => told(list.getEntries().at(-1).startTime))
.observe({type: "largest-contentful-paint", buffered: true}))"""
_SEEN = """() => { window.seen = []; new MutationObserver(() => requestAnimationFrame(() =>
window.seen.push([document.querySelector("#table h1").textContent, Date.now()])))
.observe(document.querySelector("#table"), {childList: true}); }"""


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder, chromium(Path(folder)) as browser:
        with pages_of(Path(folder) / "state") as pages:
            _loads(browser, pages)
        (Path(folder) / "other").mkdir()
        table = Table(Path(folder) / "other")
        try:
            _verdicts(browser, table)
        finally:
            table.close()


def _loads(browser: Any, pages: PagesShown) -> None:
    found = []
    for language in Language.all():
        for name in PAGES:
            came: list[Any] = []
            phone = visit(browser, pages.entrance, SIZES[0], language.code)
            phone.on("requestfinished", came.append)
            phone.goto(pages.address(name))
            paint = phone.evaluate(_LARGEST)
            phone.wait_for_timeout(300)
            found.append((paint, sum(sum(_sizes(one)) for one in came) / 1000, f"{name} ({language.code})"))
            phone.context.close()
    for paint, kilobytes, name in found:
        print(f"{paint:6.0f} ms {kilobytes:6.1f} kB  {name}")
    print(
        f"largest contentful paint: {max(found)[0]:.0f} ms at most, "
        f"{statistics.median(one[0] for one in found):.0f} ms at the median"
    )
    print(f"weight: {max(one[1] for one in found):.0f} kB at most")


def _sizes(request: Any) -> tuple[int, int]:
    sizes = request.sizes()
    return sizes["responseBodySize"], sizes["responseHeadersSize"]


def _verdicts(browser: Any, table: Table) -> None:
    phone = visit(browser, table.entrance, SIZES[0], "en")
    phone.get_by_role("heading", name=str(NOW["state"]["headline"])).wait_for()  # type: ignore[index]
    phone.evaluate(_SEEN)
    told = {}
    for number in range(VERDICTS):
        told[f"verdict {number}"] = 1000 * time.time()
        table.page.show(now(f"verdict {number}"))
        time.sleep(0.1)
    phone.wait_for_timeout(500)
    late = sorted(at - told[words] for words, at in phone.evaluate("window.seen") if words in told)
    print(
        f"a verdict in the browser: {statistics.median(late):.0f} ms at the median, "
        f"{late[int(0.99 * (len(late) - 1))]:.0f} ms in the 99th percentile, of {len(late)}"
    )


if __name__ == "__main__":
    main()
