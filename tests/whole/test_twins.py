"""Games that share a deck, and a bot that looks for them: no process of a bot meets a deck twice.

Each bot here remembers the cards of all games that it played and the first number that it drew in
each, and prints a line where a game has those of another.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.league.files import Source, hash_source, write_snapshot
from arena.model import Bot, Entry, Limits, Mirrored, Pool, Sharing, Wanted
from arena.process.zygote_client import ZygoteClient
from arena.schedule.choices import make_choices
from arena.schedule.order import Schedule, make_identity
from arena.schedule.sessions import Games, cut_sessions
from arena.session.session import Job, Session

SPY = """
import random

decks, dice = {}, {}


def decide(view):
    if view.table not in dice.values():
        if dice.setdefault(random.random(), view.table) != view.table:
            print("the dice of", view.table)
    cards = frozenset([view.card, *(card for row in view.taken for card in row)])
    if len(cards) > 7 and decks.setdefault(cards, view.table) != view.table:
        print("the deck of", view.table)
    return random.choice(view.legal)
"""
NAMES = ("ann", "bob", "cid", "dee", "eve")
POOL = Pool("no_thanks", 3, "{}", "")
TWO = ("bob", "dee")
ALL_KINDS: list[Sharing] = [True, Mirrored(TWO, never_meet=False), Mirrored(TWO, never_meet=True)]


class League:
    def __init__(self, folder: Path) -> None:
        self._zygote, self._paths = ZygoteClient(), dict[str, str]()
        for name in NAMES:
            source = Source((("bot.py", f"# {name}{SPY}".encode()),))
            self._paths[name] = str(write_snapshot(folder, source, hash_source(source)))

    def schedule(self, sharing: Sharing) -> Schedule:
        always = () if sharing is True else TWO
        bots = tuple(Bot(name, "0") for name in NAMES)
        entry = Entry(POOL, bots, 2, "auto", sharing, fixed_bots=always)
        (entry,), _ = make_choices([Wanted(entry, 6)], {})
        return Schedule(entry, make_identity(entry, Limits()))

    def found(self, schedule: Schedule, sessions: Sequence[Games]) -> list[str]:
        """Play sessions; return what the bots printed."""
        printed = list[str]()
        for session in sessions:
            job = Job(POOL, Limits(), schedule.entry.shared_decks, session, b"secret" * 3, {})
            tallies = Session(job, self._paths, self._zygote, lambda _: None, lambda: None).play()
            printed += [line for tally in tallies for line in tally.printed.splitlines()]
        return printed


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> League:
    return League(tmp_path_factory.mktemp("twins"))


@pytest.mark.parametrize("sharing", ALL_KINDS)
def test_a_bot_that_remembers_its_games_never_meets_a_deck_or_its_dice_again(
    league: League, sharing: Sharing
) -> None:
    schedule = league.schedule(sharing)
    assert league.found(schedule, cut_sessions(schedule, range(len(schedule)))) == []
    left = [number for number in range(len(schedule)) if number % 7 and number % 3]
    assert league.found(schedule, cut_sessions(schedule, left)) == []  # as a killed run left it
    # In one session it would.
    printed = league.found(schedule, [Games(schedule, range(len(schedule)))])
    assert any("the deck of" in line for line in printed)
    assert any("the dice of" in line for line in printed) == (sharing is not True)
