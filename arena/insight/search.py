"""Rules that the sampled decisions of a bot speak for.

Each decision was played on in some worlds with every alternative. A rule is tried on them: which
decisions it changes, and what that gains, summed by game. What is proposed is only where to look:
the best of thousands of rules looks good by chance. Pure.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import games
from arena.insight.rules import OWN, Condition, Field, Rule, read_field, replacement

FEWEST, FEWEST_HALF = 40, 20  # decisions that a rule changes, in the sample and in a half of it
QUANTILES = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)
SURE = 3.0  # standard errors, on one half of the games
FIRST_CONDITIONS, KEPT = 6, 12
ALIKE = 0.8  # of the decisions changed: two rules are one
PLAIN = 0.9  # of the gain: what a rule with a condition less is worth
PLACES = 6  # of a tuple of numbers, as fields of their own

Numbers = NDArray[np.float64]
Truths = NDArray[np.bool_]


class Sampled(NamedTuple):
    """A decision of a stored game, and what its alternatives came to."""

    game: int  # a number of the game; decisions of one lie together
    view: Any
    chosen: str
    legal: tuple[str, ...]
    values: Mapping[str, float]  # mean share of opponents beaten, by decision played


class Proposal(NamedTuple):
    """A rule that the sample speaks for."""

    rule: Rule
    gain: float  # a decision of the sample, changed or not
    changed: Truths  # by decision of the sample


def propose(game: games.Game, sample: Sequence[Sampled], most: int) -> list[Proposal]:
    """Return so many rules that differ in what they change, those that gain most first."""
    columns = _columns(game, sample)
    of_game = np.array([each.game for each in sample])
    found, seen = list[Proposal](), set[bytes]()
    plain_first = sorted(_changes(game, sample).items(), key=lambda pair: _spelling(pair[0]))
    for (chosen, better), (rows, gains) in plain_first:
        at = np.array(rows)
        same = at.tobytes() + np.array(gains).tobytes()  # as `pass` and `*` of two decisions
        if len(rows) >= FEWEST and same not in seen:
            seen.add(same)
            for when, gain, hit in _search(columns, of_game, at, np.array(gains)):
                changed = np.zeros(len(sample), bool)
                changed[at[hit]] = True
                found.append(Proposal(Rule(chosen, better, when), gain / len(sample), changed))
    found.sort(key=lambda each: -each.gain * PLAIN ** len(each.rule.when))
    kept = list[Proposal]()
    for each in found:
        alike = (overlap(each.changed, own.changed) >= ALIKE for own in kept)
        if len(kept) < most and not any(alike):
            kept.append(each)
    return sorted(kept, key=lambda each: -each.gain)


def is_within(one: Proposal, other: Proposal, share: float) -> bool:
    """Whether the rules have this share of the changes of either in common."""
    fewer = min(one.changed.sum(), other.changed.sum())
    return bool((one.changed & other.changed).sum() >= share * fewer)


def overlap(one: Truths, other: Truths) -> float:
    """Return the share of the decisions that both change, of those that either changes."""
    return float((one & other).sum() / (one | other).sum())


def _spelling(pair: tuple[str, str]) -> tuple[int, int, tuple[str, str]]:
    """Return a key that sorts what is plainer to read first."""
    text = "".join(pair)
    return text.count("*"), len(text), pair


def classes(decision: str, kinds: Sequence[str]) -> set[str]:
    """Return classes that hold this decision, from itself to all there are."""
    parts = {f"*{sign}{rest}" for sign in ":=" for _, _, rest in [decision.partition(sign)] if rest}
    # with a * for each number in it, but for a decision that is a number
    starred = decision if decision.isdecimal() else re.sub(r"[0-9]+", "*", decision)
    return {decision, starred, "*", *parts, *kinds}


def _changes(
    game: games.Game, sample: Sequence[Sampled]
) -> dict[tuple[str, str], tuple[list[int], list[float]]]:
    """Return by pair of classes which decisions it changes, and what each gains by it."""
    found = defaultdict[tuple[str, str], tuple[list[int], list[float]]](lambda: ([], []))
    for row, each in enumerate(sample):
        kinds = {play: games.kinds(game, each.view, play) for play in each.legal}
        held = {play: classes(play, kinds[play]) for play in each.values}
        own = held[each.chosen]
        for chosen, better in product(own, set[str]().union(*held.values()) - own):
            other = replacement(chosen, better, each.chosen, each.legal, kinds.__getitem__)
            if other is not None and other in each.values:
                rows, gains = found[chosen, better]
                rows.append(row)
                gains.append(each.values[other] - each.values[each.chosen])
    return found


def fields_of(game: games.Game, view: Any) -> Iterator[Field]:
    """Yield what conditions may speak of in this view."""
    yield Field("players")
    yield from map(Field, games.notions(game, view))
    for name, value in view._asdict().items():
        if name not in games.OF_ALL and isinstance(value, int):
            yield Field(name)
        if name in games.OF_ALL or not isinstance(value, tuple):
            continue
        yield Field(name, (), "len")
        if all(isinstance(each, int) for each in value):
            yield from (Field(name, (), measure) for measure in ("sum", "least", "most"))
            yield from (Field(name, (place,)) for place in range(min(len(value), PLACES)))
        if len(value) == view.players:
            yield Field(name, (OWN,))
            yield Field(name, (OWN,), "len")
            yield from (Field(name, (OWN, place)) for place in range(2))


def _columns(game: games.Game, sample: Sequence[Sampled]) -> dict[Field, Numbers]:
    """Return what fields there are, and by decision their values, NaN where there is none."""
    fields = dict.fromkeys(field for each in sample for field in fields_of(game, each.view))
    notions = [games.notions(game, each.view) for each in sample]

    def column(field: Field) -> Numbers:
        pairs = zip(sample, notions, strict=True)
        values = [read_field(field, each.view, known) for each, known in pairs]
        return np.array([np.nan if value is None else value for value in values], float)

    return {field: column(field) for field in fields}


def _search(
    columns: Mapping[Field, Numbers], of_game: NDArray[np.int_], rows: NDArray[np.int_],
    gains: Numbers,
) -> Iterator[tuple[tuple[Condition, ...], float, Truths]]:  # fmt: skip
    """Yield for these changes the best conditions, none, one or two: total gain, which hold."""
    groups = of_game[rows]
    starts = np.flatnonzero(np.diff(groups, prepend=-1))
    halves = [groups[starts] % 2 == half for half in (0, 1)]

    def judge(holding: Truths) -> tuple[Numbers, Numbers, Numbers]:
        """Return by row of `holding` the total gain, that of the better half, and its z."""
        by_game = np.add.reduceat(holding * gains, starts, axis=1)
        count = np.add.reduceat(holding, starts, axis=1, dtype=int)
        totals, zs = [], []
        for half in halves:
            total = by_game[:, half].sum(1)
            spread = np.sqrt((by_game[:, half] ** 2).sum(1))
            enough = (count[:, half].sum(1) >= FEWEST_HALF) & (spread > 0)
            totals.append(np.where(enough, total, -np.inf))
            zs.append(np.where(enough, total / np.where(enough, spread, 1), -np.inf))
        return by_game.sum(1), np.max(totals, axis=0), np.max(zs, axis=0)

    whens: list[tuple[Condition, ...]] = [()]
    holding = [np.ones(len(rows), bool)]
    for field, column in columns.items():
        values = column[rows]
        known = values[~np.isnan(values)]
        if len(known) >= FEWEST and known.min() < known.max():
            bounds = np.unique(np.quantile(known, QUANTILES, method="closest_observation"))
            for bound, sign in product(map(float, bounds), (">=", "<=")):
                holds = values >= bound if sign == ">=" else values <= bound
                if FEWEST_HALF < holds.sum() < len(rows):
                    whens.append((Condition(field, sign, bound),))
                    holding.append(holds)
    one = np.array(holding)
    _, best_half, _ = judge(one)
    for first in np.argsort(-best_half, kind="stable")[:FIRST_CONDITIONS]:
        if whens[first]:
            ((field, sign, _),) = whens[first]
            for second, when in enumerate(whens[: len(one)]):
                if when and when[0][:2] != (field, sign):
                    whens.append((*whens[first], *when))
                    holding.append(one[first] & one[second])
    every = np.array(holding)
    total, _, z = judge(every)
    worth = total * PLAIN ** np.array([len(when) for when in whens])
    kept = list[int]()
    for at in (at for at in np.argsort(-worth, kind="stable") if z[at] > SURE):
        if len(kept) < KEPT and not any(overlap(every[at], every[own]) >= ALIKE for own in kept):
            kept.append(at)
            yield whens[at], float(total[at]), every[at]
