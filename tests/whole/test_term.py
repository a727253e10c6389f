"""A league remembers a term as it was: bots change, and a model says what there is to remember."""

import hashlib
import json
import shutil
from collections import defaultdict
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.leagues import main
from tests.places import ROOT

WEEKS, BOTS, OPEN = 3, 6, 2  # weeks, and those before entries close
BEGINS = datetime.fromisoformat("2026-09-07T19:00:00+02:00")
CONFIG = f"""\
name = "cup"
workers = 2
house_bots = "guests"
entries_close = {(BEGINS + timedelta(days=7 * OPEN - 1)).isoformat()}
limits = {{ cpu_ms = 2000, wall_ms = 60000, load_ms = 20000 }}
games = [
  {{ game = "no_thanks", players = 3, deals = 1, max_games = 36 }},
  {{ game = "sixteen", players = 2, deals = 1, max_games = 36 }},
]
"""
OUT = '[[unranked]]\nbot = "{}"\nreason = {}\nuntil = {}\n'
HOUSE = [
    (ROOT / "bots" / f"{rule}.py").read_text()
    for rule in ("first_legal", "adder", "haggler", "random_choice", "novice", "ledger")
]
BROKEN = (
    "def decide(view)\n    return view.legal[0]\n",
    "def decide(view):\n    return '99' if view.game == 'sixteen' else view.legal[0]\n",
    "def decide(view):\n    return {}['<script>'] if view.game == 'no_thanks' else view.legal[0]\n",
)
BECAUSE = 'plays "for fun" | <b>only</b>'
EVENTS = ("mended", "mended", "replaced", "removed", "renamed", "broken", "out")


class Week(NamedTuple):
    label: str
    day: date
    bots: dict[str, str]  # hashes by name
    games: int
    places: dict[str, dict[str, int | None]]  # by table and bot; None: no place


