"""Tests of fair play: bots that repeat themselves, views that reveal no more than they may, pairs
that help each other.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from random import Random
from typing import Annotated, NamedTuple

from msgspec import Struct

from arena.audit import collusion, leaks, rerun
from arena.model import Pool
from arena.progress import SILENT, Progress, count_items
from arena.schedule.order import make_schedules
from arena.store.plans import load_plan
from arena.store.store import Store
from arena.tables.terminal import fit_whole_texts
from arena.typed_json import First, means
from arena.words import amount

POSITIONS = 3  # of each sampled game
MOST_LISTED = 20  # games or leaks that are listed


class Repeats(Struct, frozen=True):
    """A bot's results in the games that were played again."""

    bot: str
    games: Annotated[int, means("Games that it played in.")]
    mismatches: Annotated[int, means("Games in which its decision was the first to differ.")]


class Views(Struct, frozen=True):
    """Results of redealing hidden cards."""

    positions: int
    compared: Annotated[int, means("Seats' views, including all that came before.")]
    not_compared: Annotated[int, means("Views whose game has no `resample`.")]
    leaks: Annotated[list[str], means("Views that depend on hidden cards.")]


class Findings(Struct, frozen=True, kw_only=True):
    """Findings of an audit, as `arena audit --json` prints them."""

    version: First = 1
    reproducibility: Annotated[list[Repeats], means("By bot.")]
    mismatches: Annotated[list[rerun.Again], means("Games with a different result when replayed.")]
    views: Views
    pairs: Annotated[list[collusion.Judged], means("Pairs of bots by pool, most suspicious first.")]


class Audit(NamedTuple):
    """The result of an audit, and what it rests on."""

    public: bool  # a published store, of which no game is played again
    again: list[rerun.Again]
    late: str  # what time did not suffice for
    findings: Findings


def audit_store(
    store: Store,
    games: int,
    unconfined: bool = False,
    steps: Progress = SILENT,
    its_limits: bool = False,
    seconds: float = rerun.SECONDS,
) -> Audit:
    """Audit a store by so many games, which `rerun.rerun_games` plays for so many seconds."""
    again, late = list[rerun.Again](), ""
    if not store.public:
        again, late = rerun.rerun_games(store, games, unconfined, steps, None, its_limits, seconds)
    views, leans = _views(store, games, steps), collusion.judge_leans(list(_leans(store, steps)))
    mismatches = [game for game in again if game.reproduced is False]
    findings = Findings(
        reproducibility=_repeats(again), mismatches=mismatches, views=views, pairs=leans
    )
    return Audit(store.public, again, late, findings)


def _repeats(again: list[rerun.Again]) -> list[Repeats]:
    sat = Counter(bot for game in again for bot in set(game.bots))
    otherwise = Counter(game.bot for game in again if game.reproduced is False)
    return [Repeats(bot, games, otherwise[bot]) for bot, games in sorted(sat.items())]


def _views(store: Store, games: int, steps: Progress) -> Views:
    steps.begin("redealing hidden cards", games)
    positions = compared = not_compared = 0
    leaky = []
    for row, _ in count_items(rerun.sample_games(store, load_plan(store), games), steps):
        record = json.loads(row.line)
        rng = Random(row.id)  # the same positions each time
        for at in leaks.positions(record, rng, POSITIONS):
            check = leaks.check(record, at, rng)
            positions += 1
            compared += check.compared
            not_compared += check.not_compared
            if check.leak:
                leak = check.leak
                leaky.append(
                    f"game {row.id}, action {leak.at}: seat {leak.seat} sees hidden "
                    f"cards: view.{leak.field} was {leak.given}, and became "
                    f"{leak.resampled} when hidden cards were dealt again"
                )
    return Views(positions, compared, not_compared, leaky)


