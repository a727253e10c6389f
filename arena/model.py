"""The words every part shares: bot, pool, fixture, fault, outcome. Data only, nothing that does.

Names and order are those of the design: a pool is what is rated together, a line-up the bots of one
game, a seating the seat of each.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct

import games
from arena.faults.kinds import FaultKind
from arena.typed_json import Count, Number, means

LEVEL = 0.95
"""The confidence in a difference between bots, where tables show it."""

LEAST_DECKS = 8
"""A bot has no interval on fewer: what so few say of their own spread is worth nothing."""

FEW_DECKS = 30
"""On fewer, intervals come with a warning."""

LADDER = ("novice", "adder", "haggler", "ledger", "champion")
"""House bots at even steps in every game, the weakest first; bots/README.md has the figures."""

MOST_BOTS = 1000
"""Of a pool: a table has a cell for each two of them."""

MOST_PAIRS = 3 * MOST_BOTS**2
"""Of all pools together: such tables take some 300 bytes for each two bots of a pool."""

MOST_GAMES = 1 << 53
"""Of a pool."""

MOST_RATING = 10_000
"""Of an anchor, above and below 0."""

LONGEST_REASON, LONGEST_LABEL = 200, 40
"""Characters of why a bot is out, and of a week's label."""

Moment = Annotated[datetime, Meta(tz=True)]


def file_of(name: str, is_folder: bool) -> str:
    """A bot's file as its author calls it: `thrifty.py`, or `thrifty/bot.py`."""
    return f"{name}/bot.py" if is_folder else f"{name}.py"


WALLS, NONE = "walls", "none"
"""The sandbox of a game's bots: part of its identity, and named in every result file."""


class Bot(NamedTuple):
    """A bot as the schedule knows it: its name, and what its files are."""

    name: str  # [a-z0-9_-]{1,32}, unique in a league
    hash: str  # of its files' relative paths and bytes, hex


BotFiles = tuple[Bot, tuple[tuple[str, bytes], ...]]  # as they are kept, by path

LineUp = tuple[Bot, ...]
"""The bots of one game, by name."""
Seating = tuple[int, ...]
"""By seat: an index into the line-up."""


def _limit(least: int, most: int, words: str) -> Meta:
    return Meta(ge=least, le=most, description=words)


class Limits(NamedTuple):
    """Limits of a bot: the keys of a config's `[limits]`, with their ranges and words."""

    cpu_ms: Annotated[int, _limit(1, 600_000, "CPU time of one decision.")] = 100
    wall_ms: Annotated[int, _limit(1, 3_600_000, "Time of one decision by the clock.")] = 2000
    load_ms: Annotated[int, _limit(10, 600_000, "CPU time to import the bot.")] = 3000
    memory_mib: Annotated[int, _limit(64, 65_536, "Memory of a bot's process.")] = 512
    max_output_kib: Annotated[
        int, _limit(0, 65_536, "Prints kept of a session, and as much of texts of faults.")
    ] = 64
    max_restarts: Annotated[
        int, _limit(0, 1000, "Restarts of its process in a session, plus 1 % of its games there.")
    ] = 3


Partners = Literal["", "same", "mixed"]
"""Empty where all play alone; same: a team is one bot twice; mixed: any two."""


class Pool(NamedTuple):
    """One game with one number of players and one set of options: what is rated together."""

    game: str
    players: int  # seats
    options: str  # canonical JSON of the options that differ from the default, "{}" for none
    partners: Partners

    @property
    def entrants(self) -> int:
        """The number of bots of a line-up."""
        return self.players // 2 if self.partners == "same" else self.players

    @property
    def shape(self) -> str:
        """Its seats, teams and options in short: `2v2 {"bonus":true}`."""
        seats = {"": f"{self.players}p", "same": "2v2"}.get(self.partners, f"2v2 {self.partners}")
        return seats if self.options == "{}" else f"{seats} {self.options}"

    @property
    def title(self) -> str:
        """Its name in tables: `Sixteen 2v2 {"bonus":true}`."""
        return f"{games.title(self.game)} {self.shape}"


Goal = int | Literal["best", "all"]
"""The goal of a test: the order of the first so many bots (2 or more), the best bot, or the
order of all."""


class SequentialTest(NamedTuple):
    """The test of a pool that is played until its goal is reached."""

    confidence: float  # how sure to be of all pairs compared together: 0.95
    max_deals: int  # for each line-up and seating, at most
    look_count: int  # at the tables on the way there, the last one among them
    first_deals: int  # deals at the first look
    version: int = 2  # of where looks lie and how wide limits are (`arena.sequential.stages`)
    goal: Goal = "all"
    within_places: int = 0  # with "all": play ends once places are known so well; 0: neighbours
    line_up_counts: tuple[int, ...] = ()  # in use at the first looks, at one deal; (): always all


class Mirrored(NamedTuple):
    """Games of a match that share decks, and the dice of each seat: every two in which the bots
    compared have taken each other's seats, and no more.
    """

    bots: tuple[str, str]  # names of the two, ascending
    never_meet: bool  # then one of the games of a deck is the one's, one the other's


