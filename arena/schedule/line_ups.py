"""The line-ups of an entry: every set of bots that fills a table, or a balanced sample of these.

All sets are numbered in the order of names and made when they are asked for, so that the millions
of forty bots take no memory. Bots that are in every line-up are left out of the count.

In a new sample every bot has as many line-ups as every other to within one, and every two bots meet
about as often; it is only extended, and bots that come later get their share (README.md beside this
file). Pure.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from itertools import accumulate, chain, combinations
from math import comb, inf
from random import Random
from typing import TypeVar

from arena.model import Entry, LineUp


class LineUps:
    """The line-ups of an entry, by number: 0 .. len - 1; the bots of each are by name."""

    def __init__(self, entry: Entry) -> None:
        self._bots = entry.bots
        self._place = {bot: place for place, bot in enumerate(entry.bots)}
        self._fixed = [self._place[bot] for bot in entry.bots if bot.name in entry.fixed_bots]
        self._others = [place for place in self._place.values() if place not in self._fixed]
        self._rank = {place: rank for rank, place in enumerate(self._others)}
        self._size = entry.pool.entrants - len(self._fixed)  # of the part that is chosen
        self._drawn = entry.line_ups and entry.line_ups[: entry.line_ups_used]
        self._number_of = {places: number for number, places in enumerate(self._drawn or ())}
        self._count = len(self._number_of)
        if entry.line_ups is None:
            self._count = comb(len(self._others), self._size)
        # By how many are to be chosen yet: less how many sets of these are left, by first of them
        most = len(self._others)
        self._later = {
            left: [-comb(most - first, left) for first in range(most + 1)]
            for left in range(1, self._size + 1)
        }

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[LineUp]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> LineUp:
        """Make a line-up by its number. Raises IndexError if there is none."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        places = self._set(number) if self._drawn is None else self._drawn[number]
        return tuple([self._bots[place] for place in places])

    def number(self, line_up: LineUp) -> int | None:
        """A line-up's number; None if it is not one of these."""
        places = tuple([self._place.get(bot, -1) for bot in line_up])
        if self._drawn is not None:
            return self._number_of.get(places)
        chosen = [self._rank.get(place, -1) for place in places if place not in self._fixed]
        if len(chosen) != self._size or -1 in chosen or list(places) != sorted(set(places)):
            return None
        if len(places) != self._size + len(self._fixed):
            return None
        later = enumerate(reversed(chosen), 1)  # lexicographic: counted from the end
        return len(self) - 1 - sum(comb(len(self._others) - 1 - at, left) for left, at in later)

    def _set(self, number: int) -> tuple[int, ...]:
        """Make a set of places by its number, of all sets in lexicographic order."""
        chosen, rank = self._fixed.copy(), 0
        for left in range(self._size, 0, -1):
            later = self._later[left]
            first = bisect_right(later, number + later[rank], rank) - 1
            number -= later[first] - later[rank]
            chosen.append(self._others[first])
            rank = first + 1
        return tuple(sorted(chosen))


def weigh_line_ups(entry: Entry) -> dict[tuple[str, ...], float] | None:
    """Weigh the line-ups in use, given by names, to stand for all: the mean is 1. None in a match,
    and where all are played.

    The later the latest of its bots came, the less likely a line-up was drawn: the drawn ones with
    the same latest stand for all such line-ups.
    """
    used, size = LineUps(entry), entry.pool.entrants - len(entry.fixed_bots)
    if len(used) >= len(LineUps(entry._replace(line_ups=None))) or len(entry.fixed_bots) > 1:
        return None
    every_bot = zip(entry.bots, entry.drawn_before or (0,) * len(entry.bots), strict=True)
    came = {bot: when for bot, when in every_bot if bot.name not in entry.fixed_bots}
    latest = [max(came[bot] for bot in line_up if bot in came) for line_up in used]
    drawn, at = Counter(latest), sorted(came.values())
    sets = {n: comb(bisect_right(at, n), size) - comb(bisect_left(at, n), size) for n in drawn}
    every = sum(sets.values())
    weights = (sets[n] * len(used) / (drawn[n] * every) for n in latest)
    names = (tuple([bot.name for bot in line_up]) for line_up in used)
    return dict(zip(names, weights, strict=True))


