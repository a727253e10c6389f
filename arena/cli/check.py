"""The commands that test a bot, `arena check`, and this machine, `arena doctor`."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from arena.cli.commands import SHARE, WRITE, Answer, command
from arena.cli.consent import allow_unconfined
from arena.cli.letters import open_letters
from arena.cli.options import Quiet, Unconfined, argument, flag, option
from arena.cli.progress import Display
from arena.cli.terminal import out, rewrite_commands, say, width
from arena.errors import FAILED, UNCONFINABLE, UsageError
from arena.progress import SILENT
from arena.system.abilities import require_linux

if TYPE_CHECKING:
    from arena.author.check_report import CheckFault
    from arena.league.bots import BotPath
    from arena.league.files import Source


@command(WRITE)
def check_command(
    bots: list[str] = argument(
        "BOT...", "Names, paths or globs; for several bots, the report has a few lines each."
    ),
    seed: int = option("N", "Seed of the deals (default: 0).", least=0, default=0),
    seconds: float = option(
        "N", "Play a slow bot for N seconds (default: 9.5).", least=1, default=9.5
    ),
    quiet: Quiet = False,
    json: bool = flag("--json", "Print the result as JSON, one line per bot."),
    letters: Path | None = option("DIR", "Also write each bot's author a letter, DIR/NAME.txt."),
    results: Path | None = option(
        "RESULTS", "Of letters: say the bot's place there, a game to learn from, and the deadline."
    ),
    with_text: Path | None = option("FILE", "Of letters: put your own words in front."),
    unconfined: Unconfined = False,
) -> Answer:
    """Test a bot: faults, time, memory and a rough rating.

    Example: arena check mine
    Example: arena check 'n*'
    Exit codes: 0 no problem found in any bot; 1 a bot has a problem; 2; 4; 130
    """
    chosen = _find_all(bots)
    from msgspec import json as writer

    from arena.author.check import check_bot
    from arena.author.check_report import describe_fault, format_report, format_summary
    from arena.author.copies import describe_copies
    from arena.league.files import hash_source, read_bot
    from arena.model import Bot

    if unconfined:
        allow_unconfined(Bot(bot.name, hash_source(source)) for bot, source in _read_all(chosen))
    one, unsound = len(chosen) == 1, list[str]()
    names = [bot.name for bot in chosen]
    with open_letters(letters, names, results, with_text) as post:
        for number, bot in enumerate(chosen, 1):
            if letters and not (one or quiet):
                say(f"{number} of {len(chosen)}: {bot.name}")
            with Display() as line:

                def notice(fault: "CheckFault", line: Display = line) -> None:
                    if one and not quiet:
                        line.say(f"fault: {describe_fault(fault)}")

                shown = SILENT if quiet else line
                try:
                    checked = check_bot(bot, seed, notice, shown, seconds, not unconfined)
                except UsageError as error:
                    post(bot.name, None, str(error))
                    if one:
                        raise
                    say(str(error))
                    unsound.append(bot.name)
                    continue
            parts = {name.partition("/")[0] for name, _ in read_bot(bot).files} | {"__pycache__"}
            if bot.path.is_dir() and (aside := sorted({*os.listdir(bot.path)} - parts)):
                listed = shorten(", ".join(aside), 120)
                say(f"{bot.name}: not part of the bot: {listed}; rename what it reads")
            _check_numbers(bot, not unconfined)
            post(bot.name, checked, "")
            if json:
                out(writer.encode(checked).decode())
            else:
                write = format_report if one else format_summary
                out(*map(rewrite_commands, write(checked, width())))
            if not checked.sound:
                unsound.append(bot.name)
    if not one and not json:
        listed = f"; not sound: {', '.join(unsound)}" if unsound else ""
        out("", f"{len(chosen) - len(unsound)} of {len(chosen)} bots are sound{listed}")
        sources = {bot.name: source for bot, source in _read_all(chosen)}
        copies = describe_copies(sources, not unconfined)
        out(*[""] * bool(copies), *copies)
    return Answer(code=FAILED if unsound else 0)


def _check_numbers(bot: "BotPath", confined: bool) -> None:
    """Say what is wrong with the numbers that a bot has to be tuned."""
    from arena.league.bots import ENTRY_FILE
    from arena.league.files import read_bot

    source = read_bot(bot)
    if b"TUNE" in dict(source.files)[ENTRY_FILE]:
        from arena.tuning.numbers import read_numbers

        try:
            read_numbers(bot.name, source, confined)
        except UsageError as error:
            say(str(error))


def _find_all(given: Sequence[str]) -> list["BotPath"]:
    """Find the bots, each once: by name or glob in the league here, or any by its path. Says what a
    glob finds that was meant as a bot and is none.
    """
    from arena.league.bots import WILD, as_glob, find_bot, find_bots, find_league

    try:
        folder = find_league(Path.cwd())
    except UsageError:
        folder = Path.cwd()  # then only a path can be meant
    by_path: dict[Path, BotPath] = {}
    for name in given:
        wild = WILD.search(name) and not Path(name).exists()
        bots = find_bots(folder, [as_glob(name)], note=say) if wild else [find_bot(folder, name)]
        by_path |= {bot.path.resolve(): bot for bot in bots}
    return list(by_path.values())


def _read_all(chosen: Iterable["BotPath"]) -> Iterator[tuple["BotPath", "Source"]]:
    """Yield the bots with their files, save those that cannot be read."""
    from arena.league.files import read_bot

    for bot in chosen:
        with suppress(UsageError):  # checking it says so
            yield bot, read_bot(bot)


@command(SHARE)
def doctor_command() -> Answer:
    """Test the sandbox on this machine, layer by layer.

    Example: arena doctor
    Exit codes: 0 bots can be sandboxed here; 1; 2; 4; 130
    """
    require_linux()
    from arena.model import WALLS
    from arena.process.doctor import examine

    examination = examine()
    complete = examination.confinement == WALLS

    def show() -> None:
        for layer in examination.layers:
            if layer.ok:
                out(f"ok  {layer.name} ({layer.detail})")
            else:
                out(f"NO  {layer.name}: {layer.detail}")
                out(*(f"    {line}" for line in layer.remedy.splitlines()))
        out(f"sandbox: {'complete' if complete else 'not complete'}")

    return Answer(examination, show, 0 if complete else UNCONFINABLE)
