"""What every game must hold to, whatever its rules: run over each game of the folder.

Random play is seeded with the case, as the test's name shows it, and the number that the
assertion shows or the test names.
"""

import json
import math
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, cast, get_args, get_type_hints

import msgspec
import pytest

import games
from arena.author.brief import find_rules
from games.kit.zones import Colour, ZoneStyle
from tests.games.cases import Case, cases
from tests.games.golden import FOLDER, is_dealt, kept_of, playthrough
from tests.games.playing import play, steps

ROOT = Path(games.__file__).parent


def sides(case: Case) -> set[int]:
    """Return who may win."""
    return {case.game.side(seat) for seat in range(case.seats)}


def cases_where(holds: Callable[[Case], bool]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [case for case in cases() if holds(case)], ids=str)


def has(name: str) -> Callable[[Case], bool]:
    return lambda case: hasattr(case.game, name)


def is_usual(case: Case) -> bool:
    return not case.given


every_case = cases_where(lambda case: True)
every_game = pytest.mark.parametrize("name", games.names())
every_usual_case = cases_where(is_usual)


def positions(case: Case, seed: int = 1, forfeits: float = 0.002) -> Iterator[games.State]:
    """Yield a random game's state before each decision, and after the last."""
    state = case.state(case.rng(seed))
    yield from (state for _ in steps(state, case.seats, case.rng(seed), forfeits))
    yield state


def record_of(case: Case, state: games.State) -> Any:
    """Return the record, as it comes back from its file."""
    record = {
        "v": 1, "game": case.name, "players": case.seats,
        "options": games.changed_options(case.options), "setup": state.setup(),
        "actions": state.actions, "rounds": state.rounds,
        "result": None if state.to_act is not None else state.result(),
    }  # fmt: skip
    return json_of(record)


def snapshot(case: Case, state: games.State) -> Any:
    """Return all that can be seen of a state from outside."""
    return (
        state.to_act, list(state.forfeited), list(state.actions), state.dump(), state.rounds,
        state.setup(), [state.fields(seat) for seat in range(case.seats)],
    )  # fmt: skip


def json_of(value: Any) -> Any:
    """Return the value as it comes back from a file."""
    return json.loads(json.dumps(value))


def only_random(rng: Random) -> Random:
    """Return what of the generator has nothing but `random`."""

    class OnlyRandom:
        random = staticmethod(rng.random)

    return cast(Random, OnlyRandom())


@every_game
def test_a_game_says_what_it_is(name: str) -> None:
    game = games.load(name)
    assert name == game.NAME == game.View.game
    assert game.VERSION >= 1
    assert isinstance(game.KEEPS_ROUNDS, bool)
    assert isinstance(game.LOW_WINS, bool)
    assert game.View.options == game.Options()
    assert game.View._fields[:5] == ("table", "players", "seat", "phase", "since")
    assert not hasattr(game, "words"), "a name that is planned"
    counts = game.seat_counts(game.Options())
    assert counts == tuple(sorted(set(counts)))
    for seats in counts:
        sides = [game.side(seat) for seat in range(seats)]
        assert len({sides.count(s) for s in sides}) == 1
        assert set(sides) == set(range(len(set(sides))))


def test_the_page_of_the_games_has_every_name_of_the_contract_and_no_other() -> None:
    page, code = (ROOT / "README.md").read_text("utf-8"), (ROOT / "__init__.py").read_text("utf-8")
    named = re.findall(r"^\| `(\w+)[`(]", page, re.MULTILINE)
    required = {name for name in vars(games.Game) if name[0] != "_"} | {*get_type_hints(games.Game)}
    optional = {*re.findall(r'_optional\([^"]*"(\w+)"', code), "determinize"}
    assert sorted(named) == sorted(required | optional | {*games.names()})
    exports = page.partition("`games` exports from `kit/`")[2].partition(".\n\n")[0]
    assert re.findall(r"`(\w+)`", exports) == sorted(re.findall(r"import (\w+) as \1$", code, re.M))


