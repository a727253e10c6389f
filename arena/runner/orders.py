"""What a cluster's hosts are to do, and what is told of them: between `fleet` and `dispatch`."""

from typing import NamedTuple

from arena.errors import ArenaError
from arena.model import Reason
from arena.runner.executor import Machine
from arena.runner.host import Returned
from arena.session.session import Job


class Order(NamedTuple):
    """Something that a host is to do, the lowest number first."""

    number: int
    tries: int
    what: Job | tuple[str, ...]  # a session to be played, or bots to be tried: whether they load


class Ready(NamedTuple):
    """All hosts that were there at first have been checked, and some are in order."""


class Loaded(NamedTuple):
    """Which of an order's bots cannot be loaded."""

    bots: tuple[str, ...]
    why: dict[str, Reason]  # by name


class Done(NamedTuple):
    """What came of a session; there is more to come of it where it has no tallies."""

    job: Job
    returned: Returned
    machine: Machine


class Idle(NamedTuple):
    """It was stopped, and no host has anything left to return."""


class Failed(NamedTuple):
    """It cannot go on."""

    error: ArenaError


Told = Ready | Loaded | Done | Idle | Failed | str
"""What is told to who gives the orders; a text is for people."""
