"""A ranking as pages show it: lines, their intervals on one scale, headings. Pure.

The intervals side by side are a forest plot: what overlaps is not told apart at a glance.
"""

from collections.abc import Sequence
from typing import NamedTuple

from arena.site.scales import Scale, scale_of
from arena.tables import layout
from arena.tables.document import Standings
from arena.tables.document_ranking import Row
from arena.words import interval

MEAN = 25.0  # of a pool's ratings, where no anchor moves them

RATING = "TrueSkill's mu: how strong the bot is. The mean of all bots is 25"
WORDS = {
    "#": "place by rating; equal ratings share the better place",
    "bot": "name, as its file is called",
    "rating": RATING,
    "95 %": "the rating as a dot, and the interval that holds it with 95 %",
    "wins": "the share of the games won, a shared win divided among its sharers",
    "score": "mean score in the game's own points",
    "games": "games played",
    "faults": "games forfeited, for whatever reason",
}
"""What a heading means, in plain words; `layout.meanings` has the others."""

HEADINGS = (
    "#", "bot", "rating", "95 %", "±", "places", "duels %", "next %", "first %", "wins %", "score",
    "games", "faults",
)  # fmt: skip
"""The columns, in order."""


class Line(NamedTuple):
    """A bot's line."""

    row: Row
    low: float  # where its interval begins, in percent of the scale; 0 where that end is open
    mu: float
    high: float  # 100 where open
    words: str  # rating and interval in words


class Ranking(NamedTuple):
    """A table of places."""

    id: str  # unique on its page
    title: str
    headings: tuple[tuple[str, str], ...]  # with what they mean
    lines: tuple[Line, ...]
    scale: Scale
    scores: bool
    notes: tuple[str, ...]


def ranking_of(
    doc: Standings, id: str, title: str, rows: Sequence[Row], notes: Sequence[str]
) -> Ranking:
    """Return a ranking; notes are what is to be said of it beside the table."""
    scores = any(row.score is not None for row in rows)
    scale = scale_of(
        (end for row in rows for end in (row.mu, *(row.interval or ()))),
        sum(row.mu for row in rows) / len(rows) if rows else None,
    )
    lines = tuple(line_of(row, scale) for row in rows)
    titles = [title for title in HEADINGS if scores or title != "score"]
    words = meanings(doc)
    return Ranking(
        id,
        title,
        tuple((title, words[title]) for title in titles),
        lines,
        scale,
        scores,
        tuple(note.replace("`", "") for note in (*notes, *layout.evidence(rows))),
    )


def meanings(doc: Standings) -> dict[str, str]:
    """Return what the headings of rankings mean, in the order of the columns."""
    words = {**WORDS, **layout.meanings(doc)}
    words |= {f"{title} %": said for title, said in words.items()}
    if any(pool.anchor and not pool.anchor.refused for pool in doc.pools):
        words["rating"] = f"{RATING}, or its anchor is what was set"
    return {title: words[title] for title in HEADINGS}


def line_of(row: Row, scale: Scale) -> Line:
    """Return a bot's line."""
    mu = scale.at(row.mu)
    if row.interval is None:
        return Line(row, mu, mu, mu, f"{layout.two(row.mu)}, no interval")
    low, high = row.interval
    words = f"{layout.two(row.mu)}: {interval(low, high)}"
    return Line(row, scale.at(low, 0.0), mu, scale.at(high, 100.0), words)
