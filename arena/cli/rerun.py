"""The command `arena rerun`."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.progress import Display
from arena.cli.replayed_view import (
    NO_SECRET,
    File,
    check_loads,
    require_walls,
    say_cut,
    short,
    shown,
    within,
)
from arena.cli.terminal import ItsLimits, Results, Unconfined, out, say
from arena.errors import FAILED, require_linux
from arena.words import amount

if TYPE_CHECKING:
    from arena.author.history import RecordedGame
    from arena.author.replayer import Difference
    from arena.cli import documents

SAMPLE = 200  # games of a bot that has not changed


def rerun_command(
    results: Results,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Name of the bot.")],
    file: File = None,
    most: Annotated[
        int, typer.Option(metavar="N", min=1, help="Show N games that differ at most.")
    ] = 10,
    unconfined: Unconfined = False,
    its_limits: ItsLimits = False,
    json: Annotated[bool, typer.Option("--json", help="Print what differs as JSON.")] = False,
) -> None:
    """Say where a bot's present code decides otherwise than in recorded games."""
    require_linux()
    from arena.author.history import archive_of, current_bot
    from arena.author.replayer import rerun, start_replayer
    from arena.cli import documents
    from arena.model import Reason
    from arena.store.logs import Logs
    from arena.store.plans import load_plan
    from arena.store.store import Store
    from arena.typed_json import encode

    with closing(Store.open(results)) as store, Display() as steps:
        Logs(store).check_bot(bot)
        archive, now = archive_of(store), current_bot(store.path.parent, bot, file)
        unchanged = now.bot in load_plan(store).bots
        if unchanged:
            same = f"{now.path.name} has not changed since those games"
            steps.say(f"{same}; {SAMPLE} of them at most show whether it repeats itself")
        require_walls(store, now, unconfined)
        if not archive.exact:
            steps.say(NO_SECRET)
        held = within(archive, its_limits)
        lower = held.limits != archive.limits
        games, differing, cut = set[str](), set[str](), set[str]()
        first: list[documents.Difference] = []
        with start_replayer(now, held.limits, not unconfined) as player:
            check_loads(player, now)
            most_games = SAMPLE if unchanged else None
            for game, difference in rerun(store, archive, bot, player, steps, most_games):
                games.add(game.id)
                if difference is None:
                    continue
                if lower and isinstance(difference.now, Reason):
                    cut.add(game.id)
                    continue
                differing.add(game.id)
                if len(differing) > most:
                    continue
                if json:
                    first.append(_difference(game, difference))
                else:
                    steps.out(*_in_words(game, difference, results))
    say_cut([bot] * len(cut - differing))
    if json:
        compared = len(games - (cut - differing))
        out(encode(documents.Rerun(bot=bot, games=compared, differ=len(differing), first=first)))
    else:
        if len(differing) > most:
            say(f"... and {len(differing) - most:,} more (--most)")
        of = amount(len(games), "recorded game")
        out(f"{bot}: decides otherwise in {len(differing):,} of {of}")
    if differing:
        raise typer.Exit(FAILED)


def _difference(game: "RecordedGame", difference: "Difference") -> "documents.Difference":
    from arena.cli import documents

    question = game.questions[difference.number]
    view, now = game.view(difference.number), difference.now
    return documents.Difference(
        game=game.id, seat=game.seat, decision=difference.number + 1, action=question.at,
        before=question.answer, now=now if isinstance(now, str) else None,
        fault=None if isinstance(now, str) else now.kind, legal=question.legal,
        view=dict(zip(view._fields, view, strict=True)),
    )  # fmt: skip


def _in_words(game: "RecordedGame", difference: "Difference", results: Path) -> list[str]:
    question = game.questions[difference.number]
    before = "a forfeit" if question.answer is None else question.answer
    return [
        f"game {game.id}, seat {game.seat}, decision {difference.number + 1}: "
        f"{before} in the game, now {short(difference.now)}",
        *shown(game, difference.number),
        f"    arena replay {results} {game.id} --at {question.at}",
    ]
