"""The README's moving picture, which ``make screens`` makes anew: a refused move put right, then a table scored.

Table, reader, referee, display and page are the program's own. Between two of its pictures the camera sees the cards on
their way.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import pygame
from PIL import Image, ImageDraw, ImageFont

from device.capture.table_reader import TableReader, sound_reader
from device.session.session import Session
from referee.laminate.simulated.game import SimulatedGame
from referee.laminate.view.layouts import layout_for
from referee.placing import Placed
from referee.registry import load_referees
from rules.record import Header
from rules.text import Language
from simulator.camera import Lens, SimulatedCamera
from simulator.opening import PLAYERS
from tests.decks import reference_deck
from tests.device.seeing import perfect_view
from tests.device.test_score import pictured
from tests.web.gallery import SIZES, chromium, pages_of
from tests.web.test_browser import visit
from ui.fonts import Weight, font_file
from ui.screen import draw
from ui.screen_state import Mood

DOCS = Path(__file__).resolve().parents[2] / "docs"
MADE_BY = "python -m tests.web.moving_picture"
SIZE = (900, 560)
_STAGE = (900, 505)
"""The part above the words."""
_MAT_PX, _TOP_PX = (900, 675), 128
"""The whole mat as it is seen, and how much of it is cut off above."""
_DISPLAY = (522, 253, 370, 247)
_PHONE = (606, 12, 270, 480)
_PHOTO_WIDE = 582
_SEED, _TURNS, _SCORED = 192, 19, 203
"""A game in which, after so many turns, a card is taken from a complete paper, and then rightly from one's own."""
_TURNED_MM = 60.0
_STEPS, _STEP_MS = 12, 60
_READING_MS = 1500
"""However long the machine takes."""
_INK, _GROUND, _BEZEL = (255, 255, 255), (18, 24, 22), (8, 10, 10)
WORDS = {
    "camera": {"en": "A camera sees the table", "ja": "カメラがテーブルを見る"},
    "wrong": {"en": "Hilbert takes a card of a complete paper", "ja": "Hilbertさんが、完成した論文のカードを取る"},
    "refused": {"en": "Refused: this is what to put back", "ja": "認めない：何を戻すかを示す"},
    "back": {"en": "The card goes back", "ja": "カードを戻す"},
    "right": {"en": "The right move", "ja": "正しい手"},
    "understood": {"en": "Understood. Confirm?", "ja": "読み取って、確定を待つ"},
    "points": {"en": "Confirmed: 4 points", "ja": "確定して4点"},
    "phone": {"en": "Or a phone alone: photograph a table", "ja": "スマートフォンだけでも：テーブルを撮る"},
    "reading": {"en": "It is read", "ja": "読み取る"},
    "result": {"en": "Who wins, and why", "ja": "勝った人と、そのわけ"},
}
"""What stands below the picture."""


