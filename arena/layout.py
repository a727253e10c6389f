"""The standings as tables of plain strings: what every format shows, before any escaping."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from arena.model import FAULTS

Document = dict[str, Any]
"""The standings, as `arena.standings` makes them."""


class Table(NamedTuple):
    """A table of strings, not yet escaped."""

    title: str
    notes: tuple[str, ...]
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]


def facts(doc: Document) -> list[str]:
    """Return what every format says beside the tables."""
    seed = "given, deals not secret" if doc["seed"] == "given" else doc["seed"]
    size = f"{_of(len(doc['bots']), 'bot')}, {_of(played(doc), 'game')}"
    return [size, f"seed: {seed}", f"confinement: {doc['confinement']}"]


def tables(doc: Document) -> list[Table]:
    """Return all tables, from the widest view to the closest."""
    out = summaries(doc)
    for pool in doc["pools"]:
        out += [ranking(pool["title"], pool["table"], pool_note(pool)), _crosstable(pool)]
    return out + faults(doc)


def summaries(doc: Document) -> list[Table]:
    """Return the overall table and those of games, without those that say the same again."""
    out = []
    if len(doc["games"]) > 1:
        left = unlisted(doc)
        note = (f"Not listed, for not entering every game: {', '.join(left)}.",) if left else ()
        out.append(ranking("Overall", doc["overall"], *note))
    several = [entry for entry in doc["games"] if entry["pools"] > 1]
    return out + [ranking(entry["game"], entry["table"]) for entry in several]


def ranking(title: str, rows: Sequence[dict[str, Any]], *notes: str) -> Table:
    """Return a table of places, without scores where there are none."""
    head = ["#", "bot", "rating", "sigma", "low", "wins", "score", "games", "faults"]
    lines = [
        [
            str(row["place"]), row["bot"], two(row["mu"]), two(row["sigma"]), two(row["low"]),
            percent(row["wins"]), two(row["score"]), count(row["games"]),
            count(row["faults_total"]),
        ]
        for row in rows
    ]  # fmt: skip
    if all(row["score"] is None for row in rows):
        for line in [head, *lines]:
            del line[6]
    return Table(title, notes, tuple(head), [tuple(line) for line in lines])


def faults(doc: Document) -> list[Table]:
    """Return the table of faults, if there are any."""
    faulty = [entry for entry in doc["faults"] if entry["total"]]
    found = [kind for kind in kinds(doc) if any(kind in entry["faults"] for entry in faulty)]
    rows = [
        (e["bot"], *(count(e["faults"].get(kind, 0)) for kind in found), count(e["total"]))
        for e in faulty
    ]
    return [Table("Faults", (), ("bot", *found, "total"), rows)] if rows else []


def unlisted(doc: Document) -> list[str]:
    """Return the names of the bots that are not in the overall table."""
    listed = {row["bot"] for row in doc["overall"]}
    return [bot["name"] for bot in doc["bots"] if bot["name"] not in listed]


def pool_note(pool: dict[str, Any]) -> str:
    """Return what a pool's table leaves out."""
    note = _of(pool["games"], "game")
    if pool["games"]:
        note += f"; wins by seat: {' '.join(percent(share) for share in pool['seats'])}"
    if pool["line_ups_not_played"]:
        number = _of(pool["line_ups_not_played"], "line-up")
        note += f"; not played: {number} of bots that do not load"
    return note


def kinds(doc: Document) -> list[str]:
    """Return the kinds of fault, in the order of the tables."""
    found = {kind for entry in doc["faults"] for kind in entry["faults"]}
    return [*FAULTS, *sorted(found - set(FAULTS))]


def played(doc: Document) -> int:
    """Return how many games were played."""
    return sum(pool["games"] for pool in doc["pools"])


def two(value: float | None) -> str:
    """Return the value with two decimals, `-` for none."""
    return "-" if value is None else f"{round(value, 2) + 0.0:.2f}"


def percent(value: float | None) -> str:
    """Return the share in percent, `-` for none."""
    return "-" if value is None else f"{100 * value:.1f}%"


def count(value: int) -> str:
    """Return the number with its thousands apart."""
    return f"{value:,}"


def _of(number: int, word: str) -> str:
    return f"{count(number)} {word}" + ("" if number == 1 else "s")


def _crosstable(pool: dict[str, Any]) -> Table:
    cross = pool["crosstable"]
    rows = [
        (str(number), bot, *(percent(share) for share in ahead))
        for number, (bot, ahead) in enumerate(zip(cross["bots"], cross["ahead"], strict=True), 1)
    ]
    head = ("", "bot", *(str(number) for number in range(1, len(rows) + 1)))
    title = f"{pool['title']}: finished ahead of"
    return Table(title, ("How often the row's bot finished ahead, a tie half.",), head, rows)
