"""What a machine refuses a bot's process: each command names its layer, its error and what to do,
and no bot is charged for it.
"""

import errno
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import UNCONFINABLE, ArenaError
from arena.league.files import sweep_snapshots
from arena.model import Limits
from arena.process import asker, zygote_client
from arena.process.refusal import Refusal
from arena.process.zygote_client import ZygoteClient
from arena.sandbox.refused import Refused, pack, unpack
from tests.leagues import main, make
from tests.refusals import run_refused

PROCESSES, RIGHTS, SEATS = "processes", "rights", "system calls"
REFUSED = [
    ("listener", errno.EBUSY, SEATS, "networkingMode=mirrored"),
    ("seccomp", errno.EPERM, SEATS, "container"),
    ("seccomp", errno.EINVAL, SEATS, "kernel"),
    ("landlock_create_ruleset", errno.ENOSYS, "Landlock", "use Linux 5.13 or newer"),
    ("landlock_restrict_self", errno.EPERM, "Landlock", "container runtime from 2022"),
    ("landlock_add_rule", errno.EPERM, "Landlock", "container runtime from 2022"),
    ("capset", errno.EPERM, RIGHTS, "container"),
    ("prctl", errno.EPERM, RIGHTS, "container"),
    ("prlimit64", errno.EPERM, "limits", "container"),
    ("pidfd_open", errno.EPERM, PROCESSES, "container"),
    ("pidfd_open", errno.ENOSYS, PROCESSES, "kernel"),
    ("pidfd_send_signal", errno.EPERM, PROCESSES, "container"),
    ("memfd_create", errno.EPERM, PROCESSES, "container"),
    ("socketpair", errno.EPERM, PROCESSES, "container"),
    ("sendmsg", errno.EPERM, PROCESSES, "container"),
    ("recvmsg", errno.EPERM, PROCESSES, "container"),
    ("getsockname", errno.EPERM, PROCESSES, "container"),
    ("clone", errno.EAGAIN, PROCESSES, "ulimit -u"),
    ("ftruncate", errno.ENOMEM, PROCESSES, "memory"),
    ("setsid", errno.EPERM, PROCESSES, "container"),
]  # fmt: skip
"""Calls on the way of a bot's process: the layer and the remedy that are named."""


@pytest.mark.whole
@pytest.mark.parametrize(("call", "error", "layer", "remedy"), REFUSED)
def test_the_doctor_s_table_names_a_call_that_is_refused(
    call: str, error: int, layer: str, remedy: str
) -> None:
    done = run_refused(("doctor",), call, error)
    lines = done.stdout.splitlines()
    wrong = next(at for at, line in enumerate(lines) if line.startswith("NO  "))
    name = "seccomp" if call == "listener" else call
    assert lines[0].startswith("ok  kernel"), done.stdout
    assert lines[wrong].startswith(f"NO  {layer}: ")
    assert name in lines[wrong]
    assert errno.errorcode[error] in lines[wrong]
    assert remedy in lines[wrong + 1]
    assert lines[-1] == "sandbox: not complete"
    assert (done.returncode, done.stderr) == (UNCONFINABLE, "")


@pytest.mark.whole
@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("listener", "tournament tournaments/cup.toml --results new"),
        ("listener", "match ann bob --game sixteen --results new"),
        ("listener", "verify results/cup --replay-bots 1"),
        ("memfd_create", "tournament tournaments/cup.toml --results new"),
        ("memfd_create", "check ann"), ("memfd_create", "play sixteen ann"),
        ("memfd_create", "rerun results/cup ann"), ("memfd_create", "explain results/cup ann"),
        ("memfd_create", "audit results/cup"),
    ],
)  # fmt: skip
def test_no_command_plays_there_and_nothing_is_written(played: Path, call: str, words: str) -> None:
    error = errno.EBUSY if call == "listener" else errno.EPERM
    done = run_refused(tuple(words.split()), call, error, played)
    name = "seccomp" if call == "listener" else call
    assert done.stderr.splitlines()[-1].startswith(
        f"bots cannot be sandboxed here: {name} fails with "
    )
    assert ("--unconfined" in done.stderr) == (call == "listener")  # which needs the other, too
    assert "Traceback" not in done.stderr
    assert done.returncode == UNCONFINABLE
    assert not (played / "new").exists()


@pytest.mark.whole
def test_without_walls_too_it_is_no_bot_s_fault(tmp_path: Path) -> None:
    config = make(tmp_path)
    done = run_refused(("tournament", config, "--unconfined"), "capset", errno.EPERM)
    assert "capset fails with EPERM (layer: rights); " in done.stderr
    assert done.returncode == UNCONFINABLE


