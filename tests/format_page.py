"""results/FORMAT.md: every key and column that Arena writes, made from the types that write them.
The words of keys are those of `means(...)`, the words of columns are here.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any

from arena.cli.documents import DOCUMENTS, load_type
from arena.export.files import GAMES, SEATS
from arena.faults.kinds import CAUSES, KINDS
from arena.model import Limits, Week
from arena.store import schema
from arena.tables.columns import COLUMNS
from arena.tables.formats import TABLE_OF_A_LINE
from arena.tables.results import Provenance, timing_csv
from arena.typed_json import schema_of

Part = Mapping[str, Any]  # of a JSON Schema

INTRO = """\
# Formats

All keys and columns that Arena writes. This page is made from the code (`tests/format_page.py`).
A game's record is described in [arena/records/README.md](../arena/records/README.md), the config
in [tournaments/README.md](../tournaments/README.md). `arena schema NAME` prints a document's JSON
Schema.

- `version` is the number of a document's format. From 0.1.0 on, keys are only added to a version:
  ignore those that you do not know. A key that is renamed, removed or changes its meaning gives a
  new number. Arena refuses a store of another number.
- `null` means that there is no such value, or that it is not known. A key marked *optional* is
  left out instead. An empty text means that there is nothing to say.
- Shares and probabilities go from 0 to 1. A unit stands in a key: `_s`, `_ms`, `_us`, `_mib`,
  `_bytes`. Where the meaning is blank, name and type say all.
- In CSV, an empty cell stands for `null`, and a text that a spreadsheet would run as a formula
  has an apostrophe in front.
"""

OF_STORE = """\
## The store

