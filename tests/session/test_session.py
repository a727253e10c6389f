"""Sessions: lock-step changes nothing, and a broken bot costs its own games and nothing else."""

import time
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from arena.faults.reasons import SHORT, in_a_line
from arena.faults.remedies import remedy
from arena.model import Limits, Pool
from arena.process.bot_process import BotProcess
from arena.records.record import judge_record
from arena.session import session
from tests.places import source
from tests.sessions import CHANCE, FIRST, LIMITS, Bench, faults

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time

POOLS = [
    Pool("no_thanks", 3, "{}", ""),
    Pool("diciassette", 3, "{}", ""),
    Pool("sixteen", 2, "{}", ""),
    Pool("sixteen", 4, "{}", "same"),
]

SETS, COUNTS = source("draws_from_sets"), source("counts")
DIES_ONCE_IN_20 = COUNTS.replace(
    "self.asked += 1\n",
    "self.asked += 1\n        if view.table % 20 == 0 and self.asked == 3:\n            {}\n",
)


EXITS = {"a": source("exits"), "b": FIRST, "c": FIRST}


@pytest.mark.whole
@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.title)
def test_a_game_s_course_is_the_same_in_any_batching(
    bench: Bench, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = {"a": CHANCE, "b": SETS, "c": COUNTS, "d": SETS}
    together = bench.play(bots, pool, deals=3)
    assert all(judge_record(record) for record in together.values())
    monkeypatch.setattr(session, "BATCH", 3)
    assert bench.play(bots, pool, deals=3) == together
    alone = [next(iter(together)), list(together)[-1]]
    assert bench.play(bots, pool, deals=3, only=alone) == {id: together[id] for id in alone}


class Stopped(Exception):
    """Nobody wants more games."""


def test_a_stop_is_heard_between_two_processes_that_are_lost(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts, start = [], bench.zygote.start

    def counted(snapshot: Path, limits: Limits) -> BotProcess:
        starts.append(snapshot)
        return start(snapshot, limits)

    def pulse() -> None:
        if len(starts) == 5:
            raise Stopped

    monkeypatch.setattr(bench.zygote, "start", counted)
    with pytest.raises(Stopped):
        bench.play(EXITS, deals=60, limits=LIMITS._replace(max_restarts=1000), pulse=pulse)
    assert len(starts) == 5, "one batch loses a process a game"


def test_a_stop_is_heard_while_an_answer_is_awaited(bench: Bench) -> None:
    """And no process is left: the bot has ten minutes for it."""
    asked = list[float]()

    def pulse() -> None:
        asked.append(time.monotonic())
        if asked[-1] - asked[0] > 1:
            raise Stopped

    limits = LIMITS._replace(cpu_ms=600_000, wall_ms=600_000)
    with pytest.raises(Stopped):
        bench.play({"a": source("loops"), "b": FIRST, "c": FIRST}, limits=limits, pulse=pulse)
    assert asked[-1] - asked[0] < 30
    assert len(bench.zygote.pids()) == 1  # the zygote's own


def test_copies_of_a_bot_draw_different_numbers(bench: Bench) -> None:
    played = bench.play({"a": CHANCE, "b": CHANCE, "c": CHANCE}, deals=30).values()
    decisions = [
        [[action for s, action in record["actions"] if s == seat][:5] for record in played]
        for seat in range(3)
    ]
    assert all(one != other for one, other in combinations(decisions, 2))


@pytest.mark.whole
@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("__import__('os')._exit(1)", "crash"),
        ("while True: pass", "time"),
        ("bytearray(1 << 30)", "memory"),
        ("__import__('os').write(4, b'\\5\\0\\0\\0hello')", "protocol"),
        ("1 / 0", "error"),
        ("return 'grab'", "illegal"),
    ],
)
def test_a_lost_process_costs_one_game_and_no_bot_sees_the_restart(
    bench: Bench, line: str, kind: str
) -> None:
    """The bot remembers within a game: were it not brought back exactly, its play would differ."""
    deals = 12 if kind == "time" else 20
    bots = {"a": COUNTS, "b": CHANCE, "c": SETS}
    sound = bench.play(bots, deals=deals)
    bots["a"] = DIES_ONCE_IN_20.format(line)
    played = bench.play(bots, deals=deals, limits=LIMITS._replace(max_restarts=50))
    assert bench.tallies["a"].notes == ()  # no answer differed when asked again
    hit = {id for id, record in played.items() if record["meta"]["faults"]}
    assert 0 < len(hit) < len(played) / 2
    assert {id for id in played if played[id] != sound[id]} == hit
    for id in hit:
        assert faults(played[id]) == [("a", kind)]
        assert judge_record(played[id])


