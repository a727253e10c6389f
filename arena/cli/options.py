"""Arguments of commands: the results they read, the options that several have, what the shell
completes, and what limits these options leave.
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Annotated, Any

import typer

import games
from arena.cli.consent import choose_unconfined
from arena.cli.terminal import say
from arena.errors import UsageError
from arena.system.abilities import HAS_WALLS
from arena.words import amount, nearest

if TYPE_CHECKING:
    from arena.model import Limits
    from arena.progress import Progress
    from arena.store.store import Store

SHELF, BOTS = Path("results"), Path("bots")
FORMATS = ("plain", "github", "csv", "json", "html", "latex")
SCHEMAS = "arena.cli.documents:DOCUMENTS"  # not loaded for `--help`
PLAIN = re.compile(r"[\w.][\w./+-]*")  # what no shell expands: strangers name files


def results_at(given: Path) -> Path:
    """Find results, by a path or by the NAME of a folder in results/. Raises UsageError."""
    try:
        places = [given, SHELF / given][: 2 if len(given.parts) == 1 else 1]
        there = next((place for place in places if place.exists()), None)
        if there:
            return there
        from arena.store.schema import FILE

        beside = [file.parent for at in (given.parent, SHELF) for file in at.glob(f"*/{FILE}")]
    except PermissionError:
        return given  # opening it will report this
    near = nearest(given.name, [folder.name for folder in beside])
    suggested = next((folder for folder in beside if folder.name == near), None)
    hint = f"did you mean {suggested}?" if suggested else "a results folder is results/NAME"
    raise UsageError(f"{given}: no such folder or file; {hint}")


MOST_SAID = 20  # lines on what could not be read

LESS_READ = ContextVar("LESS_READ", default=False)
"""True once the command has left something out: its exit code says so."""


@contextmanager
def open_store(results: Path, checked: bool = False, counts: bool = True) -> Iterator["Store"]:
    """Open the store of results for reading; `checked` if this command opened it before. Where it
    `counts` games, the damaged ones are left out; those that are read one by one are checked then.
    """
    from arena.store.store import Store

    with closing(Store.open(results, checked)) as store:
        if counts and not checked:
            leave_out_damaged(store)
        yield store


def leave_out_damaged(store: "Store") -> None:
    """Leave out the games that are damaged, and say how many, and whether all were looked at. The
    command fails in the end if anything is said.
    """
    say_unread(*store.leave_out_damaged())
    if count := len(store.damaged):
        say_unread(
            f"{store.path}: {amount(count, 'damaged game')} left out of all counts; `arena verify` "
            "lists all damage, `arena tournament` plays these games again"
        )


def say_unread(*lines: str, say: Callable[..., None] = say) -> None:
    """Say what could not be read, and is left out. If anything, the command fails in the end."""
    more = len(lines) - MOST_SAID
    say(*lines[:MOST_SAID], *[f"... and {more:,} more; `arena verify` lists all"] * (more > 0))
    LESS_READ.set(LESS_READ.get() or bool(lines))


def _find_bots(ctx: typer.Context) -> list[str]:
    """The bots in the tables of the results named before; without any, those of the league."""
    from arena.system.folders import read_ordinary_file  # for no other word

    given = ctx.params.get("results") or Path(*ctx.args[:1])
    for results in (given, SHELF / given):
        with suppress(OSError, UnicodeError, csv.Error):
            text = read_ordinary_file(results / "standings.csv", 1 << 20).decode()
            return [row.get("bot") or "" for row in csv.DictReader(text.splitlines())]
    files = [*BOTS.glob("[!._]*.py"), *(file.parent for file in BOTS.glob("[!._]*/bot.py"))]
    return [file.stem for file in files if not file.name.startswith("test_")]


COMPLETIONS: dict[str, Callable[[typer.Context], Iterable[str]]] = {
    "close": lambda ctx: ["close"],
    "CONFIG": lambda ctx: map(str, Path("tournaments").glob("*.toml")),
    "FORMAT": lambda ctx: ["json"] if ctx.info_name == "match" else FORMATS,
    "GAME": lambda ctx: games.names() if ctx.info_name != "replay" else (),  # there it is an id
    "NAME": lambda ctx: resolve_name(SCHEMAS) if ctx.info_name == "schema" else (),
    **dict.fromkeys(("BOT", "BOT...", "A", "B", "GLOB", "GAME[:SEAT]|BOT"), _find_bots),
    **dict.fromkeys(("RESULTS", "SOURCE"), lambda ctx: (path.name for path in SHELF.glob("*/"))),
}
"""Finds what the shell completes a word to, by the word's name in the usage line."""