@every_game
def test_the_rules_page_names_every_option_field_of_the_view_and_ruling(name: str) -> None:
    game, page = games.load(name), find_rules(name).read_text("utf-8")
    words = [*get_type_hints(game.Options), *game.View._fields]
    assert [word for word in words if f"`{word}`" not in page] == []
    files = [*ROOT.glob(f"{name}.py"), *ROOT.glob(f"{name}/*.py")]
    code = "".join(file.read_text("utf-8") for file in files)
    named, there = (set(re.findall(r"\b[A-Z]\d\d\b", text)) for text in (code, page))
    assert named <= there
    assert there, "a numbered ruling for each doubt, as N01"


@every_case
def test_the_deal_uses_nothing_of_the_generator_but_random(case: Case) -> None:
    setup = case.game.deal(case.options, case.seats, only_random(case.rng(1)))
    assert setup == case.game.deal(case.options, case.seats, case.rng(1))


@every_usual_case
def test_a_deal_that_draws_differs_from_number_to_number_and_one_that_does_not_is_the_same(
    case: Case,
) -> None:
    drawn = 0

    class Counted(Random):
        def random(self) -> float:
            nonlocal drawn
            drawn += 1
            return super().random()

    states = [case.state(Counted(f"{case} {seed}")) for seed in range(80)]
    different = {json.dumps(state.setup()) for state in states}
    assert (len(different) > 1) == (drawn > 0)


@every_usual_case
def test_any_seat_may_be_the_first_to_decide_or_it_is_always_the_same(case: Case) -> None:
    firsts = {case.state(case.rng(seed)).to_act for seed in range(80)}
    assert len(firsts) == 1 or firsts == set(range(case.seats))


@every_case
def test_ranks_and_scores_agree_at_the_end_and_before_it_as_if_it_ended_now(case: Case) -> None:
    for seed in range(3):
        for state in positions(case, seed, forfeits=0):
            result = state.result()
            ranks, scores = result["ranks"], result["scores"]
            assert len(ranks) == len(scores) == case.seats, seed
            assert ranks == [1 + sum(other < own for other in ranks) for own in ranks], seed
            better = [-s if case.game.LOW_WINS else s for s in scores]
            for a, b in permutations(range(case.seats), 2):
                assert better[a] <= better[b] or ranks[a] < ranks[b], seed
        assert "forfeits" not in result, seed
        assert result["reason"] in ("complete", "turn_limit"), seed
        assert (state.legal(), state.has_choice()) == ((), False), seed
        ended = {"phase": "over", "to_act": None, "over": result["reason"]}
        assert ended.items() <= state.dump().items(), seed


@every_case
def test_a_view_says_what_is_legal_as_the_state_does_and_looking_changes_nothing(
    case: Case,
) -> None:
    for state in positions(case):
        before = snapshot(case, state)
        legal, has_choice = state.legal(), state.has_choice()
        assert snapshot(case, state) == before
        assert has_choice == (len(legal) > 1)
        assert len(set(legal)) == len(legal)
        assert bool(legal) == (state.to_act is not None)
        if state.to_act is not None:
            assert state.view(state.to_act).legal == legal
        if is_usual(case):
            parts = [state.setup(), state.dump(), state.rounds, state.result()]
            assert json_of(parts) == parts
            assert msgspec.convert(state.dump(), games.dump_type(case.game))


@every_case
def test_what_is_legal_can_be_played_and_nothing_else(case: Case) -> None:
    state, rng = case.state(case.rng(1)), case.rng(1)
    words = {
        word for _ in steps(deepcopy(state), case.seats, case.rng(2)) for word in state.legal()
    }
    for _ in steps(state, case.seats, rng):
        legal = state.legal()
        words.update(legal)
        if state.actions and rng.random() > 0.1:
            continue
        for decision in legal:
            deepcopy(state).apply(decision)
        before = snapshot(case, state)
        for decision in ["", "nonsense", "forfeit", *sorted(words - set(legal))]:
            with pytest.raises(games.IllegalAction):
                state.apply(decision)
        assert snapshot(case, state) == before