def test_too_many_lost_processes_forfeit_the_rest_of_the_session(bench: Bench) -> None:
    played = bench.play(EXITS, deals=20)  # 60 games; 3 restarts and 1 % of the games begun
    kinds = Counter(kind for record in played.values() for _, kind in faults(record))
    assert kinds.keys() == {"crash", "strikes"}
    assert (kinds.total(), kinds["crash"] in (4, 5)) == (60, True)
    assert all(judge_record(record) for record in played.values())
    told = [fault.reason for game in bench.played for fault in game.faults if fault.reason.message]
    assert {reason.kind for reason in told if reason.view} == {"crash"}
    assert "strikes" in {reason.kind for reason in told}


def test_a_bot_that_cannot_be_loaded_forfeits_before_the_first_action(bench: Bench) -> None:
    played = bench.play({"a": "x", "b": FIRST, "c": FIRST}, unloaded={"a": "x" * 4096})
    texts = Counter(game.faults[0].reason.message for game in bench.played)
    assert texts == {"x" * 4096: 1, "x" * SHORT: 29}, "the first is whole"
    for record in played.values():
        seat = record["meta"]["bots"].index("a")
        assert record["actions"][0] == [seat, "forfeit"]
        assert record["meta"]["faults"] == [[seat, "load", 0]]
        assert record["result"]["ranks"][seat] == 3
        assert judge_record(record)


def test_end_is_told_no_result_of_a_forfeited_game(bench: Bench) -> None:
    source = COUNTS.replace("self.asked += 1\n", "self.asked += 1\n        1 / 0\n", 1)
    source += "    def end(self, result):\n        print(result['reason'])\n"
    bench.play({"a": source, "b": FIRST, "c": FIRST}, deals=20)
    assert bench.tallies["a"].printed == ""


@pytest.mark.parametrize("line", ["1 / 0", "while True: pass", "__import__('os')._exit(1)"])
def test_what_goes_wrong_in_end_touches_no_record(bench: Bench, line: str) -> None:
    bots = {"a": COUNTS, "b": CHANCE, "c": FIRST}
    sound = bench.play(bots, deals=5)
    bots["a"] += f"    def end(self, result):\n        {line}\n"
    assert bench.play(bots, deals=5) == sound
    assert bench.tallies["a"].ends


def test_a_result_has_attributes_as_a_view_has_and_is_a_record_s_all_the_same(
    bench: Bench,
) -> None:
    source = (
        COUNTS + "    def end(self, result):\n"
        "        assert result.ranks == result['ranks'] and len(result.scores) == 3\n"
        "        assert result == {**result} and result.get('forfeits', []) == result.forfeits\n"
        "        print(result.reason, result.forfeits)\n"
        "        result.rank\n"
    )
    bench.play({"a": source, "b": FIRST, "c": FIRST}, deals=20)
    assert bench.tallies["a"].printed.count("complete []\n") == 60
    ((times, reason),) = bench.tallies["a"].ends
    assert (times, remedy(reason)) == (60, "did you mean result.ranks?")
    assert in_a_line(reason) == "AttributeError: 'Result' object has no attribute 'rank'"


@pytest.mark.whole
@pytest.mark.parametrize("line", ["1 / 0", "__import__('os')._exit(1)", "while True: pass"])
def test_in_decide_many_only_who_fails_alone_is_at_fault(bench: Bench, line: str) -> None:
    source = (
        "def decide_many(views, rngs):\n"
        "    answers = [v.legal[-1 if rng.random() < 0.2 else 0] for v, rng in zip(views, rngs)]\n"
        "    if any(view.table % 16 == 0 for view in views):\n        {}\n    return answers\n"
    )
    limits = LIMITS._replace(cpu_ms=20, max_restarts=100)  # a batch of n may take n times that
    sound, played = (
        bench.play({"a": source.format(own), "b": CHANCE, "c": FIRST}, deals=10, limits=limits)
        for own in ("pass", line)
    )
    hit = {id for id, record in played.items() if record["meta"]["faults"]}
    assert 0 < len(hit) < len(played)
    assert {id for id in played if played[id] != sound[id]} <= hit


@pytest.mark.whole
def test_the_parent_measures_decisions_and_cpu_and_the_worst_batch(bench: Bench) -> None:
    bench.play({"a": source("thinks_4_ms"), "b": FIRST, "c": FIRST}, deals=1)
    slow, quick = bench.tallies["a"], bench.tallies["b"]
    assert slow.decisions > 50
    assert slow.cpu_s / slow.decisions > 5 * quick.cpu_s / quick.decisions
    assert 0.004 <= slow.worst_s <= LIMITS.cpu_ms / 1000
    assert 0 < quick.worst_s < slow.worst_s
