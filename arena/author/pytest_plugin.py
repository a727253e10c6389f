"""The pytest plugin: `arena.testing` as fixtures.

Nothing of arena is loaded before a fixture is used. pytest finds the plugin where arena is
installed; elsewhere name it by `-p arena.author.pytest_plugin`.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.hookimpl(optionalhook=True)  # pytest 7 does not know it
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> None:
    """Refuse a folder with an `__init__.py` (the test's own or one above) under --noconftest.

    Anyone may have put it there, and no option keeps pytest from running it. pytest asks of all
    folders beside one's own, too: one that may not be entered has none that it could run.
    """
    if parent.config.option.noconftest and os.path.exists(path / "__init__.py"):
        raise pytest.Collector.CollectError(
            f"{path / '__init__.py'}: pytest would run it without a sandbox; remove it: "
            f"no bot needs it"
        )


@pytest.fixture
def view_of() -> Callable[..., Any]:
    """Make a view of some of its fields: view_of("no_thanks", card=10, pot=3)."""
    from arena.author.views import view_of

    return view_of


@pytest.fixture
def view_at() -> Callable[..., Any]:
    """Take a view of a recorded game: view_at("games.jsonl", 17, line=3)."""
    from arena.author.views import at

    return at


@pytest.fixture
def ask() -> Callable[..., str]:
    """Ask a bot for a legal decision: ask("bots/thrifty.py", view, seed=1)."""
    from arena.author.decide import decide

    return decide
