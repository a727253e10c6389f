"""`arena rerun`: asks a bot again what it was asked in recorded games."""

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.options import (
    UNCONFINED,
    ItsLimits,
    Results,
    Unconfined,
    argument,
    flag,
    lower_limits,
    open_store,
    option,
    say_cut,
)
from arena.cli.progress import Display
from arena.cli.terminal import as_typed, near, out, out_json, say, width
from arena.errors import FAILED, ArenaError, require_linux
from arena.words import amount

if TYPE_CHECKING:
    from arena.author import CurrentBot, Difference, RecordedGame, Replayer
    from arena.cli import documents

SAMPLE = 200  # games of a bot that has not changed


def rerun_command(
    results: Results,
    bot: Annotated[str, argument("BOT", "Name of the bot.")],
    file: Annotated[
        Path | None, option("PATH", "The bot's file (default: the one in the league).", "--bot")
    ] = None,
    most: Annotated[
        int, option("N", "Show at most N games that differ (default: 10).", least=1)
    ] = 10,
    unconfined: Unconfined = False,
    its_limits: ItsLimits = False,
    json: Annotated[bool, flag("--json", "Print the result as JSON.")] = False,
) -> None:
    """Show where your bot now decides differently from recorded games.

    Example: arena rerun first mine
    Exit codes: 0 same decisions; 1 decisions differ, or the command failed; 2; 4; 130
    """
    require_linux()
    from arena.author import find_current_bot, read_archive, rerun_games, start_replayer
    from arena.cli import documents
    from arena.model import Reason
    from arena.plan import check_walls
    from arena.store import Logs, load_plan

    with open_store(results) as store, Display() as steps:
        Logs(store).check_bot(bot)
        archive, now = read_archive(store), find_current_bot(store.path.parent, bot, file)
        unchanged = now.bot in load_plan(store).bots
        if unchanged:
            same = f"{now.path.name} has not changed since these games"
            steps.say(f"{same}; up to {SAMPLE} of them show whether it repeats its decisions")
        if unconfined:
            say(UNCONFINED)
        else:
            check_walls(store.path, now.path)
        if not archive.exact:
            steps.say(
                "These results lack the secret: the bot gets different random numbers from those "
                "in the games."
            )
        limits = lower_limits(archive.limits, its_limits, steps)
        lower = limits != archive.limits
        games, differing, cut = set[str](), set[str](), set[str]()
        first: list[documents.Difference] = []
        with start_replayer(now, limits, not unconfined) as player:
            _check_loads(player, now)
            for game, other in rerun_games(
                store, archive, bot, player, steps, SAMPLE if unchanged else None
            ):
                games.add(game.id)
                if other and lower and isinstance(other.now, Reason):
                    cut.add(game.id)
                elif other:
                    differing.add(game.id)
                    if len(differing) > most:
                        continue
                    if json:
                        first.append(_document(game, other))
                    else:
                        steps.out(*_difference(game, other, results))
    cut -= differing
    say_cut([bot] * len(cut))
    if json:
        compared = len(games) - len(cut)
        out_json(documents.Rerun(bot=bot, games=compared, differ=len(differing), first=first))
    else:
        if len(differing) > most:
            say(f"... and {len(differing) - most:,} more (--most shows more)")
        of = amount(len(games), "recorded game")
        out(f"{bot}: decides differently in {len(differing):,} of {of}")
    if differing:
        raise typer.Exit(FAILED)


def _document(game: "RecordedGame", other: "Difference") -> "documents.Difference":
    from arena.cli import documents

    question, now = game.questions[other.number], other.now
    return documents.Difference(
        game=game.id, seat=game.seat, decision=other.number + 1, action=question.at,
        before=question.answer, now=now if isinstance(now, str) else None,
        fault=None if isinstance(now, str) else now.kind, legal=question.legal,
        view=game.view(other.number)._asdict(),
    )  # fmt: skip


def _difference(game: "RecordedGame", other: "Difference", results: Path) -> list[str]:
    from arena.reasons import in_a_line

    question, now = game.questions[other.number], other.now
    shown = f"{game.view(other.number)!r}; legal: {', '.join(question.legal)}"
    return [
        f"game {game.id}, seat {game.seat}, decision {other.number + 1}: was "
        f"{question.answer or 'a forfeit'}, now "
        f"{now if isinstance(now, str) else f'{now.kind}: {in_a_line(now)}'}",
        *(f"    {line}" for line in wrap(shown, width() - 4, break_on_hyphens=False)),
        as_typed(f"    arena replay {near(results)} {game.id} --at {question.at}"),
    ]


def _check_loads(player: "Replayer", now: "CurrentBot") -> None:
    """Raise ArenaError where the bot cannot be loaded."""
    from arena.reasons import in_a_line
    from arena.store import remedy

    if reason := player.problem():
        why, advice = in_a_line(reason), remedy(reason, now.path.name)
        advice = f"; {advice}" if advice and advice not in why else ""
        raise ArenaError(f"{now.path}: cannot be loaded: {why}{advice}")
