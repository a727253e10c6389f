"""A league remembers a term as it was: every week bots change, and a model in plain Python, kept
beside, says what the league has to remember.
"""

import hashlib
import json
import shutil
from collections.abc import Container
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.leagues import main
from tests.places import ROOT

BEGINS = datetime.fromisoformat("2026-09-07T19:00:00+02:00")
CONFIG = """\
name = "cup"
workers = 2
house_bots = "guests"
entries_close = {closes}
limits = {{ cpu_ms = 2000, wall_ms = 60000, load_ms = 20000 }}
games = [
  {{ game = "no_thanks", players = 3, deals = 1, max_games = {games} }},
  {{ game = "sixteen", players = 2, deals = 1, max_games = {games} }},
]
"""
OUT = '[[unranked]]\nbot = "{}"\nreason = {}\nuntil = {}\n'
RULES = ("first_legal", "haggler", "nines", "random_choice", "reader", "trapper")
NOISE = """

import random as _random

_rule = decide


def decide(view):
    return _random.choice(view.legal) if _random.random() < {share} else _rule(view)
"""
BROKEN = (
    "def decide(view)\n    return view.legal[0]\n",
    "def decide(view):\n    return '99' if view.game == 'sixteen' else view.legal[0]\n",
    "def decide(view):\n    return {}['<script>'] if view.game == 'no_thanks' else view.legal[0]\n",
)
BECAUSE = ("copied from a friend", "asks for it", 'plays "for fun" | <b>only</b>')
EVENTS = ("mended", "mended", "replaced", "removed", "renamed", "broken", "out")

Files = tuple[tuple[str, bytes], ...]


class Week(NamedTuple):
    label: str
    day: date
    bots: dict[str, str]  # hashes by name
    games: int
    places: dict[str, dict[str, int | None]]  # by table and bot; None: no place


