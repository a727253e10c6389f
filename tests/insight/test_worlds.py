"""Positions of stored games, as seats were asked, and worlds: the seat cannot tell them from the
game that was played, and bots play on from there.
"""

from contextlib import AbstractContextManager, closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from arena.errors import ArenaError
from arena.insight.positions import Decision, Recorded, find_decisions, find_games
from arena.insight.worlds import (
    Bench,
    Outcome,
    Wanted,
    make_world,
    open_bench,
    outcome_of,
    play_worlds,
)
from arena.league.files import Source, hash_source
from arena.model import Bot, Pool
from arena.process.zygote_client import ZygoteClient
from arena.records.questions import find_questions
from arena.store.store import Store
from games import no_thanks, sixteen
from tests import sessions
from tests.games.cases import Case, cases
from tests.insight.played import random_game, recorded_of, source_of
from tests.leagues import BOTS as LEAGUE
from tests.leagues import DECKS_OF_THREE, played_in
from tests.places import source
from tests.sessions import LIMITS

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time

KEY = b"key of sixteen b"
NO_THANKS, SEVENTEEN = Pool("no_thanks", 3, "{}", ""), Pool("diciassette", 3, "{}", "")
COUNTS, FIRST = source("counts"), source("first")
BOTS = {"a": FIRST, "b": COUNTS.replace("self.game.rng.random()", "0.2"), "c": FIRST}
"""Without dice; one with a memory."""


@pytest.mark.parametrize("case", cases(), ids=str)
def test_the_seat_sees_in_each_world_what_it_saw(case: Case) -> None:
    """`make_world` compares the views and raises; three decisions of each of two games."""
    for seed in range(2):
        decisions = find_decisions(random_game(case, seed), range(case.seats))
        for decision in Random(seed).sample(decisions, min(3, len(decisions))):
            for true_cards in (False, True):
                setup, steps = make_world(decision, KEY, seed, true_cards)
                assert (setup, steps) == make_world(decision, KEY, seed, true_cards)
                assert sum(isinstance(step, int) for step in steps) == sum(
                    action == games.FORFEIT for _, action in decision.recorded.course[: decision.at]
                )


def decision_of(game: str, at: int) -> Decision:
    return find_decisions(random_game(Case(game, {}, 3), 1), range(3))[at]


def test_worlds_differ_in_what_the_seat_does_not_know() -> None:
    for decision in (decision_of("no_thanks", 5), decision_of("diciassette", 9)):
        fair = {str(make_world(decision, KEY, world, False)[0].deck) for world in range(9)}
        true = {str(make_world(decision, KEY, world, True)[0].deck) for world in range(9)}
        assert len(fair) == 9
        assert true == {str(decision.recorded.setup.deck)}


def test_a_game_that_deals_a_seen_card_again_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = decision_of("no_thanks", 5)
    honest: Any = no_thanks.resample

    def wrong(options: Any, seats: int, setup: Any, actions: Any, *rest: Any) -> Any:
        other, course = honest(options, seats, setup, actions, *rest)
        return other._replace(deck=other.deck[1:] + other.deck[:1]), course

    monkeypatch.setattr(no_thanks, "resample", wrong)
    with pytest.raises(ArenaError, match="its `resample` changes what seat"):
        make_world(decision, KEY, 0, False)
    monkeypatch.setattr(no_thanks, "resample", lambda *given: (honest(*given)[0], [(0, "ask")]))
    with pytest.raises(ArenaError, match="makes a game that breaks the rules: "):
        make_world(decision, KEY, 0, False)
    monkeypatch.setattr(no_thanks, "resample", lambda *given: None)
    assert decision.resample(Random(0)) is None
    assert make_world(decision, KEY, 0, False)[0] == decision.recorded.setup


def test_beats_is_the_share_of_opponents_left_behind_and_partners_are_none() -> None:
    assert outcome_of(no_thanks, 1, (3, 1, 1, 4), (40, 20, 20, 60)) == Outcome(2.5 / 3, 20)
    assert outcome_of(sixteen, 2, (2, 1, 2, 1), (0, 3, 0, 3)) == Outcome(0, -3)


def bots_of(texts: dict[str, str]) -> dict[Bot, Source]:
    sources = {name: source_of(text) for name, text in sorted(texts.items())}
    return {Bot(name, hash_source(own)): own for name, own in sources.items()}


def bench_of(texts: dict[str, str]) -> AbstractContextManager[Bench]:
    return open_bench(bots_of(texts), LIMITS, KEY)


def recorded(
    zygote: ZygoteClient, folder: Path, pool: Pool, texts: dict[str, str], deals: int = 2
) -> list[Recorded]:
    played = sessions.Bench(zygote, folder).play(texts, pool, deals=deals)
    return [recorded_of(record, pool, texts) for record in played.values()]