@every_case
def test_a_view_survives_the_pipe_and_json_and_never_changes_after_it_was_given(
    case: Case,
) -> None:
    bound = games.bind_options(case.game.View, case.options)
    packed, text, given = msgspec.msgpack.Decoder(bound), msgspec.json.Decoder(bound), []
    for state in positions(case):
        for seat in range(case.seats) if state.to_act is not None else ():
            view, fields = state.view(seat, 7), state.fields(seat, 7)
            assert (view.table, view.players, view.seat) == (7, case.seats, seat)
            assert view.options == case.options
            for back in (
                packed.decode(msgspec.msgpack.encode(fields)),
                text.decode(msgspec.json.encode(fields)),
                text.decode(json.dumps(fields)),
            ):
                assert type(back) is type(view) is bound
                assert back == view == fields
            given.append((view, repr(view)))
            hash(view)  # tuples all the way down
    assert all(repr(view) == then for view, then in given)


@cases_where(lambda case: games.count_pieces(case.game, case.state(case.rng(1))) is not None)
def test_cards_and_chips_are_neither_made_nor_lost(case: Case) -> None:
    for seed in range(2):
        at_first = games.count_pieces(case.game, case.state(case.rng(seed)))
        assert at_first, "a game that has nothing of the kind leaves `count_pieces` out"
        for state in positions(case, seed):
            assert games.count_pieces(case.game, state) == at_first, seed


@every_case
def test_a_record_replays_to_the_same_result_rounds_and_state(case: Case) -> None:
    for seed in range(3):
        played = play(case.state(case.rng(seed)), case.seats, case.rng(seed), forfeits=0.004 * seed)
        record = record_of(case, played)
        again = case.replay(record)
        assert record_of(case, again) == record, seed
        assert again.dump() == played.dump(), seed


@every_case
def test_a_prefix_of_a_record_replays_to_the_state_after_it(case: Case) -> None:
    played = play(case.state(case.rng(1)), case.seats, case.rng(1))
    record = record_of(case, played)
    for end in range(0, len(record["actions"]) + 1, min(7, len(record["actions"]))):
        prefix = case.replay({**record, "actions": record["actions"][:end]})
        assert prefix.rounds == [r for r in played.rounds if r["end"] < end]
        json.dumps(prefix.dump())
        further = case.replay({**record, "actions": record["actions"][:end]})
        for seat, action in record["actions"][end:]:
            further.replay(seat, action)
        assert further.dump() == played.dump()


@every_case
def test_forfeits_end_last_the_stand_in_plays_on_and_play_still_ends(case: Case) -> None:
    forfeited = 0
    for seed in range(8):
        rng = case.rng(seed)
        state = play(case.state(rng), case.seats, rng, forfeits=0.05 if seed < 6 else 0.5)
        result, out = state.result(), state.forfeited
        forfeited += len(out)
        lost_sides = {case.game.side(seat) for seat in out}
        ranks: dict[bool, set[int]] = {True: set(), False: set()}
        for seat, rank in enumerate(result["ranks"]):
            ranks[case.game.side(seat) in lost_sides].add(rank)
        assert result.get("forfeits", []) == sorted(out), seed
        assert len(ranks[True]) <= 1, seed  # level with each other
        assert not out or max(ranks[False]) < min(ranks[True]), seed
        assert (result["reason"] == "forfeit") == (len(sides(case) - lost_sides) == 1), seed
    assert forfeited


@every_case
def test_a_forfeit_is_an_action_an_event_and_happens_once(case: Case) -> None:
    state = case.state(case.rng(1))
    last = case.seats - 1
    state.forfeit(last)
    assert (state.forfeited, state.actions) == ([last], [(last, "forfeit")])
    assert state.view(0).since[-1] == (last, "forfeit")
    before = snapshot(case, state)
    for _ in range(2):
        with pytest.raises(games.IllegalAction):
            state.forfeit(last)
        with pytest.raises(games.IllegalAction):
            state.replay(last, "forfeit")
    assert snapshot(case, state) == before


