"""One Chromium for all tests of this folder, and windows of it; a small league with all that a page
has to bear: long names, a bot that prints what a page would run, one that fails.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests import leagues
from tests.browser import viewers
from tests.browser.windows import Window, chromium
from tests.sessions import CHANCE, FIRST

Open = Callable[..., Window]

PRINTED = "<img src=x onerror=alert(1)><script>alert(2)</script>"
HOSTILE = f'''"""Prints what a page would run, and fails now and then: {PRINTED}

Author: {PRINTED}
"""


def decide(view):
    print({PRINTED!r})
    if len(repr(view)) % 89 == 3:
        raise ValueError({PRINTED!r})
    return view.legal[-1]
'''
LONG = "a-name-of-thirty-two-characters_"
BOTS = {"ann": CHANCE, "bob": FIRST, LONG: CHANCE, "w" * 32: CHANCE, "hostile": HOSTILE}
CONFIG = """\
seed = 5
show_authors = true
unranked = [{ bot = "bob", reason = "copied from ann" }]
limits = { load_ms = 1500 }
games = [
    { game = "no_thanks", players = 3, deals = 2, seatings = 2 },
    { game = "sixteen", players = 2, deals = 5 },
    { game = "sixteen", players = 4, deals = 1 },
    { game = "diciassette", players = 3, deals = 1, seatings = 1 },
]
"""
GAMES = ("game-no_thanks.html", "rules-diciassette.html")
PAGES = ("index.html", *GAMES, "bot-hostile.html", "games.html", "watch.html")
"""One page of each kind."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    from playwright import sync_api

    with sync_api.sync_playwright() as driver:
        # Chromium's own sandbox needs namespaces, which a container has not; the pages are ours.
        browser = driver.chromium.launch(executable_path=chromium(), chromium_sandbox=False)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small league's site, with all games to watch and what bots printed."""
    folder = tmp_path_factory.mktemp("league")
    results = leagues.played_in(folder, CONFIG, BOTS)
    done = leagues.main("publish", results, "--games", "1", "--with-logs")
    assert done.returncode == 0, done.stderr.decode()
    return results / "site"


@pytest.fixture(scope="package")
def records() -> Mapping[str, dict[str, Any]]:
    return viewers.watch_records()


@pytest.fixture(scope="package")
def watch(records: Mapping[str, dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return viewers.write_watch(records, tmp_path_factory.mktemp("watch"))


@pytest.fixture
def window(browser: Any) -> Iterator[Open]:
    """Opens a page; the test fails if anything went wrong in one of its windows."""
    opened: list[Window] = []

    def open_window(
        file: Path, width: int = 1440, dark: bool = False, scripts: bool = True, at: str = ""
    ) -> Window:
        page = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            java_script_enabled=scripts,
            reduced_motion="reduce",
        ).new_page()
        opened.append(Window(page, file.parent))
        page.goto(file.absolute().as_uri() + at)
        return opened[-1]

    yield open_window
    troubles = [trouble for each in opened for trouble in each.troubles]
    for each in opened:
        each.page.context.close()
    assert troubles == []
