"""A table joins a hall by its sheet, under its own camera or typed on a phone, and leaves it by one line of a menu."""

from __future__ import annotations

import html
import http.client
import re
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from device.capture.qr_reader import read_qr_code
from device.hardware.buttons import Button
from device.settings.broker import BrokerAddress
from device.settings.settings_file import change_setting, load_settings
from hall.board.join_page import read_invitations
from hall.board.live import LiveTables
from hall.board.server import build_board_app, build_board_server, serve_board
from hall.broker import Access, Connection
from hall.messages import Online, Topic, TopicKind
from hall.store.store import HallStore
from hall.table_end.membership import PASSWORD_FILE, TableHall
from referee.layout import REFERENCE_MAT_MM
from referee.placing import Placed
from simulator.camera import CardSprites, Lens, SimulatedCamera
from tests.hall.mosquitto import needs_mosquitto, wait_for
from tests.hall.real_servers import free_port
from tests.hall.test_set_up import Made
from tests.web.house_page import PagedHouse, may
from tests.web.test_browser import CHROMIUM, WAYS, visit
from ui.screen_state import CameraScreen
from web.table_end.address import PageKey, listening

pytestmark = needs_mosquitto
A4_MM = (210.0, 297.0)
SIZES = ((1280, 960), (1920, 1440), (2800, 2100))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    there = Made(tmp_path_factory.mktemp("hall"), free_port(), free_port())
    assert there.set_up(name="Café") == 0
    return there


@pytest.fixture(scope="module")
def page(made: Made) -> Image.Image:
    """Draw the page of the first table, as it is printed."""
    drawn: Image.Image = pypdfium2.PdfDocument(made.root / "sheet.pdf")[0].render(scale=4).to_pil()
    return drawn


class Sheets(CardSprites):
    """What may lie on a mat: a page on paper."""

    page: Image.Image

    def draw_board(self, name: str, size_mm: tuple[float, float]) -> np.ndarray:
        px = round(size_mm[0] * self.px_per_mm), round(size_mm[1] * self.px_per_mm)
        return self._make(self.page.resize(px, Image.Resampling.LANCZOS))


class Overhead(SimulatedCamera):
    """A camera that has no fault to be released from."""

    release = threading.Event()

    def print(self, page: Image.Image) -> None:
        """Have this page lie there the next time."""
        self._painter.sprites.page = page  # type: ignore[attr-defined]


def camera_over(page: Image.Image, size: tuple[int, int] = (1640, 1232)) -> Overhead:
    """Make a camera above a mat on which such a page may lie."""
    camera = Overhead(REFERENCE_MAT_MM, 0, Lens(size=size), Sheets)
    camera.print(page)
    return camera


def lay(camera: SimulatedCamera, x: float = 560, y: float = 420, angle: float = 8) -> None:
    camera.show([Placed("page", x, y, angle, A4_MM, card=False)])


@pytest.mark.parametrize(
    ("size", "angles"),
    [((1280, 960), (33, 290)), *(pytest.param(size, (0, 90, 180, 215), marks=pytest.mark.slow) for size in SIZES)],
)
def test_a_page_is_read_however_it_lies(
    size: tuple[int, int], angles: tuple[float, ...], made: Made, page: Image.Image
) -> None:
    camera = camera_over(page, size)
    assert read_qr_code(camera.take_picture()) == ""
    for number, angle in enumerate(angles):
        lay(camera, (400, 560, 800)[number % 3], (330, 500)[number % 2], angle)
        assert read_qr_code(camera.take_picture()) == made.invite().write_code(), angle


@contextmanager
def heard_in(made: Made, table: str = "T1") -> Iterator[Callable[[], list[bytes]]]:
    """Hear, as the hall, whether a table says that it is online."""
    kept = made.kept
    address = BrokerAddress("127.0.0.1", made.port, True, kept.user)
    access = Access(address, kept.password, certificate=made.files.sum_certificate())
    line = Connection(access, "hall", (str(Topic("Café", "nobody", TopicKind.ONLINE)), b""))
    for kind in TopicKind:
        line.listen(str(Topic("Café", table, kind)))
    heard: list[bytes] = []

    def listen() -> list[bytes]:
        line.wait_for_replies(0.05)
        heard.extend(one for one in line.take_heard() if one in (b"true", b"false"))
        return heard

    listen()
    yield listen
    line.close()


@contextmanager
def house_of(state: Path, camera: Any = None) -> Iterator[PagedHouse]:
    """Run a table that is in no hall, with its page, before its first menu."""
    house = PagedHouse(state)
    house.hall = TableHall(state, None)  # type: ignore[assignment]
    if camera is not None:
        house.camera = camera
    with house:
        house.says("What would you like to do?")
        yield house


