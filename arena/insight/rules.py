"""Rules such as `pass -> take when card <= 12 and pot >= 4`: read, written, carried out.

A rule says which of a bot's decisions becomes another one, and when:

    rule  = class "->" class [ "when" cond { "and" cond } ]
    class = a decision, * for any characters (`N*:u`) | a kind that the game names
    cond  = field ( < | <= | > | >= | == | != ) number
    field = name { "[" own | N "]" } | len(field) | sum(field) | least(field) | most(field)

`least` and `most` of what there is by seat are over the other seats. No rule is Python: conditions
look at the fields of a view and the game's `notions` alone. Pure.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from math import isfinite
from typing import Any, NamedTuple

import games
from arena.errors import UsageError
from arena.words import nearest, shown

LONGEST, MOST_CONDITIONS, MOST_STARS, MOST_DIGITS, DEEPEST = 200, 4, 3, 9, 2
OWN = "own"
OF_ALL = {"table", "players", "seat", "phase", "since"}  # fields of every view: no strength
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
_TOKEN = re.compile(r"\s*(->|[<>=!]=|[<>\[\]()]|(?:(?!->|[=!]=)[^\s<>\[\]()])+)")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")


class Field(NamedTuple):
    """A number to be read off a view: `len(taken[own])`."""

    name: str
    places: tuple[int | str, ...] = ()  # of tuples in tuples, from outside; or "own"
    measure: str = ""  # one of `MEASURES`

    def __str__(self) -> str:
        text = self.name + "".join(f"[{place}]" for place in self.places)
        return f"{self.measure}({text})" if self.measure else text


class Condition(NamedTuple):
    """What must hold of a field: `pot >= 4`."""

    field: Field
    sign: str  # one of `OPERATORS`
    number: float

    def __str__(self) -> str:
        whole = self.number == int(self.number)
        number = f"{self.number:.0f}" if whole else f"{self.number:.9f}".rstrip("0")
        return f"{self.field} {self.sign} {number}"


class Rule(NamedTuple):
    """Which of a bot's decisions becomes another, and when."""

    chosen: str
    better: str
    when: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        when = " and ".join(map(str, self.when))
        return f"{self.chosen} -> {self.better}" + (f" when {when}" if when else "")


class Words(NamedTuple):
    """What a game's rules may name, as far as a look at some of its games tells."""

    title: str
    decisions: frozenset[str]
    kinds: frozenset[str]
    names: frozenset[str]  # of fields and notions


def learn_words(game: games.Game, seen: Iterable[tuple[Any, Sequence[str]]]) -> Words:
    """Collect a game's words from some views and what was legal in them."""
    decisions, kinds, names = set[str](), set[str](), {"players"}
    for view, legal in seen:
        decisions |= {*legal}
        kinds.update(kind for each in legal for kind in games.kinds(game, view, each))
        names |= {*view._fields, *games.notions(game, view)} - OF_ALL
    title = games.title(game.NAME)
    return Words(title, frozenset(decisions), frozenset(kinds - decisions), frozenset(names))


def parse_rule(text: str, words: Words, where: str = "--rule") -> Rule:
    """Read a rule. Raises UsageError with all that is wrong, a line each with its column."""
    if len(text) > LONGEST:
        raise UsageError(f"{where}: {len(text)} characters; a rule has at most {LONGEST}")
    reader = _Reader(text, words)
    rule = reader.rule()
    if reader.findings:
        found = sorted(reader.findings.items())
        raise UsageError(*(f"{where}: column {column + 1}: {what}" for column, what in found))
    return rule