Names = tuple[str, ...]
Places = tuple[int, ...]

STEPS, MOST_STEPS = 200, 120_000
"""Of the levelling: a new line-up, and in all (about a second), or the part of it that new ones are
of a sample that is extended."""
GOLDEN = 0.6180339887  # its multiples, modulo 1, are spread more evenly than by chance


def sample_line_ups(
    before: Iterable[Names],
    bots: Iterable[str],
    size: int,
    count: int,
    protected: Container[Names] = (),
) -> list[Names]:
    """Choose the line-ups in use: those drawn `before`, in their order, then new ones.

    At least `count` (or all there are), and as many more as it takes until every bot has its share
    of `count`, and all have met, if only through others. Of those before, beyond `count` only the
    ones are used that are `protected` or needed for that. Line-ups with bots that are gone are
    passed over. Names and line-ups are in order of names.
    """
    names = sorted(bots)
    place = {name: number for number, name in enumerate(names)}
    share = count * size // max(1, len(names))
    taken, games = list[Places](), Counter[int]()
    for line_up in before:
        if place.keys() >= set(line_up):
            new = tuple(place[name] for name in line_up)
            if len(taken) < count or line_up in protected or any(games[bot] < share for bot in new):
                taken.append(new)
                games.update(new)
    if count >= comb(len(names), size):
        every = dict.fromkeys([*taken, *combinations(range(len(names)), size)])
        return [tuple(names[number] for number in line_up) for line_up in every]
    for least in (1, share, inf):  # newcomers come first, then whoever is short of line-ups
        games = Counter(chain.from_iterable(taken))
        if short := {bot for bot in place.values() if games[bot] < least}:
            sample = _BalancedSample(len(names), size, taken, short)
            everybody = len(short) == len(names)
            taken += sample.draw(share, count - len(taken) if everybody else 0)
    while apart := sample.split():
        taken.append(sample.next(apart))
    return [tuple(names[number] for number in line_up) for line_up in taken]


