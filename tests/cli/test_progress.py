"""The step that a command is at, and how play goes on: in words, when they are shown, and that
every slow command tells its steps.
"""

import io
import json
import signal
import sys
import threading
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from arena.cli import progress
from arena.cli.progress import Display, JsonLines, Tally
from arena.model import Bot
from arena.progress import Alike, Look
from arena.schedule.order import Schedule
from arena.store.chunk import Chunk
from arena.store.store import Store
from arena.tables import formats, results
from arena.tables.pool_table import PlayedPool
from arena.tables.results import make_document
from tests.leagues import main
from tests.places import EXAMPLES


class Terminal(io.StringIO):
    """Takes what is written to a terminal, and says when something was."""

    def __init__(self, is_one: bool) -> None:
        super().__init__()
        self._is_one, self.written = is_one, threading.Event()

    def isatty(self) -> bool:
        return self._is_one

    def write(self, text: str) -> int:
        size = super().write(text)
        self.written.set()
        return size


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are shown with no delay."""
    for name in ("SHOWN_AFTER_S", "FIRST_LINE_S"):
        monkeypatch.setattr(progress, name, 0.0)
    monkeypatch.setattr(progress, "REDRAW_S", 0.001)
    monkeypatch.setenv("TERM", "xterm")


def stderr(monkeypatch: pytest.MonkeyPatch, is_terminal: bool) -> Terminal:
    stream = Terminal(is_terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


@pytest.mark.parametrize(
    ("parts", "of", "seconds", "said"),
    [
        (0, 0, 12.3, "reading: 12 s so far"),
        (1500, 0, 12.3, "reading: 1,500 in 12 s so far"),
        (0, 40_000, 3.0, "reading: 0 of 40,000, 3 s so far"),
        (10_000, 40_000, 3.0, "reading: 10,000 of 40,000, 9 s left"),
        (10, 40_000, 3.0, "reading: 10 of 40,000, 3 h 20 min left"),
    ],
)
def test_a_step_says_how_far_it_has_come_and_what_is_left(
    parts: int, of: int, seconds: float, said: str
) -> None:
    steps = Display()
    steps.what, steps._of = "reading", of
    steps.done(parts)
    assert steps.line(seconds) == said


def test_a_step_names_whom_all_wait_for_in_the_view_too() -> None:
    steps = Display()
    steps.what, steps._of = "loading bots", 12
    steps.at(["ann"])
    assert steps.line(7.0) == "loading bots: 0 of 12, 7 s so far; waiting for ann"
    assert [part.plain for part in steps.view().renderables[1:3]] == ["waiting for ann", ""]
    steps.at([f"bot{number}" for number in range(1, 13)])
    assert steps.line(7.0).endswith("; waiting for bot1, bot2, bot3 and 9 more")
    steps.end()
    assert "waiting" not in steps.line(7.0)


@pytest.mark.usefixtures("at_once")
def test_a_step_that_tells_nothing_is_shown_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = stderr(monkeypatch, False)
    with Display() as steps:
        steps.begin("one long call")
        assert stream.written.wait(60)
    assert stream.getvalue() == "one long call: 0 s so far\n"  # the next is half a minute later


@pytest.mark.usefixtures("at_once")
def test_on_a_terminal_the_line_is_redrawn_and_cleared_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = stderr(monkeypatch, True)
    monkeypatch.setenv("COLUMNS", "20")
    with Display() as steps:
        steps.begin("a step with a long name", 10)
        assert stream.written.wait(60)
        steps.say("word")
        assert stream.getvalue().endswith("\r\x1b[2Kword\n")
        stream.written.clear()
        assert stream.written.wait(60)
    drawn = stream.getvalue().split("\r\x1b[2K")
    assert drawn[1] == "a step with a long "
    assert drawn[-1] == ""


def test_what_is_over_soon_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for is_terminal in (False, True):
        stream = stderr(monkeypatch, is_terminal)
        with Display() as steps:
            for number in range(100):
                steps.begin(f"step {number}", 1)
                steps.done()
        assert stream.getvalue() == ""


def test_the_thread_that_draws_hears_no_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where signals are held back while a process starts, no other thread may take them."""
    masks = []
    show = Display._show

    def looked(self: Display) -> None:
        masks.append(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        show(self)

    monkeypatch.setattr(Display, "_show", looked)
    with Display() as steps:
        steps.begin("a step")
    assert [mask >= {signal.SIGINT, signal.SIGTERM, signal.SIGHUP} for mask in masks] == [True]
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & {signal.SIGINT, signal.SIGTERM}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("words", "steps"),
    [
        (("standings",), ["rating 5 pools"]),
        (("standings", "--game", "no_thanks"), ["rating 1 pool"]),
        (("records",), ["writing records (120)"]),
        (("verify", "--replay-bots", 3),
         ["checking the file", "checking games by the rules (120)", "rating 5 pools",
          "rating pools with the trueskill package (5)", "replaying games (3)"]),
        (("audit", "--games", 3),
         ["replaying games (3)", "redealing hidden cards (3)",
          "comparing pairs of bots, by pool (5)"]),
        (("export", "--to"), ["rating 5 pools", "writing games.csv", "writing records.jsonl.gz"]),
        (("publish", "--games", "1", "--to"),
         ["rating 5 pools", "looking through 5 pools (5)", "writing pages"]),
        (("judge",), ["judging records"]),
        (("rerun", "ann"), ["asking the bot again"]),
    ],
    ids=str,
)  # fmt: skip
def test_every_slow_command_tells_its_steps_and_all_their_parts(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...],
    steps: list[str],
) -> None:  # fmt: skip
    told: list[list[object]] = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # no tables are kept there yet
    monkeypatch.setattr(Display, "begin", lambda self, what, of=0: told.append([what, of, 0]))

    def done(self: Display, parts: int = 1) -> None:
        told[-1][2] += parts  # type: ignore[operator]

    monkeypatch.setattr(Display, "done", done)
    command, *more = words
    place = EXAMPLES if command == "judge" else played / "results" / "cup"
    ended = main(command, place, *more, *[tmp_path / "out"] * (more[-1:] == ["--to"]))
    if command != "publish":  # which says how much it wrote
        unchanged = (
            b"ann.py has not changed since these games; up to 200 of them show whether it "
            b"repeats its decisions\n"
        )
        assert ended.stderr == (unchanged if command == "rerun" else b"")
    begun = [f"{what} ({of})" if of else what for what, of, _ in told]
    assert [step for step in begun if step in steps] == steps
    assert [(what, parts) for what, of, parts in told if of and parts != of] == []


