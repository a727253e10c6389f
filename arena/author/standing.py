"""Where a bot that is checked would stand: the ratings of its few games beside the house bots."""

from collections.abc import Iterator, Sequence

from arena.author.check_document import Stands
from arena.author.subject import Bout, Subject
from arena.model import LEAST_DECKS, Outcome, Played


def stands(subject: Subject, bouts: Sequence[Bout]) -> Iterator[Stands]:
    """Yield where the bot stands, overall and by game; nothing on too few games.

    Ratings load numpy, so they are imported where there is something to rate.
    """
    if not bouts or min(len(bout.played) for bout in bouts) < LEAST_DECKS:
        return
    from arena.tables.pool_table import PlayedPool, rated
    from arena.tables.standings import assemble

    parts = [
        rated(
            PlayedPool(
                bout.pool,
                tuple(bot.name for bot in bout.bots),
                False,
                0,
                [(_outcome(game), game.fixture.deal) for game in bout.played],
            )
        )
        for bout in bouts
    ]
    table = assemble("check", True, "", bouts[0].bots, parts)
    for game, rows in [(None, table.overall), *((each.game, each.table) for each in table.games)]:
        for row in rows:
            if row.bot == subject.bot.name:
                yield Stands(
                    game=game,
                    place=row.place,
                    of=len(rows),
                    places=row.places,
                    mu=row.mu,
                    interval=row.interval,
                )


def _outcome(game: Played) -> Outcome:
    fixture, faults = game.fixture, {fault.seat: fault.reason.kind for fault in game.faults}
    bots = tuple(fixture.line_up[place].name for place in fixture.seating)
    kinds = tuple(faults.get(seat, "") for seat in range(len(bots)))
    return Outcome(fixture.id, bots, game.ranks, game.scores, kinds)