class Term:
    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.rng = folder, Random(seed)
        self.cup, self.config = folder / "results" / "cup", folder / "tournaments" / "cup.toml"
        self.number, self.now = 1, BEGINS  # the week's number
        self.bots: dict[str, str] = {}  # sources by name
        self.past = defaultdict[str, list[str]](list)  # every version, by name
        self.broken: set[str] = set()  # hashes
        self.out: dict[str, date] = {}  # by name: until
        self.weeks: list[Week] = []
        self.tables = b""  # the last standings.json
        for part in ("bots", "tournaments", "usb"):
            (folder / part).mkdir(parents=True)
        self.names = [f"{name}{at}" for at in range(9 * WEEKS) for name in ("anna", "ben", "kim")]
        self.put("haggler", HOUSE[2])
        while len(self.bots) < BOTS:
            self.put(self.names.pop(0), self.variant())

    def variant(self) -> str:
        return f"{self.rng.choice(HOUSE)}# {self.rng.random()}\n"

    def put(self, name: str, source: str) -> None:
        self.bots[name] = source
        self.past[name].append(source)
        (self.folder / "bots" / f"{name}.py").write_text(source)

    def remove(self, name: str) -> str:
        (self.folder / "bots" / f"{name}.py").unlink()
        return self.bots.pop(name)

    def change(self) -> None:
        rng = self.rng
        for event in (each for each in EVENTS if rng.random() < 0.8):
            name, again = rng.choice(sorted(self.bots)), rng.random() < 0.3
            if event == "mended":
                self.put(name, rng.choice(self.past[name]) if again else self.variant())
            elif event == "replaced":
                self.put(name, rng.choice(HOUSE))
            elif event == "removed":
                self.remove(name)
            elif event == "renamed":
                self.put(self.names.pop(0), self.remove(name))
            elif event == "broken":
                self.put(name, rng.choice(BROKEN))
                self.broken.add(hash_of(self.bots[name]))
            elif event == "out":
                self.out[name] = self.now.date() + timedelta(7 * rng.randrange(4))
        while len(self.bots) < BOTS:
            gone = sorted(self.past.keys() - self.bots)
            name = rng.choice(gone) if gone and rng.random() < 0.3 else self.names.pop(0)
            self.put(name, rng.choice(self.past[name] or [self.variant()]))

    def run(self, *words: object) -> bytes:
        self.now += timedelta(minutes=1)
        code, out, err = main(*words, cwd=self.folder, environment={"COLUMNS": "200"}, now=self.now)
        assert (code, b"Traceback" in err) == (0, False), f"{words}: {err.decode()}"
        return out

    def write_config(self, field: dict[str, str]) -> None:
        """With those out who are in the field: of others, arena asks to remove them."""
        self.out = {name: day for name, day in self.out.items() if name in field}
        out = (OUT.format(name, json.dumps(BECAUSE), day) for name, day in self.out.items())
        self.config.write_text("\n".join([CONFIG, *out]))

    def play(self) -> None:
        if self.weeks:
            self.change()
        now = {name: hash_of(source) for name, source in self.bots.items()}
        field = now if self.number <= OPEN else self.weeks[-1].bots
        self.write_config(field)
        label = "" if self.rng.random() < 0.25 else f"week {self.number}"
        self.run("tournament", self.config, *(["--label", label] if label else []))
        last, self.tables = self.tables, (self.cup / "standings.json").read_bytes()
        self.check_tables(json.loads(self.tables), field)
        if label or last != self.tables:  # else nothing is new
            self.add_week(label, field)
        self.check_history(self.cup)
        for bot in self.rng.sample(sorted({bot for week in self.weeks for bot in week.bots}), 2):
            self.check_bot(bot)
        usb, target = self.folder / "usb", self.folder / "exports" / str(self.number)
        self.run("backup", self.cup, usb)
        self.run("verify", self.cup)
        self.run("export", self.cup, "--to", target)
        self.check_history(target)
        for folder in (self.cup, self.cup.parent, usb, target):
            assert list(folder.glob(".*")) == [], "drafts are left"
        self.number, self.now = self.number + 1, BEGINS + timedelta(days=7 * self.number)

    def add_week(self, label: str, bots: dict[str, str]) -> None:
        doc = json.loads(self.tables)
        tables = [("Overall", doc["overall"])]
        tables += ((pool["title"], pool["table"]) for pool in doc["pools"])
        games = sum(pool["games"] for pool in doc["pools"])
        self.weeks.append(Week(label, self.now.date(), bots, games, places_of(tables)))

    def check_tables(self, tables: dict[str, Any], field: dict[str, str]) -> None:
        assert {each["name"]: each["hash"] for each in tables["bots"]} == field
        guests = {hash_of(source) for source in HOUSE}
        not_ranked = {name: ("guest", "", "") for name, hash in field.items() if hash in guests}
        out = {name: day for name, day in self.out.items() if self.now.date() < day}
        not_ranked |= {name: ("unranked", BECAUSE, str(day)) for name, day in out.items()}
        found = {row.pop("bot"): tuple(row.values()) for row in tables.get("not_ranked", [])}
        assert found == not_ranked
        assert tables["entries_close"]["bots_from_before"] is True

    def check_history(self, results: Path) -> None:
        found = json.loads(self.run("history", results, "--json"))
        assert found["tournament"] == "cup"
        assert [parse_week(week) for week in found["weeks"]] == self.weeks
        said = self.run("history", results).decode()
        last = {bot: week for week in self.weeks for bot in week.bots}
        for bot in last.keys() - self.weeks[-1].bots:
            label = f"{last[bot].label}, " if last[bot].label else ""
            assert f"{bot} (last in {label}{last[bot].day})" in said

    def check_bot(self, bot: str) -> None:
        found = json.loads(self.run("history", self.cup, bot, "--json"))
        own = [week for week in self.weeks if bot in week.bots]
        assert [parse_week(week) for week in found["weeks"]] == [
            week._replace(
                bots={bot: week.bots[bot]},
                places={title: {bot: places[bot]} for title, places in week.places.items()},
            )
            for week in own
        ]
        hashes = dict.fromkeys(week.bots[bot] for week in own)
        for each, hash in zip(found["versions"], hashes, strict=True):
            having = [week.label or str(week.day) for week in own if week.bots[bot] == hash]
            named = {name for week in self.weeks for name in week.bots if week.bots[name] == hash}
            seen = [each[key] for key in ("hash", "first_week", "last_week", "other_names")]
            assert seen == [hash, having[0], having[-1], sorted(named - {bot})]
            assert each["games"] > 0
            assert bool(each["faults"]) is (hash in self.broken)


def hash_of(source: str) -> str:
    """SHA-256 of path and content, each with its length before it."""
    parts = (len(each).to_bytes(8, "big") + each for each in (b"bot.py", source.encode()))
    return hashlib.sha256(b"".join(parts)).hexdigest()


def places_of(tables: Iterable[tuple[str, Any]]) -> dict[str, dict[str, int | None]]:
    return {title: {row["bot"]: row["place"] for row in rows} for title, rows in tables}


def parse_week(kept: dict[str, Any]) -> Week:
    places = places_of((table["title"], table["rows"]) for table in kept["tables"])
    day = date.fromisoformat(kept["time"][:10])
    return Week(kept["label"], day, kept["bots"], kept["games"], places)


def test_history_tables_and_archive_are_right_each_week(tmp_path: Path, seed: int) -> None:
    term = Term(tmp_path / "league", seed)
    for _ in range(WEEKS):
        term.play()
    term.run("season", "close", term.cup, "--yes", "--with-sources")
    (archive,) = (term.folder / "seasons").iterdir()
    term.tables = (archive / "standings.json").read_bytes()
    term.add_week("final", term.weeks[-1].bots)
    term.check_history(archive)
    term.write_config(term.bots)  # some may have gone after the league had closed
    term.run("tournament", term.config, "-q")  # the next season
    begun = json.loads(term.run("history", term.cup, "--json"))
    assert [week["bots"].keys() for week in begun["weeks"]] == [term.bots.keys()]
    term.run("verify", shutil.copytree(archive, term.folder / "elsewhere"), "--replay-bots", 2)