def test_a_table_joins_by_the_page_on_its_mat_and_leaves_by_a_line(
    made: Made, page: Image.Image, tmp_path: Path
) -> None:
    camera = camera_over(page)
    with made.broker(), heard_in(made) as heard, house_of(tmp_path, camera) as house:
        assert house.json("/state.json")["mood"] == "menu"
        house.choose("Settings")
        house.says("Markers")
        house.choose("Join a hall")
        house.says("Join a hall")
        assert not house.app._equipment.hall.joined  # type: ignore[union-attr]
        lay(camera)
        house.says("This table is T1 in the hall Café now.")
        settings = load_settings(tmp_path).hall
        assert (settings.broker, settings.name, settings.table) == (f"mqtts://T1@127.0.0.1:{made.port}", "Café", "T1")
        assert made.kept.tables["T1"].password not in (tmp_path / "settings.toml").read_text("utf-8")
        assert stat.S_IMODE((tmp_path / PASSWORD_FILE).stat().st_mode) == 0o600
        wait_for(lambda: Online(True).to_bytes() in heard(), "the hall hears of it", 20)
        wait_for(lambda: heard() != [] and house.hall.find_trouble() is None, "it is in touch", 20)  # type: ignore[union-attr]
        house.press(Button.CONFIRM)
        menu = house.says("This table is T1 in the hall Café.")
        assert menu.details == (), "it is in touch with its hall"
        house.choose("Leave the hall")
        house.says("Join a hall")
        wait_for(lambda: heard()[-1] == Online(False).to_bytes(), "the hall hears that it is gone", 20)
        assert not (tmp_path / PASSWORD_FILE).exists()
        assert load_settings(tmp_path).hall == type(settings)()


@pytest.mark.slow  # test_a_table_joins_by_the_page_on_its_mat_and_leaves_by_a_line
def test_another_code_on_the_mat_is_said_and_the_right_one_still_read(
    made: Made, page: Image.Image, tmp_path: Path
) -> None:
    import segno

    squares = np.pad(np.array([list(row) for row in segno.make_qr("https://example.org").matrix]), 4)
    drawn = Image.fromarray((255 * (1 - squares)).astype(np.uint8)).resize((1400, 1400), Image.Resampling.NEAREST)
    other = Image.new("RGB", (2100, 2970), "white")
    other.paste(drawn, (350, 500))
    camera = camera_over(other)
    with house_of(tmp_path, camera) as house:
        house.choose("Settings")
        house.choose("Join a hall")
        lay(camera)
        house.until(lambda screen: isinstance(screen, CameraScreen) and "That is no code" in str(screen.view.checks))
        camera.print(page)
        lay(camera, 700)
        house.says("This table is T1 in the hall Café now.")


@contextmanager
def board_in(made: Made, folder: Path) -> Iterator[str]:
    """Serve the hall's board with what is sealed for its tables; its address, as the page names it."""
    store = HallStore.open(f"sqlite:///{folder}/hall.db", "Café")
    invitations = read_invitations(made.files.own / "invitations.json")
    app = build_board_app("Café", PageKey(folder), LiveTables([]), store, lambda name: None, None, invitations)
    with listening("127.0.0.1", 0) as sock:
        server = build_board_server(app)
        running = threading.Thread(target=serve_board, args=(server, sock), daemon=True)
        running.start()
        yield f"127.0.0.1:{sock.getsockname()[1]}"
        server.should_exit = True
        running.join(10)
    store.close()


def test_what_is_typed_is_asked_of_the_board_and_opened_at_the_table(made: Made, tmp_path: Path) -> None:
    (state := tmp_path / "table").mkdir()
    with board_in(made, tmp_path) as board, house_of(state) as house:

        def type_code(code: str) -> tuple[int, str]:
            """Type it, follow the phone to the board and back; the last status, and the page then."""
            page = house.send("/hall", ("do", "type"), ("address", board), ("code", code))[1]
            (asked,) = re.findall(rf'href="http://{board}(/join[^"]*)"', html.unescape(page))
            line = http.client.HTTPConnection(board)
            line.request("GET", asked)
            back = urlsplit(line.getresponse().headers["location"])
            assert (back.port, back.path) == (house.port, "/hall")
            return house.shown(f"/hall?{back.query}")

        right = made.kept.tables["T2"].code
        wrong = right[:-1] + ("A" if right[-1] != "A" else "B")
        assert "That is not this table's code" in html.unescape(type_code(wrong)[1])
        other = next(name for name in ("AA", "BB", "CC") if not right.startswith(name))
        assert "The hall knows no such code" in html.unescape(type_code(f"{other}{right[2:]}")[1])
        assert type_code(f" {right.lower().replace('-', ' ')}")[0] == 303
        assert "This table is T2 in the hall Café." in html.unescape(house.shown("/hall")[1])
        assert load_settings(state).hall.table == "T2"
        assert house.send("/hall", ("do", "leave"))[0] == 403, "whoever may only help takes no table out of its hall"
        change_setting(state, "web.may", "all")
        assert house.send("/hall", ("do", "leave"))[0] == 303
        assert load_settings(state).hall.broker == ""


