"""Faults grouped by cause: by hand."""

from arena.author.causes import UNTOLD, causes, what
from arena.model import Fault, FaultKind, Reason
from arena.store.logs import KeptFault

TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "bot.py", line 9, in decide\n    return look(view)\n'
    '  File "bot.py", line {}, in look\n    return view.{}\n'
    "AttributeError: 'View' object has no attribute '{}'\n"
    "It was shown: View(table={}, players=3)"
)


def fault(game: str, text: str, kind: FaultKind = "error") -> KeptFault:
    return KeptFault(game, Fault(1, 4, Reason(kind, text)))


def test_faults_of_one_error_at_one_line_are_one_cause_whatever_was_shown() -> None:
    faults = [fault("late", "over the time limit: 100 ms a decision", "time")]
    faults += [fault(f"g{n}", TRACEBACK.format(5, "legals", "legals", n)) for n in range(3)]
    faults += [fault("other", TRACEBACK.format(6, "legals", "legals", 7))]
    (first, slow, other) = causes(faults, "mine.py")
    assert (first.times, first.where, first.first.game) == (3, "line 5", "g0")
    assert first.what == "AttributeError: 'View' object has no attribute 'legals'"
    assert first.remedy == "did you mean view.legal?"
    assert (slow.kind, slow.times, slow.where) == ("time", 1, "")
    assert (other.times, other.where) == (1, "line 6")


def test_a_word_that_is_not_legal_is_one_cause_in_every_seat() -> None:
    text = "seat {} played 'PASS'; legal is pass or take\nIt was shown: View(seat={})"
    (cause,) = causes([fault(f"g{n}", text.format(n, n), "illegal") for n in range(3)], "mine.py")
    assert cause.what == "played 'PASS'; legal is pass or take"
    assert cause.remedy.startswith("did you mean 'pass'?")


def test_an_exception_at_one_line_is_one_cause_whatever_its_message_has() -> None:
    text = 'Traceback (most recent call last):\n  File "bot.py", line {}, in decide\n    x\n{}: {}'
    given = [(7, "KeyError", 35), (7, "KeyError", 32), (7, "ValueError", 32), (8, "KeyError", 35)]
    faults = [fault(f"g{n}", text.format(*each)) for n, each in enumerate(given)]
    found = [(cause.times, cause.what, cause.where) for cause in causes(faults, "mine.py")]
    assert found == [
        (2, "KeyError: 35 and the like", "line 7"),
        (1, "ValueError: 32", "line 7"),
        (1, "KeyError: 35", "line 8"),
    ]
    # without a line nobody knows whether two are one
    bare = [fault("g", "KeyError: 1"), fault("h", "KeyError: 2")]
    assert [cause.what for cause in causes(bare, "mine.py")] == ["KeyError: 1", "KeyError: 2"]


def test_what_went_wrong_is_one_line() -> None:
    assert what("") == UNTOLD
    assert what("over the time limit: 100 ms a decision; it was at\n  File ...") == (
        "over the time limit: 100 ms a decision"
    )
    assert what("found <coroutine object decide at 0x7fb8f9cd7580>") == (
        "found <coroutine object decide at 0x...>"
    )
    assert what(
        "KeyError: 'x'\n\nDuring handling ...:\n\nValueError: no y\n(A bot can do nothing"
    ) == ("ValueError: no y")


def test_what_was_legal_is_told_only_where_it_was_the_same() -> None:
    texts = (
        "seat 0 played 'x'; legal is pass or take",
        "seat 1 answered 'x'; legal is pass or 17",
        "seat 1 played 'x'; it holds N4",
    )
    (cause,) = causes([fault(f"g{n}", text, "illegal") for n, text in enumerate(texts)], "mine.py")
    assert (cause.times, cause.what) == (3, "played 'x'")
    other = fault("h", "seat 2 played 'y'; legal is pass or take", "illegal")
    (cause,) = causes([fault("g", texts[0], "illegal"), other], "mine.py")
    assert cause.what == "played 'x' and the like"


def test_a_loop_that_was_ended_at_several_lines_names_the_first_and_says_so() -> None:
    text = 'over the time limit: 100 ms a decision; it was at\n  File "bot.py", line {}, in decide'
    found = causes([fault(f"g{n}", text.format(n), "time") for n in (2, 3, 2)], "mine.py")
    assert [(cause.times, cause.where) for cause in found] == [(3, "line 2 and the like")]
