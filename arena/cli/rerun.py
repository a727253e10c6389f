"""`arena rerun`: asks a bot again what it was asked in recorded games."""

import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.commands import WHY, Answer, command
from arena.cli.consent import allow_unconfined
from arena.cli.options import (
    ItsLimits,
    Results,
    Unconfined,
    argument,
    lower_limits,
    open_store,
    option,
    say_cut_short,
)
from arena.cli.progress import Display
from arena.cli.terminal import fit_table, near, out, quote, rewrite_commands, say, wrap_indented
from arena.errors import FAILED, ArenaError
from arena.progress import OutOfTime
from arena.words import amount
from games import load, move_classes, zones

if TYPE_CHECKING:
    from arena.author.replayer import CurrentBot, Difference, Replayer
    from arena.author.views import RecordedGame
    from arena.cli import documents

ROWS = 12  # of the table of changes
SAMPLE = 200  # games of a bot that has not changed


@command(WHY)
def rerun_command(
    results: Results,
    bot: str = argument("BOT", "Name of the bot."),
    file: Path | None = option("PATH", "The bot's file (default: the one in the league).", "--bot"),
    most: int = option("N", "Show at most N games that differ (default: 10).", least=1, default=10),
    seconds: int = option("N", "Ask for N seconds at most (default: 600).", least=1, default=600),
    unconfined: Unconfined = False,
    its_limits: ItsLimits = False,
) -> Answer:
    """Show where your bot now decides differently from recorded games.

    Example: arena rerun first mine
    Exit codes: 0 same decisions; 1 others, time was over, or the command failed; 2; 4; 130
    """
    from arena.author.archive import read_archive
    from arena.author.replayer import find_current_bot, rerun_games, start_replayer
    from arena.cli import documents
    from arena.model import Reason
    from arena.plan.plan import check_walls
    from arena.store.logs import Logs
    from arena.store.plans import load_plan

    with open_store(results) as store, Display() as steps:
        Logs(store).check_bot(bot)
        archive, now = read_archive(store), find_current_bot(store.path.parent, bot, file)
        unchanged = now.bot in load_plan(store).bots
        if unchanged:
            same = f"{now.path.name} has not changed since these games"
            steps.say(f"{same}; up to {SAMPLE} of them show whether it repeats its decisions")
        if unconfined:
            allow_unconfined([now.bot])
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
        changed = defaultdict[tuple[str, str], list[str]](list)  # games, one a change
        first: list[tuple[RecordedGame, Difference]] = []
        end_s, late = time.monotonic() + seconds, True
        with suppress(OutOfTime), start_replayer(now, limits, not unconfined, end_s) as player:
            _check_loads(player, now)
            for game, others in rerun_games(
                store, archive, bot, player, steps, SAMPLE if unchanged else None
            ):
                games.add(game.id)
                if others and lower and isinstance(others[0].now, Reason):
                    cut.add(game.id)
                elif others:
                    first += [(game, others[0])] * (game.id not in differing)
                    differing.add(game.id)
                    for other in others:
                        changed[_classes(game, other)].append(game.id)
            late = False
    cut -= differing
    say_cut_short([bot] * len(cut))
    changes = [
        documents.Change(before=before, now=after, count=len(of), games=len({*of}))
        for (before, after), of in sorted(changed.items(), key=lambda change: -len(change[1]))
    ]
    compared = len(games) - len(cut)
    document = documents.Rerun(
        bot=bot, games=compared, mismatches=len(differing), changes=changes,
        first_mismatches=[_document(*mismatch) for mismatch in first[:most]],
    )  # fmt: skip

    def show() -> None:
        if changes:
            rows = [
                (f"{change.before} -> {change.now}", f"{change.count:,}", f"{change.games:,}")
                for change in changes[:ROWS]
            ]
            out(*fit_table(("decision", "times", "games"), rows, ()), "")
        for mismatch in first[:most]:
            out(*_difference(bot, *mismatch, results))
        if len(differing) > most:
            say(f"... and {len(differing) - most:,} more games (--most shows more)")
        of = amount(len(games), "recorded game")
        out(f"{bot}: decides differently in {len(differing):,} of {of}")
        for change in [change for change in changes if " " not in change.before + change.now][:1]:
            rule = f"--rule {quote(f'{change.before} -> {change.now}')}"
            say(f"To test such a change as a rule: arena explain {near(results)} {bot} {rule}")

    notes = ["Time was over before the other games were asked; give more with --seconds"] * late
    return Answer(document, show, FAILED if differing or late else 0, notes)


def _classes(game: "RecordedGame", other: "Difference") -> tuple[str, str]:
    """The move classes of a decision in the game and now: the finest kinds that differ, else the
    decisions.
    """
    before, now = game.questions[other.number].answer, other.now
    if before is None or not isinstance(now, str):
        after = "a decision" if isinstance(now, str) else f"a fault: {now.kind}"
        return "a decision" if before else "a forfeit", after
    view, rules = game.view(other.number), load(game.hello.game)
    both = [move_classes(rules, view, decision) or (decision,) for decision in (before, now)]
    unlike = [pair for pair in zip(*both, strict=False) if pair[0] != pair[1]]
    return unlike[-1] if unlike else (before, now)


def _document(game: "RecordedGame", other: "Difference") -> "documents.Difference":
    from arena.cli import documents

    question, now = game.questions[other.number], other.now
    return documents.Difference(
        game_id=game.id, seat=game.seat, decision_number=other.number + 1,
        action_number=question.at, before=question.answer,
        now=now if isinstance(now, str) else None,
        fault=None if isinstance(now, str) else now.kind, legal=question.legal,
        view=game.view(other.number)._asdict(),
    )  # fmt: skip


def _difference(bot: str, game: "RecordedGame", other: "Difference", results: Path) -> list[str]:
    from arena.faults.reasons import in_a_line
    from arena.records.replay import call_seats, describe_table

    question, now, view = game.questions[other.number], other.now, game.view(other.number)
    names = call_seats([bot if seat == game.seat else "" for seat in range(view.players)])
    table = describe_table(zones(load(game.hello.game), view), names, game.seat)
    return [
        f"game {game.id}, seat {game.seat}, decision {other.number + 1}: was "
        f"{question.answer or 'a forfeit'}, now "
        f"{now if isinstance(now, str) else f'{now.kind}: {in_a_line(now)}'}",
        *wrap_indented(f"    {table}"),
        rewrite_commands(f"    arena replay {near(results)} {game.id} --at {question.at}"),
    ]


def _check_loads(player: "Replayer", now: "CurrentBot") -> None:
    """Raise ArenaError where the bot cannot be loaded."""
    from arena.faults.reasons import in_a_line
    from arena.faults.remedies import remedy

    if reason := player.problem():
        why, advice = in_a_line(reason), remedy(reason, now.path.name)
        advice = f"; {advice}" if advice and advice not in why else ""
        raise ArenaError(f"{now.path}: cannot be loaded: {why}{advice}")
