"""The settings' file: what is written is read back; every fault is named with its line and the nearest right key."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from cli.main import main
from device.errors import DeviceError
from device.settings.kinds import (
    Broker,
    Kind,
    Listen,
    Number,
    OneLine,
    OneOf,
    PanelSize,
    PlayerName,
    Several,
    Source,
    TopicLevel,
    Whole,
    YesNo,
)
from device.settings.settings_file import (
    SettingsError,
    change_setting,
    load_settings,
    read_settings,
    settings_text,
    write_settings,
)
from device.settings.values import Settings, all_settings
from device.speech import Language
from tests.cli.test_cli import one_sentence

FILE = Path("settings.toml")


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings()
    (tmp_path / "settings.toml").write_text("")
    assert load_settings(tmp_path) == Settings()


def test_what_is_set_is_read(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text(
        '\ufefflanguage = "ja"\ngame.names = ["ヒルベルト", " Banach "]\r\n'
        '[camera]\nsource = "usb:/dev/video2"\nexposure = 9000\nrotation = 180 # upside down\n'
        '[buttons]\nprofile = "custom"\npins = [5, 6, 7, 8]\n[display]\nsize = [320, 480]\n',
        encoding="utf-8",
    )
    settings = load_settings(tmp_path)
    assert settings.spoken is Language.JA
    assert settings.game.names == ("ヒルベルト", "Banach")
    assert (settings.camera.source, settings.camera.exposure, settings.camera.rotation) == (
        "usb:/dev/video2",
        9000.0,
        180,
    )
    assert settings.buttons.pins == (5, 6, 7, 8)
    assert settings.display.size == (320, 480)
    assert settings.recording == Settings().recording


# --- round trip

_ONE_LINE = st.text(st.characters(exclude_categories=("C", "Z")) | st.just(" "), max_size=40).map(str.strip)


def values(kind: Kind) -> st.SearchStrategy[Any]:
    """Values of that kind, as the program uses them."""
    match kind:
        case OneOf(options):
            return st.sampled_from(options)
        case Source(forms):
            plain = [form for form in forms if ":" not in form]
            return st.sampled_from(plain) | _ONE_LINE.filter(bool).map(lambda path: f"folder:{path}")
        case TopicLevel(most):
            return _ONE_LINE.map(lambda text: normalize("NFC", text)).filter(
                lambda text: len(text) <= most and not set("/+#") & set(text)
            )
        case Broker():
            return st.sampled_from(("", "mqtt://localhost", "mqtts://cafe@hall.example:8884", "mqtt://[::1]"))
        case OneLine(most, least):
            return _ONE_LINE.filter(lambda text: least <= len(text) <= most)
        case PlayerName():
            return st.text("abc .-あア漢é", min_size=1, max_size=16).map(str.strip).filter(bool)
        case Whole(least, most):
            return st.integers(least, most)
        case Number(least, most):
            return st.floats(least, most)
        case Listen():
            return st.integers(0, 65535).map(str) | st.sampled_from(("", "[::1]:80", "table.local:8080"))
        case YesNo():
            return st.booleans()
        case Several(inner, counts, _, different):
            sizes = st.sampled_from(counts)
            return sizes.flatmap(
                lambda size: st.lists(values(inner), min_size=size, max_size=size, unique=different).map(tuple)
            )
        case PanelSize((width, height), (most_width, most_height)):
            return st.tuples(st.integers(width, most_width), st.integers(height, most_height)).filter(
                lambda size: min(size) <= most_height and max(size) >= width
            )
    raise AssertionError(kind)


@st.composite
def any_settings(draw: st.DrawFn) -> Settings:
    def table(kind: type) -> Any:
        chosen = {}
        for setting in fields(kind):
            if "kind" not in setting.metadata:
                chosen[setting.name] = table(cast(Any, setting.default_factory))
            elif draw(st.booleans()):
                chosen[setting.name] = draw(values(setting.metadata["kind"]))
        if "profile" in {setting.name for setting in fields(kind)}:
            pins = chosen.get("pins") or (2, 3, 4, 5)
            chosen = {**chosen, "profile": "custom", "pins": pins}
        if chosen.get("source") in ("picamera2", "usb"):
            chosen.pop("white", None)
        if "lamp_pin" in chosen or "buzzer_pin" in chosen:
            chosen = {name: value for name, value in chosen.items() if not name.endswith("_pin")}
        return kind(**chosen)

    return cast(Settings, table(Settings))


@effort(max_examples=40)
@given(any_settings(), st.sampled_from(Language.all()))
def test_what_is_printed_is_read_back(settings: Settings, language: Language) -> None:
    assert read_settings(settings_text(settings, language), FILE) == settings


@effort(max_examples=40)
@given(any_settings(), st.sampled_from(Language.all()), st.booleans())
def test_what_is_changed_changes_nothing_else(settings: Settings, language: Language, on: bool) -> None:
    with TemporaryDirectory() as state:
        (Path(state) / "settings.toml").write_text(settings_text(settings, language), encoding="utf-8")
        expected = replace(settings, recording=replace(settings.recording, on=on))
        assert change_setting(Path(state), "recording.on", on) == load_settings(Path(state)) == expected


def test_every_setting_is_in_the_file_with_its_default_and_comments() -> None:
    for language in Language.all():
        text = settings_text(Settings(), language)
        assert tomllib.loads(text) == {section: {} for section in tomllib.loads(text)}
        uncommented = "\n".join(line.removeprefix("#") for line in text.splitlines() if not line.startswith("# "))
        whole = tomllib.loads("\n".join(line for line in uncommented.splitlines() if not line.endswith(" =")))
        for key in all_settings():
            *section, name = key.split(".")
            table = getattr(Settings(), section[0]) if section else Settings()
            default = getattr(table, name)
            if default is None:
                assert f"#{name} =\n" in text
            else:
                found = whole[section[0]][name] if section else whole[name]
                assert (tuple(found) if isinstance(found, list) else found) == default


def test_english_and_japanese_are_there() -> None:
    assert "時計回り" in settings_text(Settings(), Language.JA)
    assert "clockwise" in settings_text(Settings(), Language.EN)


# --- faults


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("langauge = 'ja'", 1, "did you mean 'language'?"),
        ("\n[camera]\nrotaton = 90\n", 3, "no setting 'camera.rotaton'; did you mean 'camera.rotation'?"),
        ("[camera]\n\nlong_press_s = 1", 3, "did you mean 'buttons.long_press_s'?"),
        ("[camera]\nzzz = 1", 2, "there are source, size, rotation"),
        ("[[camera]]\nsource = 'usb'", 1, "write 'camera' as a table"),
        ("[kamera]\nsource = 'usb'", 1, "did you mean 'camera'?"),
        ("camera = 'usb'", 1, "write 'camera' as a table"),
        ("camera.rotation = 45", 1, "camera.rotation must be 0, 90, 180 or 270, not 45"),
        ("# c\ncamera = { rotation = 45 }", 2, "not 45"),
        ("[camera]\nrotation = '90'", 2, "not \"90\"; did you mean '90'?"),
        ("[display]\ndriver = 'kmsdr'", 2, "did you mean 'kmsdrm'?"),
        ("[camera]\nsource = 'picamera'", 2, "did you mean 'picamera2'?"),
        ("[camera]\nsource = 'folder:'", 2, "camera.source must be"),
        ("[camera]\nsource = ['usb']", 2, "camera.source must be"),
        ("[recording]\non = 1", 2, "true or false, not 1"),
        ("[recording]\nmost_mb = true", 2, "a whole number from 10 to 1000000, not true"),
        ("[recording]\nmost_mb = 10.5", 2, "whole number"),
        ("[buttons]\nlong_press_s = inf", 2, "a number from 0.3 to 5, not inf"),
        ("[buttons]\nlong_press_s = nan", 2, "not nan"),
        ("[buttons]\npins = [2, 3, 4]", 2, "four different BCM pins"),
        ("[buttons]\npins = [2, 3, 4, 4]", 2, "four different BCM pins"),
        ("[buttons]\npins = [1, 2, 3, 4]", 2, "pins from 2 to 27"),
        ("[camera]\nsource = 'picamera2'\nwhite = [4600]", 3, "like [1.8, 1.6]"),
        ("[camera]\nsource = 'usb:0'\nwhite = [1.8, 1.6]", 3, "like [4600]"),
        ("[buttons]\npins = [2, 3, 4, 5]", 2, "only for buttons.profile"),
        ("[buttons]\n\nprofile = 'custom'", 3, "needs buttons.pins"),
        ("[buttons]\nprofile = 'pitft'\n[signals]\nlamp_pin = 17", 4, "pin 17 of signals.lamp_pin is used by buttons"),
        ("[signals]\nlamp_pin = 2\nbuzzer_pin = 2", 3, "used by signals.lamp_pin"),
        ("[game]\nnames = ['A', 'A']", 2, "up to 30 different names"),
        ('[game]\nnames = ["A\\nB"]', 2, "up to 30 different names"),
        ("[table]\nmat_mm = [1189]", 2, "[width, height] in mm"),
        ("[display]\nsize = [1920, 1080]", 2, "320 × 240 to 1024 × 600"),
        ("[display]\nsize = [600, 600.0]", 2, "320 × 240 to 1024 × 600"),
        ("[hall]\nbroker = 'hall.local'", 2, "hall.broker must be mqtts://USER@HOST"),
        ("[hall]\nbroker = 'mqtts://cafe:secret@hall.local'", 2, "hall.broker must be mqtts://USER@HOST"),
        ("[hall]\nbroker = 'mqtts://cafe@hall.local/Cafe'", 2, "hall.broker must be mqtts://USER@HOST"),
        ("[hall]\ntable = 'a/b'", 2, "text of up to 40 characters without / + #"),
        ("[hall]\nname = 7", 2, "text of up to 40 characters"),
        ("language = 'fr'", 1, "auto, ja or en"),
        ("[camera]\nsource = ", 2, "this is not TOML"),
        ("[camera\n", 1, "this is not TOML"),
        ("a = 1\na = 2\n", 2, "this is not TOML"),
        ("[camera]\nsource = 'usb'\n[camera]\nsource = 'usb'", 3, "this is not TOML"),
        ('game.deck = """', 1, "this is not TOML"),
    ],
)
def test_faults_name_their_line_and_what_would_be_right(text: str, line: int, words: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings(text, FILE)
    error = caught.value
    assert error.faults[0].line == line
    assert str(error).startswith(f"settings.toml, line {line}: ")
    assert words in str(error)
    assert f"{line}行目" in error.text.said(Language.JA)
    assert str(error).endswith((".", "?"))
    assert error.text.said(Language.JA).endswith(("。", "？"))
    assert "\n" not in str(error) + error.text.said(Language.JA)


def test_all_faults_are_found_at_once_in_their_order() -> None:
    text = "[recording]\non = 'yes'\n[camera]\nrotation = 1\nsorce = 'usb'\n"
    with pytest.raises(SettingsError, match=r"line 2: .* \(2 more after it\)") as caught:
        read_settings(text, FILE)
    assert [fault.line for fault in caught.value.faults] == [2, 4, 5]


@effort(max_examples=50)
@given(st.text(st.sampled_from("[]='\"#\n.,{}x1 calmerauo-"), max_size=60))
def test_whatever_the_file_holds_it_is_settings_or_a_sentence(text: str) -> None:
    try:
        read_settings(text, FILE)
    except SettingsError as error:
        assert all(1 <= fault.line <= text.count("\n") + 1 for fault in error.faults)  # noqa: PT017 - either will do


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(DeviceError, match="no UTF-8 text"):
        load_settings(tmp_path)
    (tmp_path / "settings.toml").unlink()
    (tmp_path / "settings.toml").mkdir()
    with pytest.raises(DeviceError, match="can't be read"):
        load_settings(tmp_path)


# --- changing one


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'language = "ja"\n'),
        ("# mine\n[camera]\nrotation = 90\n", 'language = "ja"\n# mine\n[camera]\nrotation = 90\n'),
        ('#x\nlanguage="en"  # ours\n[camera]\n', '#x\nlanguage="ja"  # ours\n[camera]\n'),
        ('language = """en"""', 'language = "ja"'),
        ("game.deck = 'x' # mine\n\n[camera]", "language = \"ja\"\ngame.deck = 'x' # mine\n\n[camera]"),
    ],
)
def test_changing_one_leaves_all_other_lines(tmp_path: Path, before: str, after: str) -> None:
    (tmp_path / "settings.toml").write_text(before)
    assert change_setting(tmp_path, "language", "ja").language == "ja"
    assert (tmp_path / "settings.toml").read_text() == after
    assert load_settings(tmp_path).language == "ja"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[recording]\non = true\n"),
        ("recording.on = false", "recording.on = true"),
        ("recording.most_mb = 20", "recording.most_mb = 20\nrecording.on = true\n"),
        ("[recording]\nmost_mb = 20\n", "[recording]\non = true\nmost_mb = 20\n"),
        ("[recording]  # ours", "[recording]  # ours\non = true\n"),
        ("[recording]\non = false # no\n", "[recording]\non = true # no\n"),
        ("['recording']\n'on'=false\n", "['recording']\n'on'=true\n"),
        ("recording = { on = false } # one\n", "recording = { on = true } # one\n"),
        ("[recording]\n\n# mine\n[camera]\n", "[recording]\non = true\n\n# mine\n[camera]\n"),
        ("[camera]\nsize = [800, 600]", "[camera]\nsize = [800, 600]\n[recording]\non = true\n"),
    ],
)
def test_changing_one_in_a_table(tmp_path: Path, before: str, after: str) -> None:
    (tmp_path / "settings.toml").write_text(before)
    earlier = load_settings(tmp_path)
    assert change_setting(tmp_path, "recording.on", True).recording.on
    assert (tmp_path / "settings.toml").read_text() == after
    settings = load_settings(tmp_path)
    assert settings.recording.on
    assert (settings.camera, settings.recording.most_mb) == (earlier.camera, earlier.recording.most_mb)


