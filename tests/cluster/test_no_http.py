"""What listens where Dask is started as arena says: what TLS can cover, and nothing else."""

from pathlib import Path

import pytest

from tests.clusters import cluster
from tests.intruder import answers, listeners
from tests.needs import needs_cluster

needs_cluster()

pytestmark = pytest.mark.whole


def test_hosts_that_are_started_as_arena_says_answer_no_http(tmp_path: Path) -> None:
    """In the clear they do all that another user asks of Dask: here the intruder is not refused."""
    with cluster(tmp_path) as hosts:
        hosts.worker("one")
        hosts.wait_for_workers(1)
        found = listeners({process.pid for process in hosts.processes.values()})
        answered = answers(found)
    assert len(found) == len(answered) == 2
    assert all("runs functions as uid" in each for each in answered)
