"""Which scheduler `--cluster` names, what is said where none can be had, and who reaches one."""

import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from arena.cluster import scheduler
from arena.cluster.scheduler import Cluster, parse_cluster
from arena.errors import USAGE, UsageError
from tests import intruder, loops
from tests.clusters import LEAGUE, SLOW, certificates, cluster, given
from tests.intruder import answers, listeners
from tests.leagues import SMALL, main, make
from tests.needs import needs_cluster
from tests.processes import children_of

dask = needs_cluster()
pytest.importorskip("distributed")  # whose defaults would else go with a test's configuration


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
    found = parse_cluster(word)
    assert found == Cluster(word)
    assert found.is_exposed is exposed
    assert parse_cluster("local:3") == Cluster("", 3)


@pytest.mark.parametrize(
    "word",
    [
        "local:0", "local:1025", "local:", "local:two", "head:8786", "tcp://head", "tcp://:8786",
        "tcp://head:0", "tcp://head:99999", "tcp://head:8786/status", "tcp://me@head:8786",
        "http://head:8786", "tcp://[::1:8786", "",
    ],
)  # fmt: skip
def test_what_names_no_cluster_is_told_what_does(word: str) -> None:
    what = "give 1 to 1,024 workers" if word in ("local:0", "local:1025") else "not an address"
    with pytest.raises(UsageError) as error:
        parse_cluster(word)
    assert str(error.value).startswith(f"--cluster {word!r}: {what}")


def test_without_dask_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'botarena\[cluster\]'"):
        parse_cluster("local:2")


@contextmanager
def answering(answer: bytes, stays: bool = True) -> Iterator[str]:
    """Give the address of a program that says that to whoever calls, and hangs up, or `stays`."""

    def answer_all() -> None:
        with suppress(OSError), ExitStack() as kept:  # until it is over
            while True:
                called = kept.enter_context(listening.accept()[0])
                called.sendall(answer)
                if not stays:
                    called.close()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=answer_all, daemon=True).start()
        yield f"127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)


def files_of(authority: str, holder: str) -> tuple[str, ...]:
    """Return the options of who holds a certificate."""
    pair = ("--tls-cert", f"{holder}.pem", "--tls-key", f"{holder}.key")
    return ("--tls-ca-file", authority, *pair)


def said(folder: Path, address: str, tls: Mapping[str, str] | None = None) -> str:
    """Return the last line that is said of a cluster that is no good."""
    config = make(folder, SMALL)
    configured = {f"distributed.comm.tls.{key}": file for key, file in (tls or {}).items()}
    with dask.config.set(configured):
        done = main("tournament", config, "--cluster", address)
    assert (done.returncode, done.stdout) == (USAGE, b"")
    assert not (folder / "results").exists()
    *_, last = done.stderr.decode().splitlines()
    assert last.startswith(f"{address}: ")
    return last.removeprefix(f"{address}: ")


@pytest.mark.whole
def test_where_nobody_listens_or_answers_nobody_is_reached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduler, "CONNECT_S", 0.5)
    monkeypatch.setattr(scheduler, "GREET_S", 2.0)
    with socket.socket() as taken:  # and never listened on
        taken.bind(("127.0.0.1", 0))
        line = said(tmp_path, f"tcp://127.0.0.1:{taken.getsockname()[1]}")
    assert line.startswith("no scheduler reachable there (")
    assert "start one with `dask scheduler --no-dashboard --preload arena.cluster.no_http`" in line
    assert "object at 0x" not in line
    with answering(b"") as address:  # and is not waited for for ever
        line = said(tmp_path, f"tcp://{address}")
    assert line.startswith("no scheduler reachable there (no answer in time); start one")
    with answering(b"", stays=False) as address:
        line = said(tmp_path, f"tcp://{address}")
    assert line.startswith("no scheduler reachable there (")
    assert "<" not in line


@pytest.mark.whole
@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", bytes(64)]
)
def test_another_program_s_port_is_told_from_a_scheduler_s(tmp_path: Path, answer: bytes) -> None:
    with answering(answer) as address:
        line = said(tmp_path, f"tcp://{address}")
    assert line.startswith("the server there is not a scheduler of this Dask version ('")
    assert line.endswith("; name the address that `dask scheduler` prints")


@pytest.mark.whole
def test_files_of_tls_that_are_wrong_are_named_each(tmp_path: Path) -> None:
    authority, own = certificates(tmp_path)
    (tmp_path / "other").mkdir()
    _, other = certificates(tmp_path / "other")
    good = {"ca-file": authority, "client.cert": f"{own}.pem", "client.key": f"{own}.key"}
    nowhere, text = str(tmp_path / "nowhere.pem"), str(make(tmp_path, SMALL))
    for key, file, line in (
        ("ca-file", nowhere, f"{nowhere}: No such file or directory"),
        ("client.key", nowhere, f"{nowhere}: No such file or directory"),
        ("ca-file", text, f"{text}: is not an authority's certificate (no certificate or crl fou"),
        ("client.key", text, f"{own}.pem: is not the certificate of {text} (PEM lib)"),
        ("client.key", f"{other}.key", f"{own}.pem: is not the certificate of {other}.key (key va"),
    ):
        told = said(tmp_path, "tls://127.0.0.1:1", good | {key: file})
        assert told.startswith(line)
        assert told.endswith("; Dask's configuration names this file for TLS")


