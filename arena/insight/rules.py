"""Rules such as `pass -> take when card <= 12 and pot >= 4`: read, written, carried out.

A rule says which of a bot's decisions becomes another one, and when:

    rule  = class "->" class [ "when" cond { "and" cond } ]
    class = a decision, * for any characters (`N*:u`) | a kind that the game names
    cond  = field ( < | <= | > | >= | == | != ) number
    field = name { "[" own | N "]" } | len(field) | sum(field) | least(field) | most(field)

`least` and `most` of what there is by seat are over the other seats. No rule is Python: conditions
look at the fields of a view and the game's `features` alone. Pure.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache, partial
from math import isfinite
from typing import Any, NamedTuple

import games
from arena.errors import UsageError
from arena.words import spell

LONGEST, MOST_CONDITIONS, MOST_STARS = 200, 4, 3
OWN = "own"
MEASURES: dict[str, Callable[[tuple[Any, ...]], float | None]] = {
    "len": len,
    "sum": sum,
    "least": lambda numbers: min(numbers, default=None),
    "most": lambda numbers: max(numbers, default=None),
}
OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne,
}  # fmt: skip
_RULE = re.compile(r"\s*(\S+?)\s*->\s*(\S+)(?:\s+when\b(.*))?\s*", re.DOTALL)
_CONDITION = re.compile(
    r"\s*(?:(len|sum|least|most)\s*\(\s*)?([^\W\d]\w*)"  # a measure of a name
    r"((?:\s*\[\s*(?:own|[0-9]{1,3})\s*\]){0,2})\s*(?(1)\)|)"  # places in it
    r"\s*([<>=!]=|<|>)\s*(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)\s*"  # a sign and a number
)


class Field(NamedTuple):
    """A number to be read off a view: `len(taken[own])`."""

    name: str
    places: tuple[int | str, ...] = ()  # of tuples in tuples, from outside; or "own"
    measure: str = ""  # one of `MEASURES`

    def __str__(self) -> str:
        text = self.name + "".join(f"[{place}]" for place in self.places)
        return f"{self.measure}({text})" if self.measure else text


class Condition(NamedTuple):
    """A condition on a field: `pot >= 4`."""

    field: Field
    sign: str  # one of `OPERATORS`
    number: float

    def __str__(self) -> str:
        whole = self.number == int(self.number)
        number = f"{self.number:.0f}" if whole else f"{self.number:.9f}".rstrip("0")
        return f"{self.field} {self.sign} {number}"


class Rule(NamedTuple):
    """A change of some of a bot's decisions to others, under conditions."""

    chosen: str
    better: str
    when: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        when = " and ".join(map(str, self.when))
        return f"{self.chosen} -> {self.better}" + (f" when {when}" if when else "")


class Words(NamedTuple):
    """The words of a game's rules, as far as a look at some of its games tells."""

    title: str
    decisions: frozenset[str]
    kinds: frozenset[str]
    names: frozenset[str]  # of fields and features


def learn_words(game: games.Game, seen: Iterable[tuple[Any, Sequence[str]]]) -> Words:
    """Collect a game's words from some views and what was legal in them."""
    decisions, kinds, names = set[str](), set[str](), {"players"}
    for view, legal in seen:
        decisions |= {*legal}
        kinds.update(
            kind for decision in legal for kind in games.move_classes(game, view, decision)
        )
        names |= {*view._fields, *games.features(game, view)}.difference(games.COMMON_FIELDS)
    title = games.title(game.NAME)
    return Words(title, frozenset(decisions), frozenset(kinds - decisions), frozenset(names))


