"""Kinds of fault: the name of each and, in one row of one table, all that depends on the kind.

To add a kind, write its name and its row here, and raise it where it happens.
"""

from typing import Literal, NamedTuple

FaultKind = Literal[
    "load", "illegal", "error", "time", "memory", "crash", "forbidden", "protocol", "strikes",
]  # fmt: skip
CauseKind = FaultKind | Literal["end"]
"""Also a failure of a bot's `end`, which costs no game."""


class Kind(NamedTuple):
    """The facts that depend on a fault's kind alone."""

    name: CauseKind
    description: str  # of one fault, after the bot's name
    summary: str  # of a bot's faults, where no exception says more
    title: str = ""  # in tables, where it is not the name
    measured: bool = False  # by a clock or the machine's memory: replays may differ in it
    unasked: bool = False  # it takes a seat out of a game whichever seat is asked there
    is_public: bool = False  # its text says nothing that a view hides: pages show it
    one_cause: bool = False  # all faults of this kind count as one mistake, whatever their text
    lasting: bool = False  # a bot that fails so while it loads is not tried again


ROWS = (
    Kind("load", "the file does not load, loads too slowly, or defines no bot",
         "cannot be loaded", unasked=True, is_public=True),
    Kind("illegal", "returned an illegal decision", "illegal decisions",
         one_cause=True, lasting=True),
    Kind("error", "raised an exception", "an exception", lasting=True),
    Kind("time", "took too long to decide", "too slow", measured=True, is_public=True),
    Kind("memory", "used too much memory", "too much memory", measured=True),
    Kind("crash", "its process died", "its process died", is_public=True),
    Kind("forbidden", "tried what the sandbox forbids", "a forbidden system call", is_public=True),
    Kind("protocol", "wrote its own answers into Arena's channel", "answered out of turn"),
    Kind("strikes",
         "its process was replaced too often, so it forfeited the rest of a session",
         "its process was lost too often", "process lost",
         measured=True, unasked=True, is_public=True, one_cause=True),
)  # fmt: skip
KINDS: dict[str, Kind] = {row.name: row for row in ROWS}
"""Every kind of fault by its name, in the order of the tables."""

MEASURED = frozenset(row.name for row in ROWS if row.measured)
UNASKED = frozenset(row.name for row in ROWS if row.unasked)

CAUSES = KINDS | {"end": Kind("end", "failed after the game", "an error after the game", "in end")}
"""By `CauseKind`."""


def name_kind(kind: str) -> str:
    """A kind of fault, or `end`, as people read it; any other word, from a document, as it is."""
    return (CAUSES[kind].title if kind in CAUSES else "") or kind
