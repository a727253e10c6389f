"""The command `arena tune`."""

import os
from pathlib import Path
from shutil import copymode
from textwrap import wrap
from typing import TYPE_CHECKING

from arena.cli.commands import WRITE, Answer, command
from arena.cli.consent import allow_unconfined
from arena.cli.options import Unconfined, argument, flag, option
from arena.cli.progress import Display
from arena.cli.terminal import confirm, fit_table, near, out, say, width, wrap_indented
from arena.errors import ArenaError, UsageError
from arena.words import amount

if TYPE_CHECKING:
    from arena.tuning.search import Tuning


@command(WRITE)
def tune_command(
    bot: str = argument("BOT", "Name or path of a bot with `TUNE` in its file."),
    game: list[str] | None = option("GAME", "Play this game only; repeat the option to add games."),
    players: int | None = option(
        "N", "Number of players (default: the fewest that the game allows).", least=2
    ),
    others: list[str] | None = option(
        "GLOB", "Bots for the other seats (default: the best of the ladder).", "--with"
    ),
    games: int | None = option("N", "Play about N games, 2000 or more.", least=2000),
    seconds: int = option("N", "Play about N seconds (default: 60).", least=5, default=60),
    seed: int | None = option("N", "Deal from this seed instead of a secret.", least=0),
    write: bool = flag("--write", "Write better numbers into the bot's file."),
    yes: bool = flag("--yes", "Do not ask before they are written."),
    unconfined: Unconfined = False,
) -> Answer:
    """Find better numbers for a bot: those in its TUNE.

    The numbers found play a final on decks that the search never saw. The same command goes on
    with a search that was interrupted, and repeats what one found that is over.

    Example: arena tune mine --game no_thanks
    Exit codes: 0; 1 the command failed, or declined; 2; 4; 130
    """
    from arena.league.bots import ENTRY_FILE, find_bot, find_league
    from arena.league.files import Source, hash_source, read_bot
    from arena.model import Bot
    from arena.plan.match import Terms, find_pools
    from arena.tuning.numbers import read_numbers, write_numbers
    from arena.tuning.race import find_field
    from arena.tuning.search import tune

    try:
        folder = find_league(Path.cwd())
    except UsageError:
        folder = Path.cwd()
    path = find_bot(folder, bot)
    source, pools = read_bot(path), find_pools(Terms(tuple(game or ()), players))
    if unconfined:
        allow_unconfined([Bot(path.name, hash_source(source))])
    numbers = read_numbers(path.name, source, not unconfined)
    file = path.path / ENTRY_FILE if path.path.is_dir() else path.path
    if not numbers:
        raise UsageError(f'{file}: no TUNE; write TUNE = {{"name": (value, low, high)}} there')
    if write and not os.access(file, os.W_OK):
        raise UsageError(f"{file}: no permission to write to it; change its permissions")
    field = find_field(folder, others or (), pools, source)
    with Display() as steps:
        against = f"{', '.join(pool.title for pool in pools)}, against {', '.join(sorted(field))}"
        steps.say(f"Tuning {path.name}: {against}")
        tuned = tune(
            path.name, source, numbers, pools, field,
            games=games, seconds=seconds, seed=seed, confined=not unconfined, steps=steps,
        )  # fmt: skip

    def finish() -> None:
        if not (write and tuned.better):
            if write:
                say("Nothing written.")
            return
        from arena.system.folders import write_atomically

        before = file.read_bytes()
        if before != dict(source.files)[ENTRY_FILE]:
            raise UsageError(f"{file}: has changed meanwhile; nothing was written")
        code = write_numbers(before, numbers, tuned.values)
        written = Source(tuple(sorted({**dict(source.files), ENTRY_FILE: code}.items())))
        read = read_numbers(path.name, written, not unconfined)
        if {one.name: one.value for one in read} != tuned.values:
            raise ArenaError(f"{file}: the numbers cannot be written; paste them")
        if not yes:
            changes = wrap_indented(f"{near(file)}: {_describe_change(tuned)}")
            confirm(changes, "Write them?", "Nothing written")
        with write_atomically(file.parent, file.name) as stream:
            copymode(file, stream.name)
            stream.write(code)
        say(f"Written: {near(file)}")

    return Answer(tuned, lambda: _show(tuned, write), finish=finish)


def _describe_change(tuned: "Tuning") -> str:
    changed = (one for one in tuned.numbers if one.value != one.tuned)
    return ", ".join(f"{one.name} {one.value} -> {one.tuned}" for one in changed)


def _show(tuned: "Tuning", writes: bool) -> None:
    (before, after), (low, high) = tuned.shares, (100 * end for end in tuned.interval)
    verdict = "Better numbers were found." if tuned.better else "No better numbers were found."
    out(*wrap(
        f"{verdict} In a final of {tuned.decks:,} games, on decks that the search never saw, they "
        f"left {after:.1%} of the opponents behind, yours {before:.1%}: {100 * tuned.gain:+.1f} "
        f"points [{low:+.1f}, {high:+.1f}] (95 %). On the decks that chose them it was "
        f"{100 * tuned.race_gain:+.1f}.", width(),
    ))  # fmt: skip
    if tuned.forfeits:
        lost = f"{amount(tuned.forfeits, 'game')} of {tuned.games:,}"
        out(*wrap(f"Other numbers made it forfeit {lost}: they count as bad ones.", width()))
    if not tuned.better:
        return
    rows = [
        (one.name, str(one.value), str(one.tuned), f"{one.low} to {one.high}",
         "" if one.gain is None else f"{100 * one.gain:+.1f} ± {196 * one.gain_se:.1f}")
        for one in tuned.numbers
    ]  # fmt: skip
    out("", *fit_table(("number", "yours", "found", "range", "gain"), rows, ("range",)), "")
    out(*wrap(
        "Gain: the points lost if that number alone is put back (95 %); where there is none, it is "
        "as it was.", width(),
    ))  # fmt: skip
    if not writes:
        every = (
            f'    "{one.name}": ({one.tuned}, {one.low}, {one.high}),' for one in tuned.numbers
        )
        out("", "TUNE = {", *every, "}")
        say("The same command with --write writes these values into the file, and nothing else.")
