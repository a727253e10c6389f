"""What `--cluster local:N` starts is for whoever started it, and for no other user."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.clusters import LEAGUE, SLOW
from tests.intruder import answers, listeners
from tests.leagues import make
from tests.needs import needs_cluster
from tests.processes import children_of

needs_cluster()

pytestmark = pytest.mark.whole


@contextmanager
def playing(folder: Path) -> Iterator[set[int]]:
    """Give the pids of arena and of all its cluster's processes, once bots play there."""
    config = make(folder, LEAGUE, dict.fromkeys(("ann", "bob", "cid", "dee"), SLOW))
    line = [sys.executable, "-m", "arena", "tournament", str(config), "--cluster", "local:1"]
    with (folder / "said").open("wb") as said, subprocess.Popen(line, stderr=said) as process:
        try:
            # a scheduler, Dask's worker, arena's, its zygote, and three bots
            while len(found := children_of(process.pid)) < 7:
                assert process.poll() is None, (folder / "said").read_text()
            yield {process.pid, *found}
            process.send_signal(signal.SIGINT)
            process.wait()
        finally:
            process.kill()


def test_another_user_finds_its_ports_and_gets_nothing_there(tmp_path: Path) -> None:
    with playing(tmp_path) as ours:
        found = listeners(ours)
        answered = answers(found)
    assert len(found) >= 2, "a scheduler and a worker listen"
    assert answered == []
    assert [each for each in found if not each.address.is_loopback] == []