Sharing = bool | Mirrored
"""True if the seatings of a line-up share their decks; in a match, the way that its games do."""


class Entry(NamedTuple):
    """A pool as a config has it: its bots, and how much they play."""

    pool: Pool
    bots: tuple[Bot, ...]  # entrants, by name
    deals: int  # for each line-up and seating; where it is to be settled, up to the next look
    seatings: str | int  # "auto", "all" or how many
    shared_decks: Sharing
    line_ups: tuple[tuple[int, ...], ...] | None = None  # those drawn, as places in `bots`; or all
    fixed_bots: tuple[str, ...] = ()
    """Names of bots in every line-up: one in a gauntlet, two in a match; if these play apart, each
    is in half of them."""
    test: SequentialTest | None = None  # None: all deals are played
    seating_turns: tuple[tuple[int, int], ...] | None = None
    """(line-up's number, its turn's), ascending; by chance where a line-up is not in it. None: no
    line-up or deal turns the seatings (`arena.schedule.seat_rotation`)."""
    line_ups_used: int | None = None  # of those drawn, up to its look; None: all
    drawn_before: tuple[int, ...] = ()
    """By place in `bots`, where line-ups are drawn: how many had been drawn when the bot came."""

    @property
    def parties(self) -> tuple[tuple[str, ...], ...]:
        """The bots in every line-up; two parties of one bot each where they play in turns."""
        apart = isinstance(self.shared_decks, Mirrored) and self.shared_decks.never_meet
        return tuple([(bot,) for bot in self.fixed_bots]) if apart else (self.fixed_bots,)


class Anchor(NamedTuple):
    """A bot whose rating in a pool is set. Tables show it so; no game depends on it."""

    pool: Pool
    bot: str  # name
    rating: float


class Wanted(NamedTuple):
    """A pool as a config asks for it. What the config leaves open is chosen once
    (`arena.schedule.choices`).
    """

    entry: Entry  # with all line-ups
    line_ups: int | None  # to be drawn; None: all
    anchor: Anchor | None = None  # None: ratings are measured from the mean


NotRankedStatus = Literal["unranked", "guest"]


class NotRanked(Struct, frozen=True, order=True):
    """A bot that plays and is rated like any other, and has no place in the tables."""

    bot: str
    status: Annotated[
        NotRankedStatus,
        means("Guest: a house bot, an unchanged starter, or one bot too many of its author."),
    ]
    reason: Annotated[
        str,
        Meta(max_length=LONGEST_REASON),
        means("The organiser's; of a house bot or starter, empty."),
    ] = ""
    ranked_again: Annotated[str, means("The day on which it is ranked again, 2026-12-01.")] = ""


class StoredPlan(NamedTuple):
    """All that decides which games there are, and how tables show them: stored with the games, so
    that they explain themselves.
    """

    name: str
    seed_given: bool  # in the config: deals are not secret
    confinement: str  # what keeps the bots in
    limits: Limits
    entries: tuple[Entry, ...]
    anchors: tuple[Anchor, ...] = ()  # one a pool at most
    folders: tuple[str, ...] = ()  # bots that are no single files, by name
    not_ranked: tuple[NotRanked, ...] = ()  # by bot's name; for tables of any day
    show_authors: tuple[str, ...] = ()  # bots whose authors are shown, by name
    show_code: tuple[str, ...] = ()  # bots whose code may be published, by name
    run_began: Moment | None = None  # when the run began that took these bots
    entries_close: Moment | None = None  # from then on no bots are taken

    @property
    def bots(self) -> tuple[Bot, ...]:
        """All bots that enter any pool, by name."""
        return tuple(sorted({bot for entry in self.entries for bot in entry.bots}))


class WeekRow(Struct, frozen=True):
    """A bot's line of a table as readers see it, in a week that is kept."""

    bot: str
    place: Annotated[Number | None, means("Null where the bot is not ranked.")]
    place_range: tuple[Number, Number] | None
    mu: float
    interval: Annotated[
        tuple[float | None, float | None] | None, means("The 95 % interval of mu, as in standings.")
    ]
    games: Count
    faults: Count


class WeekTable(Struct, frozen=True):
    """A table of a week that is kept."""

    title: str
    rows: Annotated[tuple[WeekRow, ...], means("First those with a place, best first.")]


class Week(Struct, frozen=True, kw_only=True):
    """A week of a league: the places in its tables when a run had played all games. As JSON it is
    the store's format, and that of `history/0001.json`.
    """

    version: Literal[3] = 3
    arena: Annotated[str, Meta(max_length=LONGEST_LABEL), means("The version that rated it.")]
    number: Annotated[Number, means("From 1, in the order in which weeks were stored.")]
    label: Annotated[str, Meta(max_length=LONGEST_LABEL), means("Empty for none.")]
    time: Annotated[str, means("When it was stored: ISO 8601, with the machine's offset.")]
    games: Annotated[Count, means("In its tables.")]
    bots: Annotated[Mapping[str, str], means("Hashes by name.")]
    tables: Annotated[tuple[WeekTable, ...], Meta(min_length=1), means("In the standings' order.")]

    @property
    def day(self) -> str:
        """The day it was kept, where the league is run: `2026-11-02`."""
        return self.time[:10]

    @property
    def name(self) -> str:
        """The label, or the day if there is none."""
        return self.label or self.day

    @property
    def dated(self) -> str:
        """`week 1, 2026-11-02`; a week without a label is named by its day."""
        return f"{self.name}, {self.day}" if self.label else self.name


