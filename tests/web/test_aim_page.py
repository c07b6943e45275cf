"""The camera on phones: opened, seen, seats turned, a mat's size taken, at a whole program with its page."""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from device.app.plan import Plan
from device.capture import live as living
from device.capture.drawing import mark_picture
from device.capture.live import Live
from device.capture.phone_picture import PhonePicture, phone_jpeg
from device.capture.turn_pictures import TurnPictures
from device.hardware.buttons import Button
from device.hardware.steady import SteadyCamera
from simulator.camera import Lens
from tests.device.house import with_decks
from tests.device.test_sighting import Still
from tests.web.house_page import HouseOnMat, may
from tests.web.phone import phone
from tests.web.test_browser import CHROMIUM, SIZES, browser, visit  # noqa: F401 - a fixture
from ui.screen_state import CameraScreen, Mood
from web.setting_up.shared_asks import SharedAsk
from web.site import Site

LENS = Lens(size=(1280, 960))
NAMES = ("Ada", "Emmy", 'x"><b id=evil>')
in_a_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., HouseOnMat]]:
    houses: list[HouseOnMat] = []

    def begin(**wishes: Any) -> HouseOnMat:
        house = HouseOnMat(tmp_path, lens=LENS, **wishes)
        houses.append(house)
        house.start()
        return house

    yield begin
    for house in houses:
        house.stop()


def opened(house: HouseOnMat) -> Any:
    """Open the aiming by phone, and see what the camera sees."""
    house.mood(Mood.MENU)
    assert house.post("/aim", do="open").status == 200

    def seen(told: Any) -> bool:
        return told["picture"] and (told["measured_mm"] or len(told["checks"]) > 1)

    return house.json_until("/aim.json", seen)


def before_a_game(house: HouseOnMat) -> Any:
    """Open the aiming with three players, from which a game begins."""
    house.mood(Mood.MENU)
    for words in ("New game with", "Laminate", "3 players", *NAMES):
        house.choose(words)
    house.says("Who begins?")
    house.choose("Ada")
    return house.json_until("/aim.json", lambda told: told["players"] and told["picture"])


def test_where_nobody_looks_there_is_no_picture(begin: Callable[..., HouseOnMat]) -> None:
    house = begin()
    house.mood(Mood.MENU)
    told = house.json("/aim.json")
    assert (told["open"], told["busy"], told["picture"]) == (False, "", None)
    answer = house.get("/camera.jpg")
    assert answer.status == 404
    assert "nobody looks through the camera" in json.load(answer)["error"]["en"]
    answer = house.get("/camera.jpg", "text/html")
    assert (answer.status, b"nobody looks through the camera" in answer.read()) == (404, True)
    stranger = http.client.HTTPConnection("127.0.0.1", house.port)
    for address in ("/camera.jpg", "/aim", "/aim.json"):
        stranger.request("GET", address)
        answer = stranger.getresponse()
        assert (answer.status, b"What the camera" in answer.read()) == (401, False)


def test_without_a_table_there_is_no_picture_either(tmp_path: Path) -> None:
    with phone(tmp_path) as client:
        assert client.get("/camera.jpg").status_code == 404
        assert "There is no table here" in client.get("/aim").text


def test_a_phone_opens_the_picture_and_closes_it(begin: Callable[..., HouseOnMat]) -> None:
    house = begin()
    told = opened(house)
    assert isinstance(house.screens[-1], CameraScreen)
    assert {"en": "Good light", "ja": "明るさ良好"} in [one["words"] for one in told["checks"]]
    answer = house.get("/camera.jpg", "image/*")
    jpeg = answer.read()
    assert (answer.status, answer.headers["content-type"]) == (200, "image/jpeg")
    assert answer.headers["cache-control"] == "no-store"
    assert len(jpeg) <= 60_000
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (720, 960, 3)
    green = (picture[..., 1].astype(int) - picture[..., 2] > 60) & (picture[..., 1] > 120)
    assert green.sum() > 2000, "the mat's outline is drawn in"
    answer = house.post("/aim", do="on", of=told["asked"])
    assert (answer.status, answer.headers["location"]) == (200, "/aim"), "no game begins from here"
    house.mood(Mood.MENU)
    assert house.post("/aim", do="on", of=told["asked"]).status == 409


