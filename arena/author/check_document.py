"""What `arena check --json` prints: the types of all its keys, in their order.

`arena schema check` describes them. A key that is renamed or changes its meaning needs a new
`VERSION`.
"""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from arena.model import FaultKind
from arena.tables.values import Count, Number, OpenInterval
from arena.typed_json import means

VERSION: Final = 2

BotKind = Literal["", "decide", "Bot", "decide_many"]
Amount = Annotated[float, Meta(ge=0)]


class Load(Struct, frozen=True, kw_only=True):
    """What it took to load the bot, once and alone."""

    kind: Annotated[BotKind, means("What it defines; empty if it cannot be loaded.")]
    cpu_ms: Annotated[Amount, means("CPU time.")]
    cpu_limit_ms: Annotated[Number, means("What it may take.")]
    memory_mib: Annotated[
        Amount | None, means("Memory beside what all bots begin with; null where nobody can tell.")
    ]
    memory_limit_mib: Annotated[Number, means("What it may have, loading and playing.")]


class Shown(Struct, frozen=True, kw_only=True):
    """A question that the bot was asked."""

    game: str
    view: Annotated[dict[str, Any], means("The view's fields, in their order.")]
    legal: Annotated[tuple[str, ...], means("The legal decisions, in the view's order.")]


class CheckFault(Struct, frozen=True, kw_only=True):
    """A mistake of the bot, however often it made it."""

    kind: Annotated[FaultKind | Literal["end"], means("Of fault; end: in `end`, costs no game.")]
    times: Annotated[Number, means("Games that it cost; of `end`, how often it was seen.")]
    what: Annotated[str, means("The error in one line.")]
    file: Annotated[str | None, means("The author's file it is in; null where nobody knows.")]
    line: Annotated[Number | None, means("The line there; null where nobody knows.")]
    code: Annotated[str | None, means("What stands there; null where nobody knows.")]
    remedy: Annotated[str | None, means("What to do about it; null where nobody knows.")]
    pool: Annotated[str | None, means("Where it was seen first: the pool's title; null: loading.")]
    shown: Annotated[Shown | None, means("What it was asked then; null if nothing.")]
    text: Annotated[str, means("All that is known: a traceback, a limit.")]


class PoolPlayed(Struct, frozen=True, kw_only=True):
    """A pool: one game with one number of players."""

    title: str
    game: str
    players: Annotated[Number, means("Seats.")]
    games: Annotated[Count, means("Games played; each also counts where the bot forfeited it.")]
    decisions: Annotated[Count, means("Decisions of the bot that were measured.")]
    forfeits: Annotated[Count, means("Seats that the bot forfeited.")]


class Cost(Struct, frozen=True, kw_only=True):
    """CPU time a decision, where the bot is asked one question at a time."""

    game: str
    phase: Annotated[str, means("The view's.")]
    decisions: Number
    median_ms: Amount
    p99_ms: Annotated[Amount, means("99 of 100 decisions took no longer.")]
    worst_ms: Amount


class Differed(Struct, frozen=True, kw_only=True):
    """The first decision that differed when the same games were played again."""

    pool: str
    decision: Annotated[Number, means("Which one of that game, from 1.")]
    first: Annotated[str, means("What it played the first time; empty: no decision.")]
    second: Annotated[str, means("What it played the second time; empty: no decision.")]
    shown: Shown


class Repeats(Struct, frozen=True, kw_only=True):
    """Whether the same seeds give the same decisions."""

    games: Annotated[Count, means("Games that were played twice and say something.")]
    alike: Annotated[bool | None, means("Null where no game says anything.")]
    different: Annotated[Count, means("Games that went another way.")]
    differed: Differed | None


class Prints(Struct, frozen=True, kw_only=True):
    """What the bot printed."""

    lines: Count
    first: Annotated[tuple[str, ...], means("The first lines of them.")]


class Stands(Struct, frozen=True, kw_only=True):
    """Where the bot would stand among the house bots, by the games of this check."""

    game: Annotated[str | None, means("Null: over all games.")]
    place: Number
    of: Annotated[Number, means("Bots, this one among them.")]
    places: Annotated[
        tuple[Number, Number] | None,
        means("First and last place it may have, with 95 %; null on too few games."),
    ]
    mu: Annotated[float, means("Its rating; the mean is 25.")]
    interval: Annotated[
        OpenInterval | None,
        means("Both ends of its 95 % interval; null on too few games, an end where it is open."),
    ]


class Checked(Struct, frozen=True, kw_only=True):
    """What a check found out about a bot."""

    version: Annotated[Literal[2], means("Of this format.")]
    bot: str
    hash: Annotated[str, means("SHA-256 over its files' paths and bytes, hex.")]
    sound: Annotated[bool, means("Whether nothing is wrong with it.")]
    twins: Annotated[
        tuple[str, ...],
        means("Bots beside it of the same name, such as a folder: a tournament takes one at most."),
    ]
    whole: Annotated[bool, means("False where --first ended the check at the first fault.")]
    seconds: Annotated[Amount, means("What the check took.")]
    load: Load
    pools: Annotated[tuple[PoolPlayed, ...], means("In the order of play.")]
    faults: Annotated[tuple[CheckFault, ...], means("The one that cost most games first.")]
    cpu: Annotated[tuple[Cost, ...], means("By game and phase.")]
    cpu_limit_ms: Annotated[Number, means("What a decision may take.")]
    memory_mib: Annotated[Amount, means("The most that it had while it played.")]
    game_s: Annotated[
        Amount | None,
        means("By the clock, how long a game waits for its decisions; null where none was played."),
    ]
    slower: Annotated[
        Amount | None, means("How many times as long a game takes with it as among house bots.")
    ]
    repeats: Annotated[Repeats | None, means("Null where it was not tried.")]
    prints: Prints
    stands: Annotated[tuple[Stands, ...], means("Overall first, then by game.")]
    not_placed: Annotated[str | None, means("Why `stands` is empty; null where it is not.")]
