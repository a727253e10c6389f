"""The keys of a tournament's TOML file, each with its type and range, as pydantic checks them.

Only this module imports pydantic, and words its findings our way. `arena.plan.config` checks how
the values go together.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model
from pydantic_core import core_schema

import games as rules
from arena import words
from arena.league.bots import check_glob
from arena.model import LONGEST_REASON, MOST_RATING, Goal, Limits
from arena.plan.toml import KeyPath

NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")
NAME_RULE = "1 to 64 characters from A-Z, a-z, 0-9, '.', '_' and '-', the first not '.'"
GUESTS = "guests"

Problem = tuple[KeyPath, str]


class Takes(NamedTuple):
    """The values of a key: in words, as a check, and what JSON Schema adds to their type."""

    words: str  # as messages and the tables of keys have them
    find_problem: Callable[[Any], str | None] = lambda value: None
    schema: dict[str, Any] = {}
    comes_first: bool = False  # before the type is checked

    def _check(self, value: Any) -> Any:
        if value is not None and (problem := self.find_problem(value)):
            raise ValueError(problem)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        if self.comes_first:
            return core_schema.no_info_before_validator_function(self._check, handler(source))
        return core_schema.no_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        return {**handler(schema), **self.schema}


def _takes(
    expected: str, is_right: Callable[[Any], object], comes_first: bool = False, **schema: Any
) -> Takes:
    def find_problem(value: Any) -> str | None:
        text = f"{value:.15g}" if isinstance(value, float) else words.spell(value)
        return None if is_right(value) else f"found {text}; expected {expected}"

    return Takes(expected, find_problem, schema, comes_first)


def _between(low: float, high: float, such_as: str = "") -> Takes:
    expected = f"{low} to {high}{such_as}"
    return _takes(expected, lambda value: low <= value <= high, minimum=low, maximum=high)


def _filled(what: str, remedy: str, **schema: Any) -> Takes:
    def find_problem(values: Any) -> str | None:
        return None if values else f"is empty; {remedy}"

    return Takes(what, find_problem, {"minItems": 1, **schema})


def _one_of(known: Sequence[str], also: str = "", kind: type | None = None) -> Takes:
    """One of some words, or any value of a `kind`, which `also` describes."""

    def find_problem(value: Any) -> str | None:
        fits = value in known or type(value) is kind
        return None if fits else words.not_one_of(value, known, also)

    return Takes(
        " ".join([", ".join(map(repr, known)), also]).strip(),
        find_problem,
        {"minimum": 1} if kind else {},
        True,
    )


Glob = Annotated[str, Takes("a pattern", check_glob, {"minLength": 1})]
GLOBS = _filled("a list of patterns", "put a pattern in it, such as 'bots/*'")
BOT_NAME = Takes("a bot's name")
Confidence = Annotated[float | None, _between(0.5, 0.999, ", such as 0.95")]
ALL: Literal["all"] = "all"
MOST_GOAL = 100_000  # bots, or places
GoalKey = Annotated[
    Goal | None,
    _takes(
        f"'best', 'all' or how many, 2 to {MOST_GOAL:,}",
        lambda value: value in ("best", ALL) or (type(value) is int and 2 <= value <= MOST_GOAL),
        comes_first=True, minimum=2, maximum=MOST_GOAL,
    ),
]  # fmt: skip
Places = Annotated[int | None, _between(1, MOST_GOAL)]


class _Table(BaseModel):
    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True
    )


def _make_limit(name: str) -> Any:
    (meta,) = Limits.__annotations__[name].__metadata__
    field = Field(Limits._field_defaults[name], description=meta.description)
    return Annotated[int, _between(meta.ge, meta.le)], field


LimitsKeys: type[_Table] = create_model(
    "LimitsKeys", __base__=_Table, __doc__="Time and memory of a bot.",
    **{name: _make_limit(name) for name in Limits._fields},
)  # fmt: skip


class _LimitsTable:
    """Reads `[limits]` as `Limits`, whose fields say what it takes."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        table = handler.generate_schema(LimitsKeys)
        return core_schema.no_info_after_validator_function(lambda t: Limits(**dict(t)), table)


class AnchorKeys(_Table):
    """The bot from which ratings are measured."""

    bot: Annotated[str, BOT_NAME]
    """A bot of the pool."""
    rating: Annotated[float, _between(-MOST_RATING, MOST_RATING, ", such as 25")] = 25.0
    """Its rating."""


class UnrankedKeys(_Table):
    """A bot out of the ranking."""

    bot: Annotated[str, BOT_NAME]
    """Its name."""
    reason: Annotated[
        str,
        _takes(
            f"1 to {LONGEST_REASON} printable characters",
            lambda text: len(text) <= LONGEST_REASON and text.isprintable() and text.strip(),
            maxLength=LONGEST_REASON, pattern=r"\S",
        ),
    ]  # fmt: skip
    """Why; it is published with the tables."""
    until: Annotated[
        date | None, _takes("a day, such as 2026-12-01", lambda value: type(value) is date, True)
    ] = None
    """The day on which the bot is ranked again."""


