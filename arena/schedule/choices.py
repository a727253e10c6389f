"""The choices that a config leaves open, made once and then kept (by `arena.store.plans`).

There are two: which line-ups are drawn, if not all are played (`arena.schedule.line_ups`); and
which turn each line-up has, if seatings are a sample that is not level by itself
(`arena.schedule.seat_rotation`). Pools and bots that are gone may come back: the choices made for
them are kept.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from arena.model import Entry, Mirrored, Pool, Wanted
from arena.schedule import seat_rotation
from arena.schedule.line_ups import LineUps, Names, sample_line_ups
from arena.schedule.seatings import make_seatings
from arena.sequential.stages import plan_looks, take_all_deals


class Turned(NamedTuple):
    """The turns chosen for line-ups."""

    seatings: int  # of the sample that they level
    line_ups: tuple[Names, ...]  # in the order in which they were chosen
    turns: tuple[int, ...]  # of each the number in `seat_rotation.find_line_up_turns`
    by_chance: bool = False  # whether all others are turned by chance


class Choice(NamedTuple):
    """The choices made for a pool."""

    pool: Pool
    line_ups: tuple[Names, ...] = ()  # drawn so far, by names, in that order
    turned: tuple[Turned, ...] = ()  # one a sample
    came: tuple[tuple[str, int], ...] = ()  # a bot's name, and how many were drawn when it came
    drawn: tuple[tuple[int, int], ...] = ()  # how many were wanted last, and are used; by look


def make_choices(
    wanted: Iterable[Wanted],
    before: Mapping[Pool, Choice],
    most_levelled: int = seat_rotation.MOST,
) -> tuple[tuple[Entry, ...], dict[Pool, Choice]]:
    """Make the choices that entries leave open.

    With the entries, complete, come all choices: the ones `before`, and new ones. In pools with
    more than `most_levelled` line-ups chance turns them.
    """
    choices = dict(before)
    entries = []
    for entry, count, _ in wanted:
        choice = choices.get(entry.pool, Choice(entry.pool))
        if count is not None:
            looks = entry.test and entry.test.line_up_counts
            used, drawn = list[Names](), list[int]()
            known, stay = choice.line_ups, choice.line_ups[:0]
            for size in looks or (count,):  # those of a look are the first ones of the next
                stay = known[: max((use for most, use in choice.drawn if most <= size), default=0)]
                used = _draw(entry, [*used, *known], [*used, *stay], size)
                drawn.append(len(used))
            took = dict.fromkeys([*used, *stay])
            in_use = [*drawn[:-1], len(took)]
            came = dict.fromkeys([bot.name for bot in entry.bots], len(known)) | dict(choice.came)
            choice = choice._replace(
                line_ups=tuple(took | dict.fromkeys(known)),
                came=tuple(came.items()),
                drawn=tuple(zip(looks or (count,), in_use, strict=True)),
            )
            place = {bot.name: number for number, bot in enumerate(entry.bots)}
            places = tuple([tuple([place[name] for name in line_up]) for line_up in used])
            when = tuple([came[bot.name] for bot in entry.bots])
            if looks or isinstance(entry.shared_decks, Mirrored) or len(used) < len(LineUps(entry)):
                entry = entry._replace(line_ups=places, drawn_before=when)
            if looks:
                entry = plan_looks(entry, drawn)
        entry, choice = _turn(entry, choice, most_levelled)
        if choice != Choice(entry.pool):
            choices[entry.pool] = choice
        entries.append(entry)
    return tuple(entries), choices


def _draw(entry: Entry, before: Iterable[Names], stay: Iterable[Names], count: int) -> list[Names]:
    """Draw `count` line-ups or more; the ones drawn before come first, and some of them stay.

    Bots that are in every line-up are set apart: the others are to play equally often. Line-ups of
    two parties with the same others come one after the other.
    """
    fixed, parties = set(entry.fixed_bots), entry.parties
    others = [bot.name for bot in entry.bots if bot.name not in fixed]
    rest, protected = (
        dict.fromkeys(
            tuple(name for name in line_up if name not in fixed)
            for line_up in line_ups
            if any({*party} == fixed & {*line_up} for party in parties)
        )
        for line_ups in (before, stay)
    )
    size = entry.pool.entrants - len(parties[0])
    used = sample_line_ups(rest, others, size, count // len(parties), protected)
    return [tuple(sorted([*line_up, *party])) for line_up in used for party in parties]


def _turn(entry: Entry, choice: Choice, most_levelled: int) -> tuple[Entry, Choice]:
    """Choose turns of line-ups, if seatings are turned; those chosen before stay.

    Once a pool has had so many line-ups that chance levels them, it goes on by chance.
    """
    if isinstance(entry.shared_decks, Mirrored):
        return entry, choice  # the two compared are level in each deal
    k, ways = entry.pool.entrants, make_seatings(entry.pool, entry.seatings)
    sample = seat_rotation.count_sample(ways, k)
    if sample.level:
        return entry, choice
    blank = Turned(len(ways), (), ())
    turned = next((one for one in choice.turned if one.seatings == len(ways)), blank)
    turn_of = dict(zip(turned.line_ups, turned.turns, strict=True))
    line_ups = LineUps(take_all_deals(entry))
    if turned.by_chance or len(line_ups) > most_levelled:
        turned = turned._replace(by_chance=True)
    else:
        names = [tuple([bot.name for bot in line_up]) for line_up in line_ups]
        place = {bot.name: number for number, bot in enumerate(entry.bots)}
        places = {bots: tuple([place[name] for name in bots]) for bots in names}
        new = [bots for bots in names if bots not in turn_of]
        before = [(places[bots], turn_of[bots]) for bots in names if bots in turn_of]
        chosen = seat_rotation.choose_turns(
            sample, seat_rotation.find_deal_turns(ways, k), take_all_deals(entry).deals,
            before, [places[bots] for bots in new],
        )  # fmt: skip
        turn_of.update(zip(new, chosen, strict=True))
        turned = turned._replace(line_ups=tuple(turn_of), turns=tuple(turn_of.values()))
    others = [one for one in choice.turned if one.seatings != len(ways)]
    return _with_turns(entry, line_ups, turn_of), choice._replace(turned=(*others, turned))


def _with_turns(entry: Entry, line_ups: LineUps, turn_of: Mapping[Names, int]) -> Entry:
    bot_of = {bot.name: bot for bot in entry.bots}
    pairs = []
    for names, turn in turn_of.items():
        bots = [bot_of[name] for name in names if name in bot_of]
        number = line_ups.number(tuple(bots))
        if number is not None:
            pairs.append((number, turn))
    return entry._replace(seating_turns=tuple(sorted(pairs)))
