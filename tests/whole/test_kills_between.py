"""`kill -9` before each step that makes, moves or removes a file: nothing is lost or half there."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.author import scaffold
from arena.export.backup import make_backup
from arena.runner.tournament import set_aside
from arena.store.history import keep_week, read_weeks
from arena.store.plans import keep_plan, load_plan
from arena.store.store import Store
from arena.system.folders import write_atomically
from arena.tables.history import make_week
from arena.tables.results import PROVENANCE, make_document, publish_tables
from tests.kills import killed_at_each
from tests.leagues import NOW
from tests.store.games import BOTS, PLAN
from tests.trees import put, tree


def site(start: Path, at: Path) -> None:
    put(start / "site", index="old", games__a="old")
    wanted = tree(start / "site"), {"index": "new", "games/b": "new"}
    for after in killed_at_each(
        start, at, lambda at: put(at / "site", index="new", games__b="new")
    ):
        assert not (after / "site").exists() or tree(after / "site") in wanted
        with pytest.raises(AttributeError):  # one that fails brings back what it finds
            put(after / "site", index="newest", other=None)  # type: ignore[arg-type]
        assert tree(after / "site") in wanted
        assert [path.name for path in after.iterdir()] == ["site"]
    assert tree(after / "site") == wanted[1]


def file(start: Path, at: Path) -> None:
    def write(at: Path, content: bytes = b"new" * 100_000) -> None:
        with write_atomically(at, "table") as stream:
            stream.write(content)

    write(start, b"old")
    for after in killed_at_each(start, at, write):
        assert (after / "table").read_bytes() in (b"old", b"new" * 100_000)
        write(after, b"newest")
        assert tree(after) == {"table": "newest"}


def league(start: Path, at: Path) -> None:
    (start / "home").mkdir()
    scaffold.write_league(at.parent / "sound")
    whole = tree(at.parent / "sound")
    cup = Path("home") / "a" / "cup"
    for after in killed_at_each(start, at, lambda at: scaffold.write_league(at / cup), stride=4):
        if not (after / cup).exists():
            scaffold.write_league(after / cup)
        assert tree(after / cup) == whole


def bot(start: Path, at: Path) -> None:
    (start / "bots").mkdir()
    files = scaffold.bot_files("my", "folder")
    for after in killed_at_each(start, at, lambda at: scaffold.write_bot(at, "my", "folder")):
        there = {name: text for name, text in tree(after / "bots").items() if name[0] != "."}
        assert all(files[name] == text.encode() for name, text in there.items())
        mine = [[name for name in each if name.startswith("my/")] for each in (there, files)]
        assert not mine[0] or sorted(mine[0]) == sorted(mine[1])
    assert [path.name for path in sorted((after / "bots").iterdir())] == ["my", "test_my.py"]


def results_set_aside(start: Path, at: Path) -> None:
    cup = _results(start)
    games = _games(cup)
    for after in killed_at_each(start, at, lambda at: set_aside(at / cup.name)):
        (there,) = after.iterdir()
        assert _games(there) == games


def _planned(start: Path) -> Path:
    """Results with a plan, as after a run."""
    cup = _results(start)
    with closing(Store.create_or_open(cup)) as store:
        for bot in BOTS:
            store.keep_bot(bot, [])
        keep_plan(store, PLAN)
    return cup


def week(start: Path, at: Path) -> None:
    """The end of a run: the week into the store, then its tables and its file beside them."""

    def _published(cup: Path) -> dict[str, bytes]:
        kept = ("arena.sqlite", "provenance.json")
        files = (path for path in cup.rglob("*") if path.is_file())
        return {str(path.relative_to(cup)): path.read_bytes() for path in files
                if not path.name.startswith(kept)}  # fmt: skip

    cup = _planned(start)
    shutil.copytree(start, at)
    _end(at / cup.name)
    sound = _published(at / cup.name)
    assert "history/0001.json" in sound
    for after in killed_at_each(start, at, lambda at: _end(at / cup.name), stride=2):
        _end(after / cup.name)
        assert _published(after / cup.name) == sound


def _end(cup: Path) -> None:
    with closing(Store.create_or_open(cup)) as store:
        document = make_document(store)
        keep_week(store, make_week(document, NOW.isoformat()), load_plan(store))
        kept, damaged = read_weeks(store)
        assert (len(kept), damaged) == (1, [])
        publish_tables(store, cup, document, NOW)


def backup(start: Path, at: Path) -> None:
    """A backup is there whole or not at all, and the next one leaves nothing else."""

    def _back_up(at: Path) -> None:
        with closing(Store.open(at / "cup")) as store:
            make_backup(store, at / "usb", NOW)

    _planned(start)
    (start / "usb").mkdir()
    for after in killed_at_each(start, at, _back_up, stride=5):
        made = [path for path in (after / "usb").iterdir() if path.name[0] != "."]
        assert all(_games(path) and (path / PROVENANCE).exists() for path in made)
        _back_up(after)
        names = {path.name for path in (after / "usb").iterdir()}
        assert names <= {"cup-20261102-090000", "cup-20261102-090000-2"}
        assert len(names) == len(made) + 1


def damaged_store(start: Path, at: Path) -> None:
    """What was stored last lies in the log alone, the secret too."""

    def _write(at: Path) -> None:
        Store.create_or_open(at / "cup", lambda line: None).close()

    cup = _results(start, log=True)
    games = _games(cup)
    for after in killed_at_each(start, at, _write):
        _write(after)
        assert _games(after / cup.name) == games
        assert (after / cup.name / "arena.sqlite.damaged").exists()


def _results(start: Path, log: bool = False) -> Path:
    """Make results with a secret; damaged, with all that is in its log, if asked for."""
    cup = start / "cup"
    store = Store.create_or_open(cup)
    store.set_meta("secret", b"0123456789abcdef")
    kept = {}
    if log:
        store.db.execute("DROP INDEX game_line_up")  # not as arena makes it
        store.db.commit()
        kept = {path: path.read_bytes() for path in cup.iterdir() if path.suffix != ".sqlite-shm"}
    store.close()
    for path, content in kept.items():
        path.write_bytes(content)
    assert not log or (cup / "arena.sqlite-wal").stat().st_size
    return cup


def _games(cup: Path) -> object:
    with closing(Store.open_damaged(cup)) as store:
        return store.meta("secret")


@pytest.mark.parametrize(
    "kind", [site, file, league, bot, results_set_aside, week, backup, damaged_store]
)
def test_whenever_it_is_killed_nothing_is_lost_or_half_written(
    kind: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    start = tmp_path / "start"
    start.mkdir()
    kind(start, tmp_path / "at")
