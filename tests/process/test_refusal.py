"""What a machine refuses a bot's process is named with layer and remedy, and charged to none."""

import errno
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

from arena.errors import UNCONFINABLE, ArenaError
from arena.model import Limits
from arena.process import asker, zygote_client
from arena.process.refusal import Refusal
from arena.process.zygote_client import ZygoteClient
from arena.sandbox.refused import Refused, pack
from tests.leagues import main, make
from tests.refusals import run_refused

PROCESSES, RIGHTS, SEATS = "processes", "rights", "system calls"
REFUSED = [  # calls on the way of a bot's process, with the layer and the remedy that are named
    ("listener", errno.EBUSY, SEATS, "networkingMode=mirrored"),
    ("seccomp", errno.EPERM, SEATS, "container"),
    ("seccomp", errno.EINVAL, SEATS, "kernel"),
    ("landlock_create_ruleset", errno.ENOSYS, "Landlock", "use Linux 5.13 or newer"),
    ("landlock_restrict_self", errno.EPERM, "Landlock", "container runtime from 2022"),
    ("capset", errno.EPERM, RIGHTS, "container"),
    ("prlimit64", errno.EPERM, "limits", "container"),
    ("pidfd_open", errno.EPERM, PROCESSES, "container"),
    ("pidfd_send_signal", errno.EPERM, PROCESSES, "container"),
    ("memfd_create", errno.EPERM, PROCESSES, "container"),
    ("clone", errno.EAGAIN, PROCESSES, "ulimit -u"),
    ("ftruncate", errno.ENOMEM, PROCESSES, "memory"),
]  # fmt: skip


@pytest.mark.whole
@pytest.mark.parametrize(("call", "error", "layer", "remedy"), REFUSED)
def test_the_doctor_s_table_names_a_call_that_is_refused(
    call: str, error: int, layer: str, remedy: str
) -> None:
    done = run_refused(("doctor",), call, error)
    lines = done.stdout.splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("NO  "))
    assert lines[0].startswith("ok  kernel"), done.stdout
    assert lines[at].startswith(f"NO  {layer}: ")
    assert ("seccomp" if call == "listener" else call) in lines[at]
    assert errno.errorcode[error] in lines[at]
    assert remedy in lines[at + 1]
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
    said = f"bots cannot be sandboxed here: {name} fails with "
    assert done.stderr.splitlines()[-1].startswith(said)
    assert ("--unconfined" in done.stderr) == (call == "listener")  # which needs the other, too
    assert "Traceback" not in done.stderr
    assert done.returncode == UNCONFINABLE
    assert not (played / "new").exists()


@pytest.mark.whole
def test_without_walls_too_it_is_no_bot_s_fault(tmp_path: Path) -> None:
    words = ("tournament", make(tmp_path), "--unconfined")
    done = run_refused(words, "capset", errno.EPERM)
    assert "capset fails with EPERM (layer: rights); " in done.stderr
    assert done.returncode == UNCONFINABLE


@pytest.mark.whole
def test_a_replay_that_cannot_start_its_bots_is_no_finding(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = Mock(side_effect=Refusal(OSError(errno.EAGAIN, ""), "clone"))
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


@pytest.mark.parametrize("confined", [True, False])
@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed by the kernel, most likely because mem"),
        ("raise BlockingIOError(11, 'short')", "short"),
    ],
)
def test_what_is_lost_before_its_bot_is_read_is_started_again_until_it_is_lost_four_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, confined: bool, what: str, why: str
) -> None:
    (tmp_path / "bot.py").write_text("def decide(view): return view.legal[0]\n")
    usual = zygote_client._BOOT
    for when in ("forks <= 3", "True"):
        code = IN_ITS_CHILDREN.format(when=when, what=what)
        boot = usual.replace("main({fd}", f"exec({code!r})\nmain({{fd}}")
        monkeypatch.setattr(zygote_client, "_BOOT", boot)
        with closing(ZygoteClient(confined)) as zygote:
            if when == "True":
                with pytest.raises(Refusal, match=why):
                    zygote.start(tmp_path, Limits())
            else:
                bot = zygote.start(tmp_path, Limits())
                assert bot.load() is None
                bot.end()
                assert len(zygote.pids()) == 1  # those that were lost are reaped


@pytest.mark.parametrize("code", ["import os; os._exit(1)", "import os; os.kill(os.getpid(), 9)"])
def test_what_ends_a_process_after_that_is_its_bot_s(
    tmp_path: Path, zygote: ZygoteClient, code: str
) -> None:
    told = f"import os\nfor fd in range(3, 64):\n    try: os.write(fd, {pack(Refused('x', 1))!r})\n"
    (tmp_path / "bot.py").write_text(f"{told}    except OSError: pass\n{code}\n")
    reason = zygote.start(tmp_path, Limits()).load()
    assert reason is not None
    assert reason.kind == "load"


def test_a_copy_that_is_gone_is_no_bot_s_fault(tmp_path: Path, zygote: ZygoteClient) -> None:
    with pytest.raises(ArenaError, match="copy was removed"):
        zygote.start(tmp_path / "gone", Limits())