@cases_where(lambda case: len(sides(case)) > 2)
def test_replay_holds_the_stand_in_to_the_first_legal_decision(case: Case) -> None:
    refused = 0
    for seed in range(4):
        state = case.state(case.rng(seed))
        assert state.to_act is not None
        state.forfeit(state.to_act)
        for _ in steps(state, case.seats, case.rng(seed)):
            if state.to_act in state.forfeited:
                for decision in state.legal()[1:]:
                    with pytest.raises(games.IllegalAction):
                        deepcopy(state).replay(state.to_act, decision)
                    refused += 1
    assert refused


@every_case
def test_a_seat_sees_its_own_last_answer_first_and_nothing_twice(case: Case) -> None:
    state = case.state(case.rng(1))
    answered: dict[int, tuple[int, str]] = {}
    heard = [0] * case.seats
    last: tuple[int, str] | None = None
    done = 0  # actions before the last answer
    for decision in steps(state, case.seats, case.rng(1)):
        if last and len(state.actions) > done:  # else no record keeps it, and it is no event
            answered[last[0]] = last
        seat, last, done = state.to_act, None, len(state.actions)
        assert seat is not None
        if state.has_choice():
            since = state.view(seat).since
            if seat in answered:
                assert since[0][:2] == answered.pop(seat)
            heard[seat] += len(since)
            last = (seat, decision)
    heard = [count + len(state.view(seat).since) for seat, count in enumerate(heard)]
    assert len(set(heard)) == 1  # all seats were told equally often
    assert heard[0] >= len(state.actions)  # of every action, and perhaps of more


@every_case
@pytest.mark.parametrize("by_forfeits", [False, True])
def test_after_the_end_nothing_can_be_played(case: Case, by_forfeits: bool) -> None:
    state = case.state(case.rng(1))
    legal = state.legal()
    play(state, case.seats, case.rng(1), forfeits=float(by_forfeits))
    before = snapshot(case, state)
    for decision in (*legal, state.actions[-1][1]):
        with pytest.raises(games.IllegalAction):
            state.apply(decision)
        for seat in range(case.seats):
            with pytest.raises(games.IllegalAction):
                state.replay(seat, decision)
            with pytest.raises(games.IllegalAction):
                state.forfeit(seat)
    assert snapshot(case, state) == before


@every_case
def test_replay_refuses_another_seats_turn_an_unknown_action_and_seats_that_are_none(
    case: Case,
) -> None:
    state = case.state(case.rng(1))
    turn, legal = state.to_act, state.legal()[0]
    assert turn is not None
    before, other = snapshot(case, state), (turn + 1) % case.seats
    wrong = [(turn, "nonsense"), (turn, ""), (other, legal), (case.seats, legal), (-1, legal)]
    for seat, action in wrong:
        with pytest.raises(games.IllegalAction, match=r"\w"):
            state.replay(seat, action)
    for seat in (-1, case.seats):
        with pytest.raises(games.IllegalAction, match=r"\w"):
            state.forfeit(seat)
    assert snapshot(case, state) == before


def replayed(case: Case, setup: Any, actions: Any) -> games.State:
    """Return the state after these actions."""
    state = case.game.State(case.options, case.seats, setup)
    for who, action in actions:
        state.replay(who, action)
    return state


