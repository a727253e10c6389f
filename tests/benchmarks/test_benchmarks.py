"""The yardsticks of `make bench` play by the rules, are shown what bots are, and count all CPU."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from arena.cli.commands import load_commands
from arena.records.record import judge_record
from tests.benchmarks import bench, load, tables, tournaments, waits
from tests.benchmarks.accounting import Cost, cost_of
from tests.benchmarks.bare import decide_of
from tests.benchmarks.lines import CPU, RATIOS, START_UP, WALL, Figures, Line, Ratio, lines
from tests.benchmarks.naive_referee import BotProcess
from tests.leagues import make
from tests.needs import needs
from tests.places import ROOT, source
from tests.sessions import FIRST

pytestmark = pytest.mark.whole

POOLS = [
    (game, players)
    for game in games.names()
    if (ROOT / "tests" / "benchmarks" / f"bare_{game}.py").exists()
    for players in games.load(game).seat_counts(games.load(game).Options())
]
BOTS = ("random_choice", "reader")
GAMES = 200
LEANS = (0.0, 0.5, 0.95)  # to the first legal decision: 17's windows pass by it
COMMAND = waits.Wait("a", ("faults",), 0.5)
RATIO = Ratio("a / b", "tournament a", "b", CPU, 0.5, 1.0)
BURNS = "import time\nwhile time.process_time() < 0.4:\n    pass\n"  # 0.4 s of CPU


def bare(game: str) -> Any:
    return import_module(f"tests.benchmarks.bare_{game}")


def plain(value: Any) -> Any:
    """Return a value with every list in it as a tuple, so that it stays what it is."""
    return tuple(map(plain, value)) if isinstance(value, list | tuple) else value


def leaning(rng: Random) -> Callable[[Any], str]:
    """Return a random bot for one game that leans to the first legal decision, or does not."""
    lean = rng.choice(LEANS)
    return lambda view: str(view.legal[0] if rng.random() < lean else rng.choice(view.legal))


@pytest.mark.parametrize(("game", "players"), POOLS)
def test_the_judge_agrees_with_every_game_of_the_bare_loop(
    game: str, players: int, seed: int
) -> None:
    rng = Random(seed)
    for _ in range(GAMES):
        played, scores = bare(game).play([leaning(rng)] * players, rng)
        record = json.loads(json.dumps(bare(game).record(played)))
        assert judge_record(record), f"seed {seed}"
        assert record["result"]["scores"] == scores


@pytest.mark.parametrize(("game", "players"), POOLS)
def test_the_bare_loop_asks_and_shows_what_the_arena_does(
    game: str, players: int, seed: int
) -> None:
    rng, rules = Random(seed), games.load(game)
    names = ["game", "legal", *rules.View._fields]
    for _ in range(GAMES // 10):
        asked: list[tuple[dict[str, Any], str]] = []
        bot = leaning(rng)

        def decide(view: Any, bot: Any = bot, asked: Any = asked) -> str:
            shown = {name: plain(getattr(view, name)) for name in names}
            asked.append((shown, bot(view)))
            return str(asked[-1][1])

        played, _ = bare(game).play([decide] * players, rng)
        options, questions = rules.Options(), iter(asked)
        setup = rules.parse_setup(options, players, bare(game).record(played)["setup"])
        state = rules.State(options, players, setup)
        while (seat := state.to_act) is not None:
            decision = state.legal()[0]
            if state.has_choice():
                shown, decision = next(questions)
                view = state.view(seat)
                assert shown == {n: getattr(view, n) for n in names}, f"seed {seed}"
            state.apply(decision)
        assert next(questions, None) is None, f"seed {seed}"


def test_a_bot_of_the_naive_referee_is_asked_through_pipes() -> None:
    process = BotProcess("random_choice", ["legal", "chips"])
    view = bare("no_thanks").Game(3, Random(1)).view(0)
    assert {process.decide(view) for _ in range(50)} == {"take", "pass"}
    process.close()


@pytest.mark.parametrize("how", ["kept", "fresh"])
def test_the_naive_referee_plays_to_the_end(how: str) -> None:
    words = ("diciassette", "2", "reader", "2", how)
    command = [sys.executable, "-m", "tests.benchmarks.naive_referee", *words]
    assert cost_of(command).stdout == ""


def test_pettingzoo_s_reader_decides_as_often_as_the_bare_loop_s(seed: int) -> None:
    needs("pettingzoo", "make .venv/installed-bench")
    env_module = import_module("tests.benchmarks.pettingzoo_no_thanks")
    env = env_module.NoThanks(3)
    for deal in range(seed, seed + 20):
        asked: list[list[tuple[Any, str]]] = [[], []]

        def decide(view: Any, own: Any) -> str:
            shown = (view.seat, view.card, view.pot, view.chips, view.legal, tuple(view.since))
            own.append((shown, decide_of("reader")(view)))
            return str(own[-1][1])

        env.deals_from(Random(deal))
        env_module.play(env, [partial(decide, own=asked[0])] * 3)
        _, scores = bare("no_thanks").play([partial(decide, own=asked[1])] * 3, Random(deal))
        assert (asked[0], env.scores()) == (asked[1], scores), f"seed {deal}"


def test_the_account_holds_orphans_and_the_killed() -> None:
    code = (
        "import os, subprocess, sys, time\n"
        f"burns = {BURNS!r}\n"
        "subprocess.Popen([sys.executable, '-c', burns])\n"  # nobody waits for it
        "killed = subprocess.Popen([sys.executable, '-c', burns + 'print(flush=True)\\n' + burns"
        ".replace('0.4', '9')], stdout=subprocess.PIPE)\n"
        "killed.stdout.read(1)\n"
        "os.kill(killed.pid, 9)\n"
        "print('left')\n"
    )
    cost = cost_of([sys.executable, "-c", code])
    assert cost.stdout == "left\n"
    assert cost.cpu_s >= 0.8  # twice what BURNS uses


def test_a_command_that_fails_is_told() -> None:
    with pytest.raises(RuntimeError, match=r"(?s)ended with 3\n.*what it said"):
        cost_of([sys.executable, "-c", "import sys; sys.stderr.write('what it said'); sys.exit(3)"])


@pytest.mark.long
def test_the_account_holds_a_bot_that_the_arena_kills(tmp_path: Path) -> None:
    config = "[limits]\ncpu_ms = 1000\n[[games]]\ngame = 'sixteen'\nplayers = 2\ndeals = 1\n"
    path = make(tmp_path, config, {"ann": FIRST, "bob": source("loops")})
    words = ["-m", "arena", "tournament", str(path), "--workers", "1", "--json"]
    cost = cost_of([sys.executable, *words])
    faults = {row["bot"]: row["faults"] for row in json.loads(cost.stdout)["faults"]}
    assert faults["bob"] == {"time": 2}
    assert cost.cpu_s >= 2 * 1.0 + 0.4  # bob's, and some of the other processes' 1 to 1.5 s


def test_a_tournament_of_one_line_up_has_at_least_the_games_asked_for() -> None:
    for game, players in POOLS:
        for wanted in (1, 100):
            made = tournaments.of_one_line_up(game, players, "reader", 1, wanted)
            assert wanted <= made.games <= wanted + 23  # 24 seatings at most


def test_league_and_line_up_have_as_many_games() -> None:
    league = tournaments.Tournament("no_thanks", 4, "reader", 20, 1, 1, 1)
    assert league.games == 4845  # 20 over 4
    assert league.games == league._replace(copies=4, deals=4845).games


def test_every_line_of_a_ratio_is_measured() -> None:
    names = [name for line in lines(1000) for name in line.names]
    assert len(set(names)) == len(names)
    wanted = {name for ratio in RATIOS for name in (ratio.over, ratio.under)}
    assert {name for name in wanted if not name.startswith("PettingZoo")} <= set(names)


def test_ratios_are_taken_round_by_round_with_and_without_start_up() -> None:
    measured = {
        START_UP: [Figures(1, 1.0, 1.0, None)] * 2,
        "tournament a": [Figures(100, 5.0, 1.0, None), Figures(100, 3.0, 1.0, None)],
        "b": [Figures(50, 1.0, 1.0, None), Figures(50, 2.0, 1.0, None)],
    }
    assert tables.by_round(RATIO, measured) == pytest.approx([20 / 50, (100 / 3) / 25])
    assert tables.by_round(RATIO, measured, True) == pytest.approx([25 / 50, 50 / 25])
    wall = RATIO._replace(per=WALL)
    assert tables.by_round(wall, measured) == [2, 2]
    assert tables.by_round(wall, measured, True) == []  # nothing is left of it
    assert tables.by_round(RATIO._replace(under="c"), measured) == []


def test_a_run_prints_its_tables_and_writes_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter(range(1, 100))
    ratio = next(each for each in RATIOS if "bare loop, no_thanks 3 random" in each.name)

    def fake(games: int) -> list[Line]:
        return [
            Line((name,), lambda: [Figures(games, next(seconds), 2.0, None)])
            for name in (START_UP, ratio.over, ratio.under, "other")
        ]

    monkeypatch.setattr(bench, "lines", fake)
    monkeypatch.chdir(tmp_path)
    words = ["--only", "no_thanks 3", "--load", "1e9"]
    bench.main(["--games", "60", "--rounds", "2", *words])
    printed = capsys.readouterr().out
    assert "other " not in printed
    # start-up, tournament and bare loop take 1, 2, 3 s of CPU, then 4, 5, 6; less start-up 1 and 1
    (row,) = [line.split() for line in printed.splitlines() if ratio.name in line]
    assert row[-7:] == ["1.35", "1.2..1.5", "4.5", "3..6", "0.2", "0.35", "aim"]
    written = json.loads((tmp_path / bench.FILE).read_text())
    assert written["ratios"][0]["by_round"] == pytest.approx([1.5, 1.2])
    assert written["rounds"][START_UP][1] == {
        "games": 60, "cpu_s": 4, "wall_s": 2.0, "decisions": None,
    }  # fmt: skip
    assert [sorted(each["others"]) for each in written["loads"]] == [
        sorted((START_UP, ratio.over, ratio.under))
    ] * 2
    assert all(each["load"] >= 0 for each in written["loads"])
    assert written["versions"]["python"]
    assert written["machine"]["cpus"]


def test_a_round_waits_for_the_load_and_says_so() -> None:
    told: list[str] = []
    slept: list[float] = []
    seen = iter([3.0, 2.0, 1.9])
    now = load.wait(2, told.append, 60, lambda: next(seen), slept.append)
    assert (now, slept) == (1.9, [load.LOOK_S] * 2)
    assert told == ["load 3.00: waiting until it is under 2, 60 s at most"]
    load.wait(2, told.append, 2 * load.LOOK_S, lambda: 7.0, slept.append)
    assert told[2:] == ["load 7.00 after 10 s of waiting: measured all the same"]


def test_what_we_use_is_not_others_use() -> None:
    before, others = load.ours_s(), load.Beside()
    busy_s = load.busy_s()
    cost_of([sys.executable, "-c", BURNS])
    assert load.ours_s() - before >= 0.4
    assert load.busy_s() - busy_s >= 0.3  # ticks of 10 ms
    assert 0 <= others.cores() <= (os.cpu_count() or 1)


def test_the_bare_loop_and_a_tournament_are_measured(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.benchmarks.bare", "no_thanks", "3", "reader", "20"]
    root = ROOT
    told = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    figures = Figures(**json.loads(told))
    assert figures.games == 20
    assert 20 < (figures.decisions or 0) < 200
    assert tournaments.cost(tournaments.of_one_line_up("sixteen", 4, "reader", 1, 1)).cpu_s > 0.1


def test_a_wait_is_a_multiple_of_python_and_of_the_same_before() -> None:
    def costs(*cpu_s: float) -> list[Cost]:
        return [Cost(each, 2 * each, "") for each in cpu_s]

    measured = {
        waits.PASS: [costs(0.01, 0.01, 0.02), costs(0.01, 0.02, 0.01)],
        "a": [costs(1.0, 1.0, 4.0), costs(0.5, 0.8, 1.0)],
    }
    rows, heads = waits.rows([COMMAND], measured)
    assert rows[1] == ["a", "1.00", "2.00", "0.80", "1.60", "50", "0.5", "0.50"]
    assert len(heads) == len(rows[1])


def test_every_wait_is_a_command() -> None:
    assert {wait.words[0] for wait in waits.WAITS} <= {*load_commands(), "--help"}
