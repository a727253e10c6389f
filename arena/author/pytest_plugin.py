"""The pytest plugin: `arena.testing` as fixtures. It loads nothing of it before one is asked for.

pytest finds it where arena is installed, else by `-p arena.author.pytest_plugin`.
"""

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def view_of() -> Callable[..., Any]:
    """Make a view of some of its fields: view_of("no_thanks", card=10, pot=3)."""
    from arena.author.view_of import view_of

    return view_of


@pytest.fixture
def view_at() -> Callable[..., Any]:
    """Take a view of a recorded game: view_at("games.jsonl", 17, line=3)."""
    from arena.author.recorded import at

    return at


@pytest.fixture
def ask() -> Callable[..., str]:
    """Ask a bot for a legal decision: ask("bots/thrifty.py", view, seed=1, confined=True)."""
    from arena.author.deciding import decide

    return decide
