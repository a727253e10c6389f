"""The page of the games to watch: by pool, each with why it was chosen. Pure."""

from itertools import groupby

from arena.site import pages
from arena.site.facts import Facts
from arena.site.pages import Site
from arena.tables.document import Standings

FILE = "games.html"

WORDS = {
    "fault": "fault",
    "upset": "upset",
    "best": "best",
    "worst": "worst",
    "line-up": "by chance",
    "all": "",
}
"""Each kind of reason in short."""


def page_of(site: Site, doc: Standings, found: Facts) -> str:
    """Return the page of the games to watch."""
    ids = {pool.title: pages.pool_id(doc.pools, pool) for pool in doc.pools}
    parts = [
        (ids[title], title, [*games])
        for title, games in groupby(found.watched, key=lambda game: game.pool)
    ]
    return pages.page(
        "games.html",
        site=site,
        here=FILE,
        parts=parts,
        total=len(found.watched),
        played=sum(pool.games for pool in doc.pools),
        kinds=WORDS,
        contents=[(id, title) for id, title, _ in parts],
    )