class Term:
    """A league, and the model of it."""

    def __init__(self, folder: Path, seed: int, weeks: int, bots: int, games: int) -> None:
        print(f"seed {seed}")
        self.folder, self.rng = folder, Random(seed)
        self.cup, self.usb = folder / "results" / "cup", folder / "usb"
        self.config = folder / "tournaments" / "cup.toml"
        self.open_weeks = weeks - max(1, weeks // 6)
        closes = BEGINS + timedelta(days=7 * self.open_weeks - 1)
        self.text = CONFIG.format(closes=closes.isoformat(), games=games)
        self.number, self.now = 1, BEGINS  # the week's number
        self.bots: dict[str, Files] = {}  # by name, as in bots/
        self.past: dict[str, list[Files]] = {}  # every version, by name
        self.broken: set[str] = set()  # hashes
        self.out: dict[str, tuple[str, date]] = {}  # by name: because, until
        self.weeks: list[Week] = []
        self.tables = b""  # the last standings.json
        for part in ("bots", "tournaments", "usb"):
            (folder / part).mkdir(parents=True)
        self.names = [f"{name}{at}" for at in range(9 * weeks) for name in ("anna", "ben", "kim")]
        self.guests = {hash_of(house_bot(rule)) for rule in RULES}
        self.put("nines", house_bot("nines"))
        while len(self.bots) < bots:
            self.put(self.names.pop(0), self.variant())

    def variant(self) -> Files:
        ((name, rule),) = house_bot(self.rng.choice(RULES))
        noise = NOISE.format(share=round(self.rng.uniform(0.01, 0.5), 3))
        beside = (("notes.txt", b"a folder"),) if self.rng.random() < 0.2 else ()
        return ((name, rule + noise.encode()), *beside)

    def put(self, name: str, files: Files) -> None:
        self.remove(name)
        self.bots[name] = files
        self.past.setdefault(name, []).append(files)
        path = self.folder / "bots" / name
        if len(files) == 1:
            path.with_suffix(".py").write_bytes(files[0][1])
            return
        path.mkdir()
        for file, content in files:
            (path / file).write_bytes(content)

    def remove(self, name: str) -> Files:
        path = self.folder / "bots" / name
        path.with_suffix(".py").unlink(missing_ok=True)
        shutil.rmtree(path, ignore_errors=True)
        return self.bots.pop(name, ())

    def change(self) -> None:
        """Draw a week's events."""
        rng, most = self.rng, len(self.bots)
        for event in (each for each in EVENTS if rng.random() < 0.8):
            name, again = rng.choice(sorted(self.bots)), rng.random() < 0.3
            if event == "mended":
                self.put(name, rng.choice(self.past[name]) if again else self.variant())
            elif event == "replaced":
                self.put(name, house_bot(rng.choice(RULES)))
            elif event == "removed":
                self.remove(name)
            elif event == "renamed":
                self.put(self.names.pop(0), self.remove(name))
            elif event == "broken":
                self.put(name, (("bot.py", rng.choice(BROKEN).encode()),))
                self.broken.add(hash_of(self.bots[name]))
            elif event == "out":
                until = self.now + timedelta(7 * rng.randrange(4))
                self.out[name] = rng.choice(BECAUSE), until.date()
        while len(self.bots) < most:
            gone = sorted(self.past.keys() - self.bots)
            name = rng.choice(gone) if gone and rng.random() < 0.3 else self.names.pop(0)
            self.put(name, rng.choice(self.past.get(name, [self.variant()])))

    def run(self, *words: object) -> bytes:
        """Run a command; returns what it prints."""
        self.now += timedelta(minutes=1)
        wide = {"COLUMNS": "200"}
        code, out, err = main(*words, cwd=self.folder, environment=wide, now=self.now)
        assert (code, b"Traceback" in err) == (0, False), f"{words}: {err.decode()}"
        return out

    def write_config(self, field: Container[str]) -> None:
        """With those out who are in the field; others, arena asks to remove."""
        self.out = {name: why for name, why in self.out.items() if name in field}
        out = (OUT.format(name, json.dumps(why), day) for name, (why, day) in self.out.items())
        self.config.write_text("\n".join([self.text, *out]))

    def play(self) -> None:
        """Play a week, and compare all that the league keeps with the model."""
        if self.weeks:
            self.change()
        closed = self.number > self.open_weeks
        now = {name: hash_of(files) for name, files in self.bots.items()}
        field = self.weeks[-1].bots if closed else now
        self.write_config(field)
        label = "" if self.rng.random() < 0.25 else f"week {self.number}"
        self.run("tournament", self.config, *(["--label", label] if label else []))
        last, self.tables = self.tables, (self.cup / "standings.json").read_bytes()
        self.check_tables(json.loads(self.tables), field)
        if label or last != self.tables:  # else nothing is new
            self.weeks.append(make_week(label, self.now, field, self.tables))
        self.look()
        self.number, self.now = self.number + 1, BEGINS + timedelta(days=7 * self.number)

    def check_tables(self, tables: dict[str, Any], field: dict[str, str]) -> None:
        assert {each["name"]: each["hash"] for each in tables["bots"]} == field
        not_ranked = {name: ("guest", "", "") for name in field if field[name] in self.guests}
        for name, (why, until) in self.out.items():
            not_ranked |= {name: ("unranked", why, str(until))} if self.now.date() < until else {}
        found = {row.pop("bot"): tuple(row.values()) for row in tables.get("not_ranked", [])}
        assert found == not_ranked
        assert tables["entries_close"]["bots_from_before"] is True

    def look(self) -> None:
        self.check_history(self.cup)
        for bot in self.rng.sample(sorted({bot for week in self.weeks for bot in week.bots}), 2):
            self.check_bot(bot)
        self.run("backup", self.cup, self.usb)
        self.run("verify", self.cup)
        target = self.folder / "exports" / str(self.number)
        self.run("export", self.cup, "--to", target)
        self.check_history(target)
        for folder in (self.cup, self.cup.parent, self.usb, target):
            assert list(folder.glob(".*")) == [], "drafts are left"

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
        for each, hash in zip(
            found["versions"], dict.fromkeys(week.bots[bot] for week in own), strict=True
        ):
            having = [week.label or str(week.day) for week in own if week.bots[bot] == hash]
            named = {name for week in self.weeks for name in week.bots if week.bots[name] == hash}
            seen = [each[key] for key in ("hash", "first_week", "last_week", "other_names")]
            assert seen == [hash, having[0], having[-1], sorted(named - {bot})]
            assert each["games"] > 0
            assert bool(each["faults"]) is (hash in self.broken)

    def close(self) -> Path:
        """Close the season, begin the next one; returns a copy of the archive."""
        self.run("season", "close", self.cup, "--yes", "--with-sources")
        (archive,) = (self.folder / "seasons").iterdir()
        for line in (archive / "SHA256SUMS").read_text().splitlines():
            digest, name = line.split("  ")
            assert hashlib.sha256((archive / name).read_bytes()).hexdigest() == digest
        tables = (archive / "standings.json").read_bytes()
        self.weeks.append(make_week("final", self.now, self.weeks[-1].bots, tables))
        self.check_history(archive)
        self.write_config(self.bots)  # some may have gone after the league had closed
        self.run("tournament", self.config, "-q")  # the next season
        begun = json.loads(self.run("history", self.cup, "--json"))
        assert [week["bots"].keys() for week in begun["weeks"]] == [self.bots.keys()]
        return Path(shutil.copytree(archive, self.folder / "elsewhere" / archive.name))


def house_bot(rule: str) -> Files:
    return (("bot.py", (ROOT / "bots" / f"{rule}.py").read_bytes()),)


def hash_of(files: Files) -> str:
    """SHA-256 of paths and contents, each with its length before it."""
    digest = hashlib.sha256()
    for part in (part for name, content in files for part in (name.encode(), content)):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def make_week(label: str, time: datetime, bots: dict[str, str], tables: bytes) -> Week:
    doc = json.loads(tables)
    listed = {"Overall": doc["overall"]} | {pool["title"]: pool["table"] for pool in doc["pools"]}
    places = {title: {row["bot"]: row["place"] for row in table} for title, table in listed.items()}
    games = sum(each["games"] for each in doc["pools"])
    return Week(label, time.date(), bots, games, places)


def parse_week(kept: dict[str, Any]) -> Week:
    """Parse a week of `arena history --json`."""
    listed = {table["title"]: table["rows"] for table in kept["tables"]}
    places = {title: {row["bot"]: row["place"] for row in rows} for title, rows in listed.items()}
    day = date.fromisoformat(kept["time"][:10])
    return Week(kept["label"], day, kept["bots"], kept["games"], places)


def test_history_tables_and_archive_are_right_each_week(tmp_path: Path, seed: int) -> None:
    term = Term(tmp_path / "league", seed, weeks=3, bots=6, games=36)
    for _ in range(3):
        term.play()
    verified = main("verify", term.close(), "--replay-bots", 2)
    assert verified.returncode == 0, verified.stdout.decode()