@every_case
def test_from_any_point_a_game_is_played_on_with_its_cards_and_with_all_that_a_seat_cannot_tell(
    case: Case,
) -> None:
    others = 0
    for seed in range(6):
        rng = case.rng(seed)
        played = play(case.state(rng), case.seats, rng, forfeits=0.02)
        setup = case.game.parse_setup(case.options, case.seats, played.setup())
        actions = played.actions[: rng.randrange(len(played.actions) + 1)]
        state = replayed(case, setup, actions)
        known = case.game.parse_setup(case.options, case.seats, json_of(state.setup()))
        worlds: list[tuple[Any, Any]] = [(known, actions)]  # as the record has the cards so far
        for seat in range(case.seats):
            given = case.game, case.options, case.seats, setup, actions, seat
            twin = games.resample(*given, only_random(case.rng(seed)))
            assert twin == games.resample(*given, case.rng(seed)), seed
            if twin is None:
                continue
            worlds.append(twin)
            others += twin[0] != setup
            other, course = replayed(case, *twin), twin[1]
            assert other.fields(seat) == state.fields(seat), seed
            case.game.parse_setup(case.options, case.seats, json_of(other.setup()))  # no card lost
            assert [who for who, _ in course] == [who for who, _ in actions], seed
            assert [e for e in course if e[0] == seat] == [e for e in actions if e[0] == seat], seed
        for world, course in worlds:
            world = games.complete_setup(case.game, world, rng)
            play(replayed(case, world, course), case.seats, rng)  # raises if chance is missing
    assert others or not has("resample")(case), "every twin is the deal itself: that hides nothing"


@cases_where(has("determinize"))
def test_a_state_determinized_from_a_view_shows_its_seat_that_view_and_goes_on(case: Case) -> None:
    game: Any = case.game
    for seed in range(2):
        rng = case.rng(seed)
        state = case.state(rng)
        there = games.count_pieces(game, state)
        for number, _ in enumerate(steps(state, case.seats, rng, 0.002)):
            seat = state.to_act
            if seat is None or seat in state.forfeited or not state.has_choice():
                continue
            view = state.view(seat, 7)
            world = game.determinize(view, rng)
            assert world.view(seat, 7) == view, (seed, number)
            assert (world.to_act, world.legal()) == (seat, view.legal), (seed, number)
            if there is not None:
                now = games.count_pieces(game, world)
                assert now is not None
                assert now.total() == there.total(), (seed, number)
            if rng.random() < 0.1:
                over = play(world.copy(), case.seats, rng)
                assert len(over.result()["ranks"]) == case.seats
                over.setup(), over.rounds, over.dump()
                assert world.view(seat, 7) == view, (seed, number)  # the copy went on, not it


@cases_where(has("determinize"))
def test_a_copy_plays_on_as_the_state_would_have_and_neither_changes_the_other(case: Case) -> None:
    rng = case.rng(3)
    state: Any = case.state(rng)
    for number, _ in enumerate(steps(state, case.seats, rng, forfeits=0.002)):
        if number % 7:
            continue
        before, kept, copies = snapshot(case, state), state.copy(), [state.copy(), deepcopy(state)]
        one, other = (snapshot(case, play(each, case.seats, Random(number))) for each in copies)
        assert one == other, number
        assert snapshot(case, state) == snapshot(case, kept) == before, number


@every_usual_case
def test_the_initial_setup_is_there_before_the_first_action_and_never_changes(case: Case) -> None:
    for seed in range(3):
        state = case.state(case.rng(seed))
        at_first = games.initial_setup(case.game, state.setup())
        assert at_first == state.setup() or set(at_first) < set(state.setup()), seed
        play(state, case.seats, case.rng(seed))
        assert games.initial_setup(case.game, json_of(state.setup())) == at_first, seed


@every_usual_case
def test_states_are_summarized_and_events_described_on_one_line(case: Case) -> None:
    lines = set[str]()
    for state in positions(case):
        lines.add(games.summarize(case.game, state.dump()))
        for seat in range(case.seats):
            since, names = state.view(seat).since, [f"bot{other}" for other in range(case.seats)]
            said = games.describe_events(case.game, case.options, since, state.rounds, names)
            assert len(said) == len(since)
            for each in (each for of_event in said for each in of_event):
                assert each.seat is None or 0 <= each.seat < case.seats
                assert each.words.strip() == each.words
                lines.add(each.words)
    assert all(line.strip() and len(line.splitlines()) == 1 for line in lines)
    assert len(lines) > 1


