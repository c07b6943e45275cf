"""A finished table with papers of the house is scored like any other: what lies there counts by its name."""

from __future__ import annotations

import random

import pytest

from referee.finished.score import Finished
from referee.laminate.scoring import SCORING
from referee.table import Detections
from rules.laminate.house.kinds import FAMILIAR
from rules.laminate.play import deal, random_move
from rules.laminate.rules import RULES
from rules.text import Text
from tests.device.seeing import sightings
from tests.referee.finished.finals import NAMES, laid

OPTIONS = {"first_seat": 1, "house_papers": list(FAMILIAR)}


@pytest.mark.slow  # tests/rules/test_paper_examples.py
def test_papers_of_the_house_are_counted_on_a_finished_table() -> None:
    counted = 0
    for seed in range(12):
        rng = random.Random(seed)
        position = RULES.start(NAMES[:3], OPTIONS).do(deal(3, rng))
        while position.outcome is None:
            position = position.do(random_move(position, rng))
        table = laid(position, random.Random(seed))
        own = sum(paper.kind in FAMILIAR for paper in position.papers)
        if table is None or not own:
            continue
        names = tuple(Text(name) for name in position.players)
        seen = Detections(tuple(sightings(table, table.layout)), ())
        score = SCORING.score(SCORING.observe(seen, table.layout), Finished(names, table.layout, {"seats": 3}))
        assert score.faults == ()
        assert (score.final, score.winners) == (position.outcome.points, position.outcome.winners)
        counted += own
    assert counted > 5
