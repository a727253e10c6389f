"""The pilot of `duplicate = "auto"`: which games it plays, and what it makes of them."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from arena.cli.progress import Quiet
from arena.model import Bot, Entry, Limits, Pool
from arena.plan.plan import Plan, plan_tournament
from arena.runner import pilot
from arena.runner.pilot import Sampled, Spread, beaten, of_games, sample_pilot, spread, total
from arena.sandbox.walls import WALLS
from arena.schedule import choices
from tests.leagues import NOW, make
from tests.sessions import CHANCE, FIRST


def plan() -> Plan:
    return Plan("cup", Path("cup"), None, 1, Limits(), WALLS, (), {})


def entry(pool: Pool, bots: int, deals: int, seatings: str | int = "auto") -> Entry:
    return Entry(pool, tuple(Bot(f"b{n}", "") for n in range(bots)), deals, seatings, False)


NO_THANKS, SIXTEEN = Pool("no_thanks", 3, "{}", ""), Pool("sixteen", 2, "{}", "")


def numbers_of(asked: Entry) -> Sampled:
    found = sample_pilot(plan(), asked)
    assert found
    return found


def test_a_few_line_ups_play_whole_deals_in_all_seatings() -> None:
    games, numbers = numbers_of(entry(NO_THANKS, 8, 1000))
    played = [games[number] for number in numbers]
    assert list(numbers) == sorted(set(numbers))
    assert len({game.line_up for game in played}) == 12
    assert {bot.name for game in played for bot in game.line_up} == {f"b{n}" for n in range(8)}
    assert set(Counter((game.line_up, game.deal) for game in played).values()) == {6}
    assert len(played) == 12 * 6 * (2000 // 72)
    assert games.entry.duplicate


@pytest.mark.parametrize(
    "asked", [entry(NO_THANKS, 3, 1000), entry(SIXTEEN, 2, 5000, 1)], ids=["few", "one seating"]
)
def test_where_there_is_little_to_save_there_is_no_pilot(asked: Entry) -> None:
    assert sample_pilot(plan(), asked) is None


def test_luck_of_the_seat_is_found_to_cancel_and_a_bots_own_luck_not() -> None:
    found = numbers_of(entry(SIXTEEN, 2, 10_000))
    games = [found.games[number] for number in found.numbers]
    by_seat = {game.id: (1, 2) if game.deal % 2 else (2, 1) for game in games}
    assert of_games(SIXTEEN, found, by_seat).ratio == 0.0
    by_bot = {
        game.id: tuple(1 + (place + game.deal) % 2 for place in game.seating) for game in games
    }
    assert of_games(SIXTEEN, found, by_bot).ratio == pytest.approx(2.0)


def test_partners_are_worth_what_their_side_is() -> None:
    mixed = Pool("sixteen", 4, "{}", "mixed")
    found = numbers_of(entry(mixed, 4, 1000))
    ranks = {found.games[number].id: (1, 2, 1, 2) for number in found.numbers}
    game = found.games[found.numbers[0]]
    by_bot = pilot._by_bot(mixed, game, (1, 2, 1, 2))
    assert [by_bot[place] for place in game.seating] == [1.0, 0.0, 1.0, 0.0]
    assert of_games(mixed, found, ranks).ratio == 1.0  # seats decide: nothing varies


@pytest.mark.whole
def test_a_pilot_is_played_alike_on_any_number_of_workers(tmp_path: Path) -> None:
    config = '[[games]]\ngame = "sixteen"\nplayers = 2\ndeals = 5000\nduplicate = "auto"\n'
    asked = plan_tournament(make(tmp_path, config, {"ann": CHANCE, "bob": FIRST}), NOW)
    (entry,) = choices.find_open_choices(asked.wanted, {})
    said = [
        pilot.measure_pilot(asked._replace(workers=workers), None, [entry], bytes(16), Quiet())
        for workers in (1, 2)
    ]
    assert said[0] == said[1]
    assert 0.5 < said[0][entry.pool] < 1.5
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("results", "found", "ratio"),
    [
        ([[1.0, -1.0], [-3.0, 3.0]], Spread(0.0, (8 + 8) / 4), 0.0),  # luck that seatings turn
        ([[1.0, 1.0], [3.0, 3.0]], Spread(2.0, (2 + 2) / 4), 2.0),  # between bot and deck
        ([[1.0, 1.0], [1.0, 1.0]], Spread(0.0, 0.0), 1.0),  # what never varies is neither
    ],
)
def test_a_shared_deck_cancels_luck_that_seatings_turn_round_and_no_other(
    results: list[list[float]], found: Spread, ratio: float
) -> None:
    assert spread(results) == found  # by hand
    assert found.ratio == ratio


def test_of_independent_games_neither_is_better() -> None:
    draw = Random(7).gauss
    ratio = spread([[draw(0, 1) for _ in range(6)] for _ in range(4000)]).ratio
    assert ratio == pytest.approx(1, abs=0.1)  # its standard error is 0.02


def test_variances_add_up() -> None:
    assert total([Spread(1.0, 2.0), Spread(2.0, 4.0)]) == Spread(3.0, 6.0)
    assert total([]).ratio == 1.0


def test_the_share_left_behind_counts_ties_half() -> None:
    assert beaten([1, 2]) == [1.0, 0.0]
    assert beaten([1, 1]) == [0.5, 0.5]
    assert beaten([2, 1, 2, 4]) == [0.5, 1.0, 0.5, 0.0]
