"""What a sample of decisions speaks for: a rule that is in it is found, and counted by hand."""

from random import Random

import numpy as np
import pytest

from arena.insight import rules, search
from arena.insight.search import Sampled, classes, fields_of, propose
from games import diciassette, no_thanks, sixteen


def view_of(rng: Random) -> no_thanks.View:
    taken = tuple(tuple(rng.sample(range(3, 36), rng.randrange(5))) for _ in range(3))
    return no_thanks.View(
        0, 3, rng.randrange(3), "play", (), rng.randrange(3, 36), rng.randrange(12),
        rng.randrange(1, 12), taken, rng.randrange(24), None,
    )  # fmt: skip


def sample_of(seed: int, planted: bool, games: int = 200) -> list[Sampled]:
    """Eight decisions a game; where planted, a take of up to 20 for 5 chips or more gains .3, and
    one elsewhere costs .1. Each game has luck of its own.
    """
    rng, sample = Random(seed), []
    for _ in range(games):
        for _ in range(8):
            view = view_of(rng)
            good = view.pot >= 5 and view.card <= 20
            gain = (0.3 if good else -0.1) if planted else 0.0
            luck = rng.gauss(0.4, 0.2)
            values = {"pass": luck, "take": luck + gain + rng.gauss(0, 0.2)}
            sample.append(Sampled(view, "pass", ("pass", "take"), values))
    return sample


@pytest.mark.parametrize("seed", range(3))
def test_a_rule_that_is_in_the_sample_is_proposed_first(seed: int) -> None:
    sample = sample_of(seed, planted=True)
    first = propose(no_thanks, sample, 12)[0]
    good = np.array([each.view.pot >= 5 and each.view.card <= 20 for each in sample])
    agree = (first.changed == good).mean()
    assert (first.rule.chosen, len(first.rule.when)) == ("pass", 2), first
    assert {str(each.field) for each in first.rule.when} == {"pot", "card"}
    assert agree > 0.93, (seed, first.rule, agree)


def test_gain_and_changes_are_those_of_the_rule_carried_out_and_no_two_alike() -> None:
    sample = sample_of(7, planted=True)
    found = propose(no_thanks, sample, 12)
    assert len(found) > 3
    for place, each in enumerate(found):
        pairs = [
            (own, rules.apply_rule(each.rule, no_thanks, own.view, own.chosen, own.legal)[0])
            for own in sample
        ]
        assert [new != own.chosen for own, new in pairs] == each.changed.tolist()
        gain = sum(own.values[new] - own.values[own.chosen] for own, new in pairs)
        assert each.gain == pytest.approx(gain)
        overlaps = [search.overlap(each.changed, other.changed) for other in found[:place]]
        assert max(overlaps, default=0) < search.ALIKE


def test_plain_swaps_need_no_gain_and_those_that_change_most_come_first() -> None:
    passed = [
        each._replace(legal=("take", "pass")) for each in sample_of(2, planted=False, games=2)
    ]
    took = [each._replace(chosen="take") for each in passed[:3]]
    swaps = [*map(str, search.swap_plainly(no_thanks, [*passed, *took]))]
    assert swaps == ["pass -> take", "take -> pass"]  # * does the same
    assert search.plain_classes("N4:u", ("high", "high:u")) == {"high", "high:u", "*:u", "*"}
    assert search.plain_classes("W=G5", ()) == {"W=G*", "*"}


def test_a_decision_that_is_not_played_on_is_no_gain() -> None:
    sample = [one._replace(values={"pass": 0.5}) for one in sample_of(1, planted=True)]
    assert propose(no_thanks, sample, 12) == []


def test_classes_hold_their_decision() -> None:
    assert classes("N4:u", diciassette.move_classes(None, "N4:u")) == {
        "N4:u", "N*:u", "*:u", "*", "high", "high:u",
    }  # fmt: skip
    assert classes("W=G5", ()) == {"W=G5", "W=G*", "*=G5", "*"}
    for decision in (*sixteen.WILDS, *diciassette.PLAYS, "pass"):
        assert all(rules.stars(each, decision) is not None for each in classes(decision, ()))


def test_fields_are_numbers_lengths_and_entries_and_can_be_written_down() -> None:
    view = view_of(Random(1))
    fields = {str(field) for field in fields_of(no_thanks, view)}
    assert fields >= {"players", "card", "len(taken[own])", "taken[own][0]", "cost", "pot_share"}
    assert not fields & {"seat", "table", "len(since)", "phase"}
    words = rules.learn_words(no_thanks, [(view, ("pass", "take"))])
    assert not words.names & {"since", "table", "seat", "phase"}
    for field in fields:
        assert rules.parse_rule(f"pass -> take when {field} > 1", words)
