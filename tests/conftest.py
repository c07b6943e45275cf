"""How tests are shared out among workers (``--dist loadgroup``)."""

from __future__ import annotations

import pytest

import ui  # noqa: F401 - the languages are loaded with it


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file's tests stay together, so that its deck is learnt once, but for those that name a group of their own."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