def _leans(store: Store, steps: Progress) -> Iterator[tuple[Pool, list[collusion.Lean]]]:
    planned = sorted(make_schedules(load_plan(store)).items())
    steps.begin("comparing pairs of bots, by pool", len(planned))
    for pool, games in count_items(planned, steps):
        outcomes = store.outcomes(pool, games.holds)
        pairs = collusion.find_leans(
            pool, ((game, (tuple(sorted(game.bots)), deal)) for game, deal in outcomes)
        )
        if pairs:
            yield pool, pairs


def describe_audit(audit: Audit, width: int) -> Iterator[str]:
    """Describe an audit, in lines and in tables of `width` characters."""
    findings = audit.findings
    yield "Not looked for: several bots that help one. Honest bots would be named as often."
    yield "Copies are named by `arena check`; `ranked_per_author` ranks few bots of an author."
    yield ""
    yield (
        "Bots whose decisions are not repeatable: a sample of games, replayed with the stored bots"
    )
    if findings.reproducibility:
        repeats = findings.reproducibility
        rows = [(row.bot, f"{row.games:,}", f"{row.mismatches:,}") for row in repeats]
        heads = ("bot", "games", "differ")
        yield from fit_whole_texts(heads, rows, width, (), ("bot",))
        for game in findings.mismatches[:MOST_LISTED]:
            yield f"game {game.game_id}: {rerun.describe_rerun(game)}"
        yield from rerun.describe_uncompared(audit.again)
    elif audit.public:
        yield "not done: games of a published store cannot be replayed"
    elif not audit.late:
        yield "not done: no complete game of the tables is stored"
    if audit.late:
        yield f"time: {audit.late}"
    views = findings.views
    yield ""
    yield (
        f"Views that leak: hidden cards redealt at "
        f"{amount(views.positions, 'position')}, "
        f"{amount(views.compared, 'view')} compared, "
        f"{len(views.leaks) or 'none'} changed"
    )
    if views.not_compared:
        yield f"{views.not_compared:,} more were not compared: their game has no `resample`"
    yield from views.leaks[:MOST_LISTED]
    yield from _of_pairs(findings.pairs, width)


def _of_pairs(leans: list[collusion.Judged], width: int) -> Iterator[str]:
    yield ""
    yield "Pairs that help each other: points gained per 100 comparisons with third bots"
    if not leans:
        yield "not done: needs three sides in a game, and more deals"
        return
    by_pool = {pool: list(pairs) for pool, pairs in groupby(leans, lambda pair: pair.pool)}
    for pool, pairs in by_pool.items():
        named = [pair for pair in pairs if pair.significant]
        yield f"{pool}: {len(named) or 'none'} of {amount(len(pairs), 'pair')} beyond chance"
        rows = [
            (*(cell for bot, gain, error in zip(pair.bots, pair.boosts, pair.boosts_se, strict=True)
               for cell in (bot, f"{gain:+.1f} ± {2 * error:.1f}")),
             f"{pair.games:,}", f"{pair.p_value_adjusted:.3f}")
            for pair in named
        ]  # fmt: skip
        if rows:
            heads = ("bot", "gains", "and", "gains", "games", "p")
            yield from fit_whole_texts(heads, rows, width, ("games",), ("bot", "and"))
        yield f"  {_describe_power([pair.detectable_effect for pair in pairs])}"
    pools = amount(len(by_pool), "pool")
    yield f"p is corrected for all pairs of {pools}; a lean is the sum of both bots' gains"
    if any(pair.significant for pair in leans):
        yield "Look at such a pair's games: a gain is no proof, because styles can suit each other"


def _describe_power(leasts: Sequence[float | None]) -> str:
    known = [least for least in leasts if least is not None]
    if not known:
        return "no lean could have been found: play more bots or more deals"
    ends = dict.fromkeys(f"{end:.0f}" for end in (min(known), max(known)))
    text = f"this many games show a lean of {' to '.join(ends)} points in four audits of five"
    without = len(leasts) - len(known)
    return text + (f"; none of {amount(without, 'pair')}" if without else "")
