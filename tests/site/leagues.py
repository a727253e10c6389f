"""A small league without a store: standings and facts of the same made-up games."""

from collections.abc import Sequence
from functools import cache
from random import Random

from msgspec import UNSET
from msgspec.structs import replace

from arena.model import Bot, Limits, Outcome, Pool, Timing
from arena.site.games_to_watch import choose_games, find_candidates
from arena.site.pages import Link, Site, pool_id
from arena.site.pagination import link_lists, paginate, viewer_files
from arena.site.stats import Stats, games_of_bots, pool_of, strength_of, sum_up_cpu
from arena.site.stats_pool import collect_games, pool_stats
from arena.tables.document import Standings
from arena.tables.pool_table import PlayedPool, rate_pool
from arena.tables.standings import assemble_standings

THREE = Pool("no_thanks", 3, "{}", "")
TWO = Pool("sixteen", 2, "{}", "")
FOUR = Pool("sixteen", 4, '{"bonus":true}', "mixed")
POOLS = (THREE, TWO, FOUR)


def outcomes(pool: Pool, names: Sequence[str], decks: int, rng: Random) -> list[Outcome]:
    """Return games of bots that are the better the later they are named; each on its own deck."""
    made = []
    for deck in range(decks):
        bots = rng.sample(range(len(names)), pool.players)
        skill = [bot + rng.gauss(0, 3) for bot in bots]
        if pool.partners == "mixed":
            teams = [skill[seat] + skill[seat + 2] for seat in (0, 1)]
            skill = [teams[seat % 2] for seat in range(4)]
        low = pool == THREE  # wins
        points = [round(30 - 2 * each if low else each) for each in skill]
        ranks = [1 + sum(other < own if low else other > own for other in points) for own in points]
        faults = [""] * pool.players
        if deck % 10 == 9:
            faults[-1] = "time" if deck % 20 == 9 else "error"
        made.append(
            Outcome(f"{pool.players}{deck:019x}", tuple(names[bot] for bot in bots), tuple(ranks),
                    tuple(points), tuple(faults))
        )  # fmt: skip
    return made


@cache
def league(
    names: tuple[str, ...] = ("ann", "bob", "cid", "dee", "eve"),
    decks: int = 40,
    per_line_up: int | None = None,
    pools: tuple[Pool, ...] = POOLS,
) -> tuple[Site, Standings, Stats]:
    """Return a league as the site's pages take it; names are in order."""
    played = []
    for pool in pools:
        made = outcomes(pool, names, decks, Random(f"{pool.game} {pool.shape}"))
        games = [(each, deck) for deck, each in enumerate(made)]
        played.append(PlayedPool(pool, names, False, 0, games))
    return league_of(played, names, per_line_up)


def league_of(
    played: Sequence[PlayedPool], names: Sequence[str], per_line_up: int | None = None
) -> tuple[Site, Standings, Stats]:
    doc = assemble_standings(
        "cup", False, "full", [Bot(name, f"{number:064x}") for number, name in enumerate(names)],
        [*map(rate_pool, played)],
    )  # fmt: skip
    doc = replace(doc, not_ranked=played[0].not_ranked or UNSET)
    of_pools, candidates = [], []
    for table in doc.pools:
        (own,) = (each for each in played if each.pool == pool_of(table))
        games = collect_games(own.pool, own.names, False, own.games)
        of_pools.append(pool_stats(games))
        strength = strength_of(table)
        candidates.append(find_candidates(games, of_pools[-1], strength, per_line_up))
    cpu = sum_up_cpu([Timing(played[0].pool, names[0], 200, 0.5, 0.02)])
    bots = games_of_bots(of_pools)
    stats = Stats(
        tuple(of_pools), cpu, Limits(), choose_games(candidates, per_line_up, bots), {}, bots
    )  # fmt: skip
    list_pages = paginate(stats.watched)
    site = Site(
        doc.tournament, "2026-11-22", "0.1.0", (Link("Standings", "index.html"),),
        {name: f"bot-{number}.html" for number, name in enumerate(names)},
        {game.game: f"game-{game.game}.html" for game in doc.games},
        viewer_files(list_pages), link_lists(list_pages, ids(doc)),
    )  # fmt: skip
    return site, doc, stats


def ids(doc: Standings) -> dict[str, str]:
    return {pool.title: pool_id(doc.pools, pool) for pool in doc.pools}