def _completing(name: str) -> Callable[..., list[str]]:
    find = COMPLETIONS.get(name)
    return lambda ctx: sorted(w for w in {*find(ctx)} if PLAIN.fullmatch(w)) if find else []


def argument(name: str, words: str, default: Any = ..., **more: Any) -> Any:
    """A word of a command, by its name in the usage line and its line of `--help`; by default it
    must be given.
    """
    complete = _completing(name)
    return typer.Argument(default, metavar=name, help=words, autocompletion=complete, **more)


def option(
    value: str, words: str, *names: str, default: Any = None,
    least: float | None = None, most: float | None = None,
) -> Any:  # fmt: skip
    """An option with a value, called so in `--help`; `names` if its parameter has another name;
    `default` is ... where it must be given, or stands in the signature.
    """
    check = None if least is None else in_range(least, most)
    complete = _completing(value)
    return typer.Option(
        default, *names, metavar=value, help=words, callback=check, autocompletion=complete
    )


def in_range(low: float, high: float | None) -> Callable[..., Any]:
    """Make a callback of an option with a number: it raises UsageError outside these bounds."""

    def check(param: typer.CallbackParam, value: Any) -> Any:
        if value is not None and not low <= value <= (value if high is None else high):
            expected = f"{low} or more" if high is None else f"{low} to {high}"
            raise UsageError(f"{param.opts[0]}: found {value}; expected {expected}")
        return value

    return check


def flag(name: str, words: str, default: Any = False, **more: Any) -> Any:
    """An option without a value, by its name or `-q, --quiet`."""
    return typer.Option(default, *name.split(", "), help=words, **more)


def unconfined_flag(words: str) -> Any:
    """The option of commands that run bots. Where a system has no walls, it agrees to that."""
    name = "--unconfined" if HAS_WALLS else "--unconfined, --yes"
    return flag(name, words, ..., callback=choose_unconfined)


Results = Annotated[
    Path, argument("RESULTS", "Results folder: results/NAME, or NAME alone.", callback=results_at)
]
"""The argument of all commands that read results."""

Workers = Annotated[
    int | None,
    option(
        "N", "Worker processes, 1 to 1024 (default: one per core).", default=..., least=1, most=1024
    ),
]
NoPin = Annotated[bool, flag("--no-pin", "Let workers and bots run on any core.", ...)]
Fresh = Annotated[bool, flag("--fresh", "Start over; old results are renamed, not deleted.", ...)]
Unconfined = Annotated[
    bool, unconfined_flag("Run bots without the sandbox; use it only for bots you trust.")
]
"""The options of all commands that play."""

Quiet = Annotated[bool, flag("-q, --quiet", "Print no progress.", ...)]
AllVersions = Annotated[
    bool, flag("--all", "Include earlier versions of bots, and bots that were removed.", ...)
]
WithSources = Annotated[bool, flag("--with-sources", "Include the bots' source code.", ...)]
ItsLimits = Annotated[
    bool,
    flag("--its-limits", "Keep the limits of the tournament where they exceed 1 GiB and 5 s.", ...),
]
"""The option of all commands that run bots under a store's limits."""


def lower_limits(limits: "Limits", its_limits: bool, steps: "Progress") -> "Limits":
    """The limits of the store's tournament, lowered to a reader's; says which are lower."""
    from arena.audit.rerun import bound_limits

    held = limits if its_limits else bound_limits(limits)
    less = [
        f"{name} {most} (of {given})"
        for name, most, given in zip(limits._fields, held, limits, strict=True)
        if given > most
    ]
    if less:
        listed = ", ".join(less)
        steps.say(
            f"Limits are lower here than in the tournament: {listed}. "
            "Use --its-limits to apply the tournament's limits."
        )
    return held


def say_cut_short(bots: Iterable[str]) -> None:
    """Say how many games those limits ended; `bots` has the bot that failed in each."""
    games = Counter(bots)
    if games:
        by_bot = ", ".join(f"{bot} {count:,}" for bot, count in sorted(games.items()))
        cut = amount(games.total(), "game")
        say(f"{cut} cut short by these limits and not compared: {by_bot}")
