"""The step that a command is at, how play goes on, and that every slow command tells its steps."""

import io
import json
import signal
import sys
import threading
from pathlib import Path

import pytest

from arena.cli import progress
from arena.cli.progress import Display, JsonLines, Tally
from arena.progress import Alike, Look
from tests.leagues import main


class Terminal(io.StringIO):
    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self.isatty = lambda: is_terminal  # type: ignore[method-assign]
        self.written = threading.Event()

    def write(self, text: str) -> int:
        size = super().write(text)
        self.written.set()
        return size


@pytest.mark.parametrize(
    ("parts", "of", "seconds", "said"),
    [
        (1500, 0, 12.3, "reading: 1,500 in 12 s so far"),
        (10, 40_000, 3.0, "reading: 10 of 40,000, 3 h 20 min left"),
    ],
)
def test_a_step_says_how_far_it_has_come(parts: int, of: int, seconds: float, said: str) -> None:
    steps = Display()
    steps.what, steps._of = "reading", of
    steps.done(parts)
    assert steps.line(seconds) == said


def test_a_step_names_whom_all_wait_for() -> None:
    steps = Display()
    steps.what, steps._of = "loading bots", 12
    steps.at(["ann"])
    assert steps.line(7.0) == "loading bots: 0 of 12, 7 s so far; waiting for ann"
    steps.at([f"bot{number}" for number in range(1, 13)])
    assert steps.line(7.0).endswith("; waiting for bot1, bot2, bot3 and 9 more")
    steps.end()
    assert "waiting" not in steps.line(7.0)


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_step_that_tells_nothing_is_shown_and_on_a_terminal_redrawn_and_cleared_away(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool
) -> None:
    for name, seconds in {"SHOWN_AFTER_S": 0, "FIRST_LINE_S": 0, "REDRAW_S": 0.001}.items():
        monkeypatch.setattr(progress, name, seconds)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setattr(sys, "stderr", stream := Terminal(is_terminal))
    with Display() as steps:
        steps.begin("a step with a long name")
        assert stream.written.wait(60)
        if is_terminal:
            steps.say("word")
            stream.written.clear()
            assert stream.written.wait(60)
    drawn = stream.getvalue().split("\r\x1b[2K")
    if is_terminal:
        assert (drawn[1], "word\n" in drawn, drawn[-1]) == ("a step with a long ", True, "")
    else:  # the next is half a minute later
        assert drawn == ["a step with a long name: 0 s so far\n"]


def test_the_thread_that_draws_hears_no_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where signals are held back while a process starts, no other thread may take them."""
    masks = list[set[int]]()
    monkeypatch.setattr(
        Display, "_show", lambda _: masks.append(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
    )
    with Display() as steps:
        steps.begin("a step")
    assert [mask >= {signal.SIGINT, signal.SIGTERM, signal.SIGHUP} for mask in masks] == [True]
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & {signal.SIGINT, signal.SIGTERM}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("words", "steps"),
    [
        (("standings", "--game", "no_thanks"), ["rating 1 pool"]),
        (("verify", "--replay-bots", 3),
         ["checking the file", "checking games by the rules (120)", "rating 5 pools",
          "rating pools with the trueskill package (5)", "replaying games (3)"]),
        (("audit", "--games", 3),
         ["replaying games (3)", "redealing hidden cards (3)",
          "comparing pairs of bots, by pool (5)"]),
        (("export", "--to"), ["rating 5 pools", "writing games.csv", "writing records.jsonl.gz"]),
        (("publish", "--games", "1", "--to"),
         ["rating 5 pools", "looking through 5 pools (5)", "writing pages"]),
    ],
    ids=str,
)  # fmt: skip
def test_every_slow_command_tells_its_steps_and_all_their_parts(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...],
    steps: list[str],
) -> None:  # fmt: skip
    told: list[tuple[str, int, list[int]]] = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # no tables are kept there yet
    monkeypatch.setattr(Display, "begin", lambda self, what, of=0: told.append((what, of, [])))
    monkeypatch.setattr(Display, "done", lambda self, parts=1: told[-1][2].append(parts))
    command, *more = words
    place = played / "results" / "cup"
    main(command, place, *more, *[tmp_path / "out"] * (more[-1:] == ["--to"]))
    begun = [f"{what} ({of})" if of else what for what, of, _ in told]
    assert [step for step in begun if step in steps] == steps
    assert [(what, parts) for what, of, parts in told if of and sum(parts) != of] == []


def test_lines_say_what_there_is_to_do_and_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream := Terminal(False))
    lines = Display()
    lines.start(600, 2, more=True)
    lines.tally.add(100, lines.tally._began_s + 10.0)
    come = "100 of 600 games, more as needed, 10 games/s, 50 s left"
    assert lines.line(lines.tally._began_s + 10.0) == come
    lines.start(500, 2, more=False)  # the last stage
    assert "of 1,100 games, 10 games/s" in lines.line(lines.tally._began_s + 10.0)
    look = Look("Sixteen 2p", 80, 3, 36, 0.25, (None, 1.5), "open", "ann is ahead")
    for words, said in (("ann is ahead", "; Sixteen 2p: ann is ahead"), ("", " left")):  # settled
        lines.looked(look._replace(words=words))
        assert lines.line(lines.tally._began_s + 10.0).endswith(said)
    lines.stop()
    first, last = stream.getvalue().splitlines()
    assert first == "playing 600 games, more as needed, with 2 workers"
    assert last.startswith("played 100 games, ")


def test_a_look_is_a_line_of_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    JsonLines().looked(Look("Sixteen 2p", 80, 3, 36, 0.25, (None, 1.5), "open", "ann is ahead"))
    shown = capsys.readouterr()
    assert (shown.out, json.loads(shown.err)) == ("", {
        "pool": "Sixteen 2p", "games": 80, "look": 3, "planned_looks": 36, "difference": 0.25,
        "interval": [None, 1.5], "verdict": "open",
    })  # fmt: skip


@pytest.mark.parametrize(
    ("finished", "at", "left"),
    [
        # 480 games at one a second; at the mean it were 52 s
        ([*zip(range(1, 71), [10] * 50 + [1] * 20, strict=True)], 70, "8 min left"),
        ([(1, 99)], 1, "? left"),
        ([(1, 500), (2, 495)], 2, "1 s left"),  # never none
        ([(1, 500), (2, 495)], 17, "15 s left"),  # and it grows while nothing is finished
    ],
)
def test_the_time_left_is_told_from_the_pace_of_the_last_ten_seconds(
    finished: list[tuple[int, int]], at: int, left: str
) -> None:
    count = Tally()
    count.begin(1000, 100.0)
    for second, games in finished:
        count.add(games, 100.0 + second)
    assert count.time_left(100.0 + at) == left


def test_who_leads_is_told_from_a_hundred_games_on() -> None:
    tally = Tally()
    tally.begin(1000, 100.0)
    tally.results([Alike(("ann", "bob"), (2, 1), 99)])
    tally.add(99, 101.0)
    assert tally.top() == []
    tally.add(1, 101.0)
    assert tally.top() == [("bob", 0.5, 99), ("ann", -0.5, 99)]