@pytest.mark.whole
def test_a_replay_that_cannot_start_its_bots_is_no_finding(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise Refusal(OSError(errno.EAGAIN, ""), "clone")

    monkeypatch.setattr(asker, "find_unloadable", refused)
    done = main("verify", league / "results" / "cup", "--replay-bots", 1)
    assert b"bots cannot be started here: clone fails with EAGAIN" in done.stderr
    assert done.returncode == UNCONFINABLE


IN_ITS_CHILDREN = """\
import os, signal
from arena.sandbox import walls
limit, fork, forks = walls.limit_child, os.fork, 0
def counted():
    global forks
    forks += 1
    return fork()
def ends(*limits):
    if {when}: {what}
    limit(*limits)
os.fork, walls.limit_child = counted, ends
"""
KILLED = "os.kill(os.getpid(), signal.SIGKILL)"
SHORT = "raise BlockingIOError(11, 'short')"


@pytest.fixture(params=["walls", "none"])
def confined(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "walls")


def trouble(monkeypatch: pytest.MonkeyPatch, when: str, what: str) -> None:
    """Have the children of new zygotes meet trouble before their harness begins."""
    code = IN_ITS_CHILDREN.format(when=when, what=what)
    boot = zygote_client._BOOT.replace("main({fd}", f"exec({code!r})\nmain({{fd}}")
    monkeypatch.setattr(zygote_client, "_BOOT", boot)


@pytest.mark.parametrize("what", [KILLED, SHORT])
def test_a_process_that_is_lost_before_its_bot_is_read_is_started_again_three_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, confined: bool, what: str
) -> None:
    (tmp_path / "bot.py").write_text("def decide(view): return view.legal[0]\n")
    trouble(monkeypatch, "forks <= 3", what)
    with closing(ZygoteClient(confined)) as zygote:
        bot = zygote.start(tmp_path, Limits())
        assert bot.load() is None
        bot.end()
        assert len(zygote.pids()) == 1  # those that were lost are reaped


@pytest.mark.parametrize(
    ("what", "why"),
    [(KILLED, "killed by the kernel, most likely because memory"), (SHORT, "short")],
)
def test_lost_four_times_it_is_the_machine_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, confined: bool, what: str, why: str
) -> None:
    (tmp_path / "bot.py").touch()
    trouble(monkeypatch, "True", what)
    with closing(ZygoteClient(confined)) as zygote, pytest.raises(Refusal, match=why):
        zygote.start(tmp_path, Limits())


@pytest.mark.parametrize("code", ["import os; os._exit(1)", "import os; os.kill(os.getpid(), 9)"])
def test_what_ends_a_process_after_that_is_its_bot_s(
    tmp_path: Path, zygote: ZygoteClient, code: str
) -> None:
    """Though it writes whatever it likes to each descriptor that it might have."""
    told = f"import os\nfor fd in range(3, 64):\n    try: os.write(fd, {pack(Refused('x', 1))!r})\n"
    (tmp_path / "bot.py").write_text(f"{told}    except OSError: pass\n{code}\n")
    reason = zygote.start(tmp_path, Limits()).load()
    assert reason is not None
    assert reason.kind == "load"


def test_an_error_goes_through_a_message() -> None:
    told = unpack(pack(Refused("capset", errno.EPERM, "allow it")))
    assert told is not None
    assert (told.call, told.errno, told.text) == ("capset", errno.EPERM, "allow it")
    other = unpack(pack(FileNotFoundError(errno.ENOENT, "No such file", "/proc/self/statm")))
    assert other is not None
    assert "here: [Errno 2] No such file: '/proc/self/statm' (layer: " in str(Refusal(other, ""))
    assert unpack(b"ready") is None


def test_a_copy_that_was_tidied_away_is_no_bot_s_fault(
    tmp_path: Path, zygote: ZygoteClient
) -> None:
    """As tmpreaper does it, in the middle of play."""
    with pytest.raises(ArenaError, match="copy was removed"):
        zygote.start(tmp_path / "gone", Limits())


def test_what_a_killed_arena_leaves_of_the_probe_is_removed_like_other_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = (
        "import os, tempfile; from arena.process import doctor\n"
        f"tempfile.tempdir = {str(tmp_path)!r}\n"
        "with doctor._probe_snapshot(): os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    assert len(list(tmp_path.iterdir())) == 1
    sweep_snapshots()
    assert list(tmp_path.iterdir()) == []
