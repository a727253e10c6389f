"""Recorded games against a bot's code of today: where it decides otherwise."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from arena.author.asking import SIDE_BY_SIDE, Asked, Otherwise, Past
from arena.author.pasts import Archive, games_of, past_of, seats_of
from arena.model import Pool
from arena.progress import SILENT, Progress
from arena.store.store import Store


class Rerun(NamedTuple):
    """A recorded game of a bot's, and where it now first decides otherwise in it."""

    past: Past
    otherwise: Otherwise | None  # None: nowhere


def rerun(
    store: Store,
    archive: Archive,
    name: str,
    player: Asked,
    steps: Progress = SILENT,
    most: int | None = None,
) -> Iterator[Rerun]:
    """Yield the recorded games of a bot, a seat of it at a time: pool by pool, by batches. Of more
    games than `most` those with the lowest ids: these are hashes, so that is as good as drawn.

    The two of a team are asked apart, as they are in play: they share nothing there. A seat that
    was asked nothing is left out. Raises ArenaError where a game is not by the rules.
    """
    waiting: dict[tuple[Pool, int], list[Past]] = {}
    steps.begin("asking again")
    for row in islice(games_of(store, name), most):
        for seat in seats_of(row, name):
            past = past_of(store, archive, row, seat)
            if not past.questions:
                continue
            half = seat // 2 % 2 if row.pool.partners == "same" else 0
            own = waiting.setdefault((row.pool, half), [])
            own.append(past)
            if len(own) == SIDE_BY_SIDE:
                yield from _asked(player, own)
                own.clear()
        steps.done()
    for own in waiting.values():
        yield from _asked(player, own)


def _asked(player: Asked, pasts: list[Past]) -> Iterator[Rerun]:
    yield from map(Rerun, list(pasts), player.otherwise(pasts))