@pytest.mark.parametrize("key", ["recording.on", "language", "service.power_off", "game.deck", "buttons.debounce_ms"])
def test_changing_one_in_the_written_file_adds_one_line(tmp_path: Path, key: str) -> None:
    path = write_settings(tmp_path, Language.JA)
    before = path.read_text().split("\n")
    value = {"language": "ja", "game.deck": "ours", "buttons.debounce_ms": 35.0}.get(key, key == "recording.on")
    change_setting(tmp_path, key, value)
    after = path.read_text().split("\n")
    at = next(place for place, line in enumerate(after) if line != before[place])
    assert after[:at] + after[at + 1 :] == before
    assert at == 0 or after[at - 1] == f"[{key.split('.')[0]}]"


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = ["--state", str(tmp_path)]
    assert main(["settings", "--write", "--language", "en", *state]) == 0
    path = Path(capsys.readouterr().out.strip())
    assert path.read_text(encoding="utf-8") == settings_text(Settings(), Language.EN)
    assert main(["settings", "--write", *state]) == 2
    assert "settings.toml" in one_sentence(capsys)
    change_setting(tmp_path, "buttons.debounce_ms", 35)
    for show in ([], ["--show"]):
        assert main(["settings", "--language", "ja", *show, *state]) == 0
        assert "\ndebounce_ms = 35\n" in capsys.readouterr().out
    path.write_text("[camera]\nexposre = 1\n")
    assert main(["settings", "--language", "en", *state]) == 2
    assert "line 2: there is no setting 'camera.exposre'; did you mean 'camera.exposure'?" in one_sentence(capsys)


def test_a_change_that_can_not_be_leaves_the_file(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("recording = { on = false }\n")
    with pytest.raises(SettingsError):
        change_setting(tmp_path, "language", "fr")
    with pytest.raises(SettingsError):
        change_setting(tmp_path, "recording.most_mb", 1)
    assert (tmp_path / "settings.toml").read_text() == "recording = { on = false }\n"