LONGEST_NAMED, LONGEST_SENTENCE = 80, 200
"""Characters of an author, a name, a version or a licence in a docstring, and of its first line."""

_Named = Annotated[str, Meta(max_length=LONGEST_NAMED)]


class Author(Struct, frozen=True, omit_defaults=True):
    """Facts on a bot and its author, from its docstring; a stranger's words. "" is unknown."""

    author: _Named = ""
    name: _Named = ""
    version: _Named = ""
    licence: _Named = ""
    sentence: Annotated[str, Meta(max_length=LONGEST_SENTENCE)] = ""

    @property
    def in_words(self) -> str:
        """In a line: `The First 2.1 by Ann, MIT: Takes what comes.`"""
        named = " ".join(filter(None, (self.name, self.version)))
        who = " by ".join(filter(None, (named, self.author))) if named else self.author
        signed = ", ".join(filter(None, (who, self.licence)))
        return ": ".join(filter(None, (signed, self.sentence)))


class Fixture(NamedTuple):
    """One game to be played. What it is determines its `id`, seed and course."""

    id: str  # hex, by identity
    line_up: LineUp
    seating: Seating
    deal: int  # 0 .. deals-1

    @property
    def names(self) -> list[str]:
        """The bots' names, by seat."""
        return [self.line_up[place].name for place in self.seating]


class Place(Struct, frozen=True, omit_defaults=True):
    """A line in a bot's own code."""

    file: str  # a path in the bot's folder
    line: int
    function: str = ""
    code: str = ""  # what stands there


class Reason(Struct, frozen=True, omit_defaults=True):
    """The reason for no decision, no process or no further games: the kind for everybody, the rest
    for its author (`arena.faults.reasons` has the words).

    What the bot's process says of itself is among it, and may be made up. Each field is cut before
    it is kept, and nothing is decided by any but `kind`. As JSON it is the store's format.
    """

    kind: FaultKind
    message: str = ""  # an exception's message, a limit; of a wrong word, what is legal
    how: FaultKind | None = None  # of a bot that cannot be loaded: what happened while it was
    error: str = ""  # class of the exception; "" for none
    rule: str = ""  # of the interface, that it broke (`arena.sandbox.capture.Complaint`)
    about: str = ""  # what a remedy for that needs to know: a type, a name
    places: tuple[Place, ...] = ()  # innermost first: one, or where it was when its time was over
    played: str = ""  # a word that is not legal
    legal: tuple[str, ...] = ()  # instead of that
    phase: str = ""  # of the view that it failed at
    view: str = ""  # as its bot was shown it
    traceback: str = ""  # one that ends in a line end lacks its first line and its last

    @property
    def place(self) -> Place | None:
        """The innermost line in the bot's own code, if it is known."""
        return self.places[0] if self.places else None


class FailedEnds(NamedTuple):
    """Failures of a bot's `end` that are reported alike. They cost no game."""

    times: int
    reason: Reason


class Fault(NamedTuple):
    """A seat that forfeited its game, and why."""

    seat: int
    action: int  # index in the record's actions, of the forfeit
    reason: Reason


Forfeit = tuple[int, str, int]
"""A fault as records and checksums have it: seat, kind, index in the record's actions."""


class Played(NamedTuple):
    """A finished game, as a session reports it."""

    fixture: Fixture
    body: bytes  # of its record (`arena.records.record`)
    ranks: tuple[int, ...]  # by seat
    scores: tuple[int, ...]
    faults: tuple[Fault, ...]

    @property
    def forfeits(self) -> tuple[Forfeit, ...]:
        """The game's faults, without what is for the bot's author alone."""
        return tuple([(fault.seat, fault.reason.kind, fault.action) for fault in self.faults])


class Tally(NamedTuple):
    """Work and use of a bot's processes in a session, and messages for its author."""

    bot: str
    decisions: int
    cpu_s: float
    worst_s: float  # CPU time a decision, in the batch where that was most
    notes: tuple[str, ...]
    printed: str
    ends: tuple[FailedEnds, ...] = ()  # failures of its `end`


class Timing(NamedTuple):
    """Use of a bot's processes in a pool, in total."""

    pool: Pool
    bot: str  # name
    decisions: int
    cpu_s: float
    worst_s: float  # CPU time a decision, in the batch where that was most


class Outcome(NamedTuple):
    """The end of a finished game: all that ratings and tables need. Lists are by seat."""

    id: str
    bots: tuple[str, ...]  # names
    ranks: tuple[int, ...]  # 1 = best, equal = shared
    scores: tuple[int, ...]
    faults: tuple[str, ...]  # kind, "" for none