class Film:
    """Frames in one language, each with how long it stands."""

    def __init__(self, language: Language) -> None:
        self.frames: list[Image.Image] = []
        self.lasts_ms: list[int] = []
        self._language = language
        self._letters = ImageFont.truetype(str(font_file(Weight.BOLD)), 27)

    def add(self, stage: Image.Image, words: str, lasts_ms: int) -> None:
        """Add the stage with these words below it."""
        frame = Image.new("RGB", SIZE, _GROUND)
        frame.paste(stage)
        at = (SIZE[0] // 2, (_STAGE[1] + SIZE[1]) // 2)
        ImageDraw.Draw(frame).text(at, WORDS[words][self._language.code], _INK, self._letters, "mm")
        self.frames.append(frame)
        self.lasts_ms.append(lasts_ms)

    def save(self, path: Path) -> None:
        """Write it as a WebP that begins again and says what made it."""
        about = Image.Exif()
        about[0x0131] = MADE_BY
        first, *others = self.frames
        first.save(
            path,
            save_all=True,
            append_images=others,
            duration=self.lasts_ms,
            loop=0,
            exif=about,
            quality=78,
            method=6,
        )


def on_the_way(
    before: tuple[Placed, ...], after: tuple[Placed, ...], hand: tuple[float, float], share: float
) -> Iterator[Placed]:
    """Yield the cards between two tables, bottom to top; what only one has comes from the hand or goes there."""
    left = list(before)

    def away(one: Placed, other: Placed) -> float:
        return math.dist((one.x, one.y), (other.x, other.y))

    def pair(card: Placed) -> Placed:
        same = [old for old in left if old.name == card.name] or [old for old in left if away(old, card) < _TURNED_MM]
        if not same:
            return replace(card, x=hand[0], y=hand[1])
        found = min(same, key=lambda old: away(old, card))
        left.remove(found)
        return found

    # A card that stays is found before one that is turned over takes its place.
    stays = {one.name for one in before}
    old = {card: pair(card) for card in sorted(after, key=lambda card: card.name not in stays)}
    cards = [(old[card], card) for card in after] + [(one, replace(one, x=hand[0], y=hand[1])) for one in left]
    for one, card in cards:
        x, y, angle = ((1 - share) * getattr(one, of) + share * getattr(card, of) for of in ("x", "y", "angle"))
        yield Placed(one.name if share < 0.5 else card.name, x, y, angle)


def film_refusal(film: Film, language: Language) -> None:
    """Film a move that is refused, put right, done rightly and confirmed."""
    layout, referee = layout_for(len(PLAYERS)), load_referees()["laminate"]
    game = SimulatedGame(PLAYERS, layout, random.Random(_SEED), carelessness=0.5)
    session = Session(referee, Header("laminate", PLAYERS, {}), layout, language)
    lens = Lens(size=(1800, 1350), noise=0.0)
    eye, camera = SimulatedCamera(layout.mat_mm, _SEED), SimulatedCamera(layout.mat_mm, _SEED, lens)
    read = TableReader(sound_reader(), reference_deck(), referee, layout)
    hand = (layout.mat_mm[0] * 0.3, layout.mat_mm[1] + 90)
    lying: tuple[Placed, ...] = ()

    def show(cards: Any, words: str, lasts_ms: int) -> None:
        camera.show(cards)
        seen = cv2.resize(camera.take_picture(), _MAT_PX, interpolation=cv2.INTER_AREA)
        stage = Image.fromarray(seen[_TOP_PX : _TOP_PX + _STAGE[1], :, ::-1].copy())
        screen = draw(session.make_screen(), _DISPLAY[2:]).surface
        display = Image.frombytes("RGB", _DISPLAY[2:], pygame.image.tobytes(screen, "RGB"))
        x, y, w, h = _DISPLAY
        ImageDraw.Draw(stage).rounded_rectangle((x - 7, y - 7, x + w + 6, y + h + 6), 9, _BEZEL)
        stage.paste(display, (x, y))
        film.add(stage, words, lasts_ms)

    def lay(after: tuple[Placed, ...], words: str) -> None:
        nonlocal lying
        session.note_watching(Mood.HANDS)
        for step in range(1, _STEPS + 1):
            share = 0.5 - math.cos(math.pi * step / _STEPS) / 2
            show(tuple(on_the_way(lying, after, hand, share)), words, _STEP_MS)
        lying = after
        eye.show(after)
        session.see(read(eye.take_picture()))

    def confirm() -> Any:
        return session.confirm(read(eye.take_picture()))

    turns = 0
    for attempt in game.play_game():
        if turns == _TURNS and attempt.code == "not_reviewable":
            show(lying, "camera", 1500)
            before = lying
            lay(game.lying, "wrong")
            confirm()
            assert session.make_screen().mood is Mood.REFUSED
            show(lying, "refused", 3000)
            lay(before, "back")
            show(lying, "back", 500)
        elif turns == _TURNS and attempt.move is not None:
            lay(game.lying, "right")
            show(lying, "understood", 1500)
            confirm()
            assert session.make_screen().mood is Mood.ACCEPTED
            show(lying, "points", 1900)
            return
        else:
            lying = game.lying
            session.see(perfect_view(lying, layout))
            if not attempt.unconfirmed:
                session.confirm(perfect_view(lying, layout))
            turns += attempt.move is not None


def film_scoring(film: Film, language: Language, browser: Any, folder: Path) -> None:
    """Film a phone that photographs a finished table, up to the result that is kept."""
    jpeg = pictured(_SCORED)
    photo = Image.open(BytesIO(jpeg)).convert("RGB")
    photo.thumbnail(_STAGE, Image.Resampling.LANCZOS)
    photo = photo.crop(((photo.width - _PHOTO_WIDE) // 2, 0, (photo.width + _PHOTO_WIDE) // 2, photo.height))
    with pages_of(folder) as pages:
        page = visit(browser, pages.entrance, SIZES[0], language.code, device_scale_factor=1.5)

        def look() -> Image.Image:
            x, y, w, h = _PHONE
            stage = Image.new("RGB", _STAGE, _GROUND)
            stage.paste(photo)
            ImageDraw.Draw(stage).rounded_rectangle((x - 8, y - 8, x + w + 7, y + h + 7), 14, _BEZEL)
            shot = Image.open(BytesIO(page.screenshot())).convert("RGB")
            stage.paste(shot.resize((w, h), Image.Resampling.LANCZOS), (x, y))
            return stage

        def settle() -> None:
            page.wait_for_load_state("load")
            page.evaluate("document.fonts.ready")
            page.wait_for_timeout(900)  # what moves in has come

        page.goto(page.url.rpartition("/")[0] + "/score?game=laminate")
        settle()
        film.add(look(), "phone", 1800)
        page.locator(".shot input[type=file]").set_input_files(
            {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": jpeg}
        )
        page.locator("[data-thumbnail]").wait_for()
        page.mouse.wheel(0, 170)
        looks = []
        while "/score/" not in page.url:
            looks.append(look())
            page.wait_for_timeout(200)
        for stage in looks:
            film.add(stage, "reading", _READING_MS // len(looks))
        settle()
        page.locator(".names summary").tap()
        for field, name in zip(page.locator(".names input").all(), (*PLAYERS, "Galois", "Gauss"), strict=False):
            field.fill(name)
        page.locator("form[action$=keep] button.main").tap()
        page.wait_for_url("**/games/s*")
        settle()
        film.add(look(), "result", 2200)
        for _ in range(_STEPS):
            page.mouse.wheel(0, 30)
            page.wait_for_timeout(60)
            film.add(look(), "result", _STEP_MS)
        film.add(look(), "result", 2000)
        page.context.close()


def make_films() -> Iterator[Path]:
    """Make it in both languages; the paths are those of what was made."""
    with TemporaryDirectory() as folder, chromium(Path(folder)) as browser:
        for language in Language.all():
            film, state = Film(language), Path(folder) / language.code
            state.mkdir()
            film_refusal(film, language)
            film_scoring(film, language, browser, state)
            path = DOCS / f"moving.{language.code}.webp"
            film.save(path)
            yield path


if __name__ == "__main__":
    for made in make_films():
        print(made)
