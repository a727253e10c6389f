"""Sessions: lock-step changes nothing, and a broken bot costs its own games and nothing else."""

import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena import ids
from arena.faults.kinds import FaultKind
from arena.faults.reasons import SHORT, in_a_line, in_full, with_view
from arena.faults.remedies import remedy
from arena.model import Limits, Pool, Reason
from arena.process.bot_process import BotProcess
from arena.records.record import judge_record
from arena.session import session
from arena.session.text_budget import SHORT_BYTES
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
    "        self.asked += 1\n",
    "        self.asked += 1\n"
    "        if view.table % 20 == 0 and self.asked == 3:\n            {}\n",
)


@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.title)
def test_the_judge_agrees_with_every_record(bench: Bench, pool: Pool) -> None:
    bots = {"a": CHANCE, "b": FIRST, "c": SETS, "d": COUNTS}
    for record in bench.play(bots, pool, deals=4).values():
        assert judge_record(record)
        assert not record["meta"]["faults"]


@pytest.mark.whole
@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.title)
def test_a_game_s_course_is_the_same_in_any_batching(
    bench: Bench, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = {"a": CHANCE, "b": SETS, "c": COUNTS, "d": SETS}
    together = bench.play(bots, pool, deals=3)
    monkeypatch.setattr(session, "BATCH", 3)
    assert bench.play(bots, pool, deals=3) == together
    alone = [next(iter(together)), list(together)[-1]]
    assert bench.play(bots, pool, deals=3, only=alone) == {id: together[id] for id in alone}


def test_every_game_is_dealt_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    dealt, deal = [], ids.deal_setup

    def counted(*given: Any) -> Any:
        dealt.append(given[-2:])
        return deal(*given)

    monkeypatch.setattr(ids, "deal_setup", counted)
    played = bench.play({"a": COUNTS, "b": CHANCE, "c": SETS, "d": FIRST}, deals=3)
    assert len(dealt) == len(played)


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
    bots = {"a": source("exits"), "b": FIRST, "c": FIRST}
    with pytest.raises(Stopped):
        bench.play(bots, deals=60, limits=LIMITS._replace(max_restarts=1000), pulse=pulse)
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
    played = bench.play({"a": CHANCE, "b": CHANCE, "c": CHANCE}, deals=30)
    decisions = {
        seat: [[a for s, a in record["actions"] if s == seat][:5] for record in played.values()]
        for seat in range(3)
    }
    assert all(one != other for one, other in combinations(decisions.values(), 2))


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
    sound = bench.play({"a": COUNTS, "b": CHANCE, "c": SETS}, deals=deals)
    dying = {"a": DIES_ONCE_IN_20.format(line), "b": CHANCE, "c": SETS}
    played = bench.play(dying, deals=deals, limits=LIMITS._replace(max_restarts=50))
    assert bench.tallies["a"].notes == ()  # no answer differed when asked again
    hit = {id for id, record in played.items() if record["meta"]["faults"]}
    assert 0 < len(hit) < len(played) / 2
    for id, record in played.items():
        if id in hit:
            assert faults(record) == [("a", kind)]
            assert judge_record(record)
        else:
            assert record == sound[id]


def test_too_many_lost_processes_forfeit_the_rest_of_the_session(bench: Bench) -> None:
    bots = {"a": source("exits"), "b": FIRST, "c": FIRST}
    played = bench.play(bots, deals=20)  # 60 games; 3 restarts and 1 % of the games begun
    kinds = [kind for record in played.values() for _, kind in faults(record)]
    assert len(kinds) == 60
    assert kinds.count("crash") in (4, 5)
    assert set(kinds) == {"crash", "strikes"}
    assert all(judge_record(record) for record in played.values())
    told = [fault.reason for game in bench.played for fault in game.faults if fault.reason.message]
    assert {reason.kind for reason in told if reason.view} == {"crash"}
    assert "strikes" in {reason.kind for reason in told}


def test_a_bot_that_cannot_be_loaded_forfeits_before_the_first_action(bench: Bench) -> None:
    played = bench.play({"a": "x", "b": FIRST, "c": FIRST}, unloaded={"a": "x" * 4096})
    texts = Counter(game.faults[0].reason.message for game in bench.played)
    assert texts == {"x" * 4096: 1, "x" * SHORT: 29}, "the first is told whole"
    for record in played.values():
        seat = record["meta"]["bots"].index("a")
        assert record["actions"][0] == [seat, "forfeit"]
        assert record["meta"]["faults"] == [[seat, "load", 0]]
        assert record["result"]["ranks"][seat] == 3
        assert judge_record(record)


def test_with_one_side_left_the_game_ends_at_once(bench: Bench) -> None:
    broken = {"a": "SyntaxError", "b": "SyntaxError"}
    played = bench.play({"a": "x", "b": "x", "c": FIRST}, unloaded=broken)
    for record in played.values():
        assert [action for _, action in record["actions"]] == ["forfeit", "forfeit"]
        assert record["result"]["reason"] == "forfeit"
        assert judge_record(record)


def test_end_is_told_every_result_and_never_of_a_forfeited_game(bench: Bench) -> None:
    source = COUNTS + "    def end(self, result):\n        print(result['reason'], len(result))\n"
    played = bench.play({"a": source, "b": FIRST, "c": FIRST}, deals=20)
    assert bench.tallies["a"].printed.count("complete 3\n") == len(played) == 60
    dying = source.replace("self.asked += 1\n", "self.asked += 1\n        1 / 0\n", 1)
    bench.play({"a": dying, "b": FIRST, "c": FIRST}, deals=20)
    assert bench.tallies["a"].printed == ""


@pytest.mark.parametrize("line", ["1 / 0", "while True: pass", "__import__('os')._exit(1)"])
def test_what_goes_wrong_in_end_touches_no_record(bench: Bench, line: str) -> None:
    sound = bench.play({"a": COUNTS, "b": CHANCE, "c": FIRST}, deals=5)
    source = COUNTS + f"    def end(self, result):\n        {line}\n"
    assert bench.play({"a": source, "b": CHANCE, "c": FIRST}, deals=5) == sound
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
    played = bench.play({"a": source, "b": FIRST, "c": FIRST}, deals=20)
    assert bench.tallies["a"].printed.count("complete []\n") == len(played) == 60
    ((times, reason),) = bench.tallies["a"].ends
    assert times == 60
    assert in_full(reason).startswith('Traceback (most recent call last):\n  File "bot.py"')
    assert in_a_line(reason) == "AttributeError: 'Result' object has no attribute 'rank'"
    assert remedy(reason) == "did you mean result.ranks?"
    assert bench.tallies["a"].notes == ()


@pytest.mark.whole
@pytest.mark.parametrize("line", ["1 / 0", "__import__('os')._exit(1)", "while True: pass"])
def test_in_decide_many_only_who_fails_alone_is_at_fault(bench: Bench, line: str) -> None:
    source = (
        "def decide_many(views, rngs):\n"
        "    answers = [v.legal[-1 if rng.random() < 0.2 else 0] for v, rng in zip(views, rngs)]\n"
        "    if any(view.table % 16 == 0 for view in views):\n        {}\n    return answers\n"
    )
    limits = LIMITS._replace(cpu_ms=20, max_restarts=100)  # a batch of n may take n times that
    bots = {"a": source.format("pass"), "b": CHANCE, "c": FIRST}
    sound = bench.play(bots, deals=10, limits=limits)
    played = bench.play({**bots, "a": source.format(line)}, deals=10, limits=limits)
    hit = {id for id, record in played.items() if record["meta"]["faults"]}
    assert 0 < len(hit) < len(played)
    assert {id: played[id] for id in played.keys() - hit} == {
        id: sound[id] for id in played.keys() - hit
    }


WORDY = """\
def decide(view):
    if view.table % 3 == 0:
        return "\U0001f0a1" * 999
    if view.table % 3 == 1:
        raise ValueError("\U0001f0a1" * 9999)
    return view.legal[0]
"""


def test_texts_of_faults_are_kept_like_prints_the_first_of_each_kind_whole(bench: Bench) -> None:
    bench.play({"a": WORDY, "b": WORDY, "c": FIRST}, deals=20)
    for bot in "ab":
        reasons: dict[FaultKind, list[Reason]] = {"error": [], "illegal": []}
        for game in bench.played:
            for fault in game.faults:
                if game.fixture.line_up[game.fixture.seating[fault.seat]].name == bot:
                    reasons[fault.reason.kind].append(fault.reason)
        assert all(len(each) > 9 for each in reasons.values())
        for each in reasons.values():
            whole = max(each, key=lambda reason: len(with_view(reason)))
            assert in_full(whole).count("\U0001f0a1") > 9
            assert whole.view.startswith("View(table=")
        kept = [reason for each in reasons.values() for reason in each]
        assert all(reason.message for reason in kept)
        size = {reason: len(msgspec.json.encode(reason)) for reason in kept}
        assert sum(size[each] for each in kept if each.view) <= (LIMITS.max_output_kib << 10) + 8192
        short = [size[reason] for reason in kept if not reason.view]
        assert len(short) > 9
        assert max(short) <= SHORT_BYTES


def test_prints_and_notes_are_capped_in_bytes(bench: Bench) -> None:
    source = COUNTS.replace(
        "        self.asked += 1\n", "        self.asked += 1\n        rubbish()\n", 1
    )
    source += "    def end(self, result):\n        raise ValueError('\U0001f0a1' * 9999)\n"
    source += (
        "import os\ndef rubbish():\n"
        "    try: os.write(1, b'\\xff' * 999)\n"  # told as three bytes each
        "    except OSError: pass\n"
    )
    bench.play({"a": source, "b": FIRST, "c": FIRST}, deals=20)
    tally = bench.tallies["a"]
    assert 0.9 < len(tally.printed.encode()) / (LIMITS.max_output_kib << 10) <= 1
    assert [times for times, _ in tally.ends] == [60]
    assert len(msgspec.json.encode((tally.ends, tally.notes))) <= LIMITS.max_output_kib << 10


@pytest.mark.whole
def test_the_parent_measures_decisions_and_cpu_and_the_worst_batch(bench: Bench) -> None:
    bench.play({"a": source("thinks_4_ms"), "b": FIRST, "c": FIRST}, deals=1)
    slow, quick = bench.tallies["a"], bench.tallies["b"]
    assert slow.decisions > 50
    assert slow.cpu_s / slow.decisions > 5 * quick.cpu_s / quick.decisions
    assert 0.004 <= slow.worst_s <= LIMITS.cpu_ms / 1000
    assert 0 < quick.worst_s < slow.worst_s
