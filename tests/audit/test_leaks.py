"""No view tells what its seat may not know; and one that did would be found."""

import json
from collections.abc import Callable
from random import Random
from typing import Any, cast

import pytest

import games
from arena.audit.leaks import Leak, PositionCheck, check, positions
from arena.records.record import Divergence
from games import diciassette, no_thanks, sixteen
from tests.games.cases import Case, cases
from tests.places import EXAMPLES

RECORDS = [json.loads(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]
PASSES = (0.5, 0.9, 0.98, 1.0)  # how probable a pass is made where there is one
USUAL = {case.name: case for case in cases() if not case.given}  # with most players


def record_of(case: Case, seed: int, forfeits: float = 0.0) -> dict[str, Any]:
    """Return the record of a game at random; passes are many, so that rows of 17 grow long."""
    rng = case.rng(seed)
    state, passes = case.state(rng), rng.choice(PASSES)
    while state.to_act is not None:
        legal = state.legal()
        if rng.random() < forfeits:
            state.forfeit(rng.choice([s for s in range(case.seats) if s not in state.forfeited]))
        elif state.to_act in state.forfeited or (legal[0] == "pass" and rng.random() < passes):
            state.apply(legal[0])
        else:
            state.apply(rng.choice(legal))
    record = {
        "v": 1, "game": case.name, "players": case.seats, "setup": state.setup(),
        "options": games.changed_options(case.options),
        "actions": state.actions, "result": state.result(),
    }  # fmt: skip
    return cast(dict[str, Any], json.loads(json.dumps(record)))


def leak_of(name: str) -> Leak:
    """Return the first leak in games at random of that game, with most players. Seeds 0 to 59."""
    for seed in range(60):
        record = record_of(USUAL[name], seed)
        results = (check(record, at, Random(seed)) for at in positions(record, Random(seed), 12))
        if leak := next((result.leak for result in results if result.leak), None):
            return leak
    raise AssertionError("no leak found")


@pytest.mark.parametrize("case", [c for c in cases() if hasattr(c.game, "resample")], ids=str)
@pytest.mark.parametrize(("seed", "forfeits"), [(1, 0.0), (2, 0.01), (3, 0.05)])
def test_no_view_depends_on_what_is_hidden_from_its_seat(
    case: Case, seed: int, forfeits: float
) -> None:
    record = record_of(case, seed, forfeits)
    for at in positions(record, case.rng(seed), 2):
        result = check(record, at, case.rng(at))
        assert result.leak is None, at
        assert result.compared + result.not_compared == case.seats, at  # it may not know of some


def test_nor_in_the_record_formats_examples() -> None:
    for record in RECORDS:
        for at in [*range(0, len(record["actions"]), 5), len(record["actions"])]:
            assert check(record, at, Random(at)) == PositionCheck(record["players"], 0, None), at


Fields = Callable[[Any, int, int], tuple[Any, ...]]


def leaking(monkeypatch: pytest.MonkeyPatch, game: Any, field: str, value: Any) -> None:
    """Let views of the game show `value(state, seat)` in that field."""
    honest, place = game.State.fields, game.View._fields.index(field)

    def fields(state: Any, seat: int, table: int = 0) -> tuple[Any, ...]:
        shown = list(honest(state, seat, table))
        shown[place] = value(state, seat)
        return tuple(shown)

    monkeypatch.setattr(game.State, "fields", fields)


@pytest.mark.parametrize(("game", "field", "value"), [
    (no_thanks, "pot", lambda state, seat: state.deck[-1:]),
    (no_thanks, "cards_left", lambda state, seat: sum(state.deck)),
    (no_thanks, "taken", lambda state, seat: state.start.removed),
    (sixteen, "deck", lambda state, seat: state.deck[-1:]),
    (sixteen, "hands", lambda state, seat: tuple(map(tuple, state.hands))),
    (sixteen, "hand", lambda state, seat: tuple(state.hands[seat - 1])),
    (sixteen, "sets", lambda state, seat: "W" in state.hands[seat - 1]),
    (diciassette, "top_back", lambda state, seat: state.deck[-1:]),
    (diciassette, "deck", lambda state, seat: state.deck[:1]),
    (diciassette, "backs", lambda state, seat: tuple(state.hands)),
    (diciassette, "hand", lambda state, seat: state.hands[seat - 1]),
    (diciassette, "row", lambda state, seat: tuple(state.row)),
    (diciassette, "need", lambda state, seat: state.dump()["total"]),
    (diciassette, "discard", lambda state, seat: tuple(state.discard)),
    (diciassette, "since", lambda state, seat: tuple(state.logs[seat - 1])),
])  # fmt: skip
def test_a_view_that_shows_a_hidden_card_is_found(
    monkeypatch: pytest.MonkeyPatch, game: Any, field: str, value: Any
) -> None:
    leaking(monkeypatch, game, field, value)
    leak = leak_of(game.NAME)
    assert leak.field == field
    assert leak.given != leak.resampled


def test_what_a_seat_may_do_can_leak_too(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = sixteen.State.legal

    def legal(state: sixteen.State) -> tuple[str, ...]:
        return honest(state)[:: -1 if sum(card < "G" for card in state.deck) % 2 else 1]

    monkeypatch.setattr(sixteen.State, "legal", legal)
    assert leak_of("sixteen").field == "legal"


def test_a_leak_says_who_saw_it_when_and_both_values(monkeypatch: pytest.MonkeyPatch) -> None:
    leaking(monkeypatch, no_thanks, "pot", lambda state, seat: seat > 0 and state.deck[-1:])
    record = RECORDS[2]
    third = [at for at, (_, action) in enumerate(record["actions"]) if action == "take"][2]
    result = check(record, third + 1, Random(1))  # the seed
    leak = result.leak
    assert leak is not None
    # Four cards are turned up by then; before, what comes next is one of those.
    assert (result.compared, leak.seat, leak.at, leak.field) == (3, 1, third + 1, "pot")
    assert leak.given == f"[{record['setup']['deck'][4]}]"
    assert leak.resampled != leak.given


def test_what_was_seen_before_a_forfeit_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    value = lambda state, _: len(state.actions) == 1 and state.deck[-1:]  # noqa: E731
    leaking(monkeypatch, no_thanks, "pot", value)
    first = RECORDS[2]["setup"]["first"]
    record = {**RECORDS[2], "actions": [[first, "pass"], [first, "forfeit"]], "result": None}
    leak = check(record, 2, Random(1)).leak  # the seed
    assert leak is not None
    assert leak.at == 1


def test_seats_of_which_the_game_cannot_say_are_counted_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = no_thanks.resample
    monkeypatch.setattr(no_thanks, "resample", lambda *of: None if of[4] == 0 else honest(*of))
    assert check(RECORDS[2], 5, Random(1)) == PositionCheck(2, 1, None)
    monkeypatch.delattr(no_thanks, "resample")
    assert check(RECORDS[2], 5, Random(1)) == PositionCheck(0, 3, None)


def test_a_record_that_cannot_be_played_is_refused() -> None:
    for at in (-1, 1000):
        with pytest.raises(Divergence, match=f"found {at}; the game has"):
            check(RECORDS[2], at, Random(1))
    second = (RECORDS[2]["setup"]["first"] + 1) % 3
    with pytest.raises(games.IllegalAction, match=f"seat {second} cannot play 'pass' as action 0"):
        check({**RECORDS[2], "actions": [[second, "pass"]]}, 1, Random(1))
    with pytest.raises(Divergence, match="v: found 2"):
        check({**RECORDS[0], "v": 2}, 0, Random(1))


def test_positions_are_different_ascending_and_no_more_than_asked() -> None:
    record = {"actions": [[0, "pass"]] * 9}
    drawn = [positions(record, Random(seed), 4) for seed in range(60)]
    assert all(len(set(some)) == 4 and some == sorted(some) for some in drawn)
    assert {at for some in drawn for at in some} == set(range(10))
    assert positions(record, Random(1), 99) == list(range(10))