class _Reader:
    """Reads a rule by recursive descent; `findings` are by column, from 0, what is wrong there.

    What is wrong in a condition leaves the next ones to be read.
    """

    def __init__(self, text: str, words: Words) -> None:
        self.tokens = [(match.start(1), match[1]) for match in _TOKEN.finditer(text)]
        self.end, self.at, self.words = len(text), 0, words
        self.findings = dict[int, str]()

    def next(self) -> str:
        """Return the next token; "" at the end."""
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def find(self, what: str, back: int = 0) -> None:
        """Note what is wrong at the next token, or so many before it."""
        at = self.at - back
        self.findings.setdefault(self.tokens[at][0] if at < len(self.tokens) else self.end, what)

    def expect(self, want: str, fits: bool) -> str:
        """Take the next token where it fits, else note what was wanted and return ""."""
        token = self.next()
        if not fits:
            found = f"found {shown(token)}" if token else "the rule ends"
            self.find(f"{found}; expected {want}")
            return ""
        self.at += 1
        return token

    def mark(self, mark: str) -> str:
        """Take this mark or word."""
        return self.expect(f"{mark!r}, as in 'pass -> take when pot >= 4'", self.next() == mark)

    def rule(self) -> Rule:
        chosen, when = self.decisions(), list[Condition]()
        if not self.mark("->"):
            return Rule(chosen, "")
        better = self.decisions()
        if chosen == better:
            self.find("the same again: the rule changes nothing", back=1)
        more = self.next() and self.mark("when")
        while more:
            condition = self.condition()
            when += [condition] if condition else []
            while not condition and self.next() not in ("and", ""):
                self.at += 1
            more = self.next() and self.mark("and")
        if len(when) > MOST_CONDITIONS:
            self.find(f"{len(when)} conditions; a rule has at most {MOST_CONDITIONS}")
        return Rule(chosen, better, tuple(when))

    def decisions(self) -> str:
        """Read a class of decisions."""
        token, (title, decisions, kinds, _) = self.next(), self.words
        if not self.expect("a decision, as in 'pass -> take'", token not in ("", "->", "when")):
            return ""
        if token.count("*") > MOST_STARS:
            self.find(f"{shown(token)}: at most {MOST_STARS} * in a class", back=1)
        elif token not in kinds and not any(stars(token, each) is not None for each in decisions):
            hint = _hint(token, decisions | kinds)
            self.find(f"{shown(token)} matches no decision of {title}; {hint}", back=1)
        return token

    def condition(self) -> Condition | None:
        """Read a condition; None where one cannot be read."""
        field = self.field()
        if field is None:
            return None
        sign = self.expect(f"one of {' '.join(OPERATORS)}", self.next() in OPERATORS)
        number = self.next() if sign else ""
        fits = bool(_NUMBER.fullmatch(number)) and sum(map(str.isdigit, number)) <= MOST_DIGITS
        if not sign or not self.expect(f"a number of at most {MOST_DIGITS} digits", fits):
            return None
        return Condition(field, sign, float(number) + 0.0)  # no -0

    def field(self) -> Field | None:
        measure, places = self.next(), list[int | str]()
        self.at += 1
        if measure not in MEASURES or self.next() != "(":
            self.at -= 1
            measure = ""
        self.at += bool(measure)
        name, names = self.next(), self.words.names
        if not self.expect("a field", name not in ("", "and")):
            return None
        if name not in names:
            self.find(f"{shown(name)}: no such field; {_hint(name, names)}", back=1)
        while self.next() == "[":
            self.at += 1
            place = self.next()
            fits = place == OWN or (place.isascii() and place.isdigit() and len(place) < 4)
            if not self.expect(f"a place from 0 on, or {OWN}", fits) or not self.mark("]"):
                return None
            places.append(OWN if place == OWN else int(place))
        if measure and not self.mark(")"):
            return None
        return Field(name, tuple(places[:DEEPEST]), measure)


def _hint(word: str, words: frozenset[str]) -> str:
    """Word what may have been meant: the nearest word, or some of them."""
    known = sorted(words)
    near = nearest(word, known) or nearest(word, known, 0.3)
    if near:
        return f"did you mean {near!r}?"
    return f"known are {', '.join(known[:8])}" + ", ..." * (len(known) > 8)


@lru_cache(4096)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.*)".join(map(re.escape, text.split("*"))))


@lru_cache(1 << 16)
def stars(pattern: str, decision: str) -> tuple[str, ...] | None:
    """Return what the pattern's * stand for in this decision; None where it does not fit."""
    match = _pattern(pattern).fullmatch(decision)
    return match.groups() if match else None


def read_field(field: Field, view: Any, notions: Mapping[str, float]) -> float | None:
    """Return what the field is in this view; None where there is no number by that name."""
    name, places, measure = field
    value: Any = getattr(view, name) if name in view._fields else notions.get(name)
    for place in places:
        at: Any = view.seat if place == OWN else place
        if not isinstance(value, tuple) or at >= len(value):
            return None
        value = value[at]
    if measure and isinstance(value, tuple):
        if measure in ("least", "most") and not places and len(value) == view.players:
            value = value[: view.seat] + value[view.seat + 1 :]
        if measure != "len" and not all(isinstance(each, int | float) for each in value):
            return None
        value = MEASURES[measure](value)
    elif measure:
        return None
    return value if isinstance(value, int | float) and isfinite(value) else None


def holds(when: Sequence[Condition], game: games.Game, view: Any) -> bool:
    """Return whether all conditions hold; one on a field that is not there does not."""
    notions: Mapping[str, float] = {}
    if any(condition.field.name not in view._fields for condition in when):
        notions = games.notions(game, view)
    for field, sign, number in when:
        value = read_field(field, view, notions)
        if value is None or not OPERATORS[sign](value, number):
            return False
    return True


def replacement(
    chosen: str,
    better: str,
    decision: str,
    legal: Sequence[str],
    kinds: Callable[[str], Sequence[str]],
) -> str | None:
    """Return what a legal decision becomes by two classes, whatever the conditions; None where it
    is not one of `chosen` or fits `better` already, "" where nothing that is legal fits.

    The stars of `better` take what those of `chosen` stood for; where that is not legal, the first
    legal decision that fits. `kinds` tells what kinds a decision is of here.
    """
    own = kinds(decision)
    found = () if chosen in own else stars(chosen, decision)
    if found is None or better in own or stars(better, decision) is not None:
        return None
    taken = iter(found)
    same = re.sub(r"\*", lambda star: next(taken, "*"), better)
    for pattern in (same, better):
        for each in legal:
            if stars(pattern, each) is not None or better in kinds(each):
                return each
    return ""


def apply_rule(
    rule: Rule, game: games.Game, view: Any, decision: str, legal: Sequence[str]
) -> tuple[str, bool]:
    """Return what the decision becomes, and whether it stayed for want of a legal one.

    A decision that is not legal stays what it is, a fault: a rule hides none.
    """
    if decision not in legal:
        return decision, False
    kinds = partial(games.kinds, game, view)
    other = replacement(rule.chosen, rule.better, decision, legal, kinds)
    if other is None or not holds(rule.when, game, view):
        return decision, False
    return other or decision, not other
