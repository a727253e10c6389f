"""A small league with all that a page has to bear, played and published: long names, a bot that
prints what a page would run, one that fails.
"""

from pathlib import Path

from tests import leagues
from tests.sessions import CHANCE, FIRST

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

[limits]
load_ms = 1500

[[games]]
game = "no_thanks"
players = 3
deals = 2
seatings = 2

[[games]]
game = "sixteen"
players = 2
deals = 5

[[games]]
game = "sixteen"
players = 4
deals = 1

[[games]]
game = "diciassette"
players = 3
deals = 1
seatings = 1
"""


def published(folder: Path) -> Path:
    """Play the league in a new folder and return that of its site, bots' prints in it."""
    done = leagues.main("tournament", leagues.make(folder, CONFIG, BOTS), "-q")
    assert done.returncode == 0, done.stderr.decode()
    results = folder / "results" / "cup"
    done = leagues.main("publish", results, "--games", "1", "--with-logs")
    assert done.returncode == 0, done.stderr.decode()
    return results / "site"


PAGES = (
    "index.html",
    "game-no_thanks.html",
    "rules-diciassette.html",
    "bot-hostile.html",
    "games.html",
    "watch.html",
)
"""One page of each kind."""
