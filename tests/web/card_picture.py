"""The picture of a card's six steps in docs/INSTALL.md, which ``make screens`` draws anew from the card's own files."""

from __future__ import annotations

import re
import tomllib
from base64 import b64encode
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.web.gallery import chromium

ROOT = Path(__file__).resolve().parents[2]
CARD = ROOT / "systemd/card"
PICTURE = ROOT / "docs/card.jpg"
DISPLAY = ROOT / "docs/first.png"
"""What the display shows in the end: kept by ``python -m tools.vm.card --screens docs``."""
_THERE = ("cmdline.txt", "config.txt", "meta-data", "network-config", "user-data", "…")
_STYLE = """
body { margin: 0; background: #60686a; font: 15px/1.35 "Noto Sans JP", "Noto Sans", sans-serif; color: #1d2629; }
main { display: grid; grid-template-columns: repeat(3, 400px); gap: 18px; padding: 18px; width: 1236px; }
section { background: #fbfaf6; border-radius: 10px; padding: 12px 14px 14px; height: 290px; overflow: hidden; }
h2 { margin: 0 0 10px; font-size: 17px; }
h2 b { display: inline-block; width: 27px; height: 27px; border-radius: 50%; background: #205c92; color: #fff;
  text-align: center; margin-right: 8px; }
.window { border: 1px solid #9aa3a3; border-radius: 6px; overflow: hidden; background: #fff; }
.window > p { margin: 0; padding: 4px 10px; background: #dfe4e3; border-bottom: 1px solid #9aa3a3; font-size: 13px; }
ul { list-style: none; margin: 0; padding: 6px 0; } li { padding: 3px 12px; } li.new { background: #ffe69a; }
li.new::after { content: attr(title); float: right; color: #7a4b00; font-size: 13px; }
pre { white-space: pre-wrap; margin: 0; padding: 8px 10px; font-size: 12.5px; line-height: 1.4; }
mark { background: #ffe69a; }
dl { margin: 0; padding: 8px 14px; display: grid; grid-template-columns: 90px 1fr; gap: 14px 8px; } dd { margin: 0; }
dd span { border: 1px solid #9aa3a3; border-radius: 5px; padding: 4px 9px; display: inline-block; }
img { width: 372px; border-radius: 6px; display: block; }
"""


def describe_steps() -> str:
    """Return the page with all six steps.

    Raises:
        ValueError: a line that is to be changed no longer stands in the card's files.
    """
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    package = f"sevenmat_{version}_arm64.deb"
    shown = f'<img src="data:image/png;base64,{b64encode(DISPLAY.read_bytes()).decode()}">'
    choices = {"Device": "Raspberry Pi 4 or 5", "System": "Raspberry Pi OS Lite (64-bit)", "Storage": "the SD card"}
    imager = "".join(f"<dt>{name}</dt><dd><span>{value}</span></dd>" for name, value in choices.items())
    steps = {
        "Write the card, without settings": _frame("Raspberry Pi Imager", f"<dl>{imager}</dl>"),
        "Copy the package onto bootfs": _frame("bootfs", _list_files({package: "new"})),
        "And these two, over those there": _frame(
            "bootfs", _list_files({"network-config": "over", "user-data": "over"})
        ),
        "Write the Wi-Fi’s name and password": _frame(
            "network-config", _excerpt("network-config", "wifis:", ("regulatory", "NAME OF", "password:"))
        ),
        "Choose language, camera and pins": _frame(
            "user-data", _excerpt("user-data", "language =", ("language =", "source =", "profile =", "# pins ="))
        ),
        "Into the Pi, switch on, some minutes": shown,
    }
    sections = (
        f"<section><h2><b>{number}</b>{title}</h2>{body}</section>"
        for number, (title, body) in enumerate(steps.items(), start=1)
    )
    return f'<!doctype html><meta charset="utf-8"><style>{_STYLE}</style><main>{"".join(sections)}</main>'


def _frame(title: str, body: str) -> str:
    return f'<div class="window"><p>{title}</p>{body}</div>'


def _list_files(changed: dict[str, str]) -> str:
    lines = [
        f'<li class="new" title="{changed[name]}">{name}</li>' if name in changed else f"<li>{name}</li>"
        for name in (*(name for name in changed if name not in _THERE), *_THERE)
    ]
    return f"<ul>{''.join(lines)}</ul>"


def _excerpt(file: str, first: str, marked: tuple[str, ...]) -> str:
    """Return the block that begins with a line, up to an empty one within no block; what is to be changed is marked."""
    text = (CARD / file).read_text(encoding="utf-8")
    found = re.search(rf"(?m)^ *{re.escape(first)}[\s\S]*?(?=\n\n  #|\Z)", text)
    if found is None or not all(one in found[0] for one in marked):
        raise ValueError(f"{file} has other lines than the picture shows: {first}, {', '.join(marked)}")
    lines = found[0].splitlines()
    margin = min(len(line) - len(line.lstrip()) for line in lines if line)
    return f"<pre>{chr(10).join(_mark(line[margin:], any(one in line for one in marked)) for line in lines)}</pre>"


def _mark(line: str, changed: bool) -> str:
    words = escape(re.sub(r" +# ", "  # ", line))
    return f"<mark>{words}</mark>" if changed else words


def main() -> None:
    """Draw it."""
    with TemporaryDirectory() as folder, chromium(Path(folder)) as browser:
        page = browser.new_page(viewport={"width": 1272, "height": 760})
        page.set_content(describe_steps())
        page.locator("main").screenshot(path=str(PICTURE), type="jpeg", quality=84)
    print(PICTURE)


if __name__ == "__main__":
    main()
