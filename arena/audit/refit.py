"""Ratings made again by the `trueskill` package itself: its own `rate`, one game after the other,
until no mu moves (expectation propagation: Minka 2001). README.md beside this file says how.

Games that ended alike are rated once in a pass, and their message counts as often as they were
played. The package fits no draw probability, so it is given ours. Both sides rate the same games.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from arena.model import Outcome, Pool
from arena.progress import SILENT, Progress, count_items
from arena.rating.fit import MU, SIGMA, Gaussian, Rating, TrueSkill
from arena.rating.outcomes import find_seats_of_sides, make_columns, merge_games, select_counted
from arena.rating.rate import rate_bots
from arena.schedule.order import Schedule, make_schedules
from arena.store.plans import load_plan
from arena.store.store import Store, map_over_store
from arena.tables.pool_table import PlayedPool
from arena.typed_json import means

LIMIT = 1.0
"""Difference of mu between two sides: a larger one means that one of the two ratings is wrong."""

DUELS, TABLES = 1000, 100
"""Different endings of two sides, and of more, that are rated at most: 0.3 ms and 0.5 to 2 ms each
in every pass. Two sides of a dozen bots have 300, so all their games are rated."""

SETTLED = 1e-4  # of mu, of which tables show thousandths; a pass that moves no more is the last
RATE_APART = 5_000  # games from which on pools are rated in processes of their own

ITERATIONS = 200  # at most; ten bots that all meet take 8 to 25, ten in a single file 60
SHRINKS, GROWS = 0.7, 1.1  # of the part of what is new that a pass takes over


class Refit(Struct, frozen=True):
    """The distance of a pool's ratings from those that the package gives to the same games."""

    pool: Annotated[str, means("Its title.")]
    games: Annotated[int, means("Games that both rated.")]
    all_games: Annotated[bool, means("Whether these are all rated games of the pool.")]
    iterations: Annotated[int, means("Iterations of the package over the games.")]
    max_difference: Annotated[
        float | None,
        means("The largest difference of mu; null without games, or if the package gave up."),
    ]
    bot: Annotated[str | None, means("The bot with that difference.")]
    swapped_neighbours: Annotated[
        list[tuple[str, str]],
        means("Neighbours in our order that the package has in reverse."),
    ]
    problem: Annotated[str | None, means("Why the package found no ratings; null if it did.")]
    mismatch: Annotated[bool, means("Whether the difference is larger than rounding explains.")]


class Ending(NamedTuple):
    """The end of a game. Bots are names."""

    sides: tuple[tuple[str, ...], ...]  # best first; those that tie by seat
    ranks: tuple[int, ...]  # rising; equal is a tie


class Sample(NamedTuple):
    """Games of a pool that count for ratings."""

    games: list[tuple[Outcome, int]]  # with the number of their deal
    endings: Counter[Ending]
    whole: bool  # whether there are no others


class Settled(NamedTuple):
    """The end of the package's iterations over some games."""

    mu: dict[str, float]  # by bot, with a mean of 25; empty where they came to no end
    iterations: int
    gave_up: str | None


def refit_store(store: Store, steps: Progress = SILENT) -> list[Refit]:
    """Compare the ratings of each pool of the stored plan, in its order."""
    planned = make_schedules(load_plan(store)).values()
    steps.begin("rating pools with the trueskill package", len(planned))
    apart = store.count() >= RATE_APART
    return list(count_items(map_over_store(store, _of_pool, planned, apart=apart), steps))


def _of_pool(store: Store, schedule: Schedule) -> Refit:
    pool, bots = schedule.entry.pool, schedule.entry.bots
    names = tuple(bot.name for bot in bots)
    games = store.outcomes(pool, schedule.holds)  # by id
    return refit_pool(
        PlayedPool(
            pool=pool, names=names, shared=schedule.entry.shared_decks, not_played=0, games=games
        )
    )


def refit_pool(played: PlayedPool) -> Refit:
    """Compare the ratings of a pool's games: all, or the first of them.

    A store gives them in the order of their ids. These are hashes, so the first are as good as
    games drawn by lot.
    """
    pool, sample = played.pool, sample_games(played.pool, played.games)
    title, games = pool.title, len(sample.games)
    refit = Refit(
        pool=title,
        games=games,
        all_games=sample.whole,
        iterations=0,
        max_difference=None,
        bot=None,
        swapped_neighbours=[],
        problem=None,
        mismatch=False,
    )
    if not games:
        return refit
    columns = make_columns(pool, sorted(played.names), sample.games)
    merged = merge_games(columns, select_counted(columns), played.shared)
    ours = rate_bots(columns.names, merged)
    assert ours.draw_probability is not None  # there are games
    theirs, iterations, gave_up = settle(sample.endings, ours.draw_probability)
    if gave_up:
        return replace(refit, iterations=iterations, problem=gave_up)
    our_mu = dict(zip(ours.names, ours.mu.tolist(), strict=True))
    apart = {bot: abs(theirs[bot] - our_mu[bot]) for bot in theirs}
    bot = max(apart, key=apart.__getitem__)
    wrong = apart[bot] > LIMIT and len(find_seats_of_sides(pool)) == 2
    swapped = _find_swapped(our_mu, theirs)
    largest = round(apart[bot], 3)
    return replace(
        refit, iterations=iterations, max_difference=largest, bot=bot, swapped_neighbours=swapped,
        mismatch=wrong,
    )  # fmt: skip


