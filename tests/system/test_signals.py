"""Signals: whoever asks arena to end is heard, whatever it is at."""

import signal
import subprocess
import sys

import pytest

from arena.errors import INTERRUPTED

DEAF = """
import sqlite3, sys
from arena.system import signals
signals.stop_at_once(deaf_s=0.5)
endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
try:
    print("begun", flush=True)
    sqlite3.connect(":memory:").execute(endless).fetchone()
except signals.Stopped:  # it came before the query
    sys.exit(signals.say_stopped())
"""


@pytest.mark.whole
@pytest.mark.parametrize(
    ("number", "command", "safe"),
    [(signal.SIGTERM, "match", b"; saved games are safe"), (signal.SIGHUP, "publish", b"")],
)
def test_a_step_without_an_end_is_ended_by_a_signal(
    number: signal.Signals, command: str, safe: bytes
) -> None:
    program = [sys.executable, "-c", DEAF, command]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(number)
        try:
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode in (INTERRUPTED, 1)
    assert said == b"stopped at once" + safe + b"\n"
