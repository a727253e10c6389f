"""What `--cluster` may say."""

import pytest

from arena.cluster import address as clusters
from arena.cluster.address import Cluster, parse_cluster
from arena.errors import UsageError


@pytest.fixture(autouse=True)
def _dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "find_spec", lambda name: name)


@pytest.mark.parametrize(
    ("word", "exposed"),
    [
        ("tcp://127.0.0.1:8786", False),
        ("tcp://localhost:8786", False),
        ("tcp://[::1]:8786", False),
        ("tcp://10.0.0.4:8786", True),
        ("tcp://head.example:8786", True),
        ("tls://head.example:8786", False),
    ],
)
def test_an_address_is_taken_and_exposed_if_it_leaves_this_machine_in_the_clear(
    word: str, exposed: bool
) -> None:
    found = parse_cluster(word, slow_hosts=False)
    assert found == Cluster(word)
    assert found.exposed is exposed


def test_workers_of_this_machine_are_counted() -> None:
    assert parse_cluster("local:3", slow_hosts=True) == Cluster("", 3, True)


@pytest.mark.parametrize(
    ("word", "what"),
    [
        ("local:0", "name 1 to 1,024 workers"),
        ("local:1025", "name 1 to 1,024 workers"),
        ("local:", "is no address"),
        ("local:two", "is no address"),
        ("head:8786", "is no address"),
        ("tcp://head", "is no address"),
        ("tcp://:8786", "is no address"),
        ("tcp://head:0", "is no address"),
        ("tcp://head:99999", "is no address"),
        ("tcp://head:8786/status", "is no address"),
        ("tcp://me@head:8786", "is no address"),
        ("http://head:8786", "is no address"),
        ("tcp://[::1:8786", "is no address"),
        ("", "is no address"),
    ],
)
def test_what_names_no_cluster_is_told_what_does(word: str, what: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_cluster(word, slow_hosts=False)
    assert str(error.value).startswith(f"--cluster {word!r}: {what}")


def test_without_dask_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install '\.\[cluster\]'"):
        parse_cluster("local:2", slow_hosts=False)
