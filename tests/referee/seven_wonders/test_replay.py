"""A recording of Seven Wonders played again: what each confirm and each told payment gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from cli.replay import make_final_json, play, start_session
from device.hardware.buttons import Button
from device.hardware.camera import Picture
from device.storage.recording import Recording, RecordingWriter
from rules.text import Language
from tests.referee.seven_wonders.table import Table


class Tape:
    """A recording that is written while cards are laid; its eye knows each picture by its grey level."""

    def __init__(self, folder: Path) -> None:
        self.table = Table(("rhodes/a", "giza/a", "ephesos/a"), begun=False)
        self.folder, self.t, self.views = folder, 0.0, list[Any]()
        self.writer = RecordingWriter(folder, self.table.session.history.header, self.table.layout)

    def __call__(self, picture: Picture) -> Any:
        return self.views[round(float(picture.mean()) / 8)]

    def frame(self) -> None:
        grey = np.full((480, 640, 3), 8 * len(self.views), np.uint8)
        self.writer.write_frame(self.t, cv2.imencode(".jpg", grey)[1].tobytes())
        self.views.append(self.table.view())
        self.t += 2

    def confirm(self) -> None:
        self.writer.write_button(self.t, Button.CONFIRM)
        self.t += 1

    def tell(self, **told: Any) -> None:
        self.writer.write_entered(self.t, told)
        self.t += 1

    def play(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        self.writer.close()
        recording = Recording.load(self.folder)
        session = start_session(recording, Language.EN)
        return [one.to_json() for one in play(recording, self, session)], make_final_json(session)


def test_what_is_told_belongs_to_the_confirm_that_follows(tmp_path: Path) -> None:
    tape = Tape(tmp_path)
    table = tape.table
    tape.frame()
    tape.confirm()
    table.lay(1, "altar")
    table.lay(2, "timber_yard")
    table.lay(3, "stone_pit")
    tape.frame()
    tape.confirm()
    table.lay(1, "baths")
    table.discard(2)
    table.discard(3)
    tape.frame()
    tape.confirm()
    tape.tell(seat=1, pay={"right": 2})
    tape.confirm()
    lines, final = tape.play()
    round_ = {"do": "round", "acts": [{"do": "build", "card": "baths", "pay": {"right": 2}}, *[{"do": "discard"}] * 2]}
    assert [(line["t"], line["verdict"], line.get("move")) for line in lines] == [
        (2.0, "accepted", {"do": "deal", "age": 1}),
        (
            5.0,
            "accepted",
            {
                "do": "round",
                "acts": [{"do": "build", "card": name} for name in ("altar", "timber_yard", "stone_pit")],
            },
        ),
        (8.0, "question", None),
        (9.0, "accepted", None),
        (10.0, "accepted", round_),
    ]
    assert [choice["text"] for choice in lines[2]["choices"]] == ["2 coins to Noether", "2 coins to Banach"]
    assert final == {"final": [5, 1, 2], "winners": None}