`arena.sqlite` and `arena-public.sqlite`. [arena/store/README.md](../arena/store/README.md) has the
keys of `meta` and recipes for reading the store with Python, sqlite-utils and Datasette. `seat` is
a view with a line for each seat of each game.
"""

WORDS = {
    "id": "Number of the row, to which other tables refer.",
    "tournament": "Its name.",
    "seed": "As in `standings.json`.",
    "commitment": "To the secret; empty if the seed is given.",
    "confinement": "What confined the bots.",
    "table": "`overall`, `game` or `pool`; the next four are empty where they do not apply.",
    "game": "Name of the game.",
    "players": "Number of seats.",
    "options": "JSON of the options that differ from the game's defaults.",
    "partners": "Empty: all play alone; `same`: a team is one bot twice; `mixed`: any two bots.",
    "bot": "Name of the bot.",
    "name": "Name of the bot.",
    "status": "As in `standings.json`.",
    "missing_pools": "Pools of the table in which the bot has no game, separated by `; `.",
    "game_id": "A hash of all that determines the game.",
    "deal": "Number of the deal, from 0; games of a pool that share decks have the same.",
    "winners": "Names of the bots in first place, separated by spaces.",
    "faults": "Number of seats that forfeited.",
    "seat": "Number of the seat, from 0.",
    "hash": "SHA-256 over the paths and bytes of the bot's files.",
    "rank": "From 1; equals share the better rank.",
    "score": "In the game's points.",
    "fault": "Kind of the seat's fault; empty without one.",
    "decisions": "Number of decisions.",
    "cpu_s": "CPU time of all decisions, loading included.",
    "cpu_us_per_decision": "The same, divided by the decisions.",
    "worst_batch_us_per_decision": "The same, in the batch of decisions where it was most.",
    "limit_us_per_decision": "The config's `cpu_ms`.",
    "pool": "`id` of the pool.",
    "line_up": "`id` of the line-up.",
    "chunk": "`id` of the chunk with the game's record.",
    "meta.key": "See the page of the store.",
    "meta.value": "A text or a number.",
    "bot.source": "The bot's files, compressed; empty in a published copy without sources.",
    "line_up.bots": "JSON list of the bots' `id`.",
    "line_up.unplayed": "1: no side of it loaded; 0 again once one does and it is to be played.",
    "chunk.bodies": "Records of up to 512 games (zlib), a line of JSON each: its keys `setup`, "
    "`actions`, `rounds` and `result`.",
    "played_on.chunk": "`id` of a chunk that another machine of a cluster played.",
    "played_on.host": "Name of that machine.",
    "game.id": "A hash of all that determines the game.",
    "game.seating": "JSON list by seat: index into the line-up's bots.",
    "game.ranks": "JSON list by seat.",
    "game.scores": "JSON list by seat.",
    "game.index_in_chunk": "Line of the record in its chunk, from 0.",
    "game.checksum": "CRC-32 of the game with its record.",
    "fault.bot": "`id` of the bot.",
    "fault.kind": "Kind of the fault.",
    "fault.action_number": "Number of the forfeit among the record's actions, from 0.",
    "fault.reason": "JSON for the bot's author; shortened or empty where not all was kept.",
    "timing.id": "Number of the row, which is one bot in one session.",
    "timing.bot": "`id` of the bot.",
    "timing.versions": "Versions of Python and of packages that played, as JSON.",
    "timing.ends": "JSON list of the failures of the bot's `end`: how many, and the reason.",
    "timing.notes": "JSON list of what happened to the bot's process and prints.",
    "timing.printed": "What the bot printed, by line: `game ID, action N: ...`, `loading: ...`, "
    "`decide_many: ...` or `output: ...`.",
    "timing.worst_s": "CPU time of a decision, in the batch of decisions where it was most.",
    **{kind: f"Games forfeited: {row.description}." for kind, row in KINDS.items()},
    **{
        f"standings.csv.{title}": f"{column.meaning[:1].upper()}{column.meaning[1:]}."
        for column in COLUMNS
        for title in column.csv_titles
    },
    "standings.csv.mu_from": "Lower end of the 95 % interval of `mu`; empty if there is none.",
    "standings.csv.mu_to": "Upper end of that interval; empty if there is none.",
    "standings.csv.place_from": "The best place that the bot may really hold (95 % sure, for all "
    "bots together).",
    "standings.csv.place_to": "The worst place that it may really hold.",
}
"""Words of columns, by the name alone or with that of the file or table in front."""

OF_KEYS = {key: WORDS[key] for key in ("bot", "game", "hash", "players", "seat")}
"""The same of keys of JSON that have no words, since they are the same everywhere."""


def make_page() -> str:
    """The text of results/FORMAT.md."""
    known: dict[str, Part] = {}  # parts that have their table, by title
    pages = [INTRO]
    for name, document in DOCUMENTS.items():
        if document.commands:
            printed = ", ".join(f"`arena {words} --json`" for words in document.commands)
            also = ", `standings.json`" if name == "standings" else ""
            pages += [f"## {name}\n\n{printed}{also}\n", *_describe(name, load_type(name), known)]
    pages.append("## Weeks\n\n`history/0001.json` and on: [Week](#week) in each file.\n")
    _describe("weeks", Week, known)
    pages += ["## provenance.json\n", *_describe("provenance.json", Provenance, known)]
    of_rankings = [title for column in COLUMNS for title in column.csv_titles]
    csv: dict[str, Sequence[str]] = {
        "standings.csv": (*TABLE_OF_A_LINE, "bot", *of_rankings, "status", "missing_pools", *KINDS),
        "games.csv": GAMES,
        "seats.csv": SEATS,
        "timing.csv": timing_csv((), Limits()).strip().split(","),
    }
    pages.append("## CSV\n")
    pages += [_describe_columns(file, columns) for file, columns in csv.items()]
    pages.append(OF_STORE)
    with closing(sqlite3.connect(":memory:")) as store:
        schema.create(store, "MEMORY")
        query = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY rowid"
        for (table,) in store.execute(query).fetchall():
            columns = store.execute(f"PRAGMA table_info({table})").fetchall()
            pages.append(_describe_columns(table, [column[1] for column in columns]))
    return "\n".join(pages)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |\n" for cells in rows]
    return f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|\n{''.join(lines)}"


def _describe_columns(place: str, columns: Iterable[str]) -> str:
    """The table of the columns of a CSV file, or of a table of the store."""
    rows = [(f"`{name}`", WORDS.get(f"{place}.{name}") or WORDS.get(name, "")) for name in columns]
    return f"### {place}\n\n{_table(('column', 'meaning'), rows)}"


def _describe(name: str, form: Any, known: dict[str, Part]) -> list[str]:
    """The tables of a document's parts, but for those that an earlier document has."""
    whole = json.loads(schema_of(form))
    parts: dict[str, Part] = whole["$defs"]
    titles = {
        part: part if known.get(part, content) == content else f"{part} of {name}"
        for part, content in parts.items()
    }
    pages = []
    for part, content in parts.items():
        if (title := titles[part]) in known:
            continue
        known[title] = content
        head = "" if whole["$ref"].endswith(f"/{part}") else f"### {title}\n\n"
        pages.append(f"{head}{content['description']}\n")
        if "properties" not in content:
            pages.append(f"A {_name_type(content, titles)}.\n")
            continue
        rows = []
        for key, value in content["properties"].items():
            needed = key in content.get("required", ()) or "default" in value
            kind = _name_type(value, titles) + ", *optional*" * (not needed)
            rows.append((f"`{key}`", kind, value.get("description") or OF_KEYS.get(key, "")))
        pages.append(_table(("key", "type", "meaning"), rows))
    return pages


def _name_type(value: Part, titles: Mapping[str, str]) -> str:
    """A type of JSON Schema in words: `list of (integer or null)`."""
    match value:
        case {"$ref": part}:
            title = titles[part.rpartition("/")[2]]
            return f"[{title}](#{title.lower().replace(' ', '-')})"
        case {"anyOf": kinds}:
            return " or ".join(_name_type(kind, titles) for kind in kinds)
        case {"enum": words} if {*words} in ({*KINDS}, {*CAUSES}):
            return "kind of fault"
        case {"enum": words}:
            return " or ".join(f"`{json.dumps(it)}`" for it in words)
        case {"type": "array", "prefixItems": kinds}:
            return f"list [{', '.join(_name_type(kind, titles) for kind in kinds)}]"
        case {"type": "array", "items": {"anyOf": _} as kind}:
            return f"list of ({_name_type(kind, titles)})"
        case {"type": "array", "items": kind}:
            return f"list of {_name_type(kind, titles)}"
        case {"type": "object", "additionalProperties": dict(kind)}:
            return f"object of {_name_type(kind, titles)}"
        case {"minimum": least, "maximum": most, "type": kind}:
            return f"{kind} {least}–{most}"
        case {"minimum": least, "type": kind}:
            return f"{kind} ≥ {least}"
        case {"exclusiveMinimum": least, "type": kind}:
            return f"{kind} > {least}"
        case {"type": "string"}:
            return "text"
        case {"type": kind}:
            return str(kind)
    return "any value"
