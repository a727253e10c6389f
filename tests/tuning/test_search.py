"""Numbers of a bot are found by play, proved on other decks, and written into its file."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.league.files import Source
from arena.tuning import search
from arena.tuning.numbers import Number, read_numbers, write_numbers
from arena.tuning.race import Race
from tests.leagues import main, make
from tests.schemas import wrong_in

BOT = '''"""Numbers."""  # TUNE = {}
from games import no_thanks

TUNE: dict[str, tuple[float, float, float]] = {
    "share": (0.9, 0.1, 1.0),  # too much
    "höhe": (-2, -9, 3), 'idle': (1, 0, 5),
}
SHARE = TUNE["share"][0]  # follows


def decide(view):
    if view.game != "no_thanks":
        return view.legal[0]
    mine = view.taken[view.seat]
    cost = no_thanks.points((*mine, view.card), 0) - no_thanks.points(mine, 0)
    return "take" if view.pot >= SHARE * cost + TUNE["höhe"][0] + 0 * TUNE["idle"][0] else "pass"
'''

TUNE = ("tune", "bots/ann.py", "--game", "no_thanks", "--json")


@pytest.fixture
def league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A league with the bot, its folder the current one, a cache of its own, and few steps: each
    starts processes.
    """
    monkeypatch.setattr(search, "STEPS", 15)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    make(tmp_path, bots={"ann": BOT})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_better_numbers_are_found_proved_and_written(league: Path) -> None:
    words = (*TUNE, "--games", 3000, "--seed", 1)
    done = main(*words, "--write", "--yes")
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert wrong_in("tune", found) == []
    assert found["better"]
    assert found["interval"][0] > 0.05
    share, height, idle = found["numbers"]
    assert share["tuned"] < 0.6 < share["value"]
    assert share["gain"] > 4 * share["gain_se"]
    assert type(height["tuned"]) is int
    assert (idle["tuned"], idle["gain"]) == (1, None)  # what changes nothing stays
    wanted = BOT.replace("0.9, 0.1", f"{share['tuned']}, 0.1")
    wanted = wanted.replace("(-2,", f"({height['tuned']},")
    assert (league / "bots" / "ann.py").read_text() == wanted
    (league / "bots" / "ann.py").write_text(BOT)
    assert json.loads(main(*words).stdout) == found  # by one seed


def test_sets_that_make_a_bot_fail_lose_and_its_own_numbers_may_not(
    league: Path,
) -> None:
    risky = "RISK = 1 / max(0, 0.95 - SHARE)\n\n\ndef decide"
    code = BOT.replace("def decide", risky).replace(
        '"take" if', '"take" if 0 / (TUNE["höhe"][0] + 5) or'
    )
    Path("bots/ann.py").write_text(code)
    found = json.loads(main(*TUNE, "--games", 2000, "--seed", 1).stdout)
    assert found["better"]
    assert 20 < found["forfeits"] < 1000
    Path("bots/ann.py").write_text(code.replace("(-2,", "(-5,"))
    done = main(*TUNE, "--games", 2000)
    assert done.returncode == 1
    assert b"ann: forfeits with its numbers" in done.stderr
    assert b"ZeroDivisionError" in done.stderr


def test_a_search_without_effect_says_so(league: Path) -> None:
    done = main("tune", "bots/ann.py", "--game", "sixteen", "--games", 2000, "--write")
    assert done.returncode == 0
    assert b"have the same results so far: does its code read share" in done.stderr
    assert b"No better numbers were found" in done.stdout
    assert (league / "bots" / "ann.py").read_text() == BOT


@pytest.mark.parametrize(
    ("encoding", "head"),
    [("utf-8-sig", ""), ("latin-1", "# -*- coding: latin-1 -*-\r\n"), ("utf-8", "\f\n")],
)
def test_numbers_are_written_whatever_the_encoding(encoding: str, head: str) -> None:
    line = 'X = "é"; TUNE = {"a": (1.5, 0.0, 2.0), "é": (-\\\r\n2, -3, 3)}  # \x0b é\r\nY = 1'
    code = (head + line).encode(encoding)
    source = Source((("bot.py", code + b"\ndecide = len\n"),))
    numbers = read_numbers("ann", source, True)
    assert [one[:4] for one in numbers] == [("a", 1.5, 0.0, 2.0), ("é", -2, -3, 3)]
    changed = line.replace("1.5", "0.25").replace("-\\\r\n2", "3")
    assert write_numbers(code, numbers, {"a": 0.25, "é": 3}) == (head + changed).encode(encoding)