def parse_rule(text: str, words: Words, where: str = "--rule") -> Rule:
    """Read a rule. Raises UsageError with all that is wrong, a line each with its column."""
    if len(text) > LONGEST:
        raise UsageError(f"{where}: {len(text)} characters; a rule has at most {LONGEST}")
    read = _RULE.fullmatch(text)
    if not read:
        expected = "expected a rule, such as 'pass -> take when pot >= 4'"
        raise UsageError(f"{where}: column 1: found {spell(text)}; {expected}")
    chosen, better, conditions = read.groups()
    wrong = {read.start(1): _check_class(chosen, words), read.start(2): _check_class(better, words)}
    if chosen == better:
        wrong[read.start(2)] = "the same again: the rule changes nothing"
    when, start = list[Condition](), read.start(3)
    for part in [] if conditions is None else re.split(r"\band\b", conditions):
        condition = _CONDITION.fullmatch(part)
        if not condition:
            hint = f"found {spell(part.strip())}; expected a condition, such as 'pot >= 4'"
            wrong[start + len(part) - len(part.lstrip())] = hint
        else:
            measure, name, places, sign, number = condition.groups("")
            if name not in words.names:
                hint = _hint(name, words.names)
                wrong[start + condition.start(2)] = f"{spell(name)}: no such field; {hint}"
            index = [OWN if place == OWN else int(place) for place in re.findall(r"\w+", places)]
            field = Field(name, tuple(index), measure)
            when.append(Condition(field, sign, float(number) + 0.0))  # no -0
        start += len(part) + len("and")
    if len(when) > MOST_CONDITIONS:
        wrong[read.start(3)] = f"{len(when)} conditions; a rule has at most {MOST_CONDITIONS}"
    wrong_ones = [f"{where}: column {at + 1}: {wrong[at]}" for at in sorted(wrong) if wrong[at]]
    if wrong_ones:
        raise UsageError(*wrong_ones)
    return Rule(chosen, better, tuple(when))


def _check_class(text: str, words: Words) -> str:
    """Word what is wrong with a class of decisions; "" if nothing is."""
    if text.count("*") > MOST_STARS:
        return f"{spell(text)}: at most {MOST_STARS} * in a class"
    if text in words.kinds or any(stars(text, one) is not None for one in words.decisions):
        return ""
    hint = _hint(text, words.decisions | words.kinds)
    return f"{spell(text)} matches no decision of {words.title}; {hint}"


def _hint(word: str, words: frozenset[str]) -> str:
    return f"the nearest are {', '.join(get_close_matches(word, sorted(words), 5, 0.0))}"


@lru_cache(1 << 16)
def stars(pattern: str, decision: str) -> tuple[str, ...] | None:
    """Return what the pattern's * stand for in this decision; None where it does not fit."""
    match = re.fullmatch("(.*)".join(map(re.escape, pattern.split("*"))), decision)
    return match.groups() if match else None


def read_field(field: Field, view: Any, features: Mapping[str, float]) -> float | None:
    """Return what the field is in this view; None where there is no number by that name."""
    name, places, measure = field
    value: Any = getattr(view, name) if name in view._fields else features.get(name)
    for place in places:
        at: Any = view.seat if place == OWN else place
        if not isinstance(value, tuple) or at >= len(value):
            return None
        value = value[at]
    if measure and isinstance(value, tuple):
        if measure in ("least", "most") and not places and len(value) == view.players:
            value = value[: view.seat] + value[view.seat + 1 :]
        if measure != "len" and not all(isinstance(item, int | float) for item in value):
            return None
        value = MEASURES[measure](value)
    elif measure:
        return None
    return value if isinstance(value, int | float) and isfinite(value) else None


def holds(when: Sequence[Condition], game: games.Game, view: Any) -> bool:
    """Return whether all conditions hold; one on a field that is not there does not."""
    features: Mapping[str, float] = {}
    if any(condition.field.name not in view._fields for condition in when):
        features = games.features(game, view)
    for field, sign, number in when:
        value = read_field(field, view, features)
        if value is None or not OPERATORS[sign](value, number):
            return False
    return True


def replacement(
    chosen: str, better: str, decision: str, legal: Sequence[str],
    kinds: Callable[[str], Sequence[str]],
) -> str | None:  # fmt: skip
    """Return what a legal decision becomes by two classes, whatever the conditions; None where it
    is not one of `chosen` or fits `better` already, "" where nothing that is legal fits.

    The stars of `better` take what those of `chosen` stood for; where that is not legal, the first
    legal decision that fits. `kinds` tells what kinds a decision is of here.
    """
    here = kinds(decision)
    parts = () if chosen in here else stars(chosen, decision)
    if parts is None or better in here or stars(better, decision) is not None:
        return None
    taken = iter(parts)
    same = re.sub(r"\*", lambda star: next(taken, "*"), better)
    for pattern in (same, better):
        for play in legal:
            if stars(pattern, play) is not None or better in kinds(play):
                return play
    return ""


def apply_rule(
    rule: Rule, game: games.Game, view: Any, decision: str, legal: Sequence[str]
) -> tuple[str, bool]:
    """Return what the decision becomes, and whether it stayed for want of a legal one.

    A decision that is not legal stays what it is, a fault: a rule hides none.
    """
    if decision not in legal:
        return decision, False
    kinds = partial(games.move_classes, game, view)
    other = replacement(rule.chosen, rule.better, decision, legal, kinds)
    if other is None or not holds(rule.when, game, view):
        return decision, False
    return other or decision, not other