@pytest.mark.slow  # test_one_request_at_a_time_and_none_while_the_page_is_hidden
def test_it_shows_another_picture_twice_a_second(begin: Callable[..., HouseOnMat]) -> None:
    house = begin()
    opened(house)
    every = re.search(r'data-every="(\d+)"', house.get("/aim", "text/html").read().decode())
    assert every is not None
    assert int(every[1]) / 1000 <= 0.5
    assert living.FOR_PHONES_S <= 0.5
    seen = set[str]()
    # A busy machine takes longer for what the camera sees.
    until(lambda: len(seen) > 4 or bool(seen.add(house.json("/aim.json")["picture"])))


def test_seats_are_turned_by_phone_as_by_the_buttons(begin: Callable[..., HouseOnMat]) -> None:
    house = begin(names=NAMES)
    told = before_a_game(house)
    assert tuple(told["players"]) == NAMES
    assert house.post("/aim", do="right", of=told["asked"]).status == 200
    turned = (NAMES[2], *NAMES[:2])
    house.until(lambda screen: isinstance(screen, CameraScreen) and screen.view.seats[0].name == turned[0])
    answer = house.post("/aim", do="on", of=told["asked"])
    assert answer.status == 409, "somebody who saw other seats does not begin a game"
    assert "look again" in json.load(answer)["error"]["en"]
    house.press(Button.DOWN)
    told = house.json_until("/aim.json", lambda told: tuple(told["players"]) == (*NAMES[1:], NAMES[0]))
    assert house.post("/aim", do="left", of=told["asked"]).status == 200
    told = house.json("/aim.json")
    assert tuple(told["players"]) == turned
    answer = house.post("/aim", do="on", of=told["asked"])
    assert (answer.status, answer.headers["location"]) == (200, "/"), "it leads to the table"
    assert tuple(player.name for player in house.mood(Mood.WAITING).players) == turned


@pytest.mark.slow  # test_setting_up.py asks at the display
def test_another_mat_is_asked_about_and_taken_or_kept(begin: Callable[..., HouseOnMat], tmp_path: Path) -> None:
    for do, kept in (("keep", None), ("take", (900.0, 600.0))):
        house = HouseOnMat(tmp_path, (900.0, 600.0), LENS)
        with house:
            told = opened(house)
            (asked,) = told["checks"]
            assert "Use it?" in asked["words"]["en"]
            assert told["measured_mm"] == pytest.approx((900, 600), rel=0.01)
            page = house.get("/aim", "text/html").read().decode()
            assert 'value="take"' in page
            assert 'value="on"' not in page
            assert house.post("/aim", do="on", of=told["asked"]).status == 409, "what is asked is answered first"
            assert house.post("/aim", do=do, of=told["asked"]).status == 200
            told = house.json_until("/aim.json", lambda told: told["measured_mm"] is None)
            assert len(told["checks"]) > 1
            now = house.app._settings.mat_mm
            assert now == pytest.approx(kept or (1189.0, 841.0), rel=0.01)


@pytest.mark.slow  # test_a_phone_opens_the_picture_and_closes_it
def test_phones_that_may_only_watch_see_what_is_opened_at_the_table(
    begin: Callable[..., HouseOnMat], tmp_path: Path
) -> None:
    may(tmp_path, "watch")
    house = begin()
    house.mood(Mood.MENU)
    assert house.post("/aim", do="open").status == 403
    assert b"Open it at the table" in house.get("/aim", "text/html").read()
    house.choose("See what the camera sees")
    house.json_until("/aim.json", lambda told: told["picture"])
    assert house.get("/camera.jpg").status == 200
    page = house.get("/aim", "text/html").read()
    assert b"<img" in page
    assert b"<button name" not in page
    assert isinstance(house.screens[-1], CameraScreen)


def test_while_a_game_is_played_the_camera_is_the_referees(begin: Callable[..., HouseOnMat], tmp_path: Path) -> None:
    with_decks(tmp_path, "mine")
    house = begin(plan=Plan("laminate", NAMES, {"first_seat": 1}, "mine"))
    house.mood(Mood.WAITING)
    answer = house.post("/aim", do="open")
    assert answer.status == 400
    assert "A game is being played" in json.load(answer)["error"]["en"]
    page = house.get("/aim", "text/html").read().decode()
    assert "the camera is the referee" in page
    assert "<img" not in page, "no look was kept yet"
    pictures = cast(Any, house.app._navigator.activity)._lookout._pictures
    pictures.note_table("view", np.full((841, 1189, 3), 70, np.uint8))
    until(lambda: b"<img" in house.get("/aim", "text/html").read())
    assert house.get("/camera.jpg").status == 200


