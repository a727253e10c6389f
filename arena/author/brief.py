"""One Markdown page with all that a bot's author needs to know of a game, for a person or a model.

The page states nothing itself. It is put together from the rules, the source of the view, a game
played for the purpose, the page for authors and house bots.
"""

import inspect
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import games
from arena.errors import ArenaError, UsageError
from arena.league.bots import find_house
from arena.model import LADDER
from arena.words import not_one_of

FOR_ALL = (
    "Three kinds of bot", "The view", "The result", "Randomness", "Thinking ahead",
    "What a bot may do", "Limits", "Faults", "How to check a bot", "Tune a bot", "The ladder",
)  # fmt: skip
"""Sections of the page for authors that stand in every brief."""

SHORT = 3  # rungs of the ladder that are shown
OF_ANY_GAME = ("first_legal", "random_choice")

WIDTH = 100

SEED = 17
PLAYERS = 3  # if the game allows; else its fewest
FIRST = 0.85  # the share of decisions that are the first legal one: 17's rows grow by it


class Example(NamedTuple):
    """A view that a bot was shown, from the middle of a game."""

    phase: str
    option: str  # the rule option under which this phase exists: `draw_rule = "strict"`; or ""
    view: Any


def write_brief(names: Sequence[str]) -> str:
    """The page about these games: what holds in all, then each in turn. Raises UsageError."""
    rules = {name: read_rules(name) for name in names}
    titles = [page.partition("\n")[0].removeprefix("# ") for page in rules.values()]
    common = sections(page_for_bots())
    several = f"One game alone is half as long: arena brief {names[0]}"
    parts = [several] if len(names) > 1 else []
    parts.append(f"# Arena: a bot that plays {' and '.join(titles)}\n")
    parts += [common[heading] for heading in FOR_ALL]
    for name, page in rules.items():
        parts += [deeper(page), _view(name), _bots(name)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _view(name: str) -> str:
    game = games.load(name)
    fields = inspect.getsource(game.View.__mro__[1]).strip()
    shown = [
        "### The view in Python",
        f"`view.game` is `{name!r}`, `view.options` the options, `view.legal` the legal decisions; "
        f"the other fields are these:\n\n```python\n{fields}\n```",
    ]
    for phase, option, view in examples(game):
        under = f", with the option `{option}`" if option else ""
        shown.append(
            f"A view of phase `{phase!r}`{under}, from the middle of a game of "
            f"{view.players}:\n\n```python\n{_as_code(view)}\n```"
        )
    if not hasattr(game, "determinize"):
        shown.append("This game has no `determinize`: a bot that searches deals by itself.")
    return "\n\n".join(shown)


def _as_code(view: Any) -> str:
    lines = list[str]()
    for field in ("game", *view._fields, "legal"):
        line = f"view.{field} == {getattr(view, field)!r}"
        while len(line) > WIDTH and (at := line.rfind(", ", 0, WIDTH) + 1):
            lines.append(line[:at])
            line = "    " + line[at:].strip()
        lines.append(line)
    return "\n".join(lines)


def _bots(name: str) -> str:
    sources = {bot: (find_house() / f"{bot}.py").read_text("utf-8").strip()
               for bot in (*LADDER[:SHORT], *OF_ANY_GAME)}  # fmt: skip
    shown = [bot for bot in LADDER[:SHORT] if f"{name}." in sources[bot]] or OF_ANY_GAME
    parts = ["### Short bots"]
    parts += [f"`{bot}`:\n\n```python\n{sources[bot]}\n```" for bot in shown]
    return "\n\n".join(parts)


def examples(game: games.Game) -> list[Example]:
    """An example view of each phase, in the order in which phases first come up; phases that exist
    only under an option come last.

    The views come from games under our own rules, with a fixed seed and seats that decide at
    random, so they are the same each time. A phase in which a bot has no choice is never asked, and
    not shown.
    """
    first_seen: dict[str, Example] = {}
    for changes in ({}, *_other_options(game.Options)):
        by_phase: dict[str, list[Any]] = {}
        for view in _questions(game, game.Options(**changes)):
            by_phase.setdefault(view.phase, []).append(view)
        option = "".join(f"{name} = {json.dumps(value)}" for name, value in changes.items())
        for phase, views in by_phase.items():
            eventful = [view for view in views if view.since] or views
            first_seen.setdefault(phase, Example(phase, option, eventful[len(eventful) // 2]))
    return list(first_seen.values())


def _questions(game: games.Game, options: Any) -> Iterator[Any]:
    rng, counts = Random(SEED), game.seat_counts(options)
    seats = PLAYERS if PLAYERS in counts else counts[0]
    state = game.State(options, seats, game.deal(options, seats, rng))
    while state.to_act is not None:
        legal = state.legal()
        if state.has_choice():
            yield state.view(state.to_act)
        state.apply(legal[0] if rng.random() < FIRST else rng.choice(legal))


def _other_options(options: type[Any]) -> Iterator[dict[str, Any]]:
    """The rule options that are a switch or a word, with each value that is not the default."""
    for name, hint in get_type_hints(options).items():
        allowed = get_args(hint) if get_origin(hint) is Literal else ()
        for value in (True, False) if hint is bool else allowed:
            if value != getattr(options(), name):
                yield {name: value}


def find_rules(game: str) -> Path:
    """The page of a game's rules: `rules.md` of its package, or beside its one file."""
    place = Path(games.__file__).with_name(game)
    return place / "rules.md" if place.is_dir() else place.with_suffix(".md")


def read_rules(game: str) -> str:
    """Load the page of a game's rules.

    Raises UsageError for a name that is no game, ArenaError for a game without a page.
    """
    if game not in games.names():
        raise UsageError(f"GAME: {not_one_of(game, games.names())}")
    page = find_rules(game)
    if not page.is_file():
        raise ArenaError(f"{game} has no page of rules: {page} is missing")
    return page.read_text("utf-8")


def page_for_bots() -> str:
    """The text of `bots/README.md`, from a clone or from the installed package."""
    return (find_house() / "README.md").read_text("utf-8")


def sections(page: str) -> dict[str, str]:
    """A page's second-level sections by heading; each section includes its heading."""
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    return {part.partition("\n")[0].removeprefix("## "): part for part in parts}


def deeper(page: str) -> str:
    """Move all headings of a page down a level, so that it can stand in another page."""
    in_code, lines = False, []
    for line in page.splitlines():
        in_code ^= line.startswith("```")
        lines.append(f"#{line}" if line.startswith("#") and not in_code else line)
    return "\n".join(lines)
