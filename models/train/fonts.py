"""The fonts that invented decks are set in: those of the packages in ``requirements.txt``, no others."""

from __future__ import annotations

import sysconfig
from functools import cache
from pathlib import Path

import numpy as np
from PIL import ImageFont

_PACKAGES = ("fontpkg_*", "font_*", "noto_cjk_*")


def _find(*patterns: str) -> list[Path]:
    site = Path(sysconfig.get_paths()["purelib"])
    found = [
        path
        for pattern in patterns
        for folder in sorted(site.glob(pattern))
        if folder.is_dir() and not folder.name.endswith("-info")
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in (".ttf", ".otf") and "Italic[" not in path.name
    ]
    if not found:
        raise FileNotFoundError("no training fonts are installed: run `make train`, which installs them")
    return found


@cache
def latin_fonts() -> tuple[Path, ...]:
    """List every Latin face, one entry a family and cut, ordered by name so that a seed means the same everywhere."""
    chosen = [p for p in _find(*_PACKAGES) if not ("Pro-" in p.name and p.suffix == ".otf")]
    families: dict[str, list[Path]] = {}
    for path in chosen:
        families.setdefault(path.name.split("-")[0].split("[")[0], []).append(path)
    # Families with twenty cuts must not drown those with one.
    return tuple(path for family in sorted(families) for path in families[family][:6])


@cache
def japanese_fonts() -> tuple[Path, ...]:
    """List the faces that have kana and kanji."""
    return tuple(_find("noto_cjk_*"))


@cache
def load_font(path: Path, size_px: int, weight: int = 400) -> ImageFont.FreeTypeFont:
    """Load a face at a size in px; a variable face is set to the weight where it has that axis."""
    loaded = ImageFont.truetype(str(path), size_px)
    if "[" in path.name:
        axes = loaded.get_variation_axes()
        names = [axis["name"] for axis in axes]
        values = [axis["default"] for axis in axes]
        for i, name in enumerate(names):
            if name in (b"Weight", "Weight"):
                values[i] = int(np.clip(weight, axes[i]["minimum"], axes[i]["maximum"]))
        loaded.set_variation_by_axes(values)
    return loaded