@pytest.mark.parametrize("do", ["", "fire", "open "])
def test_what_can_not_be_done_is_said(do: str, begin: Callable[..., HouseOnMat]) -> None:
    house = begin()
    house.mood(Mood.MENU)
    assert house.post("/aim", do=do).status == 400
    assert house.post("/aim", do="turn" if do else "left", of=[[], []]).status in (400, 409)
    assert house.screens[-1].mood is Mood.MENU


def test_a_games_picture_is_made_once_for_each_look() -> None:
    pictures = TurnPictures()
    assert pictures.get_picture() is None
    pictures.note_table("first", np.full((841, 1189, 3), 70, np.uint8))
    first = pictures.get_picture()
    assert first is not None
    assert pictures.get_picture() is first
    pictures.note_table("second", np.full((841, 1189, 3), 90, np.uint8))
    assert pictures.get_picture() is not first


@pytest.mark.slow  # test_fifty_phones_cost_one
def test_pictures_are_made_only_while_a_phone_looks_on(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[float] = []

    def counted(picture: np.ndarray) -> bytes:
        made.append(time.monotonic())
        return phone_jpeg(picture)

    monkeypatch.setattr(living, "phone_jpeg", counted)
    monkeypatch.setattr(living, "_WISHED_S", 0.4)
    camera = Still(np.random.default_rng(1).integers(60, 200, (300, 400, 3), np.uint8))
    live = Live(SteadyCamera(lambda: camera), 50.0, threading.Event(), every_s=0.05)
    live.start()
    try:
        until(lambda: camera.taken > 5)
        assert made == []
        assert live.get_picture() is None
        until(lambda: live.get_picture() is not None)
        time.sleep(1.2)
        count, taken = len(made), camera.taken
        until(lambda: camera.taken > taken + 5)
        assert len(made) == count
    finally:
        live.stop()


def test_fifty_phones_cost_one() -> None:
    class Asked:
        def __init__(self) -> None:
            self.asked: list[Mapping[str, Any]] = []
            self.picture = PhonePicture(phone_jpeg(np.full((300, 400, 3), 90, np.uint8)))

        async def ask(self, what: str, data: Mapping[str, Any], patience_s: float) -> Mapping[str, Any]:
            self.asked.append(data)
            await asyncio.sleep(0.01)
            return {"picture": self.picture.as_json(data["known"])}

    async def all_at_once(site: Asked) -> None:
        shared = SharedAsk(cast(Site, site), "aim")
        answers = await asyncio.gather(*(shared.ask_now() for _ in range(50)))
        assert len({id(one) for one in answers}) == 1
        await asyncio.sleep(0.3)
        again = await shared.ask_now()
        assert again.jpeg is answers[0].jpeg, "the same picture is neither sent nor drawn again"

    site = Asked()
    asyncio.run(all_at_once(site))
    assert [data["known"] for data in site.asked] == [0, site.picture.number]


def test_a_picture_full_of_noise_is_small_enough_all_the_same() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (1500, 2000, 3), np.uint8)
    assert len(mark_picture(phone_jpeg(noise), (), ())) < 130_000
    cloth = cv2.GaussianBlur(noise, (0, 0), 1.2)
    assert len(mark_picture(phone_jpeg(cast(Any, cloth)), (), ())) <= 60_000


def until(true: Callable[[], bool], within_s: float = 20.0) -> None:
    end = time.monotonic() + within_s
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


# In a browser


def fits(page: Any, size: tuple[int, int]) -> None:
    """Check that of a page nothing is cut off, too small to be touched, or hard to read or hear."""
    from axe_playwright_python.sync_playwright import Axe

    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    small = page.evaluate(
        "[...document.querySelectorAll('main button, main select, main label.check')]"
        ".filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"
    )
    assert small == []