@pytest.mark.parametrize("pool", [NO_THANKS, SEVENTEEN], ids=lambda pool: pool.title)
def test_with_true_cards_and_the_same_decision_a_game_ends_as_it_did(
    zygote: ZygoteClient, tmp_path: Path, pool: Pool
) -> None:
    """Of bots without dice, one with a memory. Where 17 shuffles its pile again, chance is new."""
    wanted = []
    for game in recorded(zygote, tmp_path, pool, BOTS):
        if not getattr(game.setup, "reshuffles", ()):
            wanted += [
                Wanted(one, range(1), [one.actual]) for one in find_decisions(game, range(3))
            ]
    assert len(wanted) > 40
    with bench_of(BOTS) as bench:
        found = play_worlds(bench, wanted, true_cards=True)
        assert (bench.games, bench.faults, bench.noted) == (len(wanted), {}, set())
    for (decision, _, (made,)), outcomes in zip(wanted, found, strict=True):
        rules, ranks = decision.recorded.rules, decision.recorded.ranks
        ours = outcomes[made][0].beats
        assert ours == outcome_of(rules, decision.seat, ranks, (0, 0, 0)).beats, decision.place


def test_alternatives_share_worlds_and_dice_and_a_key_repeats_them(
    zygote: ZygoteClient, tmp_path: Path
) -> None:
    """In 17 most worlds outlive their pile: what is shuffled then is no fault of a bot's."""
    texts = {"a": COUNTS, "b": source("chance"), "c": FIRST}
    game = recorded(zygote, tmp_path, SEVENTEEN, texts, 1)[0]
    decisions = [one for one in find_decisions(game, [0, 1, 2]) if len(one.legal) > 1]
    wanted = [Wanted(one, range(6), [one.actual, one.legal[-1]]) for one in decisions[:12]]
    with bench_of(texts) as bench:
        both = play_worlds(bench, wanted)
        alone = play_worlds(
            bench, [Wanted(one, range(2, 4), [one.actual]) for one in decisions[:12]]
        )
        assert bench.faults == {}
    for (decision, _, _), together, single in zip(wanted, both, alone, strict=True):
        assert together[decision.actual].keys() == set(range(6))
        assert single[decision.actual] == {w: together[decision.actual][w] for w in (2, 3)}
    assert any(len(set(each.values())) > 1 for one in both for each in one.values())


def test_a_bot_that_fails_too_often_ends_the_run(zygote: ZygoteClient, tmp_path: Path) -> None:
    game, texts = recorded(zygote, tmp_path, NO_THANKS, BOTS, 1)[0], BOTS | {"c": source("exits")}
    fixture = game.fixture._replace(line_up=tuple(bots_of(texts)))  # as if these had played
    decisions = find_decisions(game._replace(fixture=fixture), [0])[:3]
    lost = "c: its process was lost too often; `arena check c` shows"
    with bench_of(texts) as bench, pytest.raises(ArenaError, match=lost):
        play_worlds(bench, [Wanted(one, range(40), [one.actual]) for one in decisions])


@pytest.mark.parametrize("case", [c for c in cases() if not c.given], ids=str)
def test_decisions_are_what_the_seat_was_asked_and_answered(case: Case) -> None:
    """As `arena.records` finds it for one seat, in another way. Seeds 0 to 3."""
    for seed in range(4):
        recorded = random_game(case, seed)
        course, piles = recorded.course, getattr(recorded.setup, "reshuffles", None)
        faults = [[seat, "load", at] for at, (seat, act) in enumerate(course) if act == "forfeit"]
        setup = recorded.open().setup()
        if piles is not None:
            setup |= {"reshuffles": [*map(list, piles)]}
        record = {
            "v": 1, "game": case.name, "players": case.seats, "options": {}, "setup": setup,
            "actions": [*map(list, course)], "result": recorded.open().result(),
            "meta": {"faults": faults},
        }  # fmt: skip
        decisions = find_decisions(recorded, range(case.seats))
        for seat in range(case.seats):
            questions = find_questions(record, seat, [0] * case.seats)
            before_forfeits = [one[:4] for one in questions if one.answer is not None]
            own = [one for one in decisions if one.seat == seat]
            asked = [(one.at, one.fields, one.legal, one.actual) for one in own]
            assert asked == before_forfeits, (seed, seat)
            assert find_decisions(recorded, [seat]) == own


def test_games_of_a_bot_are_drawn_by_a_key_and_those_with_a_forfeit_left_out(
    tmp_path: Path,
) -> None:
    bots = LEAGUE | {"dee": 'def decide(view):\n    return "none"\n'}
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
        for name, game, no in (
            ("ann", "sixteen", set()), ("dee", "no_thanks", set()), ("ann", "no_thanks", {"bob"}),
        ):  # fmt: skip
            with pytest.raises(ArenaError, match=f"no game of {game} without a forfeit"):
                find_games(store, name, game, b"", no)
