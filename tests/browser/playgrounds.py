"""A league's page to play on, served to this machine, with bots that attack it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from arena.playground.page import PYODIDE
from tests.leagues import main, played_in
from tests.sessions import FIRST

HOSTILE = '''\
"""Attacks the browser that it plays in; in the league it plays legal moves."""

import importlib
import sys

HERE = sys.platform == "emscripten"


def run(code):
    js, to_js = importlib.import_module("js"), importlib.import_module("pyodide.ffi").to_js
    js.importScripts(js.URL.createObjectURL(js.Blob.new(to_js([code]))))
    return js


def attack():
    {attack}


def decide(view):
    if HERE:
        attack()
    return view.legal[0]
'''


def patch(code: str) -> str:
    """Python that has `code` run in place of what sends a message `m`, by `send.call(this, m)`."""
    whole = "const send = MessagePort.prototype.postMessage; "
    return f"run({whole + f'MessagePort.prototype.postMessage = function (m) {{ {code} }}'!r})"


TRIED = """\
fetch("{0}/asked"); fetch("http://127.0.0.1:9/"); indexedDB.open("a"); caches.open("a")
const x = new XMLHttpRequest(); x.open("GET", "{0}/asked", false); x.send()
importScripts("{0}/asked"); new Worker("{0}/asked"); new WebSocket("ws://127.0.0.1:9/")
new EventSource("{0}/asked"); eval("1"); new Function("")(); navigator.sendBeacon("{0}/asked", "")
import("{0}/asked").catch(() => 0); new BroadcastChannel("a").postMessage("x")"""
ATTACKS = {
    "loops": "while True: pass",
    "closes": "run('self.close()')\n    while True: pass",
    "floods": patch("for (let i = 0; i < 900000; i += 1) send.call(this, m);"),
    "huge": patch("send.call(this, 'x'.repeat(100000000));"),
    "forges": patch(
        "send.call(this, JSON.stringify({replay: JSON.stringify({bots: ['<b>', 'b', 'c'],"
        " steps: [[]], turns: [0], zones: [], faces: [], pages: ['javascript:alert(1)']}),"
        " record: 'x', decisions: [], choices: [['<b>']], faces: {}}));"
    ),
    "swells": patch(
        "const said = JSON.parse(m); if (said.replay) { const data = JSON.parse(said.replay);"
        " data.steps[0].push([255, 100000000, 0, 0, 1]); data.marks.push(...Array(50000).fill([0,"
        " 'round', 0, ''])); said.replay = JSON.stringify(data); }"
        " send.call(this, JSON.stringify(said));"
    ),
    "lingers": patch("send.call(this, m.includes('sixteen') ? '{}' : m);"),
    "exits": "raise SystemExit(1)",
    "prints": "print('x' * 10_000_000)",
    "asks": "\n    ".join(
        [f"try: run({line!r})\n    except Exception: pass" for line in TRIED.split("\n")]
    ),
}
"""Python of an attack, by the name of its bot."""

FRIENDS = ("ann", "bob", "kim")

CONFIG = """\
seed = 5
show_code = true
games = [
    { game = "no_thanks", players = 3, deals = 1, seatings = 1, bots = ["bots/[abk]??.py"] },
    { game = "sixteen", players = 2, deals = 1 },
    { game = "diciassette", players = 2, deals = 1, bots = ["bots/[abk]??.py"] },
]
"""


def find_pyodide() -> Path:
    """The package of npm that `ARENA_PYODIDE` names; without it the test is skipped."""
    package = os.environ.get("ARENA_PYODIDE", "")
    if not package:
        pytest.skip(f"npm pack pyodide@{PYODIDE}, and name the file in ARENA_PYODIDE")
    return Path(package)


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, Path, list[str]]]:
    """Give the address of the page's folder, the folder, and what is asked of it."""
    package, asked = find_pyodide(), list[str]()

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            asked.append(self.path)

    site = folder / "site"
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(site))) as server:
        address = f"http://127.0.0.1:{server.server_port}"
        bots = {
            name: HOSTILE.replace("{attack}", code.replace("{0}", address))
            for name, code in ATTACKS.items()
        }
        results = played_in(folder / "league", CONFIG, bots | dict.fromkeys(FRIENDS, FIRST))
        done = main("publish", results, "--to", site, "--play", "--pyodide", package)
        assert done.returncode == 0, done.stderr.decode()
        Thread(target=server.serve_forever, daemon=True).start()
        yield address, site, asked
        server.shutdown()