def test_whole_numbers_stay_whole_and_within_their_ends() -> None:
    number = Number("a", 1, 0.5, 2.9, 1, 0, 1, 1)
    assert [number.round(value) for value in (-1.0, 0.6, 1.4, 9.0)] == [1, 1, 1, 2]


def test_modules_beside_a_bot_follow_its_numbers(league: Path) -> None:
    folder = league / "bots" / "ben"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT.replace("SHARE = TUNE", "OLD = TUNE").replace(
        "def decide", "from . import helper\nprint(helper.SHARE)\n\n\ndef decide"
    ).replace("SHARE *", "helper.SHARE *"))  # fmt: skip
    (folder / "helper.py").write_text('import bot\nSHARE = bot.TUNE["share"][0]\n')
    (folder / "variants.json").write_text("its own")
    words = ("tune", "bots/ben", "--game", "no_thanks", "--json", "--games", 3000, "--seed", 2)
    found = json.loads(main(*words).stdout)
    assert (found["better"], found["forfeits"]) == (True, 0)
    assert found["numbers"][0]["tuned"] < 0.7


def stop_at(changed: pytest.MonkeyPatch, number: int, *words: object) -> None:
    """Interrupt a search when it plays so often."""
    play, left = Race.play, [number]

    def stop(self: Race, *given: Any) -> object:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return play(self, *given)

    with changed.context() as stopped:
        stopped.setattr(Race, "play", stop)
        assert main(*words).returncode == 130


def test_a_search_that_was_stopped_goes_on_to_the_same_end(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (*TUNE, "--games", 2000, "--seed", 2)
    whole = main(*words).stdout
    shutil.rmtree("arena")
    stop_at(monkeypatch, 12, *words)
    assert main(*words).stdout == whole
    done = main(*words, "--write", "--yes")
    assert done.stdout == whole  # it was not played again
    assert b"Going on with the search" in done.stderr


def test_seconds_fix_the_number_of_games_when_a_search_begins(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = (*TUNE, "--seconds", 5)
    counted, count = list[int](), search._count_games

    def count_once(*given: Any) -> int:
        counted.append(count(*given))
        return counted[-1]

    monkeypatch.setattr(search, "_count_games", count_once)
    stop_at(monkeypatch, 3, *words)  # the second after the sample
    found = json.loads(main(*words).stdout)
    (games,) = counted
    assert games >= 2000
    assert 0.7 < found["games"] / games < 1.4


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ('{"share": (4.0, 0.1, 3.0)}', "share: 4.0 lies outside 0.1 to 3.0"),
        ('{"share": (1.0, 3.0, 0.1)}', "expected a value, then the lowest and the highest"),
        ('{"share": (1.0, 0.0, 1e999)}', "expected a value, then the lowest and the highest"),
        ('{"share": ("a", 1, 2)}', "line 1: found what is no number"),
        ('{"share": (1j, 1, 2)}', "line 1: found what is no number"),
        (repr({f"n{at}": (1, 0, 2) for at in range(101)}), "found 101 numbers; 100 can be tuned"),
        ('{\n"share": 3}', 'ann: TUNE: line 2: write {"name": (value, low, high)}'),
        ('{"share": (1/2, 0, 1)}', "line 1: found what is no number"),
        ('{"share": (1, 0, 2), "share": (1, 0, 2)}', "share: is there twice"),
        ("dict(share=(1, 0, 2))", 'line 1: write {"name": (value, low, high)}'),
        ("(\n", "ann: TUNE: line 1: '(' was never closed"),
    ],
)
def test_what_is_no_number_in_its_range_is_said(table: str, why: str, tmp_path: Path) -> None:
    make(tmp_path, bots={"ann": f"TUNE = {table}\ndef decide(view):\n    return view.legal[0]\n"})
    done = main("tune", tmp_path / "bots" / "ann.py", cwd=tmp_path)
    assert (done.returncode, why in done.stderr.decode()) == (2, True), done.stderr
