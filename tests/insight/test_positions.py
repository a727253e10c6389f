"""The decisions of stored games: those that seats were asked for, as they were asked."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import games
from arena.errors import ArenaError
from arena.insight.positions import (
    Decision,
    Recorded,
    find_decisions,
    find_games,
    open_game,
    read_sources,
)
from arena.model import Bot
from arena.records.questions import find_questions
from arena.store.store import Store
from tests.games.cases import Case, cases
from tests.insight.played import random_game
from tests.leagues import BOTS, DECKS_OF_THREE, played_in

every_usual_case = pytest.mark.parametrize("case", [c for c in cases() if not c.given], ids=str)


def as_asked(decisions: list[Decision], seat: int) -> list[tuple[object, ...]]:
    own = [one for one in decisions if one.seat == seat]
    return [(one.at, one.fields, one.legal, one.actual) for one in own]


@every_usual_case
def test_decisions_are_what_the_seat_was_asked_and_answered(case: Case) -> None:
    """As `arena.records` finds it for one seat, in another way. Seeds 0 to 3."""
    for seed in range(4):
        recorded = random_game(case, seed)
        state = recorded.open()
        record = {
            "v": 1, "game": case.name, "players": case.seats, "options": {},
            "setup": recorded.open().setup() | setup_of(recorded.setup),
            "actions": [list(one) for one in recorded.course], "result": state.result(),
            "meta": {"faults": forfeits_of(recorded)},
        }  # fmt: skip
        decisions = find_decisions(recorded, range(case.seats))
        for seat in range(case.seats):
            questions = find_questions(record, seat, [0] * case.seats)
            before_forfeits = [one[:4] for one in questions if one.answer is not None]
            assert as_asked(decisions, seat) == before_forfeits, (seed, seat)
            own = [one for one in decisions if one.seat == seat]
            assert find_decisions(recorded, [seat]) == own


def forfeits_of(recorded: Recorded) -> list[list[int | str]]:
    """Return a record's faults, as of bots that were not asked there."""
    steps = enumerate(recorded.course)
    return [[seat, "load", at] for at, (seat, action) in steps if action == games.FORFEIT]


def setup_of(setup: object) -> dict[str, object]:
    """Return what a record says of reshuffles."""
    piles = getattr(setup, "reshuffles", None)
    return {} if piles is None else {"reshuffles": [list(pile) for pile in piles]}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    folder = played_in(tmp_path, DECKS_OF_THREE.replace("12", "1"), BOTS)
    with closing(Store.open(folder)) as opened:
        yield opened


def test_a_stored_game_is_opened_with_its_bots_by_seat(store: Store) -> None:
    row = next(iter(store.games(in_order_of_id=True)))
    recorded = open_game(store, row)
    assert recorded.fixture == row.fixture
    assert recorded.fixture.names == [row.line_up[place].name for place in row.fixture.seating]
    assert recorded.rules is games.load(row.pool.game)
    sources = read_sources(store, row.line_up)
    assert sources.keys() == set(row.line_up)
    with pytest.raises(ArenaError, match="has no source of gone, which is needed to play on"):
        read_sources(store, [Bot("gone", "0")])


def test_games_of_a_bot_are_drawn_by_a_key_and_those_with_a_forfeit_left_out(
    tmp_path: Path,
) -> None:
    bots = BOTS | {"dee": 'def decide(view):\n    return "none"\n'}
    with closing(Store.open(played_in(tmp_path, DECKS_OF_THREE, bots))) as store:
        one, other = (
            [row.id for row in find_games(store, "ann", "no_thanks", key)] for key in (b"1", b"2")
        )
        names = [{bot.name for bot in row.line_up} for row in store.games()]
        assert len(one) == names.count({"ann", "bob", "cid"}) == 12 * 6  # decks, seatings
        assert sorted(one) == sorted(other)
        assert one != other
        few = find_games(store, "ann", "no_thanks", b"1", most=5)
        assert [row.id for row in few] == one[:5]
        for name, game in (("ann", "sixteen"), ("dee", "no_thanks")):
            with pytest.raises(ArenaError, match=f"{name} has no game of {game} without a forfeit"):
                find_games(store, name, game, b"")
