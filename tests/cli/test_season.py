"""`arena history`: the weeks of a league, and a bot's way through them."""

import json
import re
import zlib
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from arena.store.history import read_weeks
from arena.store.store import Store
from arena.tables.results import make_history
from tests.leagues import BOTS, NOW, copied, main, make
from tests.places import EXPECTED
from tests.sessions import FIRST

CONFIG = """\
seed = 5
games = [
    { game = "no_thanks", players = 3, deals = 1 }, { game = "sixteen", players = 2, deals = 1 },
]
"""
GAMES = 4 * 6 + 6 * 2  # of four bots


def run(folder: Path, bots: dict[str, str], label: str, days: int) -> str:
    for file in (folder / "bots").glob("*.py"):
        file.unlink()
    config = make(folder, CONFIG, bots)
    done = main("tournament", config, "--label", label, now=NOW + timedelta(days=days))
    assert done.returncode == 0, done.stderr.decode()
    return done.stderr.decode()


@pytest.fixture(scope="module")
def term(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three weeks: ann is mended, and bob renamed; then cid leaves."""
    folder = tmp_path_factory.mktemp("term")
    bots = BOTS | {"eve": FIRST + "# eve\n"}
    run(folder, bots, "week 1", 0)
    bots = {**bots, "ann": FIRST + "# mended\n", "eva": bots["eve"]}
    del bots["eve"]
    said = run(folder, bots, "week 2", 7)
    moved = 'Since "week 1": .*new: eva; gone: eve; changed: ann; same files: eve and eva.\n'
    assert re.search(f"^{moved}", said, re.MULTILINE)
    del bots["cid"]
    run(folder, bots, "week 3", 14)
    return folder / "results" / "cup"


def history(term: Path, *words: str) -> str:
    done = main("history", term, *words, environment={"COLUMNS": "110"})
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


@pytest.mark.whole
def test_weeks_and_a_bot_s_versions_are_listed_as_kept(
    term: Path, check_kept: Callable[[str, Path], None]
) -> None:
    told = [
        f"$ arena history {' '.join(of)}\n{history(term, *of)}" for of in ((), ["ann"], ["eva"])
    ]
    check_kept("\n".join(told), EXPECTED / "history.txt")


@pytest.mark.whole
def test_json_has_all_weeks_or_those_of_a_bot(term: Path) -> None:
    weeks = json.loads(history(term, "--json"))["weeks"]
    assert weeks == [json.loads(file.read_text()) for file in sorted((term / "history").iterdir())]
    of_ann = json.loads(history(term, "ann", "--json"))
    assert [week["tables"][0]["rows"] for week in of_ann["weeks"]] == [
        [row for row in week["tables"][0]["rows"] if row["bot"] == "ann"] for week in weeks
    ]
    assert sum(version["games"] for version in of_ann["versions"]) > GAMES // 2


def verify(results: Path, code: int) -> str:
    done = main("verify", results)
    assert done.returncode == code, done.stdout.decode() + done.stderr.decode()
    return " ".join((done.stdout + done.stderr).decode().split())


@pytest.mark.whole
def test_verify_rates_all_weeks_again(term: Path, tmp_path: Path) -> None:
    assert "history: 3 weeks recomputed" in verify(term, 0)
    results = copied(term, tmp_path / "cup")
    (results / "history" / "0001.json").write_text("{}")
    (results / "history" / "0002.json").unlink()
    told = verify(results, 1)
    assert "history/0001.json: does not match the stored games" in told
    assert "history/0002.json: is missing" in told


@pytest.mark.whole
@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("place", 17, "history/0001"), ("mu", 30.0, "history/0001"),
        ("games", 7, "games: found '7'"), ("faults", 3, "faults: found '3'"),
    ],
)  # fmt: skip
def test_verify_finds_a_line_that_a_week_did_not_have(
    term: Path, tmp_path: Path, key: str, value: float, said: str
) -> None:
    results = copied(term, tmp_path / "cup")
    with closing(Store.create_or_open(results)) as store:
        kept = json.loads(zlib.decompress(store.meta("history 0001")))
        kept["week"]["tables"][0]["rows"][-1][key] = value
        store.set_meta("history 0001", zlib.compress(json.dumps(kept).encode()))
        ((file, text),) = make_history([read_weeks(store)[0][0].week]).items()
    (results / file).write_text(text)
    told = verify(results, 1)
    assert (said in told, "history/0001.json: " in told) == (True, True)


def named(folder: Path) -> set[str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.name for file in files if b"Zora Zwick" in file.read_bytes()}


@pytest.mark.whole
def test_an_author_is_published_only_with_authors_and_goes_with_one_step(tmp_path: Path) -> None:
    signed = f'"""Plays.\n\nAuthor: Zora Zwick"""\n{FIRST}'
    hostile = signed.replace("Plays.", r"</script><img src=x> \x1b[2J").replace("Zora", "Rolf")
    config = make(
        tmp_path, 'show_authors = ["*"]\n' + CONFIG, BOTS | {"ann": signed, "bob": hostile}
    )
    results = tmp_path / "results" / "cup"

    def publish(to: str) -> Path:
        assert main("tournament", config, "-q").returncode == 0
        assert main("publish", results).returncode == 0
        assert main("export", results, "--to", tmp_path / to).returncode == 0
        assert verify(results, 0)
        assert verify(tmp_path / to / "arena-public.sqlite", 0)
        return tmp_path / to

    shown = {"standings.json", "standings.html", "index.html"}
    assert shown <= named(publish("on")) | named(results)
    assert "arena-public.sqlite" in named(tmp_path / "on")
    config.write_text('show_authors = ["*", "!ann"]\n' + CONFIG)
    pages = [file for file in results.rglob("*.html") if b"Rolf Zwick" in file.read_bytes()]
    assert {"standings.html", "index.html", "bot-bob.html"} == {file.name for file in pages}
    assert not [file for file in pages if b"<img src=x>" in file.read_bytes()]
    assert "\x1b" not in history(results, "bob")
    assert named(publish("off")) == set()
    assert named(results) <= {"arena.sqlite", "arena.sqlite-wal"}
    assert "its docstring (not published): Zora Zwick: Plays." in history(results, "ann")


@pytest.mark.whole
def test_the_site_has_weeks_and_versions(term: Path, tmp_path: Path) -> None:
    assert main("publish", term, "--to", tmp_path / "site").returncode == 0
    index = (tmp_path / "site" / "index.html").read_text()
    assert "Removed: cid (last in week 2, 2026-11-09), eve (last in week 1, 2026-11-02)." in index
    assert "Since &#34;week 2&#34;" in index
    page = (tmp_path / "site" / "bot-ann.html").read_text()
    assert '<td class="left">week 1</td>' in page
    told = json.loads(history(term, "ann", "--json"))["versions"]
    assert f"games in this ranking ({sum(each['games'] for each in told)} ever)" in page
