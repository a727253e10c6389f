"""A match as a document: how two bots compare in each of its pools, by its standings. Pure."""

from collections.abc import Collection
from typing import Annotated

from msgspec import Struct
from msgspec.structs import asdict, replace

from arena.sequential.document import Pair
from arena.tables.document import Crosstable, Standings
from arena.typed_json import First, means
from arena.values import rounded


class MatchStanding(Pair, frozen=True, kw_only=True):
    """The standing of a pool of a match."""

    pool: Annotated[str, means("Its title.")]
    confidence: Annotated[
        float | None, means("The highest level at which it would be so; of `equal` the match's.")
    ]
    games: int
    look: Annotated[int, means("1 is the first.")]
    planned_looks: Annotated[int, means("So many, if none gives a verdict.")]
    finished_ahead_share: Annotated[
        tuple[float | None, float | None],
        means(
            "How often the first and the second finished ahead, a tie half: of each other, with "
            "--field of the others; null: never met."
        ),
    ]
    by_opponent: Annotated[
        dict[str, float],
        means(
            "With --field: by opponent, how much more often the first finished ahead of it than "
            "the second did, -1 to 1, highest first."
        ),
    ]
    faults: Annotated[dict[str, int], means("Games forfeited, by bot, of the two.")]
    not_loaded: Annotated[
        tuple[str, ...], means("Of the two; where there are any, the verdict stays open.")
    ]

    @property
    def undecided(self) -> bool:
        """True if looks are left that may settle it."""
        return self.verdict == "open" and self.look < self.planned_looks and not self.not_loaded


class Match(Struct, frozen=True, kw_only=True):
    """The result of a match, as `arena match --json` prints it."""

    version: First = 1
    first_bot: Annotated[str, means("Name of a bot.")]
    second_bot: Annotated[str, means("Name of the other.")]
    confidence_needed: Annotated[float, means("Confidence that a verdict needs.")]
    results_folder: Annotated[str, means("Their folder.")]
    finished: Annotated[bool, means("False: interrupted, or ended by --seconds.")] = True
    field: Annotated[list[str], means("The bots that sat in the further seats, by name.")] = []
    slow_bots: Annotated[list[str], means("Those that took 1 ms of CPU time a decision.")] = []
    pools: Annotated[
        list[MatchStanding], means("None where the two are the same code: nothing is played.")
    ] = []


def _compare_opponents(table: Crosstable, bot: str, other: str) -> dict[str, float]:
    """Differences of two bots' shares ahead of others, by opponent; none where the two met."""
    one, two = table.bots.index(bot), table.bots.index(other)
    if table.games[one][two]:
        return {}
    pairs = zip(table.bots, table.ahead_share[one], table.ahead_share[two], strict=True)
    gains = {name: a - b for name, a, b in pairs if a is not None and b is not None}
    return {name: rounded(gains[name]) for name in sorted(gains, key=lambda n: (-gains[n], n))}


def _share_ahead(table: Crosstable, bot: str, others: Collection[str]) -> float | None:
    """The share of games that a bot finished ahead in, a tie half; None where they never met."""
    row = table.bots.index(bot)
    cells = zip(table.bots, table.games[row], table.ahead_share[row], strict=True)
    met = [(games, share or 0.0) for name, games, share in cells if name in others]
    total = sum(games for games, _ in met)
    return rounded(sum(games * share for games, share in met) / total) if total else None


def match_standings(document: Standings) -> list[MatchStanding]:
    """The standing of a match in each pool, from its standings."""
    standings, not_loaded = [], {bot.bot for bot in document.not_loaded or ()}
    for pool in document.pools:
        test = pool.sequential_test
        assert test, "every pool of a match is to be settled"
        (pair,) = test.pairs
        faults = {row.bot: row.faults for row in pool.table if row.bot in (pair.bot, pair.other)}
        unloadable = tuple(
            bot for bot, kinds in faults.items() if kinds.get("load") or bot in not_loaded
        )
        if unloadable:
            pair = replace(pair, verdict="open", better_probability=None, further_games_needed=None)
        opponents = _compare_opponents(pool.crosstable, pair.bot, pair.other)
        standings.append(
            MatchStanding(
                **(asdict(pair) | {"identical_decisions": pair.identical_decisions is True}),
                pool=pool.title,
                confidence={"open": None, "equal": test.confidence}.get(
                    pair.verdict, 1 - pair.error_probability
                ),
                games=pool.games,
                look=test.look,
                planned_looks=test.planned_looks,
                finished_ahead_share=(
                    _share_ahead(pool.crosstable, pair.bot, opponents or [pair.other]),
                    _share_ahead(pool.crosstable, pair.other, opponents or [pair.bot]),
                ),
                by_opponent=opponents,
                faults={bot: sum(kinds.values()) for bot, kinds in faults.items()},
                not_loaded=unloadable,
            )
        )
    return standings
