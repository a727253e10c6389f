"""Rules to be raced: plain swaps of one class for another, and what sampled decisions speak for.

Each decision was played on in some worlds with every alternative. A rule is tried on them: which
decisions it changes, and what that gains. What is proposed is only where to look:
the best of thousands of rules looks good by chance. Pure.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import games
from arena.insight.rules import OWN, Condition, Field, Rule, read_field, replacement

FEWEST = 20  # decisions that a rule changes in the sample
QUANTILES = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)
FIRST_CONDITIONS, KEPT = 6, 12
ALIKE = 0.8  # of the decisions changed: two rules are one
PLAIN = 0.9  # of the gain: what a rule with a condition less is worth
PLACES = 6  # of a tuple of numbers, as fields of their own

Numbers = NDArray[np.float64]
Truths = NDArray[np.bool_]


class Sampled(NamedTuple):
    """A decision of a stored game, and what its alternatives came to."""

    view: Any
    chosen: str
    legal: tuple[str, ...]
    values: Mapping[str, float]  # mean share of opponents beaten, by decision played


class Proposal(NamedTuple):
    """A rule that the sample speaks for."""

    rule: Rule
    gain: float  # summed over the sample
    worth: float  # less by a standard error, and by a part for each condition
    changed: Truths  # by decision of the sample


def propose(game: games.Game, sample: Sequence[Sampled], most: int) -> list[Proposal]:
    """Return so many rules that differ in what they change, those of most worth first."""
    columns, proposals = _columns(game, sample), list[Proposal]()
    for (chosen, better), (at, gains) in _changes(game, sample, classes).items():
        if len(at) >= FEWEST:
            for when, gain, worth, hit in _search(columns, at, gains):
                changed = np.zeros(len(sample), bool)
                changed[at[hit]] = True
                proposals.append(Proposal(Rule(chosen, better, when), gain, worth, changed))
    proposals.sort(key=lambda proposal: -proposal.worth)
    distinct = list[Proposal]()
    for proposal in proposals:
        alike = (overlap(proposal.changed, one.changed) >= ALIKE for one in distinct)
        if len(distinct) < most and not any(alike):
            distinct.append(proposal)
    return distinct


def swap_plainly(game: games.Game, sample: Sequence[Sampled]) -> list[Rule]:
    """Return each swap of a plain class for another, those that change most decisions first."""
    changes = _changes(game, sample, plain_classes)
    return [Rule(*pair) for pair in sorted(changes, key=lambda pair: -len(changes[pair][0]))]


def overlap(one: Truths, other: Truths) -> float:
    """Return the share of the decisions that both change, of those that either changes."""
    return float((one & other).sum() / (one | other).sum())


def _spelling(pair: tuple[str, str]) -> tuple[int, int, tuple[str, str]]:
    text = "".join(pair)
    return text.count("*"), len(text), pair


def classes(decision: str, kinds: Sequence[str]) -> set[str]:
    """Return classes that hold this decision, from itself to all there are."""
    parts = {f"*{sign}{rest}" for sign in ":=" for _, _, rest in [decision.partition(sign)] if rest}
    return {decision, _star_numbers(decision), "*", *parts, *kinds}


def plain_classes(decision: str, kinds: Sequence[str]) -> set[str]:
    """Return those of its classes that a player would name: kinds before cards and numbers."""
    stars = {
        word for word in classes(decision, ()) if word[0] == "*" and not re.search(r"\d", word)
    }
    return stars | ({*kinds} or {_star_numbers(decision)})


def _star_numbers(decision: str) -> str:
    """Put a * for each number in it, but for a decision that is a number."""
    return decision if decision.isdecimal() else re.sub(r"[0-9]+", "*", decision)


def _changes(
    game: games.Game, sample: Sequence[Sampled],
    classes_of: Callable[[str, Sequence[str]], set[str]],
) -> dict[tuple[str, str], tuple[NDArray[np.int_], Numbers]]:  # fmt: skip
    """Return by pair of classes which decisions it changes, and what each gains by it; of pairs
    that do the same, as `pass` and `*` do of two decisions, the one that is plainest to read.
    """
    changes = defaultdict[tuple[str, str], tuple[list[int], list[float]]](lambda: ([], []))
    for row, one in enumerate(sample):
        kinds = {play: games.move_classes(game, one.view, play) for play in one.legal}
        held = {play: classes_of(play, kinds[play]) for play in one.values}
        mine = held[one.chosen]
        for chosen, better in product(mine, set[str]().union(*held.values()) - mine):
            other = replacement(chosen, better, one.chosen, one.legal, kinds.__getitem__)
            if other is not None and other in one.values:
                rows, gains = changes[chosen, better]
                rows.append(row)
                gains.append(one.values[other] - one.values[one.chosen])
    distinct = dict[bytes, tuple[tuple[str, str], NDArray[np.int_], Numbers]]()
    for pair in sorted(changes, key=_spelling):
        at, gained = np.array(changes[pair][0]), np.array(changes[pair][1])
        distinct.setdefault(at.tobytes() + gained.tobytes(), (pair, at, gained))
    return {pair: (at, gained) for pair, at, gained in distinct.values()}


def fields_of(game: games.Game, view: Any) -> Iterator[Field]:
    """Yield what conditions may speak of in this view."""
    yield Field("players")
    yield from map(Field, games.features(game, view))
    for name, value in view._asdict().items():
        if name not in games.COMMON_FIELDS and isinstance(value, int):
            yield Field(name)
        if name in games.COMMON_FIELDS or not isinstance(value, tuple):
            continue
        yield Field(name, (), "len")
        if all(isinstance(item, int) for item in value):
            yield from (Field(name, (), measure) for measure in ("sum", "least", "most"))
            yield from (Field(name, (place,)) for place in range(min(len(value), PLACES)))
        if len(value) == view.players:
            yield Field(name, (OWN,))
            yield Field(name, (OWN,), "len")
            yield from (Field(name, (OWN, place)) for place in range(2))


def _columns(game: games.Game, sample: Sequence[Sampled]) -> dict[Field, Numbers]:
    fields = dict.fromkeys(field for one in sample for field in fields_of(game, one.view))
    features = [games.features(game, one.view) for one in sample]

    def column(field: Field) -> Numbers:
        pairs = zip(sample, features, strict=True)
        values = [read_field(field, one.view, known) for one, known in pairs]
        return np.array([np.nan if value is None else value for value in values], float)

    return {field: column(field) for field in fields}


def _search(
    columns: Mapping[Field, Numbers], rows: NDArray[np.int_], gains: Numbers
) -> Iterator[tuple[tuple[Condition, ...], float, float, Truths]]:
    """Yield for these changes the best conditions, none, one or two: gain, worth, which hold."""
    whens: list[tuple[Condition, ...]] = [()]
    holding = [np.ones(len(rows), bool)]
    for field, column in columns.items():
        values = column[rows]
        known = values[~np.isnan(values)]
        if len(known) >= FEWEST and known.min() < known.max():
            bounds = np.unique(np.quantile(known, QUANTILES, method="closest_observation"))
            for bound, sign in product(map(float, bounds), (">=", "<=")):
                holds = values >= bound if sign == ">=" else values <= bound
                if FEWEST <= holds.sum() < len(rows):
                    whens.append((Condition(field, sign, bound),))
                    holding.append(holds)
    one = np.array(holding)
    for first in np.argsort(-(one @ gains), kind="stable")[:FIRST_CONDITIONS]:
        if whens[first]:
            ((field, sign, _),) = whens[first]
            for second, when in enumerate(whens[: len(one)]):
                if when and when[0][:2] != (field, sign):
                    whens.append((*whens[first], *when))
                    holding.append(one[first] & one[second])
    every = np.array(holding)
    total, error = every @ gains, np.sqrt(every @ gains**2)
    worth = total * PLAIN ** np.array([len(when) for when in whens]) - error
    chosen = list[int]()
    for at in np.argsort(-worth, kind="stable"):
        alike = (overlap(every[at], every[other]) >= ALIKE for other in chosen)
        if len(chosen) < KEPT and every[at].sum() >= FEWEST and total[at] > 0 and not any(alike):
            chosen.append(at)
            yield whens[at], float(total[at]), float(worth[at]), every[at]