@pytest.mark.slow  # test_what_is_typed_is_asked_of_the_board_and_opened_at_the_table
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
def test_a_table_joins_by_the_code_that_somebody_types_on_a_phone(made: Made, tmp_path: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    (state := tmp_path / "table").mkdir()
    with (
        made.broker(),
        heard_in(made, "T2") as heard,
        board_in(made, tmp_path) as board,
        house_of(state) as house,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        phone = browser.new_context(viewport={"width": 360, "height": 640}, locale="en", bypass_csp=True).new_page()
        phone.goto(house.address)
        phone.goto(f"http://127.0.0.1:{house.port}/settings")
        phone.get_by_role("link", name="Join a hall").click()

        def type_code(code: str) -> None:
            phone.get_by_label("The hall's address").fill(board)
            phone.get_by_label("The table's code").fill(code)
            phone.get_by_role("button", name="Join a hall").click()

        found = Axe().run(phone)
        assert found.violations_count == 0, found.generate_report()
        right = made.kept.tables["T2"].code
        wrong = right[:-1] + ("A" if right[-1] != "A" else "B")
        type_code(wrong)
        phone.get_by_text("That is not this table's code").wait_for(timeout=10_000)
        other = next(name for name in ("AA", "BB", "CC") if not right.startswith(name))
        phone.set_default_timeout(5000)
        type_code(f"{other}{right[2:]}")
        phone.get_by_role("alert").wait_for(timeout=10_000)
        type_code(f" {right.lower().replace('-', ' ')}")
        phone.get_by_text("This table is T2 in the hall Café.").wait_for(timeout=10_000)
        assert "sealed" not in phone.url, "what was sealed stands in no address that is kept"
        password = made.kept.tables["T2"].password
        assert password not in phone.content()

        def is_in_touch() -> bool:
            heard()
            phone.reload()
            return phone.get_by_role("status").count() == 0

        wait_for(is_in_touch, "it is in touch")
        found = Axe().run(phone)
        assert found.violations_count == 0, found.generate_report()
        assert load_settings(state).hall.table == "T2"
        phone.get_by_role("button", name="Leave the hall").click()
        phone.get_by_text("This table is in no hall").wait_for()
        assert load_settings(state).hall.broker == ""
        browser.close()


@pytest.mark.few(1)
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here: apt install chromium")
@pytest.mark.parametrize(("size", "language", "scheme"), WAYS)
def test_the_hall_on_a_phone_fits_and_is_accessible(
    size: tuple[int, int], language: str, scheme: str, made: Made, tmp_path: Path
) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    with house_of(tmp_path) as house, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = visit(browser, house.address, size, language, scheme, bypass_csp=True)

        def look_at(address: str) -> None:
            page.goto(f"http://127.0.0.1:{house.port}{address}")
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
            found = Axe().run(page)
            assert found.violations_count == 0, f"{address}: {found.generate_report()}"

        look_at("/hall")
        look_at("/hall?sealed=A")
        assert page.get_by_role("alert").count() == 1
        house.hall.join(made.invite())  # type: ignore[union-attr]
        change_setting(tmp_path, "web.may", "all")
        look_at("/hall")
        assert page.locator("form button.danger").count() == 1
        assert [words for words in page.said if "400" not in words] == []
        browser.close()


def test_a_phone_has_the_camera_look_and_one_that_may_only_watch_does_nothing(made: Made, tmp_path: Path) -> None:
    with house_of(tmp_path) as house:
        assert house.send("/hall", ("do", "look"))[0] == 303
        house.says("Join a hall")
        assert "The camera looks for it now" in house.shown("/hall")[1]
        house.press(Button.BACK)
        house.says("What would you like to do?")
        for address, code, words in (
            ("no address", "ABCDEFGH", "That is no address of a hall"),
            ("127.0.0.1:99999", "ABCDEFGH", "That is no address of a hall"),
            ("127.0.0.1", "ABC", "That is no code of a hall"),
        ):
            status, page = house.send("/hall", ("do", "type"), ("address", address), ("code", code))
            assert (status, words in page) == (400, True)
        assert "type the code once more" in house.shown("/hall?sealed=AAAA")[1], "nobody has typed one here"
        may(tmp_path, "watch")
        for told in (("do", "look"), ("do", "leave")):
            assert house.send("/hall", told)[0] == 403
        assert "Join by the camera" not in house.shown("/hall")[1]


@pytest.mark.parametrize(
    "back", ["", "https://a/hall", "http://a/other", "http://a/hall?x=1", "http://u@a/hall", "http:///hall", "//a/hall"]
)
def test_the_board_sends_phones_to_tables_alone(back: str, made: Made, tmp_path: Path) -> None:
    with board_in(made, tmp_path) as board:
        for address, status in ((f"/join?{urlencode({'name': 'AA', 'back': back})}", 400), ("/tables.json", 401)):
            line = http.client.HTTPConnection(board)
            line.request("GET", address)
            assert line.getresponse().status == status