class GameKeys(_Table):
    """A game: a pool for each number of players."""

    game: Annotated[str, Takes("a game's name", schema={"enum": [*rules.names()]})]
    """The game."""
    players: Annotated[
        list[int],
        BeforeValidator(lambda value: [value] if type(value) is int else value),
        _filled(
            "a number that the game takes, or a list of them",
            "set a number of players, or a list of them",
            type=["integer", "array"],
        ),
    ]
    """Players at a table."""
    deals: Annotated[int, _between(1, 10_000_000)]
    """Decks for each line-up and seating; the most, with `max_games` or `stop_confidence`."""
    seatings: Annotated[
        Literal["auto", "all"] | int, _one_of(("auto", ALL), "or how many", int)
    ] = "auto"
    """Who sits where: all ways, or a sample of them."""
    shared_decks: bool | None = None
    """Play each deck in all seatings of a line-up. Default: true for Sixteen, else false."""
    partners: Annotated[Literal["same", "mixed"], _one_of(("same", "mixed"))] = "same"
    """Only for Sixteen with four: a team is one bot twice (same), or two bots (mixed)."""
    max_games: Annotated[int | None, _between(1, 1_000_000_000)] = None
    """Draw line-ups for about so many games in each pool. Default: all line-ups play."""
    options: Annotated[dict[str, Any], Takes("options of the game")] = {}
    """Rules that differ from the default."""
    bots: Annotated[list[Glob] | None, GLOBS] = None
    """Bots of the tournament that enter; `!` as in its `bots`. Default: all."""
    gauntlet: Annotated[str | None, BOT_NAME] = None
    """Play only line-ups with this bot."""
    stop_confidence: Confidence = None
    """Play in stages, and stop once the `goal` is reached with this confidence."""
    goal: GoalKey = None
    """Find the best bot, the order of the first so many, or of all neighbours. Default: all."""
    within_places: Places = None
    """For the goal `"all"`: enough is to know every place to within so many."""
    anchor: Annotated[AnchorKeys | None, Takes("a table")] = None
    """The bot from which the ratings of these pools are measured. Default: the file's."""


_Shown = Annotated[
    list[str],
    BeforeValidator(lambda value: ["*"] * value if type(value) is bool else value),
    _takes(
        "true, false or a list of bots", lambda value: type(value) in (bool, list), True,
        type=["boolean", "array"],
    ),
]  # fmt: skip


class FileKeys(_Table):
    """A tournament of Arena."""

    name: Annotated[
        str | None, _takes(NAME_RULE, NAME.fullmatch, pattern=f"^{NAME.pattern}$")
    ] = None  # fmt: skip
    """Folder of the results, in `results/`. Default: the file's name without `.toml`."""
    bots: Annotated[list[Glob], GLOBS] = ["bots/*"]
    """Who takes part; a pattern with a leading `!` takes bots out again, in order."""
    seed: Annotated[int | None, _between(0, 2**63)] = None
    """Replaces the secret of the deals, which are then not secret: to reproduce results."""
    workers: Annotated[int | None, _between(1, 1024)] = None
    """Worker processes; changes no result. Default: one per core."""
    pin_cores: bool = True
    """Keep a worker and its bots on one core while it is free; changes no result."""
    stop_confidence: Confidence = None
    """Default of every `[[games]]`."""
    goal: GoalKey = None
    """Default of every `[[games]]` that has neither `goal` nor `within_places`."""
    within_places: Places = None
    """Default of every `[[games]]` that has neither `goal` nor `within_places`."""
    anchor: Annotated[AnchorKeys | None, Takes("a table")] = None
    """Default of every `[[games]]`: the bot from which ratings are measured."""
    show_authors: _Shown = []
    """Bots whose author lines are published; a leading `!` excludes."""
    show_code: _Shown = []
    """Bots whose code `arena publish --play` may publish; a leading `!` excludes."""
    unranked: Annotated[list[UnrankedKeys], Takes("`[[unranked]]` tables")] = []
    """Bots out of the ranking."""
    authors: Annotated[str | None, Takes("a path from the league's folder")] = None
    """Who wrote which bot: a CSV file (pupil,bot), as `arena collect` writes it; not published."""
    ranked_per_author: Annotated[int | None, _between(1, 1000)] = None
    """The most bots of one of the `authors` that are ranked; others are guests. Default: all."""
    ranked_choice: Annotated[Literal["latest", "best"], _one_of(("latest", "best"))] = "latest"
    """These: the last of them in the file, or the best of the last week."""
    entries_close: Annotated[
        datetime | None,
        _takes(
            "a day and time with an offset, such as 2026-12-01T18:00:00+01:00",
            lambda value: type(value) is datetime and value.tzinfo, True,
        ),
    ] = None  # fmt: skip
    """When the league stops taking bots and changes of bots."""
    house_bots: Annotated[Literal["ranked", "guests"], _one_of(("ranked", GUESTS))] = "ranked"
    """House bots, and starters in which nothing changed: ranked, or guests without a place."""
    limits: Annotated[Limits, _LimitsTable(), Takes("a table")] = Field(default_factory=Limits)
    """Time and memory of a bot."""
    games: Annotated[list[GameKeys], Takes("`[[games]]` tables", schema={"minItems": 1})]
    """Games to play, with their numbers of players, options and bots."""

    @classmethod
    def make_schema(cls) -> Any:
        """The JSON Schema of the whole file."""
        return _simplify(cls.model_json_schema())


