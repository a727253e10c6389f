"""The keys of a tournament's TOML file, each with its type and range, as pydantic checks them.

Only this module imports pydantic, and words its findings our way. `arena.plan.config` checks how
the values go together.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError

import games as rules
from arena import words
from arena.league.bots import check_glob
from arena.model import LONGEST_REASON, MOST_RATING, Goal, Partners
from arena.plan.toml import KeyPath

SEATINGS = ("auto", "all")
NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")
NAME_RULE = "1 to 64 characters from A-Z, a-z, 0-9, '.', '_' and '-', the first not '.'"
PARTNERS: tuple[Partners, ...] = ("same", "mixed")
RANKED, GUESTS = "ranked", "guests"

Problem = tuple[KeyPath, str]


def _refuse(find_problem: Callable[[Any], str | None]) -> Callable[[Any], Any]:
    """A check for pydantic, which raises what is found wrong with a value."""

    def check(value: Any) -> Any:
        if problem := find_problem(value):
            raise ValueError(problem)
        return value

    return check


def _takes(what: str, is_right: Callable[[Any], object], when: type = AfterValidator) -> Any:
    def find_problem(value: Any) -> str | None:
        found = f"{value:.15g}" if isinstance(value, float) else words.shown(value)
        return None if is_right(value) else f"found {found}; expected {what}"

    return when(_refuse(find_problem))


def _between(low: int, high: int) -> Any:
    return _takes(f"{low} to {high}", lambda value: low <= value <= high)


def _filled(remedy: str) -> AfterValidator:
    return AfterValidator(_refuse(lambda value: None if value else f"is empty; {remedy}"))


def _one_of(known: Sequence[str], also: str = "", kind: type | None = None) -> BeforeValidator:
    """One of some words, or any value of a `kind`, which `also` describes."""

    def find_problem(value: Any) -> str | None:
        fits = value in known or type(value) is kind
        return None if fits else words.not_one_of(value, known, also)

    return BeforeValidator(_refuse(find_problem))


Glob = Annotated[str, AfterValidator(_refuse(check_glob))]
Globs = Annotated[list[Glob], _filled("put a pattern in it, such as 'bots/*'")]
Level = Annotated[float, _takes("0.5 to 0.999, such as 0.95", lambda level: 0.5 <= level <= 0.999)]
ALL: Literal["all"] = "all"
MOST_GOAL = 100_000  # bots, or places
GoalKey = Annotated[
    Goal,
    _takes(
        f"'best', 'all' or how many, 2 to {MOST_GOAL:,}",
        lambda value: value in ("best", ALL) or (type(value) is int and 2 <= value <= MOST_GOAL),
        BeforeValidator,
    ),
]
Places = Annotated[int, _between(1, MOST_GOAL)]
RATINGS = f"{-MOST_RATING} to {MOST_RATING}, such as 25"


class _Table(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class LimitsKeys(_Table):
    """`[limits]`."""

    cpu_ms: Annotated[int, _between(1, 600_000)] = 100
    wall_ms: Annotated[int, _between(1, 3_600_000)] = 2000
    load_ms: Annotated[int, _between(10, 600_000)] = 3000
    memory_mib: Annotated[int, _between(64, 65_536)] = 512
    max_output_kib: Annotated[int, _between(0, 65_536)] = 64
    max_restarts: Annotated[int, _between(0, 1000)] = 3


class AnchorKeys(_Table):
    """`anchor`, of the file or of a `[[games]]`."""

    bot: str
    rating: Annotated[float, _takes(RATINGS, lambda r: abs(r) <= MOST_RATING)] = 25.0  # nor nan


class UnrankedKeys(_Table):
    """`[[unranked]]`."""

    bot: str
    reason: Annotated[
        str,
        _takes(
            f"1 to {LONGEST_REASON} printable characters",
            lambda text: len(text) <= LONGEST_REASON and text.isprintable() and text.strip(),
        ),
    ]
    until: Annotated[
        date | None,
        _takes("a day, such as 2026-12-01", lambda value: type(value) is date, BeforeValidator),
    ] = None


class GameKeys(_Table):
    """`[[games]]`."""

    game: str
    players: Annotated[
        list[int],
        BeforeValidator(lambda value: [value] if type(value) is int else value),
        _filled("set a number of players, or a list of them"),
    ]
    deals: Annotated[int, _between(1, 10_000_000)]
    seatings: Annotated[str | int, _one_of(SEATINGS, "or how many", int)] = "auto"
    shared_decks: bool = False  # or true, as the game has it (`arena.plan.config`)
    partners: Annotated[Partners, _one_of(PARTNERS)] = PARTNERS[0]
    max_games: Annotated[int, _between(1, 1_000_000_000)] | None = None
    options: dict[str, Any] = {}
    bots: Globs | None = None
    gauntlet: str | None = None
    stop_confidence: Level | None = None
    goal: GoalKey | None = None
    within_places: Places | None = None
    anchor: AnchorKeys | None = None


class FileKeys(_Table):
    """The whole file."""

    name: Annotated[str, _takes(NAME_RULE, NAME.fullmatch)] = ""
    bots: Globs = ["bots/*"]
    seed: Annotated[int, _between(0, 2**63)] | None = None
    workers: Annotated[int, _between(1, 1024)] | None = None
    pin_cores: bool = True
    stop_confidence: Level | None = None
    goal: GoalKey | None = None
    within_places: Places | None = None
    anchor: AnchorKeys | None = None
    show_authors: Annotated[
        list[str],
        BeforeValidator(lambda value: ["*"] * value if type(value) is bool else value),
        _takes("true, false or a list of bots", lambda v: type(v) in (bool, list), BeforeValidator),
    ] = []
    unranked: list[UnrankedKeys] = []
    entries_close: Annotated[
        datetime | None,
        _takes(
            "a day and time with an offset, such as 2026-12-01T18:00:00+01:00",
            lambda value: type(value) is datetime and value.tzinfo,
            BeforeValidator,
        ),
    ] = None
    house_bots: Annotated[str, _one_of((RANKED, GUESTS))] = RANKED
    limits: LimitsKeys = LimitsKeys()
    games: list[GameKeys]


def typed(values: dict[str, Any]) -> tuple[FileKeys | None, list[Problem]]:
    """Check a file: its keys as pydantic takes them, None if it does not, and the problems."""
    try:
        return FileKeys.model_validate(values), []
    except ValidationError as error:
        return None, [_translated(details) for details in error.errors(include_url=False)]


TABLES: dict[int, type[_Table]] = {1: FileKeys, 2: LimitsKeys, 3: GameKeys}
"""By how long the path of a key is; those of an anchor, and of `[[unranked]]`, are elsewhere."""

TOP = "at the top of the file, before the first table"
PLACES = {1: TOP, 2: "in [limits]", 3: "in [[games]]"}

UNRANKED = 'set a bot and why, such as unranked = [{ bot = "haggler", reason = "it plays twice" }]'
GAME = "every [[games]] needs game, players and deals"
ANCHOR = 'set a bot and its rating, such as { bot = "haggler", rating = 25 }'

RENAMED = {
    "authors": "show_authors", "because": "reason", "closes": "entries_close",
    "duplicate": "shared_decks", "games": "max_games", "house": "house_bots", "out": "unranked",
    "output_kib": "max_output_kib", "pin": "pin_cores", "settle": "stop_confidence",
    "strikes": "max_restarts", "within": "within_places",
}  # fmt: skip
"""The new name of each key that had another before 0.1.0."""

WANTED = {
    "int_type": "a whole number", "float_type": "a number", "string_type": "a text in quotes",
    "bool_type": "true or false", "list_type": "a list in [ ]", "dict_type": "a table",
    "model_type": "a table",
}  # fmt: skip


def find_tables(key: str) -> list[str]:
    """Where a key belongs, beside a game's options: "at the top ..", "in [limits]" and so on."""
    tables = {PLACES[length]: table for length, table in TABLES.items()}
    tables |= {"in `anchor`": AnchorKeys, "in `unranked`": UnrankedKeys} if key != "bot" else {}
    return [place for place, table in tables.items() if key in table.model_fields]


