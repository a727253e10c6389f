"""Shards played and merged through the command line, for tests."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

from arena.tables.publish import PROVENANCE
from tests.leagues import Done, main


def said(done: Done) -> list[str]:
    """Return what a command that refused said."""
    assert (done.returncode, done.stdout) == (2, b""), (done.returncode, done.stdout, done.stderr)
    return done.stderr.decode().splitlines()


def planned(league: Path, *words: object) -> Path:
    """Return a plan for shards, made as a user makes it."""
    config, file = league / "tournaments" / "cup.toml", league / "cup.plan"
    done = main("plan", config, "--to", file, "-q", *words)
    assert done.returncode == 0, done.stderr.decode()
    return file


def shard(league: Path, word: str, *more: object, plan: str = "cup.plan") -> Done:
    """Play a shard."""
    config = league / "tournaments" / "cup.toml"
    return main("tournament", config, "--shard", word, "--plan", league / plan, *more)


def bytes_of(results: Path) -> dict[str, bytes]:
    """Return all that is made of a tournament's games, by name: tables, records, exports."""
    made = {f"standings.{end}": (results / f"standings.{end}").read_bytes()
            for end in ("json", "md", "csv", "html")}  # fmt: skip
    made["records"] = main("records", results).stdout
    to = results.with_name(f"{results.name}-exported")
    assert main("export", results, "--to", to).returncode == 0
    for file in to.rglob("*"):
        if file.is_file() and file.suffix != ".sqlite" and file.name != PROVENANCE:
            content = file.read_bytes()
            made[file.name] = gzip.decompress(content) if file.suffix == ".gz" else content
    with closing(sqlite3.connect(to / "arena-public.sqlite")) as public:
        made["public"] = repr(sorted(public.execute("SELECT * FROM seat"))).encode()
    return made