@pytest.mark.whole
def test_tls_that_does_not_go_together_is_said(tmp_path: Path) -> None:
    authority, own = certificates(tmp_path)
    (tmp_path / "other").mkdir()
    _, other = certificates(tmp_path / "other")
    good = {"ca-file": authority, "client.cert": f"{own}.pem", "client.key": f"{own}.key"}
    with cluster(tmp_path, files_of(authority, own)) as hosts:
        address = hosts.address
        good |= {"client.cert": f"{other}.pem", "client.key": f"{other}.key"}
        refused = said(tmp_path, address, good)  # in one of three ways, by who is faster
        assert refused.endswith("give both sides certificates of the same authority")
        assert "<" not in refused  # no words for programmers
        plain = said(tmp_path, address.replace("tls://", "tcp://"))
        assert plain.endswith("or use tls:// if it uses TLS")
    with cluster(tmp_path / "other") as hosts:
        line = said(tmp_path, hosts.address.replace("tcp://", "tls://"), good)
    assert line == "the server there does not use TLS; use tcp://, or start it with TLS"


@pytest.mark.whole
def test_a_wrong_chain_opens_nothing_on_either_side(tmp_path: Path) -> None:
    """What a member gave away, what is out of date, what only names the authority: no scheduler
    runs anything for it, and no scheduler with it gets a secret.
    """
    from distributed import Security

    (tmp_path / "other").mkdir()
    authority, own = certificates(tmp_path)
    certificates(tmp_path / "other")  # whose authority has the same name
    by_a_host = given(tmp_path, "host", "guest")
    with open(f"{by_a_host}.pem", "a") as chain:
        chain.write(Path(f"{own}.pem").read_text())
    wrong = [by_a_host, given(tmp_path, "ca", "old", "-days", "-1"), str(tmp_path / "other/host")]

    def run_by(holder: str, address: str) -> str:
        files = Security(
            tls_ca_file=authority, tls_client_cert=f"{holder}.pem", tls_client_key=f"{holder}.key"
        ).get_connection_args("client")
        files["ssl_context"].verify_mode = ssl.CERT_NONE  # who attacks takes any scheduler
        return loops.run(intruder.asked_to_run(address, "run_function", **files))

    with cluster(tmp_path, files_of(authority, own)) as hosts:
        assert "runs functions as uid" in run_by(own, hosts.address)
        assert [run_by(holder, hosts.address) for holder in wrong] == ["", "", ""]
    good = {"ca-file": authority, "client.cert": f"{own}.pem", "client.key": f"{own}.key"}
    for number, holder in enumerate(wrong):
        (place := tmp_path / str(number)).mkdir()
        with cluster(place, files_of(authority, holder)) as hosts:
            assert said(tmp_path, hosts.address, good).startswith(
                "TLS fails with the server there (certificate verify failed: "
            )


@pytest.mark.whole
def test_hosts_started_as_arena_says_answer_no_http(tmp_path: Path) -> None:
    """In the clear they do all that another user asks of Dask: here the intruder is not refused."""
    with cluster(tmp_path) as hosts:
        hosts.worker("one")
        hosts.wait_for_workers(1)
        found = listeners({process.pid for process in hosts.processes.values()})
        answered = answers(found)
    assert len(found) == len(answered) == 2
    assert all("runs functions as uid" in each for each in answered)


@contextmanager
def playing(folder: Path) -> Iterator[set[int]]:
    """Give the pids of arena and of all its cluster's processes, once bots play there."""
    bots = dict.fromkeys(("ann", "bob", "cid", "dee"), SLOW)
    config = make(folder, LEAGUE.replace("deals = ", "deals = 10"), bots)  # it is not to end
    line = [sys.executable, "-m", "arena", "tournament", str(config), "--cluster", "local:1"]
    with subprocess.Popen(line) as process:
        try:
            # a scheduler, Dask's worker, arena's, its zygote, and three bots
            while len(found := children_of(process.pid)) < 7:
                assert process.poll() is None
            yield {process.pid, *found}
            process.send_signal(signal.SIGINT)
            process.wait()
        finally:
            process.kill()


@pytest.mark.whole
def test_another_user_finds_its_ports_and_gets_nothing_there(tmp_path: Path) -> None:
    with playing(tmp_path) as ours:
        found = listeners(ours)
        assert answers(found) == []
    assert len(found) >= 2, "a scheduler and a worker listen"
    assert [each for each in found if not each.address.is_loopback] == []
