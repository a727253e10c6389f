"""What bots print is kept with its place: the game and the action, as `arena replay` takes them."""

from typing import Any

import msgspec
import pytest

from arena.faults.reasons import SHORT, group_key, shorten
from arena.model import FailedEnds, Place, Reason
from arena.records.record import format_place, parse_place
from arena.records.replay import replay_to
from arena.session.text_budget import ENDS, MISTAKES, SHORT_BYTES, TextBudget
from tests.sessions import FIRST, LIMITS, Bench, faults

TELLS = """
class Bot:
    def __init__(self, game): self.asked = 0
    def decide(self, view):
        self.asked += 1
        print(view.card, view.pot, view.chips)
        if DIES: __import__("os")._exit(3)
        return view.legal[0]
    def end(self, result): print("over")
"""


def told(record: dict[str, Any], id: str, seat: int) -> list[str]:
    """Return what `TELLS` prints in that seat of a game, by the record alone."""
    lines = []
    for action in range(len(record["actions"])):
        state = replay_to(record, action)
        if state.to_act == seat and seat not in state.forfeited and state.has_choice():
            view = state.view(seat)
            lines.append(f"{format_place(id, action)}{view.card} {view.pot} {view.chips}")
    if seat not in replay_to(record, None).forfeited:
        lines.append(f"{format_place(id, len(record['actions']))}over")
    return lines


@pytest.mark.parametrize("dies", ["False", "view.card % 3 == 0 and self.asked == 3"])
def test_a_line_has_its_game_and_action_and_is_there_once_whatever_process_is_lost(
    bench: Bench, dies: str
) -> None:
    bots = {"a": TELLS.replace("DIES", dies), "b": FIRST, "c": FIRST}
    played = bench.play(bots, deals=2, limits=LIMITS._replace(max_output_kib=256, max_restarts=9))
    expected = [
        line
        for id, record in played.items()
        for line in told(record, id, record["meta"]["bots"].index("a"))
    ]
    lost = [kind for record in played.values() for _, kind in faults(record)]
    assert set(lost) == (set() if dies == "False" else {"crash"})
    kept = bench.tallies["a"].printed.splitlines()
    if lost:  # results that a lost process was not told, no other is
        expected, kept = (
            [line for line in lines if not line.endswith("over")] for lines in (expected, kept)
        )
    assert sorted(kept) == sorted(expected)


def test_what_was_not_printed_by_print_can_name_no_game(bench: Bench) -> None:
    forged = format_place("0" * 20, 1)
    source = (
        f"import os\nprint('hello')\ndef decide_many(views, rngs):\n"
        f"    os.write(1, b'{forged}forged\\ntable 1: forged\\n')\n"
        f"    print('asked together')\n    return [view.legal[0] for view in views]\n"
    )
    bench.play({"a": source, "b": f"print('y' * 100_000)\n{FIRST}", "c": FIRST}, deals=2)
    cut = f"it printed more than {LIMITS.max_output_kib} KiB; the rest is discarded"
    assert [bench.tallies[bot].notes for bot in "abc"] == [(), (cut,), ()]
    lines = bench.tallies["a"].printed.splitlines()
    assert lines[:4] == [
        "loading: hello",
        f"output: {forged}forged",
        "output: forged",
        "decide_many: asked together",
    ]
    assert forged not in {line[: len(forged)] for line in lines}


def test_of_all_that_several_processes_print_so_many_bytes_are_kept() -> None:
    texts, first = TextBudget(1), f"loading: {'é' * 100}\n"
    told = first + f"table 7: {'é' * 100}\n" * 2
    for _ in range(3):
        texts.add_prints(told, {7: "game 1, action 2: "}, ended=True)
    line = f"game 1, action 2: {'é' * 100}\n"  # of a process that takes over none is new
    assert (texts.prints(), texts.notes()) == (first + line * 2, [])
    texts.add_prints("table 8: " + "é" * 500, {8: "game 2, action 2: "})
    assert len(texts.prints().encode()) in (1023, 1024)
    assert texts.notes() == ["it printed more than 1 KiB; the rest is discarded"]
    texts = TextBudget(1)
    texts.add_prints("loading: " + "x" * 1014 + "\n", {})
    assert texts.notes() == []  # it has just room
    texts.add_prints("loading: x\n", {})
    assert texts.notes() != []


def test_a_place_is_read_as_it_was_written_and_what_has_none_as_none() -> None:
    for words in ("", "hello: 3", "game 0a, action 7: x"):
        assert parse_place(format_place("0a1b", 12) + words) == ("0a1b", 12, words)
    for line in (
        "", "loading: game 0a, action 7: x", "game 0a, action x: y",
        "game 0a, action 1234567890: y", "game , action 7: y", "game 0a, action 7",
    ):  # fmt: skip
        assert parse_place(line) is None


def raised(line: int, what: str = "35", error: str = "KeyError") -> Reason:
    """An exception of the bot's at a line, with more text than a budget of 1 KiB has."""
    at = Place("bot.py", line, "decide", "a[view.card]")
    return Reason("error", what, error=error, places=(at,), view="View()", traceback="x" * 1024)


def test_the_first_reason_of_a_kind_is_whole_and_the_rest_in_short_of_so_many_mistakes() -> None:
    texts = TextBudget(1)
    assert texts.keep("error", raised(1)) == raised(1)
    for what in ("32", "33"):  # one mistake, whatever the message
        for line in range(1, MISTAKES + 1):
            kept = texts.keep("error", raised(line, what))
            assert kept == shorten(raised(line, what))
            assert (kept.error, kept.message, kept.view + kept.traceback) == ("KeyError", what, "")
    assert texts.keep("error", raised(99)) == Reason("error")
    assert texts.keep("crash", Reason("crash", "killed by SIGSEGV")).message == "killed by SIGSEGV"
    roomy = TextBudget(64)
    assert [roomy.keep("error", raised(1)) for _ in "ab"] == [raised(1), shorten(raised(1))]


def test_a_bot_cannot_make_a_reason_in_short_long() -> None:
    texts, endless = TextBudget(0), "\N{CJK UNIFIED IDEOGRAPH-4E00}" * 170
    texts.keep("error", raised(1))
    for what, error in ((endless, "KeyError"), ("35", endless), (endless, "E" * 300)):
        kept = texts.keep("error", raised(2, what, error))
        assert kept.error == error[:SHORT]
        assert len(msgspec.json.encode(kept)) <= SHORT_BYTES
    assert texts.keep("error", raised(2, "\0" * 64)) == Reason("error")  # six bytes each, as JSON


def test_failures_of_end_beyond_the_first_few_are_counted_to_their_own_mistake() -> None:
    texts = TextBudget(64)
    for card in range(100):
        texts.add_end(raised(7, str(card)), 1)
    texts.add_end(raised(8), 5)
    ends = texts.ends()
    assert ends[0] == FailedEnds(100 - ENDS + 1, raised(7, "0"))
    assert ends[ENDS:] == [FailedEnds(5, raised(8))]
    assert {group_key(end.reason)[2] for end in ends[:ENDS]} == {"bot.py 7"}
