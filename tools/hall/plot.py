"""The figures of a load as a drawing: lag, processor and memory over the number of tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

_WIDE, _HIGH, _LEFT, _TOP, _GAP = 260, 180, 60, 40, 80
_INKS = ("#205c92", "#c0392b", "#3a8a4a", "#a0522d", "#6a4c93")

Series = Mapping[str, Callable[[Mapping[str, Any]], float]]


def draw_plot(runs: Sequence[Mapping[str, Any]]) -> str:
    """Draw an SVG with three diagrams beside each other, both axes logarithmic."""
    names = [name for name in ("broker", "hall", "database", "tables") if all(name in run["cpu"] for run in runs)]
    diagrams: list[tuple[str, Series]] = [
        (
            "lag, ms",
            {
                "p50": lambda run: run["lag_ms"]["p50"],
                "p99": lambda run: run["lag_ms"]["p99"],
                "most": lambda run: run["lag_ms"]["most"],
            },
        ),
        ("processor, % of a core", {name: _figure_of("cpu", name, 100.0) for name in names}),
        ("memory, MB", {name: _figure_of("memory_mb", name, 1.0) for name in names}),
    ]
    wide = len(diagrams) * (_LEFT + _WIDE + _GAP)
    drawn = ""
    for number, (title, series) in enumerate(diagrams):
        left = number * (_LEFT + _WIDE + _GAP) + _LEFT
        drawn += f'<g transform="translate({left},{_TOP})">{_draw_diagram(title, series, runs)}</g>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {_TOP + _HIGH + 50}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>{drawn}</svg>\n'
    )


def _figure_of(what: str, name: str, times: float) -> Callable[[Mapping[str, Any]], float]:
    return lambda run: times * run[what][name]


def _draw_diagram(title: str, series: Series, runs: Sequence[Mapping[str, Any]]) -> str:
    values = [max(value(run), 0.1) for value in series.values() for run in runs]
    low, high = 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values) * 1.01))
    tables = [run["tables"] for run in runs]
    first, last = min(tables), max(max(tables), min(tables) * 10)

    def place_x(count: float) -> float:
        return _WIDE * math.log(count / first) / math.log(last / first)

    def place_y(value: float) -> float:
        return _HIGH * (1 - math.log(max(value, low) / low) / math.log(high / low))

    parts = [f'<text y="-14" font-weight="bold">{title}</text>']
    step = low
    while step <= high * 1.001:
        parts.append(f'<path d="M0 {place_y(step):.1f}H{_WIDE}" stroke="#ddd"/>')
        parts.append(f'<text x="-6" y="{place_y(step) + 4:.1f}" text-anchor="end">{step:g}</text>')
        step *= 10
    for count in sorted(set(tables)):
        parts.append(f'<text x="{place_x(count):.1f}" y="{_HIGH + 18}" text-anchor="middle">{count:,}</text>')
    parts.append(f'<text x="{_WIDE / 2}" y="{_HIGH + 36}" text-anchor="middle">tables</text>')
    last_y = -1e9
    inks = dict(zip(series, _INKS, strict=False))
    for name, value in sorted(series.items(), key=lambda one: -one[1](runs[-1])):
        ink = inks[name]
        points = " ".join(f"{place_x(run['tables']):.1f},{place_y(value(run)):.1f}" for run in runs)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{place_x(run["tables"]):.1f}" cy="{place_y(value(run)):.1f}" r="3" fill="{ink}"/>'
            for run in runs
        ]
        last_y = max(place_y(value(runs[-1])) + 4, last_y + 14)
        parts.append(f'<text x="{place_x(runs[-1]["tables"]) + 8:.1f}" y="{last_y:.1f}" fill="{ink}">{name}</text>')
    return "".join(parts)
