"""Finished tables that are scored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from device.app.equipment import Equipment
from device.app.navigator import Navigator
from device.app.plan import ScorePlan
from device.app.services.settings import CurrentSettings
from device.app.services.sight import Sight
from device.hardware.display import pages_on
from device.storage.scored import ScoredTables

if TYPE_CHECKING:
    from device.scoring.looking import Look


class Scores:
    """Scores tables and keeps the results in the state folder."""

    def __init__(
        self, state: Path, equipment: Equipment, settings: CurrentSettings, sight: Sight, navigator: Navigator
    ) -> None:
        self._equipment, self._settings, self._sight, self._navigator = equipment, settings, sight, navigator
        self._tables = ScoredTables(state)

    @property
    def possible(self) -> bool:
        """Whether a finished table can be scored."""
        return self._equipment.open_scorer is not None

    def score(self, plan: ScorePlan) -> None:
        """Score a finished table."""
        from device.app.scoring import TableScoring  # what looking needs is loaded when a table is scored
        from device.scoring.table import Table

        settings, open_scorer = self._settings, self._equipment.open_scorer
        assert open_scorer is not None, "the menu offers it only then"
        table = Table.set_up(plan.game, plan.seats, plan.players, settings.mat_mm, plan.told)

        def open_look() -> Look:
            return open_scorer(table, plan.deck, settings.mat_mm, settings.marker_mm)

        self._navigator.enter(
            TableScoring(
                table,
                plan.deck,
                open_look,
                self._sight.make_lookout,
                settings.language,
                self._tables.keep,
                pages_on(self._equipment.display),
            )
        )
