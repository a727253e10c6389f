"""The yardsticks of `make bench` play by the rules, are shown what bots are, and count all CPU."""

import sys
from random import Random
from typing import Any

import pytest

from arena.cli.commands import load_commands
from games import no_thanks
from tests.benchmarks import bare, bench, waits
from tests.benchmarks.accounting import Cost, cost_of
from tests.benchmarks.bench import CPU, START_UP, WALL, Figures, Ratio, Tournament

pytestmark = pytest.mark.whole

COMMAND = waits.Wait("a", ("faults",), 0.5)
RATIO = Ratio("tournament a", "b", CPU, 0.5, 1.0)
BURNS = "import time\nwhile time.process_time() < 0.2:\n    pass\n"  # 0.2 s of CPU


def plain(value: Any) -> Any:
    """Return a value with every list in it as a tuple, so that it stays what it is."""
    return tuple(map(plain, value)) if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("players", [3, 5])
def test_the_bare_loop_asks_shows_and_scores_as_the_arena_does(players: int, seed: int) -> None:
    rng, names = Random(seed), ["game", "legal", *no_thanks.View._fields]
    options = no_thanks.Options()
    for _ in range(20):
        asked: list[tuple[dict[str, Any], str]] = []

        def decide(view: Any, asked: Any = asked) -> str:
            shown = {name: plain(getattr(view, name)) for name in names}
            asked.append((shown, rng.choice(view.legal)))
            return str(asked[-1][1])

        played, scores = bare.play([decide] * players, rng)
        deck = [event[2] for event in played.log if event[1] == bare.TAKE]
        gone = [card for card in bare.CARDS if card not in deck]
        dealt = {"deck": deck, "removed": gone, "first": played.log[0][0]}
        state = no_thanks.State(options, players, no_thanks.parse_setup(options, players, dealt))
        questions = iter(asked)
        while (seat := state.to_act) is not None:
            decision = state.legal()[0]
            if state.has_choice():
                shown, decision = next(questions)
                view = state.view(seat)
                assert shown == {n: getattr(view, n) for n in names}, f"seed {seed}"
            state.apply(decision)
        assert next(questions, None) is None, f"seed {seed}"
        assert scores == state.scores()


def test_the_account_holds_orphans_and_the_killed() -> None:
    code = (
        "import os, subprocess, sys, time\n"
        f"burns = {BURNS!r}\n"
        "subprocess.Popen([sys.executable, '-c', burns])\n"  # nobody waits for it
        "killed = subprocess.Popen([sys.executable, '-c', burns + 'print(flush=True)\\n' + burns"
        ".replace('0.2', '9')], stdout=subprocess.PIPE)\n"
        "killed.stdout.read(1)\n"
        "os.kill(killed.pid, 9)\n"
        "print('left')\n"
    )
    cost = cost_of([sys.executable, "-c", code])
    assert cost.stdout == "left\n"
    assert cost.cpu_s >= 0.4  # twice what BURNS uses


def test_a_command_that_fails_is_told() -> None:
    with pytest.raises(RuntimeError, match=r"(?s)ended with 3\n.*what it said"):
        cost_of([sys.executable, "-c", "import sys; sys.stderr.write('what it said'); sys.exit(3)"])


def test_lines_are_measured_and_every_ratio_has_its_two(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["--games", "60", "--rounds", "1", "--only", "kept", "--load", "1e9"])
    told = capsys.readouterr()
    (row,) = (line.split() for line in told.out.splitlines() if line.startswith("naive"))
    assert row[:4] == ["naive", "referee", "kept", "50"]
    names = [name for name, _ in bench.lines(1000)]
    assert len(set(names)) == len(names)
    assert {name for ratio in bench.RATIOS for name in (ratio.over, ratio.under)} <= set(names)
    assert Tournament("reader", 1, 4, 20, 12).games == Tournament("reader", 4845, 4, 4, 12).games
    assert 20 < bare.measure(3, "reader", 1)["decisions"] < 200


def test_ratios_are_taken_round_by_round_with_and_without_start_up() -> None:
    measured = {
        START_UP: [Figures(1, 1.0, 1.0)] * 2,
        "tournament a": [Figures(100, 5.0, 1.0), Figures(100, 3.0, 1.0)],
        "b": [Figures(50, 1.0, 1.0), Figures(50, 2.0, 1.0)],
    }
    assert bench.by_round(RATIO, measured) == pytest.approx([20 / 50, (100 / 3) / 25])
    assert bench.by_round(RATIO, measured, True) == pytest.approx([25 / 50, 50 / 25])
    wall = RATIO._replace(per=WALL)
    assert bench.by_round(wall, measured) == [2, 2]
    assert bench.by_round(wall, measured, True) == []  # nothing is left of it
    assert bench.by_round(RATIO._replace(under="c"), measured) == []


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
    assert {wait.words[0] for wait in waits.WAITS} <= {*load_commands(), "--help"}
