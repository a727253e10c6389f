"""A reason in words: one line, all of it, with the author's names for files; and its kind."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis.strategies import builds, just, none, one_of, sampled_from, text
from msgspec.structs import replace

from arena.faults.kinds import CAUSES, KINDS, CauseKind, FaultKind, name_kind
from arena.faults.reasons import (
    HEAD,
    UNTOLD,
    group_key,
    in_a_line,
    in_full,
    publish,
    shorten,
    with_view,
    without_ends,
)
from arena.model import Place, Reason

LIMIT = "over the time limit: 100 ms a decision"
PLACES = (Place("helper.py", 3, "look"), Place("bot.py", 2, "decide"))


@pytest.mark.parametrize(
    ("reason", "line", "full"),
    [
        (Reason("error"), UNTOLD, ""),
        (Reason("crash", "killed by SIGSEGV"), "killed by SIGSEGV", "killed by SIGSEGV"),
        (Reason("error", "35", error="KeyError", traceback="Trace:\nKeyError: 35"),
         "KeyError: 35", "Trace:\nKeyError: 35"),
        (Reason("error", error="Odd"), "Odd", "Odd"),
        (Reason("illegal", "found <coroutine object decide at 0x7fb8f9cd7580>"),
         "found <coroutine object decide at 0x...>",
         "found <coroutine object decide at 0x7fb8f9cd7580>"),
        (Reason("illegal", "played 'x'; legal is a", played="x", legal=("a",)),
         "played 'x'; legal is a", "seat 1 played 'x'; legal is a"),
        (Reason("time", LIMIT, places=PLACES), LIMIT,
         f'{LIMIT}; it was here\n  File "helper.py", line 3, in look\n'
         '  File "bot.py", line 2, in decide'),
        (Reason("error", "x" * 200), "x" * 157 + "...", "x" * 200),
    ],
)  # fmt: skip
def test_it_is_told_in_a_line_and_in_full(reason: Reason, line: str, full: str) -> None:
    assert in_a_line(reason) == line
    assert in_full(reason, seat=1) == full


def test_who_was_kept_from_something_is_told_what_a_bot_may() -> None:
    told = in_full(Reason("error", "no", error="PermissionError", traceback="PermissionError: no"))
    assert told.startswith("PermissionError: no\n(A bot cannot write files, ")


def test_a_traceback_is_kept_without_the_lines_that_are_known_and_told_with_them() -> None:
    text = f'{HEAD}  File "bot.py", line 2, in decide\n    view[35]\nKeyError: 35\n'
    whole = Reason("error", "35", error="KeyError", traceback=text)
    kept = replace(whole, traceback=without_ends(whole))
    assert kept.traceback == '  File "bot.py", line 2, in decide\n    view[35]\n'
    assert in_full(kept) == text.rstrip()
    for other in (f"{text}a note\n", text[9:], "KeyError: 35\n"):  # with more, cut short, bare
        odd = replace(whole, traceback=other)
        odd = replace(odd, traceback=without_ends(odd))
        assert in_full(odd) == other.rstrip()


def test_files_are_named_as_their_author_does() -> None:
    for file, shown, name in (
        ("bot.py", "ann/bot.py", "ann/bot.py"),
        ("helper.py", "ann/helper.py", "ann/bot.py"),
        ("/usr/x.py", "/usr/x.py", "ann/bot.py"),
        ("bot.py", "ann.py", "ann.py"),
        ("<string>", "<string>", "ann.py"),
    ):
        told = in_full(Reason("error", traceback=f'  File "{file}", line 2'), name)
        assert told == f'  File "{shown}", line 2'


SECRET = "N4 N7"  # as a hand, a print, a file's contents


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        (Reason("error", "division by zero", error="ZeroDivisionError"),
         "ZeroDivisionError: division by zero"),
        (Reason("error", "'View' object has no attribute 'pots'", error="AttributeError"),
         "AttributeError"),  # a bot chooses the name
        (Reason("load", "No module named 'torch'", how="error", error="ModuleNotFoundError"),
         "ModuleNotFoundError"),
        (Reason("error", f"division by zero {SECRET}", error="ZeroDivisionError"),
         "ZeroDivisionError"),
        (Reason("error", f"'{SECRET}'", error="KeyError"), "KeyError"),
        (Reason("error", "x", error="bot.HAND_N4_N7"), "an exception that the bot defines"),
        (Reason("memory", SECRET), UNTOLD),  # which a bot may claim of itself
        (Reason("load", SECRET, how="illegal", rule="bot", about=SECRET), "no bot is defined"),
        (Reason("illegal", f"found tuple {SECRET}", rule="word", about="tuple"), UNTOLD),
        (Reason("illegal", f"played '99'; legal is {SECRET}", played="99", legal=("N4",)),
         "played no legal decision"),
        (Reason("illegal", f"played {SECRET!r}", played=SECRET, legal=("N4",)),
         "played no legal decision"),
        (Reason("time", LIMIT, places=PLACES), LIMIT),
        (Reason("crash", "killed by SIGSEGV", traceback=SECRET, view=SECRET), "killed by SIGSEGV"),
    ],
)  # fmt: skip
def test_everybody_reads_no_text_of_a_bot_s_own(reason: Reason, line: str) -> None:
    told = publish(reason)
    assert in_a_line(told) == line
    assert SECRET not in with_view(told) + told.about + told.played
    assert told.kind == reason.kind


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_with_legal_decisions_is_published_for_no_kind(kind: FaultKind) -> None:
    told = publish(Reason(kind, f"legal is {SECRET}", legal=(SECRET,)))
    assert SECRET not in with_view(told)


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (Place("bot.py", 2, "decide"), True),
        (Place("N4N7.py", 2, "decide"), False),  # a bot may say that its code is of any file
        (Place("bot.py", 4_700_000, "decide"), False),
    ],
)
def test_a_line_is_published_where_no_bot_could_write_with_it(place: Place, told: bool) -> None:
    assert bool(publish(Reason("time", LIMIT, places=(place,))).places) == told


@given(
    builds(
        Reason, kind=sampled_from([*KINDS]), how=none(),
        message=one_of(text(), just(""), just("x" * 60 + " 0x7f00ab"), just("found 7 of 90 ms")),
        error=sampled_from(["", "KeyError", "x" * 200]), rule=sampled_from(["", "word", "draws"]),
        places=sampled_from([(), PLACES, (Place("bot.py", 7, "decide", "code"),)]),
        played=sampled_from(["", "pass"]), legal=sampled_from([(), ("take",)]),
        view=text(), traceback=text(), about=sampled_from(["", "int"]),
    )
)  # fmt: skip
def test_a_reason_in_short_is_the_same_mistake_and_stays_as_it_is(reason: Reason) -> None:
    short = shorten(reason)
    assert shorten(short) == short
    assert group_key(short) == group_key(reason)


def test_what_is_no_word_is_one_mistake_for_each_type_whatever_its_value() -> None:
    seven, eight, nothing = (
        group_key(Reason("illegal", f"found {value!r}", rule="word", about=type(value).__name__))
        for value in (7, 8, None)
    )
    assert seven == eight != nothing
    wrong = Reason("illegal", "played 'x'; legal is a", played="x", legal=("a",))
    assert len({group_key(wrong), group_key(Reason("illegal")), seven, nothing}) == 4


def test_a_kind_is_named_by_its_title_and_a_word_of_a_later_version_stays() -> None:
    told = [name_kind(kind) for kind in ("load", "strikes", "end", "later")]
    assert told == ["load", "process lost", "in end", "later"]
    assert CAUSES.keys() == {*KINDS, *get_args(get_args(CauseKind)[1])}