def _find_place(key: str, found: Any) -> str:
    """Say where a key belongs that is unknown where it stands; "" if it is unknown everywhere."""
    if key in ("bot", "bots") or (key == "game" and not isinstance(found, str)):
        return ""  # rather mistyped, `bots` for `bot`
    if isinstance(found, dict) and found.keys() & {"games", "name"}:
        return f"is not a table of this file; its keys belong {TOP}"
    places = find_tables(key)
    if any(hasattr(rules.load(game).Options, key) for game in rules.names()):
        places.append(f"in options = {{ {key} = {words.shown(found)} }}")
    return f"belongs {words.either(places)}" if places else ""


def _mistyped(key: str, own: list[str]) -> str:
    """Say which key of that table was meant, or of another that is nearer."""
    every = [*own, *(name for table in TABLES.values() for name in table.model_fields)]
    near = words.nearest(key, own if key in every else every)
    if near is None:
        return f"unknown key, the keys are {', '.join(own)}"
    belongs = "" if near in own else f" It belongs {words.either(find_tables(near))}"
    return f"unknown key, did you mean {near!r}?{belongs}"


def _translated(details: Mapping[str, Any]) -> Problem:
    at, kind, found = tuple(details["loc"]), details["type"], details["input"]
    if kind == "value_error":
        return at, str(details["ctx"]["error"])
    of_anchor, of_unranked = "anchor" in at[:-1], at[0] == "unranked"
    if kind == "missing":
        needed = "add at least one [[games]]" if at == ("games",) else GAME
        return at, f"is missing; {ANCHOR if of_anchor else UNRANKED if of_unranked else needed}"
    if kind == "extra_forbidden":
        table = AnchorKeys if of_anchor else UnrankedKeys if of_unranked else TABLES[len(at)]
        key = str(at[-1])
        if key in RENAMED:
            return at, f"is now called {RENAMED[key]}; rename it"
        return at, _find_place(key, found) or _mistyped(key, list(table.model_fields))
    if at[-1] == "anchor":
        return at, f"found {words.shown(found)}; {ANCHOR}"
    if at in (("games",), ("unranked",)) and isinstance(found, dict):
        each = "bot" if of_unranked else "game"
        return at, f"found a table; write [[{at[0]}]], in double brackets, before each {each}"
    if of_unranked and len(at) < 3:
        return at, f"found {words.shown(found)}; {UNRANKED}"
    if kind in ("list_type", "int_type") and at[-1] == "players":
        return at, f"found {words.shown(found)}; expected a whole number, or a list of them"
    wanted = WANTED.get(kind)
    return at, f"found {words.shown(found)}; expected {wanted}" if wanted else str(details["msg"])