def sample_games(pool: Pool, outcomes: Iterable[tuple[Outcome, int]]) -> Sample:
    """Choose the first games that count, given with their deals: all, or as many as have no more
    different endings than the package can be asked to rate.
    """
    sides = find_seats_of_sides(pool)
    most = DUELS if len(sides) == 2 else TABLES
    games: list[tuple[Outcome, int]] = []
    endings: Counter[Ending] = Counter()
    for outcome, deal in outcomes:
        ending = _ending(outcome, sides, pool.partners == "same")
        if ending is None:
            continue
        if ending not in endings and len(endings) == most:
            return Sample(games, endings, whole=False)
        endings[ending] += 1
        games.append((outcome, deal))
    return Sample(games, endings, whole=True)


def _ending(outcome: Outcome, sides: Sequence[Sequence[int]], twice: bool) -> Ending | None:
    """The end of a game; None if a bot sat on two sides.

    Sides are given by their seats. `twice`: a side is one bot twice, and so one competitor.
    """
    named = [tuple(sorted(outcome.bots[seat] for seat in side)) for side in sides]
    if twice:
        named = [(first,) for first, _ in named]
    if len({bot for side in named for bot in side}) < sum(map(len, named)):
        return None
    ranks = [outcome.ranks[side[0]] for side in sides]
    order = sorted(range(len(sides)), key=ranks.__getitem__)
    return Ending(tuple(named[side] for side in order), tuple(ranks[side] for side in order))


def settle(endings: Mapping[Ending, int], draw_probability: float) -> Settled:
    """Rate until an iteration of the package moves no mu. Endings come with their number;
    there are some.
    """
    package = TrueSkill(tau=0, draw_probability=draw_probability)
    bots = sorted({bot for ending in endings for side in ending.sides for bot in side})
    ratings = {bot: Gaussian(MU, SIGMA) for bot in bots}
    messages_of = {  # by each game that ended so, of its bots
        ending: {bot: Gaussian() for side in ending.sides for bot in side}
        for ending in sorted(endings)
    }
    part, moved = 1.0, dict.fromkeys(bots, 0.0)
    for iterations in range(1, ITERATIONS + 1):
        before, last = {bot: ratings[bot].mu for bot in bots}, moved
        try:
            for ending, messages in messages_of.items():
                _rate(package, ending, endings[ending], ratings, messages, part)
        except (ArithmeticError, ValueError) as error:  # differences of more than 200 mu
            return Settled({}, iterations, f"cannot compute this ({error})")
        _centre(ratings, messages_of.values())
        moved = {bot: ratings[bot].mu - before[bot] for bot in bots}
        if max(map(abs, moved.values())) < SETTLED * part:
            return Settled({bot: ratings[bot].mu for bot in bots}, iterations, None)
        # Games that ended alike speak at once, and together they may say too much.
        turned = sum(moved[bot] * last[bot] for bot in bots) < 0
        part = part * SHRINKS if turned else min(part * GROWS, 1.0)
    return Settled({}, ITERATIONS, f"does not converge in {ITERATIONS} iterations")


def _rate(
    package: TrueSkill,
    ending: Ending,
    games: int,
    ratings: dict[str, Gaussian],
    messages: dict[str, Gaussian],
    part: float,
) -> None:
    """Rate one of the games that ended so, and take over a part of its new message.

    Ratings and messages are brought up to date in place.
    """
    groups = [{bot: Rating(ratings[bot] / messages[bot]) for bot in side} for side in ending.sides]
    for group, after in zip(groups, package.rate(groups, ranks=ending.ranks), strict=True):
        for bot, rating in after.items():
            new = _power(rating / group[bot] / messages[bot], part)
            messages[bot] *= new
            ratings[bot] *= _power(new, games)


def _power(message: Gaussian, times: float) -> Gaussian:
    return Gaussian(pi=times * message.pi, tau=times * message.tau)


def _centre(ratings: dict[str, Gaussian], by_ending: Iterable[dict[str, Gaussian]]) -> None:
    """Move all ratings alike to a mean of 25, and the messages of games with them.

    They end there by themselves, but after hundreds of iterations: nothing but the prior pulls.
    """
    off = MU - sum(rating.mu for rating in ratings.values()) / len(ratings)
    for messages in by_ending:
        for bot, old in messages.items():
            messages[bot] = Gaussian(pi=old.pi, tau=old.tau + off * old.pi)
    for bot, old in ratings.items():
        ratings[bot] = Gaussian(pi=old.pi, tau=old.tau + off * (old.pi - SIGMA**-2))


def describe_refit(refit: Refit) -> str:
    if not refit.games:
        return f"{refit.pool}: no rated games"
    games = f"{'all' if refit.all_games else 'a sample of'} {refit.games:,} games"
    if refit.problem:
        return f"{refit.pool}: {games}; the package {refit.problem}"
    order = ", ".join(f"{first} and {then} swap places" for first, then in refit.swapped_neighbours)
    apart = f"at most {refit.max_difference:.3f} mu apart"
    return f"{refit.pool}: {games}; {apart}, {order or 'in the same order'}"


def _find_swapped(ours: Mapping[str, float], theirs: Mapping[str, float]) -> list[tuple[str, str]]:
    """The neighbours in our order, best first, that the package has the other way round.

    Empty if the two orders agree. Numbers are compared as tables show them.
    """
    shown = [{bot: round(mu[bot], 3) for bot in theirs} for mu in (ours, theirs)]
    order = sorted(theirs, key=lambda bot: (-shown[0][bot], -shown[1][bot], bot))
    return [(a, b) for a, b in pairwise(order) if shown[1][a] < shown[1][b]]