@pytest.mark.whole
def test_standings_of_one_game_rate_no_other_and_say_the_same(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with closing(Store.open(played / "results" / "cup")) as store:
        whole = formats.json(formats.select(make_document(store), "sixteen"))
        rated, real = list[str](), results._read_pool

        def looked(store: Store, own: Schedule) -> PlayedPool:
            rated.append(own.entry.pool.game)
            return real(store, own)

        monkeypatch.setattr(results, "_read_pool", looked)
        words = ("standings", played / "results" / "cup", "--json")
        assert main(*words, "--game", "sixteen").stdout.decode() == whole
        assert rated == ["sixteen", "sixteen"]
        assert main(*words, "--game", "sixten").returncode == 2
        assert rated == ["sixteen", "sixteen"]


def test_lines_read_no_results() -> None:
    def unread() -> Iterable[Alike]:
        pytest.fail("read")
        yield Alike(("ann", "bob"), (1, 2), 1)

    lines = Display()
    lines.before(unread())
    lines.played(1, unread())


def test_on_a_terminal_results_are_read_also_those_that_are_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stderr(monkeypatch, True)
    monkeypatch.setenv("TERM", "xterm")
    live = Display()
    live.before([Alike(("ann", "bob"), (2, 1), 3)])
    line_up = (Bot("ann", ""), Bot("bob", ""))
    games = Chunk([line_up], ["a"], [0], ["[0, 1]"], [0], ["[1, 2]"], ["[0, 0]"], [0], [], b"")
    live.played(1, games.alike())
    assert live.tally.top() == [("bob", 0.25, 4), ("ann", -0.25, 4)]
    assert (live.tally.done, live.tally.total) == (1, 0)  # the pace is this run's


def test_lines_say_what_there_is_to_do_and_what_was_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    lines = Display()
    lines.begin("starting")
    lines.start(600, 2, more=True)
    lines.tally.add(100, lines.tally._began_s + 10.0)
    come = "100 of 600 games, more as needed, 10 games/s, 50 s left"
    assert lines.line(lines.tally._began_s + 10.0) == come
    lines.start(500, 2, more=False)  # the last stage
    assert "of 1,100 games, 10 games/s" in lines.line(lines.tally._began_s + 10.0)
    lines.stop()
    lines.begin("rating", 2)
    assert lines.line(lines._began_s + 1.0) == "rating: 0 of 2, 1 s so far"
    lines.begin("playing", 2)  # as `arena check` does, which reports parts
    assert lines.line(lines._began_s + 1.0) == "playing: 0 of 2, 1 s so far"
    lines.end()
    first, last = stream.getvalue().splitlines()
    assert first == "playing 600 games, more as needed, with 2 workers"
    assert last.startswith("played 100 games, ")


def look(pool: str, words: str) -> Look:
    """A look at a pool, which is settled if there are no words."""
    return Look(pool, 80, 3, 36, 0.25, (None, 1.5), "open" if words else "better", words)


def test_a_look_is_a_line_of_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    JsonLines().looked(look("Sixteen 2p", "ann is likely better"))
    shown = capsys.readouterr()
    assert shown.out == ""
    assert json.loads(shown.err) == {
        "pool": "Sixteen 2p", "games": 80, "look": 3, "planned_looks": 36, "difference": 0.25,
        "interval": [None, 1.5], "verdict": "open",
    }  # fmt: skip


def test_looks_say_how_far_pools_are_from_either_verdict_until_they_are_settled() -> None:
    from rich.console import Console

    shows = Display()
    shows.what = "playing"
    shows.tally.begin(500, 0.0)
    shows.tally.add(100, 10.0)
    cid, bob = "look 1 of 9: ann and cid 2% of the way", "look 4 of 36: ann and bob 8% of the way"
    shows.looked(look("Sixteen 2p", "look 3 of 36: ann and bob 4% of the way"))
    shows.looked(look("No Thanks! 3p", cid))
    shows.looked(look("Sixteen 2p", bob))
    assert shows.line(10.0).endswith(f"40 s left; Sixteen 2p: {bob}")
    shows.looked(look("Sixteen 2p", ""))  # settled
    assert shows.line(10.0).endswith(f"40 s left; No Thanks! 3p: {cid}")
    console = Console(file=io.StringIO(), width=100)
    console.print(shows.view())
    view = console.file.getvalue()  # type: ignore[attr-defined]
    assert (f"No Thanks! 3p: {cid}" in view, "sixteen" in view) == (True, False)


def playing(*finished: tuple[float, int], total: int = 1000) -> Tally:
    """Return the count of play that began at 100 s, with games finished at such seconds of it."""
    count = Tally()
    count.begin(total, 100.0)
    for second, games in finished:
        count.add(games, 100.0 + second)
    return count


STEADY = [(second, 10) for second in range(1, 51)]
SLOWER = STEADY + [(second, 1) for second in range(51, 71)]
SOON = [(1, 500), (2, 495)]


@pytest.mark.parametrize(
    ("finished", "at", "left"),
    [
        (STEADY, 50, "50 s left"),
        (SLOWER, 70, "8 min left"),  # 480 games at one a second; 52 s at the mean
        ([(1, 99)], 1, "? left"),
        (SOON, 2, "1 s left"),  # never none, and it grows while nothing is finished
        (SOON, 7, "5 s left"),
        (SOON, 17, "15 s left"),
        (SOON, 102, "2 min left"),
        ([(10, 990)], 10, "1 s left"),  # of a tenth: something is left
        ([], 100, "? left"),
    ],
)
def test_the_time_left_is_told_from_the_pace_of_the_last_ten_seconds(
    finished: list[tuple[int, int]], at: int, left: str
) -> None:
    count = playing(*finished)
    assert count.time_left(100.0 + at) == left


def test_who_leads_is_told_from_a_hundred_games_on() -> None:
    tally = playing((1, 99))
    tally.results([Alike(("ann", "bob"), (1, 2), 99)])
    assert tally.top() == []
    tally.add(1, 101.0)
    assert tally.top()[0][0] == "ann"
