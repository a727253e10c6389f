"""Tables that were made before are recalled only where they would be made again to the byte."""

import os
import platform
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from arena.errors import ArenaError
from arena.store.store import Store
from arena.system import machine
from arena.tables import cache, results
from arena.tables.formats import select
from arena.typed_json import encode
from tests import leagues

CONFIG = f"{leagues.pairs(10)}\n[limits]\ncpu_ms = 90\n"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("league")
    played = leagues.played_in(folder / "league", CONFIG, leagues.THREE)
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        assert make(played) == rate(played)
    return played


@pytest.fixture
def now(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the results, and of the cache, which is used."""
    league = leagues.copied(kept.parents[1], tmp_path / "league")
    shutil.copytree(kept.parents[2] / "cache", tmp_path / "cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    forget_machine()
    yield league / "results" / "cup"
    forget_machine()


def forget_machine() -> None:
    cache._arithmetic.cache_clear()
    machine.all_versions.cache_clear()


def folder_of(now: Path) -> Path:
    return now.parents[2] / "cache" / "arena"


def file_of(now: Path) -> Path:
    (file,) = folder_of(now).iterdir()
    return file


def make(place: Path, game: str | None = None) -> str:
    """Return the tables as commands have them, or why there are none."""
    with closing(Store.open(place, checked=True)) as store:
        try:
            return encode(results.make_document(store, game))
        except ArenaError as error:
            return str(error)


def rate(place: Path, game: str | None = None) -> str:
    """Return the same, made anew."""
    with closing(Store.open(place, checked=True)) as store:
        try:
            return encode(select(results.compute_standings(store, game), game))
        except ArenaError as error:
            return str(error)


class Rated(Exception):
    """Tables are made anew."""


def is_recalled(place: Path, monkeypatch: pytest.MonkeyPatch, game: str | None = None) -> bool:
    """Return whether tables are recalled, as they would be made; if not, make them anew."""
    with monkeypatch.context() as changed:
        changed.setattr(results, "compute_standings", rated := Mock(side_effect=Rated))
        with suppress(Rated):
            recalled = make(place, game)
    if rated.called:
        make(place, game)
        return False
    assert recalled == rate(place, game)
    return True


PLAN = "UPDATE meta SET value = json_set(value, '$.{}', json('{}')) WHERE key = 'plan'"
OTHERS = {
    "ranks": "UPDATE game SET ranks = '[2,1]' WHERE rowid = 2",
    "scores": "UPDATE game SET scores = '[7,9]' WHERE rowid = 2",
    "seating": "UPDATE game SET seating = '[0,0]' WHERE rowid = 2",
    "deal": "UPDATE game SET deal = 77 WHERE rowid = 2",
    "id": "UPDATE game SET id = 'f' WHERE rowid = 2",
    "type": "UPDATE game SET ranks = 3 WHERE rowid = 2",
    "no UTF-8": "UPDATE game SET checksum = CAST(x'5bff31' AS TEXT) WHERE rowid = 2",
    "blob": "UPDATE game SET ranks = CAST(ranks AS BLOB) WHERE rowid = 2",
    "checksum": "UPDATE game SET checksum = 1 WHERE rowid = 2",
    "one game less": "DELETE FROM game WHERE rowid = 2",
    "one game more": "INSERT INTO game SELECT 'e', line_up, seating, deal, ranks, scores, chunk, "
    "index_in_chunk, checksum FROM game WHERE rowid = 2",
    "body": "UPDATE chunk SET bodies = bodies || 'x'",
    "forfeit": "INSERT INTO fault SELECT id, 0, 1, 'time', 0, '' FROM game WHERE rowid = 2",
    "bot": "UPDATE bot SET name = 'zoe' WHERE id = 1",
    "files of a bot": "UPDATE bot SET hash = 'f' WHERE id = 1",
    "line-up": "UPDATE line_up SET bots = '[2,3]' WHERE id = 1",
    "line-up not played": "UPDATE line_up SET unplayed = 1 WHERE id = 1",
    "pool": "UPDATE pool SET options = '{\"bonus\":true}'",
    "secret": "UPDATE meta SET value = randomblob(16) WHERE key = 'secret'",
    "name": PLAN.format("name", '"other"'),
    "seed given": PLAN.format("seed_given", "true"),
    "confinement": PLAN.format("confinement", '"none"'),
    "limits": PLAN.format("limits.cpu_ms", "80"),
    "deals": PLAN.format("entries[0][2]", "9"),
    "anchor": PLAN.format("anchors", '[[["sixteen",2,"{}",""],"ann",20.0]]'),
    "out": PLAN.format("not_ranked", '[{"bot":"ann","status":"guest"}]'),
    "authors": PLAN.format("show_authors", '["ann"]'),
    "closed": PLAN.format("entries_close", '"2020-01-01T00:00:00+00:00"'),
}  # fmt: skip


def test_what_no_table_shows_does_not_count(now: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for same in (
        "UPDATE timing SET cpu_s = 9",
        PLAN.format("run_began", '"2030-01-01T00:00:00+00:00"'),
        "INSERT INTO meta VALUES ('warned', 'x')",
    ):
        leagues.alter(now / "arena.sqlite", same)
    os.utime(now / "arena.sqlite", (1, 1))
    assert is_recalled(now.rename(now.with_name("another")), monkeypatch)


def test_other_questions_are_other_tables(now: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_recalled(now, monkeypatch)
    assert not is_recalled(now, monkeypatch, game="sixteen")
    assert is_recalled(now, monkeypatch, game="sixteen")


MACHINES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "Python": lambda m: m.setattr(platform, "python_version", lambda: "3.11.99"),
    "numpy": lambda m: m.setattr(machine, "version", lambda name: f"{name} 9"),
    "code": lambda m: m.setattr(machine, "_hash_package", lambda init, *others: "0"),
    "pages": lambda m: m.setattr(machine, "_hash_package", lambda init, *others: len(others)),
    "libc": lambda m: m.setattr(platform, "libc_ver", lambda: ("glibc", "9")),
    "CPU": lambda m: m.setattr(machine, "CPU", ("processor",)),
    "features": lambda m: m.setenv("NPY_DISABLE_CPU_FEATURES", "AVX2"),
    "BLAS": lambda m: m.setenv("OPENBLAS_CORETYPE", "another"),
}


def replace(file: Path, make: Callable[[Path], object]) -> None:
    file.unlink()
    make(file)


def write(file: Path, content: bytes, name: str = "") -> None:
    file.write_bytes(cache._seal(name or file.name, content) + content)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a bit": lambda file: file.write_bytes(file.read_bytes()[:-1] + b"?"),
    "cut": lambda file: os.truncate(file, file.stat().st_size - 1),
    "cut in its seal": lambda file: os.truncate(file, 30),
    "empty": lambda file: os.truncate(file, 0),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b" "),
    "gone": lambda file: file.unlink(),
    "a folder": lambda file: replace(file, Path.mkdir),
    "a pipe": lambda file: replace(file, os.mkfifo),
    "another's tables": lambda file: write(file, file.read_bytes()[cache.SEAL :], "another"),
    "another form": lambda file: write(file, b'{"version": 1}'),
    "no JSON": lambda file: write(file, b"{"),
    "too deep": lambda file: write(file, b"[" * 100_000),
    "open to others": lambda file: file.parent.chmod(0o755),
    "linked": lambda file: replace(
        file.parent.rename(file.parent.with_name("moved")) / file.name,
        lambda moved: file.parent.symlink_to(moved.parent),
    ),
    "no folder": lambda file: (
        file.parent.rename(file.parents[1] / "moved").with_name("arena").write_text("")
    ),
}


@pytest.mark.parametrize("kind", [*OTHERS, *MACHINES, *DAMAGES])
def test_for_other_content_or_machines_and_of_damaged_files_tables_are_made_anew(
    kind: str, now: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind in OTHERS:
        leagues.alter(now / "arena.sqlite", OTHERS[kind])
    elif kind in MACHINES:
        forget_machine()
        MACHINES[kind](monkeypatch)
    else:
        DAMAGES[kind](file_of(now))
    assert not is_recalled(now, monkeypatch)


@pytest.mark.parametrize("home", ["/proc", "/dev/null"])
def test_a_cache_that_cannot_be_written_is_no_error(
    home: str, now: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", home)
    assert not is_recalled(now, monkeypatch)


@pytest.mark.parametrize("home", ["site-packages", "site-packages/new", "link"])
@pytest.mark.parametrize("name", ["HOME", "XDG_CACHE_HOME"])
def test_no_cache_is_made_among_the_libraries_which_bots_read(
    name: str, home: str, now: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages = tmp_path / "site-packages"
    packages.mkdir()
    (tmp_path / "link").symlink_to(packages)
    monkeypatch.syspath_prepend(packages)
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv(name, str(tmp_path / home))
    assert not is_recalled(now, monkeypatch)
    assert [*packages.iterdir()] == []


def test_without_a_home_there_is_no_cache(now: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setattr(Path, "home", Mock(side_effect=RuntimeError))
    assert not is_recalled(now, monkeypatch)


def test_the_oldest_are_removed_and_only_its_user_may_read_it(now: Path) -> None:
    first = file_of(now)
    os.utime(first, (1, 1))
    make(now, "sixteen")
    cache._remove_oldest(folder_of(now), most_files=1)
    assert file_of(now) != first
    assert folder_of(now).stat().st_mode & 0o777 == 0o700


def test_games_that_come_while_tables_are_made_are_in_the_next(
    now: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was made of a store that changes meanwhile is kept under neither content."""
    file_of(now).unlink()
    made = results.compute_standings

    def overtaken(*given: Any) -> Any:
        league = made(*given)
        leagues.alter(now / "arena.sqlite", OTHERS["one game less"])
        return league

    with monkeypatch.context() as changed:
        changed.setattr(results, "compute_standings", overtaken)
        make(now)
    assert not is_recalled(now, monkeypatch)