class _BalancedSample:
    """Line-ups of bots that are numbers, some of them short of line-ups; and how often each bot
    plays and every two meet in the line-ups with one of these.
    """

    def __init__(self, bots: int, size: int, taken: Collection[Places], short: set[int]) -> None:
        self._bots, self._size, self._short = bots, size, short
        self._games = [0] * bots
        self._met = [[0] * bots for _ in range(bots)]
        self._taken = {*taken}
        self._draw = Random(len(taken)).random  # the same draws everywhere
        for line_up in taken:
            if not short.isdisjoint(line_up):
                self._count(line_up, 1)

    def split(self) -> list[set[int]]:
        """The groups of bots that have never met, not even through others; none if all have."""
        groups = join_sets([*({bot} for bot in range(self._bots)), *self._taken])
        return sorted(groups, key=min) if len(groups) > 1 else []

    def draw(self, share: int, count: int) -> list[Places]:
        """Add so many line-ups, and more until no bot that is short has less than its share."""
        new = [self.next() for _ in range(count)]
        self.improve(new)
        added = len(new)
        while any(self._games[bot] < share for bot in self._short):
            new.append(self.next())
        if len(new) > added:
            self.improve(new)
        return new

    def next(self, apart: Iterable[set[int]] = ()) -> Places:
        """Add a new line-up and return it: the bots with the fewest games, and of these the least
        met; first, one of each group that stands apart. As many of them are short of line-ups as in
        one that is drawn from all with such a bot.
        """
        chosen = tuple([min(group, key=self._games.__getitem__) for group in apart][: self._size])
        short, sizes = len(self._short), range(1, self._size + 1)
        rest = self._bots - short
        sets = [*accumulate(comb(short, n) * comb(rest, self._size - n) for n in sizes)]
        wanted = sizes[bisect_right(sets, len(self._taken) * GOLDEN % 1 * sets[-1])]
        tried = (self._complete(chosen, n) for n in (wanted, *sizes))
        line_up = next(filter(None, tried), None)
        assert line_up, "asked for more line-ups than there are"
        self._taken.add(line_up)
        self._count(line_up, 1)
        return line_up

    def _complete(self, chosen: Places, short: int) -> Places | None:
        if len(chosen) == self._size:
            line_up = tuple(sorted(chosen))
            return None if line_up in self._taken else line_up
        others = [
            (self._games[bot], sum(self._met[bot][other] for other in chosen), self._draw(), bot)
            for bot in range(self._bots)
            if bot not in chosen and (bot in self._short) == (len(chosen) < short)
        ]
        tried = (self._complete((*chosen, bot), short) for *_, bot in sorted(others))
        return next((line_up for line_up in tried if line_up), None)

    def improve(self, new: list[Places]) -> None:
        """Change line-ups that were just added, in place, to level the counts."""
        most = MOST_STEPS * len(new) // max(len(self._taken), 1)
        for _ in range(min(STEPS * len(new), most)):
            changes = self._change(new)
            after = list(changes.values())
            if not self._taken.isdisjoint(after) or len(set(after)) < len(after):
                continue
            before = [new[number] for number in changes]
            if self._exchange(before, after) > 0:
                self._exchange(after, before)
                continue
            self._taken.difference_update(before)
            self._taken.update(after)
            for number, line_up in changes.items():
                new[number] = line_up

    def _change(self, new: Sequence[Places]) -> dict[int, Places]:
        """Propose line-ups in the place of others: two that exchange a bot, or one that gets any
        other bot; of bots that are short, each keeps as many.
        """
        number, other = (int(self._draw() * len(new)) for _ in range(2))
        ours, theirs = new[number], new[other]
        out = ours[int(self._draw() * self._size)]
        alone = self._draw() < 0.5
        into = int(self._draw() * self._bots) if alone else theirs[int(self._draw() * self._size)]
        if into in ours or (out in self._short) != (into in self._short):
            return {}
        if alone:
            return {number: _with(ours, out, into)}
        if out in theirs:
            return {}
        return {number: _with(ours, out, into), other: _with(theirs, into, out)}

    def _exchange(self, before: Iterable[Places], after: Iterable[Places]) -> int:
        """Count some line-ups in the place of others; return the growth that `_count` does."""
        less = sum(self._count(line_up, -1) for line_up in before)
        return less + sum(self._count(line_up, 1) for line_up in after)

    def _count(self, line_up: Places, by: int) -> int:
        """Count a line-up in or out; return the growth of the sum of squares of all counts.

        Games weigh so much that no levelling of meetings is worth one of them.
        """
        added = 0
        for bot in line_up:
            added += (2 * by * self._games[bot] + 1) * self._bots * self._size
            self._games[bot] += by
        for a, b in combinations(line_up, 2):
            added += 2 * by * self._met[a][b] + 1
            self._met[a][b] += by
            self._met[b][a] += by
        return added


Member = TypeVar("Member")


def join_sets(sets: Iterable[Collection[Member]]) -> list[set[Member]]:
    """Join sets with a member in common, if only through others, until no two have one."""
    joined: list[set[Member]] = []
    for members in sets:
        if not any(there.issuperset(members) for there in joined):
            met = [there for there in joined if not there.isdisjoint(members)]
            joined = [there for there in joined if there.isdisjoint(members)]
            joined.append({*members}.union(*met))
    return joined


def _with(line_up: Places, out: int, into: int) -> Places:
    return tuple(sorted({*line_up, into} - {out}))
