"""All that a bot's author needs to know of a game, on one Markdown page: for a person, or a model.

Nothing is said here: the page is put together from the rules, the source of the view, a game played
for the purpose, the page for authors and house bots.
"""

import inspect
from collections.abc import Sequence

import games
from arena.author.examples import Example, examples
from arena.author.pages import deeper, page_for_bots, rules_of, sections
from arena.league.bots import house_folder

FOR_ALL = (
    "Three kinds of bot", "The view", "The result", "Randomness", "What a bot may do", "Limits",
    "Faults", "How to check a bot",
)  # fmt: skip
"""Sections of the page for authors that stand in every brief."""

BOTS = {
    "diciassette": ("first_legal", "trapper", "reader"),
    "no_thanks": ("first_legal", "haggler", "ledger"),
    "sixteen": ("first_legal", "random_choice", "nines"),
}
"""Short house bots that know a game, the simplest first."""

OF_ANY_GAME = ("first_legal", "random_choice")

WIDTH = 100


def brief(names: Sequence[str]) -> str:
    """Return the page about these games: what holds in all of them, then each. Raises UsageError if
    there is no such game.
    """
    rules = {name: rules_of(name) for name in names}
    titles = {name: page.partition("\n")[0].removeprefix("# ") for name, page in rules.items()}
    common = sections(page_for_bots())
    parts = [f"# Arena: a bot that plays {' and '.join(titles.values())}\n"]
    parts += [common[heading] for heading in FOR_ALL]
    for name, page in rules.items():
        parts += [deeper(page), _view(name), _bots(name)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _view(name: str) -> str:
    """Return the source of a game's view, and a view of each phase."""
    game = games.load(name)
    fields = inspect.getsource(game.View.__mro__[1]).strip()
    shown = [
        f"`view.game` is `{name!r}`, `view.options` the options, `view.legal` the legal decisions; "
        f"the other fields are these:\n\n```python\n{fields}\n```"
    ]
    for example in examples(game):
        under = f", with the option `{example.option}`" if example.option else ""
        shown.append(
            f"A view of phase `{example.phase!r}`{under}, from the middle of a game of "
            f"{example.view.players}:\n\n```python\n{as_code(example)}\n```"
        )
    return "### The view in Python\n\n" + "\n\n".join(shown)


def as_code(example: Example) -> str:
    """Return what each field of a view equals, a line each; long ones are broken."""
    view, lines = example.view, list[str]()
    for field in ("game", *view._fields, "legal"):
        line = f"view.{field} == {getattr(view, field)!r}"
        while len(line) > WIDTH:
            at = line.rfind(", ", 0, WIDTH) + 1
            if not at:
                break
            lines.append(line[:at])
            line = "    " + line[at:].strip()
        lines.append(line)
    return "\n".join(lines)


def _bots(name: str) -> str:
    """Return short bots that know a game."""
    parts = ["### Three short bots" if name in BOTS else "### Short bots"]
    for bot in BOTS.get(name, OF_ANY_GAME):
        source = (house_folder() / f"{bot}.py").read_text("utf-8").strip()
        parts.append(f"`{bot}`:\n\n```python\n{source}\n```")
    return "\n\n".join(parts)
