"""The file that shards are played by: whole, secret, and refused where it is not what it was."""

import json
from pathlib import Path
from random import Random

import pytest

from arena.errors import UsageError
from arena.model import Anchor, Bot, Entry, Limits, Pool, Settle, StoredPlan
from arena.runner import plan_file
from arena.runner.plan_file import Planned, read, write
from arena.schedule.choices import Choice, Turned
from arena.schedule.stages import at_look

POOL = Pool("no_thanks", 3, "{}", "")
BOTS = tuple(Bot(name, "ab" * 32) for name in ("ann", "bob", "cid", "dee"))
SETTLED = at_look(
    Entry(POOL, BOTS, 20, "auto", True, ((0, 1, 2), (1, 2, 3)), ("bob",), Settle(0.9, 20, 5, 10)), 3
)
PLAN = StoredPlan("cup", False, "walls", Limits(cpu_ms=50), (SETTLED,), (Anchor(POOL, "bob", 25),))
CHOICE = Choice(
    POOL, (("ann", "bob", "cid"),), True, 0.5, (Turned(6, (("ann", "bob", "cid"),), (1,)),)
)
PLANNED = Planned(PLAN, b"0123456789abcdef", {POOL: CHOICE}, {"no_thanks": 1}, {"arena": "0"})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cup.plan"
    write(path, PLANNED)
    return path


def test_all_of_it_comes_back(file: Path) -> None:
    assert read(file) == PLANNED


def test_nobody_else_may_read_it_from_the_first_byte_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes = []
    monkeypatch.setattr("os.fsync", lambda fd: modes.append((tmp_path / ".cup.plan.draft").stat()))
    write(tmp_path / "cup.plan", PLANNED)
    assert [mode.st_mode & 0o777 for mode in modes] == [0o600]
    assert (tmp_path / "cup.plan").stat().st_mode & 0o777 == 0o600
    assert not plan_file.open_to_others(tmp_path / "cup.plan")
    (tmp_path / "cup.plan").chmod(0o640)
    assert plan_file.open_to_others(tmp_path / "cup.plan")
    write(tmp_path / "cup.plan", PLANNED)  # once more, over that
    assert (tmp_path / "cup.plan").stat().st_mode & 0o777 == 0o600


def test_every_byte_that_is_lost_or_changed_is_seen(file: Path, seed: int) -> None:
    whole, rng = file.read_bytes(), Random(seed)
    start = whole.index(b'"sha256"')  # before, words for people
    for at in rng.sample(range(start, len(whole) - 2), 200):
        changed = bytearray(whole)
        changed[at] ^= 1 << rng.randrange(7)
        for text in (bytes(changed), whole[:at]):
            file.write_bytes(text)
            with pytest.raises(UsageError) as told:
                read(file)
            (line,) = told.value.args
            assert line.startswith(f"{file}: is ")


def test_another_arena_s_file_is_refused(file: Path) -> None:
    text = file.read_text()
    file.write_text(text.replace('"arena_plan": 2', '"arena_plan": 1'))
    with pytest.raises(UsageError, match="is of version 1; this arena reads 2"):
        read(file)
    content = text.partition('"content": ')[2].removesuffix("}\n")
    for old, new, why in (('"no_thanks", 3', '"no_such", 3', "the game 'no_such' is not here"),):
        changed = content.replace(old, new)
        told = {"arena_plan": 2, "warning": "", "sha256": plan_file._sum(changed.encode())}
        file.write_text(f'{json.dumps(told)[:-1]},"content":{changed}}}')
        with pytest.raises(UsageError, match=why):
            read(file)


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[1]", b"[" * 100_000, b"\xff", b'{"arena_plan":']
)
def test_what_is_no_such_file_is_said_in_one_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "cup.plan"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"^[^\n]*is no plan of arena's, or not all of one"):
        read(file)


def test_it_takes_the_place_of_nothing_else(tmp_path: Path) -> None:
    config = tmp_path / "cup.toml"
    config.write_text("seed = 1")
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "elsewhere")
    for path in (config, tmp_path, link, Path("/dev/null")):
        with pytest.raises(UsageError, match="is something else than a plan of arena's"):
            write(path, PLANNED)
    with pytest.raises(UsageError, match="is no folder; make it first"):
        write(tmp_path / "not there" / "cup.plan", PLANNED)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cup.toml", "link"]
    assert config.read_text() == "seed = 1"
