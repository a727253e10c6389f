"""Faults grouped by cause: by hand."""

from msgspec.structs import replace

from arena.faults.causes import Cause, KeptFault, group_by_cause
from arena.faults.reasons import shorten
from arena.model import FailedEnds, Fault, Place, Reason


def fault(game: str, reason: Reason) -> KeptFault:
    return KeptFault(game, Fault(1, 4, reason))


def raised(line: int, error: str, what: str) -> Reason:
    return Reason("error", what, error=error, places=(Place("bot.py", line, "decide"),))


def wrong(played: str, what: str) -> Reason:
    return Reason("illegal", what, played=played, legal=("pass", "take"))


def told(cause: Cause) -> tuple[int, str, str]:
    return cause.times, cause.message, cause.location


MISSING = "'View' object has no attribute 'legals'"
SLOW = "over the time limit: 100 ms a decision"


def test_faults_of_one_error_at_one_line_are_one_cause_whatever_was_shown() -> None:
    look = Place("bot.py", 5, "look", "return view.legals")
    one = Reason("error", MISSING, error="AttributeError", places=(look,))
    faults = [fault("late", Reason("time", SLOW))]
    faults += [fault(f"g{n}", replace(one, view=f"View(table={n})")) for n in range(3)]
    faults.append(fault("other", raised(6, "AttributeError", MISSING)))
    (first, slow, other) = group_by_cause(faults, "mine.py")
    assert told(first) == (3, f"AttributeError: {MISSING}", "line 5")
    assert first.first == faults[1]
    assert first.remedy == "did you mean view.legal?"
    assert first.place == " (mine.py line 5)"
    assert (slow.kind, slow.times, slow.location, slow.place) == ("time", 1, "", "")
    assert (other.times, other.location) == (1, "line 6")


def test_an_exception_at_one_line_is_one_cause_whatever_its_message_has() -> None:
    given = [(7, "KeyError", "35"), (7, "KeyError", "32"), (7, "ValueError", "32")]
    given.append((8, "KeyError", "35"))
    faults = [fault(f"g{n}", raised(*each)) for n, each in enumerate(given)]
    assert [told(cause) for cause in group_by_cause(faults, "mine.py")] == [
        (2, "KeyError: 35 and the like", "line 7"),
        (1, "ValueError: 32", "line 7"),
        (1, "KeyError: 35", "line 8"),
    ]
    # so it is without a line: of `decide = TABLE.__getitem__` every view has a message of its own
    bare = [fault("g", Reason("error", what, error="KeyError")) for what in "12"]
    (cause,) = group_by_cause(bare, "mine.py")
    assert told(cause) == (2, "KeyError: 1 and the like", "")


def test_what_was_legal_is_told_only_where_it_was_the_same() -> None:
    given = "played 'x'; legal is pass", "answered 'x'; legal is 17", "played 'x'; it holds N4"
    faults = [fault(f"g{n}", wrong("x", what)) for n, what in enumerate(given)]
    (cause,) = group_by_cause(faults, "mine.py")
    assert (cause.times, cause.message) == (3, "played 'x'")
    other = fault("h", wrong("y", "played 'y'; legal is pass or take"))
    (cause,) = group_by_cause([faults[0], other], "mine.py")
    assert cause.message == "played 'x' and the like"


def test_a_loop_that_was_ended_at_several_lines_names_the_first_and_says_so() -> None:
    places = [Place("bot.py", line, "decide") for line in (2, 3, 2)]
    faults = [fault(f"g{n}", Reason("time", SLOW, places=(at,))) for n, at in enumerate(places)]
    found = group_by_cause(faults, "mine.py")
    assert [(cause.times, cause.location) for cause in found] == [(3, "line 2 and the like")]


def test_what_fails_in_end_is_a_cause_of_its_own_and_comes_last() -> None:
    same = raised(7, "KeyError", "35")
    slow = Reason("time", SLOW)
    ends = [FailedEnds(3, same), FailedEnds(50, slow), FailedEnds(1, same)]
    faults = [fault("g", Reason("strikes", "lost")), fault("h", same)]
    found = [(cause.kind, *told(cause)) for cause in group_by_cause(faults, "mine.py", ends=ends)]
    assert found == [
        ("error", 1, "KeyError: 35", "line 7"),
        ("strikes", 1, "lost", ""),
        ("end", 50, SLOW, ""),
        ("end", 4, "KeyError: 35", "line 7"),
    ]


def test_faults_of_which_only_the_kind_is_known_count_as_the_most_frequent_cause_of_it() -> None:
    bare = Reason("error")
    faults = [fault(f"b{n}", bare) for n in range(50)]
    faults += [fault("g", raised(7, "KeyError", "35"))]
    faults += [fault(f"h{n}", raised(8, "ValueError", "no")) for n in range(2)]
    faults += [fault(f"i{n}", Reason("time", SLOW)) for n in range(9)]
    ends = [FailedEnds(1, raised(9, "KeyError", "35")), FailedEnds(4, bare)]
    others = [(bare, 1000), (Reason("time"), 1)]
    causes = group_by_cause(faults, "mine.py", ends=ends, others=others)
    assert [told(cause) for cause in causes] == [
        (1052, "ValueError: no", "line 8"),
        (10, SLOW, ""),
        (1, "KeyError: 35", "line 7"),
        (5, "KeyError: 35", "line 9"),  # in `end`
    ]


def test_faults_of_which_only_the_kind_is_known_are_told_after_those_that_are_known() -> None:
    faults = [fault(f"b{n}", Reason("crash")) for n in range(50)]
    faults += [fault("g", Reason("time", SLOW)), fault("h", Reason("strikes", "lost"))]
    causes = group_by_cause(faults, "mine.py", others=[(Reason("memory"), 3)])
    told = [(cause.kind, cause.times) for cause in causes]
    assert told == [("time", 1), ("crash", 50), ("memory", 3), ("strikes", 1)]


def test_reasons_in_short_are_told_as_the_first_that_is_whole() -> None:
    long = "an opening that no one has ever seen before, with a name that is longer than a line, 7"
    whole = replace(raised(7, "ValueError", long), view="View()", traceback="  a line\n")
    (cause,) = group_by_cause([fault("g", whole), fault("h", shorten(whole))], "mine.py")
    assert told(cause) == (2, f"ValueError: {long}", "line 7")