def _simplify(schema: Any) -> Any:
    """A JSON Schema without titles, which repeat names, and null, which TOML lacks."""
    if isinstance(schema, list):
        return [_simplify(part) for part in schema if part != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    skipped = [("default", None), ("title", schema.get("title"))]
    parts = {key: _simplify(part) for key, part in schema.items() if (key, part) not in skipped}
    return parts | parts.pop("anyOf")[0] if len(parts.get("anyOf", ())) == 1 else parts


def parse_keys(values: dict[str, Any]) -> tuple[FileKeys | None, list[Problem]]:
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
    "because": "reason", "closes": "entries_close",
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
    """The places where a key belongs, such as "in [limits]", but for a game's options."""
    tables = {PLACES[length]: table for length, table in TABLES.items()}
    tables |= {"in `anchor`": AnchorKeys, "in `unranked`": UnrankedKeys} if key != "bot" else {}
    return [place for place, table in tables.items() if key in table.model_fields]


def _find_place(key: str, value: Any) -> str:
    """Say where a key belongs that is unknown where it stands; "" if it is unknown everywhere."""
    if key in ("bot", "bots") or (key == "game" and not isinstance(value, str)):
        return ""  # rather mistyped, `bots` for `bot`
    if isinstance(value, dict) and value.keys() & {"games", "name"}:
        return f"is not a table of this file; its keys belong {TOP}"
    places = find_tables(key)
    if any(hasattr(rules.load(game).Options, key) for game in rules.names()):
        places.append(f"in options = {{ {key} = {words.spell(value)} }}")
    return f"belongs {words.either(places)}" if places else ""


def _mistyped(key: str, keys: list[str]) -> str:
    """Say which key of that table was meant, or of another that is nearer."""
    every = [*keys, *(name for table in TABLES.values() for name in table.model_fields)]
    near = words.nearest(key, keys if key in every else every)
    if near is None:
        return f"unknown key, the keys are {', '.join(keys)}"
    belongs = "" if near in keys else f" It belongs {words.either(find_tables(near))}"
    return f"unknown key, did you mean {near!r}?{belongs}"


def _translated(details: Mapping[str, Any]) -> Problem:
    at, kind, value = tuple(details["loc"]), details["type"], details["input"]
    if kind == "value_error":
        return at, str(details["ctx"]["error"])
    of_anchor, of_unranked = "anchor" in at[:-1], at[0] == "unranked"
    if kind == "missing":
        needed = "add at least one [[games]]" if at == ("games",) else GAME
        return at, f"is missing; {ANCHOR if of_anchor else UNRANKED if of_unranked else needed}"
    if kind == "extra_forbidden":
        table = AnchorKeys if of_anchor else UnrankedKeys if of_unranked else TABLES[len(at)]
        key, new = str(at[-1]), RENAMED.get(str(at[-1]), "")
        if new in table.model_fields:
            return at, f"is now called {new}; rename it"
        place = _find_place(key, value)
        if new and not place:
            return at, f"is now called {new}, and {_find_place(new, value)}"
        return at, place or _mistyped(key, list(table.model_fields))
    if at[-1] == "anchor":
        return at, f"found {words.spell(value)}; {ANCHOR}"
    if at in (("games",), ("unranked",)) and isinstance(value, dict):
        row = "bot" if of_unranked else "game"
        return at, f"found a table; write [[{at[0]}]], in double brackets, before each {row}"
    if of_unranked and len(at) < 3:
        return at, f"found {words.spell(value)}; {UNRANKED}"
    if kind in ("list_type", "int_type") and at[-1] == "players":
        return at, f"found {words.spell(value)}; expected a whole number, or a list of them"
    wanted = WANTED.get(kind)
    return at, f"found {words.spell(value)}; expected {wanted}" if wanted else str(details["msg"])
