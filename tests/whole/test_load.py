"""What the walls promise of whole tournaments: nobody loses by load, nobody is left behind."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from tests.leagues import BOTS, PROGRAM, SMALL, main, make, wait_for_games
from tests.places import source
from tests.processes import all_gone, busy_loops, children_of, command_of, parent_of, remains
from tests.sessions import FIRST

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time


@pytest.mark.long
def test_a_loaded_machine_makes_no_losers(tmp_path: Path) -> None:
    """Decisions of 10 ms of CPU against a limit of 30, with four loops on the same cores."""
    with busy_loops(4):
        ann = source("thinks_4_ms").replace("0.004", "0.01")
        process = thinking(tmp_path, ann, cpu_ms=30, deals=1)
        assert not any(faults_of(process, tmp_path).values())


def started(tmp_path: Path) -> tuple["subprocess.Popen[bytes]", set[int]]:
    """Start a long tournament, and return it with all its processes once it plays."""
    config = make(tmp_path, SMALL.replace("deals = 2", "deals = 4000"), BOTS)
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [*PROGRAM, "tournament", str(config), "-q"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
        env=os.environ | {"TMPDIR": str(tmp_path / "tmp")},
    )  # fmt: skip
    wait_for_games(tmp_path / "results" / "cup", 1, process)
    family = children_of(process.pid)
    assert len(family) >= 6, family  # two workers, their zygotes, and bots
    return process, family


def test_asked_to_stop_it_says_how_to_go_on_and_leaves_nobody(tmp_path: Path) -> None:
    process, family = started(tmp_path)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does by Ctrl-C: the whole group
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    (saved,) = re.findall(rb"Interrupted\. ([\d,]+) games played and saved, ", said)
    assert f"To resume: arena tournament {tmp_path}/tournaments/cup.toml".encode() in said
    assert all_gone(family)
    assert os.listdir(tmp_path / "tmp") == []
    kept = main("records", tmp_path / "results" / "cup").stdout.splitlines()
    assert len(kept) == int(saved.replace(b",", b""))


def test_asked_twice_it_stops_at_once(tmp_path: Path) -> None:
    process, family = started(tmp_path)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said.count(b"\n")) == (130, 1), said.decode()  # and no traceback
    assert all_gone(family)
    assert os.listdir(tmp_path / "tmp") == []


def test_after_kill_9_of_the_arena_nobody_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, family = started(tmp_path)
    process.kill()
    process.communicate()
    assert all_gone(family)
    assert len(os.listdir(tmp_path / "tmp")) == 1  # no process was left to take the snapshots away
    assert main("records", tmp_path / "results" / "cup").stdout  # stored is safe
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    tiny = 'games = [{ game = "sixteen", players = 2, deals = 1 }]\n'
    after = main("tournament", make(tmp_path / "other", tiny), "-q")
    assert (after.returncode, os.listdir(tmp_path / "tmp")) == (0, [])  # its own neither


@pytest.mark.long
def test_where_all_are_stopped_and_the_bots_go_on_last_nobody_is_faulted(tmp_path: Path) -> None:
    """As by Ctrl-Z and `fg`, in the order that is worst for bots."""
    process = thinking(tmp_path)
    for _ in range(4):
        family = {process.pid} | children_of(process.pid)
        bots = bots_of(process.pid)
        for number, pids in (
            (signal.SIGSTOP, [*(family - bots), *bots]),
            (signal.SIGCONT, family - bots),
            (signal.SIGCONT, bots),
        ):
            for pid in pids:
                with suppress(ProcessLookupError):  # the session is over that it played in
                    os.kill(pid, number)
            assert remains(process, 0.4)
    assert not any(faults_of(process, tmp_path).values())


def test_whom_the_kernel_ends_for_want_of_memory_has_memory_faults_and_nobody_else(
    tmp_path: Path,
) -> None:
    """That signal is the same as one that a bot sends itself."""
    for root, file in (
        ("/sys/fs/cgroup", "memory.max"), ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
    ):  # fmt: skip
        group = Path(root) / f"arena-test-{os.getpid()}"
        with suppress(OSError):
            group.mkdir()
        if (group / file).exists():
            break
        with suppress(OSError):
            group.rmdir()
    else:
        pytest.skip("no control group can be made here that limits memory")
    try:
        (group / file).write_text(str(64 << 20))
        ann = "def decide(view): b'x' * (96 << 20); return view.legal[0]\n"
        process = thinking(tmp_path, ann, cpu_ms=10_000)  # the kernel looks long for room
        for forks in (zygotes_of, bots_of):  # zygotes first: whom they fork then is in the group
            for pid in forks(process.pid):
                with suppress(ProcessLookupError):  # ended for want of memory meanwhile
                    (group / "cgroup.procs").write_text(str(pid))
        faults = faults_of(process, tmp_path)
    finally:
        for left in (group / "cgroup.procs").read_text().split():
            (group.parent / "cgroup.procs").write_text(left)
        group.rmdir()
    assert {"memory"} <= {*faults["ann"]} <= {"memory", "strikes"}
    assert faults["bob"] == faults["cid"] == {}


def thinking(
    tmp_path: Path, ann: str = "", cpu_ms: int = 100, deals: int = 8
) -> "subprocess.Popen[bytes]":
    """Start a tournament of seconds, and return it with bots; one is `ann`, or thinks all along."""
    game = f"[[games]]\ngame = 'no_thanks'\nplayers = 3\ndeals = {deals}\nseatings = 3\n"
    bots = {"ann": ann or source("thinks_4_ms"), "bob": FIRST, "cid": FIRST}
    config = make(tmp_path, f"seed = 5\nlimits = {{ cpu_ms = {cpu_ms} }}\n{game}", bots)
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "tournament", str(config), "-q"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    while not bots_of(process.pid):
        assert remains(process)
    return process


def bots_of(pid: int) -> set[int]:
    zygotes = zygotes_of(pid)
    return {child for child in zygotes if parent_of(child) in zygotes}


def zygotes_of(pid: int) -> set[int]:
    """Return the workers' zygotes, and the bots, their forks; not who tries the sandbox."""
    found = {child for child in children_of(pid) if b"arena.sandbox.zygote" in command_of(child)}
    return {child for child in found if parent_of(child) != pid}


def faults_of(process: "subprocess.Popen[bytes]", folder: Path) -> dict[str, dict[str, int]]:
    """Wait for the end of a tournament; return the faults of each bot by kind."""
    process.communicate(timeout=120)
    document = json.loads((folder / "results" / "cup" / "standings.json").read_text())
    return {row["bot"]: row["faults"] for row in document["overall"]}