@pytest.mark.slow  # test_browser.py holds the frame of all pages
@in_a_browser
def test_it_fits_and_is_accessible_in_both_languages(
    browser: Any,  # noqa: F811
    begin: Callable[..., HouseOnMat],
) -> None:
    house = begin(names=NAMES)
    house.mood(Mood.MENU)
    pages = [
        (visit(browser, house.address, size, language, scheme, bypass_csp=True), size)
        for size in SIZES
        for language in ("en", "ja")
        for scheme in ("light", "dark")
    ]
    base = house.address.partition("/?")[0]
    for page, size in pages:
        page.goto(f"{base}/aim")
        fits(page, size)
    before_a_game(house)
    for page, size in pages:
        page.locator("figure img").wait_for()
        page.locator(".checks li").nth(3).wait_for()
        fits(page, size)
        assert page.locator("#evil").count() == 0
        assert page.said == []
        page.context.close()


@pytest.mark.slow  # test_seats_are_turned_by_phone_as_by_the_buttons and test_a_phone_opens_the_picture_and_closes_it
@in_a_browser
def test_a_first_aiming_by_touch(browser: Any, begin: Callable[..., HouseOnMat]) -> None:  # noqa: F811
    house = begin(names=NAMES)
    house.mood(Mood.MENU)
    page = visit(browser, house.address, SIZES[0], "en")
    page.get_by_role("link", name="Camera").tap()
    page.get_by_role("button", name="Look through the camera").tap()
    page.locator("figure img").wait_for()
    page.get_by_text("Good light").wait_for()
    first = page.locator("figure img").get_attribute("src")
    page.wait_for_function("was => document.querySelector('figure img').src !== was", arg=first, timeout=5000)
    page.get_by_role("button", name="Close the camera").tap()
    page.get_by_text("Nobody looks").wait_for()
    before_a_game(house)
    page.get_by_role("button", name="clockwise").tap()
    house.until(lambda screen: isinstance(screen, CameraScreen) and screen.view.seats[1].name == "Ada")
    page.get_by_role("button", name="Go on to the game").tap()
    page.wait_for_url(f"http://127.0.0.1:{house.port}/")
    assert house.mood(Mood.WAITING).players[1].name == "Ada"
    assert page.said == []
    page.context.close()


@pytest.mark.slow  # test_fifty_phones_cost_one
@in_a_browser
def test_one_request_at_a_time_and_none_while_the_page_is_hidden(
    browser: Any,  # noqa: F811
    begin: Callable[..., HouseOnMat],
) -> None:
    house = begin()
    opened(house)
    page = visit(browser, house.address, SIZES[0], "en")
    page.add_init_script(
        """
        Object.assign(window, {asked: 0, under_way: 0, most: 0, away: false});
        Object.defineProperty(document, "hidden", {get: () => window.away});
        const real = fetch;
        window.fetch = async (...what) => {
          window.asked += 1;
          window.under_way += 1;
          window.most = Math.max(window.most, window.under_way);
          await new Promise((then) => setTimeout(then, 700));
          try { return await real(...what); } finally { window.under_way -= 1; }
        };
        """
    )
    page.goto(f"{house.address.partition('/?')[0]}/aim")
    page.wait_for_function("() => window.asked > 3")
    assert page.evaluate("window.most") == 1
    page.evaluate("window.away = true")
    page.wait_for_function("() => window.under_way === 0")
    asked = page.evaluate("window.asked")
    page.wait_for_timeout(1500)
    assert page.evaluate("window.asked") <= asked + 1
    page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("asked => window.asked > asked + 2", arg=asked)
    assert page.evaluate("window.most") == 1
    page.context.close()


@pytest.mark.slow  # test_one_request_at_a_time_and_none_while_the_page_is_hidden
@in_a_browser
def test_without_scripts_it_is_opened_seen_and_closed(browser: Any, begin: Callable[..., HouseOnMat]) -> None:  # noqa: F811
    house = begin()
    house.mood(Mood.MENU)
    page = visit(browser, house.address, SIZES[0], "ja", java_script_enabled=False)
    page.goto(f"{house.address.partition('/?')[0]}/aim")
    page.get_by_role("button", name="カメラの映像を見る").click()
    page.get_by_text("明るさ良好").wait_for(timeout=15000)
    src = page.locator("figure img").get_attribute("src")
    assert base64.b64decode(src.partition(",")[2])[:2] == b"\xff\xd8"
    deadline = time.monotonic() + 10
    while page.locator("figure img").get_attribute("src") == src:
        assert time.monotonic() < deadline
        page.wait_for_timeout(200)
    page.get_by_role("button", name="カメラを閉じる").click()
    house.mood(Mood.MENU)
    page.context.close()