@every_usual_case
def test_a_table_is_drawn_alike_for_all_seats_and_opened_by_what_they_know(case: Case) -> None:
    words = dict[str, str]()
    for state in positions(case):
        over = state.to_act is None
        seen = [games.zones(case.game, state.view(seat), over) for seat in range(case.seats)]
        opened = games.open_zones(case.game, state, case.seats)
        assert opened
        for zone in opened:
            assert zone.style in get_args(ZoneStyle)
            for text in {piece.text for piece in zone.pieces if zone.is_cards and piece.text}:
                face = games.symbol(case.game, text)
                assert face.colour in get_args(Colour)
                assert words.setdefault(face.label, text) == text, "cards have words of their own"
        for own in seen if hasattr(case.game, "zones") else ():
            for zone, whole in zip(own, opened, strict=True):
                assert zone._replace(pieces=()) == whole._replace(pieces=())
                assert len(zone.pieces) == len(whole.pieces)
                hidden = [sum(piece.is_hidden for piece in z.pieces) for z in (zone, whole)]
                assert hidden[1] <= hidden[0]


@every_usual_case
def test_features_and_move_classes_are_numbers_and_words_that_the_page_names(case: Case) -> None:
    page = find_rules(case.game.NAME).read_text("utf-8")
    for state in positions(case):
        if state.to_act is None:
            return
        view, legal = state.view(state.to_act), state.legal()
        features = games.features(case.game, view)
        assert not features.keys() & {*view._fields}
        assert all(math.isfinite(number) for number in features.values())
        classes = {name for each in legal for name in games.move_classes(case.game, view, each)}
        assert not classes & {*legal}
        named = {*features, *(name.partition(":")[0] for name in classes)}
        assert [word for word in named if f"`{word}`" not in page and "leaves_" not in word] == []


@every_usual_case
def test_a_decision_is_chosen_part_by_part_and_no_other_one_so(case: Case) -> None:
    for state in positions(case):
        ways = [tuple(games.split_decision(case.game, decision)) for decision in state.legal()]
        begun = {way[:length] for way in ways for length in range(len(way))}
        assert len({*ways}) == len(ways)
        assert not begun & {*ways}, "a choice is over where another one goes on"
        assert all(part and part.strip() == part for way in ways for part in way)


@cases_where(lambda case: is_usual(case) and has("priority")(case))
def test_who_is_asked_for_a_place_of_the_record_is_in_the_game_and_asked_once(case: Case) -> None:
    ever = set[int]()
    for state in positions(case):
        asked = games.priority(case.game, state.dump())
        assert set(asked) <= set(range(case.seats)) - set(state.forfeited)
        assert len(set(asked)) == len(asked)
        ever.update(asked)
    assert ever


@every_usual_case
def test_a_setup_in_which_a_key_is_wrong_is_refused_with_its_name(case: Case) -> None:
    setup = json_of(case.state(case.rng(1)).setup())
    assert case.game.parse_setup(case.options, case.seats, setup) is not None
    wrong: dict[str, list[object]] = {key: [{"else": key}] for key in setup}
    if "first" in setup:
        wrong["first"] += [-1, 99, True, "0", None, 1.0]
    if deck := setup.get("deck"):
        second = next(card for card in deck if card != deck[0])
        doubled = [second if card == deck[0] else card for card in deck]
        wrong["deck"] += [None, deck[1:], [*deck, deck[0]], doubled, [["Z9"], *deck[1:]], "deck"]
    for key, values in wrong.items():
        for value in values:
            with pytest.raises(ValueError, match=key):
                case.game.parse_setup(case.options, case.seats, {**setup, key: value})


@every_game
def test_the_golden_playthrough_is_as_it_was(
    name: str, check_kept: Callable[[str, Path], None]
) -> None:
    check_kept(playthrough(kept_of(name)), FOLDER / f"{name}.json")


@every_game
def test_the_golden_playthrough_s_deal_is_still_dealt(name: str) -> None:
    assert is_dealt(kept_of(name)), "a change of the deal is a new VERSION, and a new playthrough"


def test_kit_and_files_that_begin_with_an_underscore_are_no_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("kit.py", "_shared.py", "nim.py"):
        (tmp_path / name).touch()
    monkeypatch.setattr(games, "__path__", [str(tmp_path)])
    assert games.names.__wrapped__() == ("nim",)
