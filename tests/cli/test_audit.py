"""`arena rerun`, and that a stranger's bots get no more than the reader's bound of any limit."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from arena.cli import rerun
from arena.store.store import Store
from arena.testing import NoDecision
from tests.author.made import run_tests
from tests.leagues import Done, main, make
from tests.places import source
from tests.sessions import FIRST

CONFIG = """\
workers = 1
limits = {{ memory_mib = 65536, cpu_ms = 600000, wall_ms = 600000 }}
games = [{{ game = "sixteen", players = 2, deals = {} }}]
"""
DEALS = 3


def play(folder: Path, eve: str, deals: int) -> Path:
    config = make(folder, CONFIG.format(deals), {"bob": FIRST, "eve": eve})
    done = main("tournament", config, "-q")
    assert done.returncode == 0, done.stderr.decode()
    standings = json.loads((folder / "results" / "cup" / "standings.json").read_bytes())
    assert [each["total"] for each in standings["faults"]] == [0, 0]
    return folder / "results" / "cup"


HELD = "cpu_ms 5000 (of 600000), wall_ms 5000 (of 600000), memory_mib 1024 (of 65536). Use --its"


def said(done: Done, cut: int) -> None:
    told = done.stderr.decode()
    assert done.returncode == 0, (told, done.stdout)
    assert HELD in told
    games = f"{cut} games" if cut > 1 else "1 game"
    assert f"{games} cut short by these limits and not compared: eve {cut}\n" in told


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play(tmp_path_factory.mktemp("greedy"), source("takes_memory"), DEALS)


@pytest.mark.whole
@pytest.mark.parametrize("words", [("audit",), ("verify", "--replay-bots", 6), ("rerun", "eve")])
def test_a_stored_bot_keeps_to_the_reader_s_bound(results: Path, words: tuple[str, ...]) -> None:
    said(main(words[0], results, *words[1:]), DEALS)
    trusted = main(words[0], results, *words[1:], "--its-limits")
    assert trusted.returncode == 0, trusted.stdout
    assert b"Limits are lower here" not in trusted.stderr
    assert b"cut short" not in trusted.stderr


@pytest.mark.whole
def test_nor_where_a_stored_game_is_a_test(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Store.open(results)) as store:
        games = [(row.id, [row.line_up[at].name for at in row.fixture.seating])
                 for row in store.games()]  # fmt: skip
    (game, *_) = (id for id, names in games if names[0] == "eve")
    text = main("replay", results, game, "--as-test", "--as", 0).stdout.decode()
    held = 'limits={"cpu_ms": 5000, "wall_ms": 5000, "memory_mib": 1024},'
    assert held in text
    monkeypatch.chdir(results.parents[1])
    with pytest.raises(NoDecision, match=r"OSError: \[Errno 12\] Cannot allocate memory"):
        run_tests(text)
    run_tests(text.replace(held, 'limits={"memory_mib": 65536},'))


@pytest.mark.long
def test_nor_more_time(tmp_path: Path) -> None:
    results = play(tmp_path, source("takes_time"), deals=1)
    said(main("audit", results), cut=1)
    assert b"cut short" not in main("audit", results, "--its-limits").stderr


@pytest.mark.whole
def test_a_bot_that_did_not_change_decides_alike_and_is_asked_in_some_games_alone(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # of 120 games it sits in 36 + 12 + 6 + 6 + 18; in the 6 of Sixteen with four it has two seats
    for most, games in ((200, 78), (20, 20)):
        monkeypatch.setattr(rerun, "SAMPLE", most)
        done = main("rerun", played / "results" / "cup", "ann")
        assert done.returncode == 0, done.stderr.decode()
        assert f"ann.py has not changed since these games; up to {most} of".encode() in done.stderr
        assert done.stdout == f"ann: decides differently in 0 of {games} recorded games\n".encode()
        assert b"its-limits" not in done.stderr, "within the bound nothing is said of it"


@pytest.mark.whole
def test_where_it_changed_its_first_other_decision_is_shown(league: Path) -> None:
    results = league / "results" / "cup"
    changed = "def decide(view):\n    late = view.game == 'no_thanks' and view.cards_left < 5\n"
    (league / "bots" / "bob.py").write_text(f"{changed}    return view.legal[-1 if late else 0]\n")
    done = main("rerun", results, "bob", "--json", "--most", 1000)
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["mismatches"] == len(told["first_mismatches"]) > 0
    for each in told["first_mismatches"]:
        assert each["view"]["cards_left"] < 5  # and so of No Thanks!
        assert (each["before"], each["now"]) == (each["legal"][0], each["legal"][-1])
        where = (each["game_id"], "--at", each["action_number"], "--json")
        state = json.loads(main("replay", results, *where).stdout)["state"]
        assert state["card"] == each["view"]["card"]
    late = []  # ids of the games, one a pass of bob's after 19 of 24 cards were taken
    for record in map(json.loads, main("records", results, "--bot", "bob").stdout.splitlines()):
        taken = 0
        for seat, action in record["actions"] if record["game"] == "no_thanks" else ():
            taken += action == "take"
            if (record["meta"]["bots"][seat], action) == ("bob", "pass") and taken > 18:
                late.append(record["meta"]["id"])
    change = {"before": "pass", "now": "take", "count": len(late), "games": len({*late})}
    assert told["changes"] == [change]
    done = main("rerun", results, "bob", "--most", 1)
    assert f"{told['mismatches']} of {told['games']} recorded games".encode() in done.stdout
    assert f"and {told['mismatches'] - 1} more games (--most shows more)".encode() in done.stderr
    row = f"pass -> take {len(late):>6} {change['games']:>6}"
    assert row.split() in [line.split() for line in done.stdout.decode().splitlines()]


@pytest.mark.whole
def test_one_that_dies_now_is_no_other_game_s_trouble(league: Path) -> None:
    begins = "def decide(view: Any) -> str:\n"
    dies = FIRST.replace(begins, f"{begins}    if view.table % 9 == 0: __import__('os')._exit(3)\n")
    (league / "bots" / "bob.py").write_text(dies)
    done = main("rerun", league / "results" / "cup", "bob", "--json", "--most", 1000)
    told = json.loads(done.stdout)
    assert 0 < told["mismatches"] < told["games"]
    for each in told["first_mismatches"]:
        assert (each["now"], each["fault"], each["decision_number"]) == (None, "crash", 1)
        assert each["view"]["table"] % 9 == 0


def test_what_cannot_be_asked_is_said_in_one_line(fresh: Path) -> None:
    bots = fresh.parents[1] / "bots"
    (bots / "cid.py").write_text("def decied(view):\n    return 0\n")
    (bots / "ann.py").rename(bots / "else.py")
    for bot, code, told in (
        ("ann", 2, "ann is missing; put it back, or name its file with --bot PATH"),
        ("cid", 1, "cannot be loaded: no bot is defined; rename decied to decide"),
    ):
        done = main("rerun", fresh, bot)
        assert (done.returncode, done.stdout) == (code, b"")
        assert told in done.stderr.decode()
        assert done.stderr.count(b"\n") == 1
    assert main("rerun", fresh, "ann", "--bot", bots / "else.py").returncode == 0
