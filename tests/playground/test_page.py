"""arena.playground.page: what `arena publish --play` writes, and what it takes."""

import json
import signal
import subprocess
import sys
import tarfile
from base64 import b64encode
from hashlib import sha256, sha512
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

from arena.errors import UsageError
from arena.league.files import Source
from arena.playground import page
from tests.leagues import copied, main, played_in
from tests.sessions import CHANCE, FIRST

CONFIG = """\
seed = 5
show_code = ["ann", "bob", "!bob", "third"]
games = [
    { game = "no_thanks", players = 3, deals = 1, seatings = 1 },
    { game = "sixteen", players = 2, deals = 1, bots = ["bots/ann.py", "bots/bob.py"] },
]
"""
BOTS = {"ann": CHANCE, "bob": FIRST, "third": f"import numpy\n{FIRST}", "champion": FIRST}
PYODIDE = {name: name.encode() for name in page.SUMS}


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of npm with small files, which are those that Arena knows."""
    sums = {name: sha512(data).hexdigest() for name, data in PYODIDE.items()}
    monkeypatch.setattr(page, "SUMS", sums)
    with tarfile.open(tmp_path / "pyodide.tgz", "w:gz") as package:
        for name, data in {**PYODIDE, "README.md": b"no part of it"}.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(data)
            package.addfile(member, BytesIO(data))
    return tmp_path / "pyodide.tgz"


def test_a_page_has_all_it_needs_beside_it_under_names_by_hash(
    packed: Path, tmp_path: Path
) -> None:
    results = played_in(tmp_path / "league", CONFIG, BOTS)
    done = main("publish", results, "--play", "--pyodide", packed)
    assert done.returncode == 0, done.stderr.decode()
    assert b"third: not on play.html: imports numpy" in done.stderr
    site = results / "site"
    text = (site / "play.html").read_text()
    assert "connect-src 'self'; frame-src 'self'" in text
    about = json.loads(text.split('id="about">')[1].split("</script>")[0])
    assert about["games"] == [
        {"game": "no_thanks", "title": "No Thanks!", "options": {}, "counts": [3, 4, 5]},
        {"game": "sixteen", "title": "Sixteen", "options": {}, "counts": [2, 4]},
    ]
    assert about["decide_ms"] == 5000
    assert about["strangers"] == ["ann"]
    assert "ann" in about["bots"]
    assert {"haggler", "ledger"} <= {*about["bots"]}  # house bots, which did not play
    assert not {"bob", "third", "champion", "arrays"} & {*about["bots"]}
    content = {name: (site / path).read_bytes() for name, path in about["files"].items()}
    for name, path in about["files"].items():
        assert path == f"play/{sha256(content[name]).hexdigest()[:16]}-{name}"
    assert about["bytes"] == sum(map(len, content.values()))
    assert {name: content[name] for name in PYODIDE} == PYODIDE
    names = ZipFile(BytesIO(content["arena.zip"])).namelist()
    assert {"driver.py", "games/sixteen/__init__.py", "bots/ann/bot.py"} <= {*names}
    assert not [name for name in names if "bob" in name or "cli" in name or "store" in name]
    for script in (site / "games").glob("*.js"):
        assert json.loads(script.with_suffix(".json").read_bytes())["actions"]
    before = {path: path.read_bytes() for path in (site / "play").iterdir()}
    main("publish", results, "--play", "--pyodide", packed)
    assert {path: path.read_bytes() for path in (site / "play").iterdir()} == before
    main("publish", results)
    assert not (site / "play.html").exists()


def test_the_frame_names_no_address_and_runs_its_one_script() -> None:
    frame = page.make_frame("let a = 1;").decode()
    policy = frame.split('content="')[1].split('"')[0]
    script = frame.split("<script>")[1].split("</script>")[0]
    sum = b64encode(sha256(script.encode()).digest()).decode()
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules == {
        "default-src": "'none'",
        "script-src": f"'sha256-{sum}' blob: 'wasm-unsafe-eval'",
        "worker-src": "blob:",
    }


def test_another_pyodide_is_refused_with_the_command_that_gets_it(
    packed: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "package"
    with tarfile.open(packed) as package:
        package.extractall(tmp_path, filter="data")
    assert page.read_pyodide(folder) == PYODIDE == page.read_pyodide(packed)
    (folder / "pyodide.mjs").write_text("other")
    with pytest.raises(UsageError, match=r"pyodide\.mjs is not that of version .*npm pack pyodide"):
        page.read_pyodide(folder)
    (folder / "pyodide.mjs").unlink()
    (folder / "pyodide.mjs").symlink_to(folder / "pyodide.asm.mjs")
    with pytest.raises(UsageError, match=r"has no pyodide\.mjs; get it with"):
        page.read_pyodide(folder)
    broken = tmp_path / "broken.tgz"
    broken.write_bytes(packed.read_bytes()[:60] + bytes(40) + packed.read_bytes()[100:])
    for path in (tmp_path / "none", Path(__file__), broken, Path("/dev/zero")):
        with pytest.raises(UsageError, match=r"--pyodide: .*get it with `npm pack"):
            page.read_pyodide(path)


@pytest.mark.parametrize("words", [("--play",), ("--pyodide", "x.tgz")])
def test_one_needs_the_other(words: tuple[str, ...], tmp_path: Path) -> None:
    done = main("publish", tmp_path, *words)
    assert done.returncode == 2
    assert b"--play" in done.stderr


@pytest.mark.whole
def test_a_site_is_served_to_this_machine_until_it_is_interrupted(
    played: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    results = copied(played, tmp_path / "league") / "results" / "cup"
    command = [sys.executable, "-m", "arena", "publish", str(results), "--to", str(site)]
    with subprocess.Popen([*command, "--serve"], stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            line = next(line for line in process.stderr if line.startswith("Serving"))
            with urlopen(f"{line.split()[1]}llms.txt", timeout=30) as answer:
                assert answer.read() == (site / "llms.txt").read_bytes()
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 130
        finally:
            process.kill()


def test_what_a_bot_imports_beside_python_arena_and_itself_is_foreign() -> None:
    code = b"import os, numpy.linalg\nfrom games import sixteen\nfrom helper import x\n"
    files = (("bot.py", code), ("helper.py", b"from scipy import y\nimport arena\n"))
    assert page.find_foreign(Source(files, is_folder=True)) == {"numpy", "scipy"}
    assert page.find_foreign(Source((("bot.py", b"import ("),))) == set()
