"""`arena rerun`: recorded games against a bot's present code."""

import json
from pathlib import Path

import pytest

from arena.cli import rerun
from tests.leagues import SMALL_GAMES, main
from tests.sessions import CHANCE, FIRST


@pytest.mark.whole
def test_a_bot_that_did_not_change_decides_alike(played: Path) -> None:
    """Of 120 games a bot sits in 36 + 12 + 6 + 6 + 18; in the 6 of Sixteen with four it has two
    seats.
    """
    assert SMALL_GAMES == 120
    for bot in ("ann", "bob"):
        done = main("rerun", played / "results" / "cup", bot)
        assert done.returncode == 0, done.stderr.decode()
        assert f"{bot}.py has not changed since those games; 200 of" in done.stderr.decode()
        assert done.stdout == f"{bot}: decides otherwise in 0 of 78 recorded games\n".encode()


@pytest.mark.whole
def test_a_bot_that_did_not_change_is_asked_in_some_games_alone(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerun, "SAMPLE", 20)
    done = main("rerun", played / "results" / "cup", "ann")
    assert done.stdout == b"ann: decides otherwise in 0 of 20 recorded games\n"


@pytest.mark.whole
def test_where_it_changed_its_first_other_decision_is_shown(league: Path) -> None:
    results = league / "results" / "cup"
    changed = "def decide(view):\n    late = view.game == 'no_thanks' and view.cards_left < 5\n"
    (league / "bots" / "bob.py").write_text(f"{changed}    return view.legal[-1 if late else 0]\n")
    done = main("rerun", results, "bob", "--json", "--most", 1000)
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["differ"] == len(told["first"]) > 0
    for each in told["first"]:
        assert each["view"]["cards_left"] < 5  # and so of No Thanks!
        assert (each["before"], each["now"]) == (each["legal"][0], each["legal"][-1])
        state = json.loads(
            main("replay", results, each["game"], "--at", each["action"], "--json").stdout
        )
        assert state["card"] == each["view"]["card"]
    done = main("rerun", results, "bob", "--most", 1)
    first = told["first"][0]
    assert f"{first['before']} in the game, now {first['now']}".encode() in done.stdout
    assert f"{told['differ']} of {told['games']} recorded games".encode() in done.stdout
    assert f"and {told['differ'] - 1} more (--most)".encode() in done.stderr


@pytest.mark.whole
def test_a_game_of_two_seats_that_both_decide_otherwise_is_one(league: Path) -> None:
    changed = "def decide(view):\n    team = view.game == 'sixteen' and view.players == 4\n"
    (league / "bots" / "bob.py").write_text(f"{changed}    return view.legal[-1 if team else 0]\n")
    done = main("rerun", league / "results" / "cup", "bob", "--json", "--most", 2)
    told = json.loads(done.stdout)
    assert (told["games"], told["differ"]) == (78, 6)
    shown = [(each["game"], each["seat"]) for each in told["first"]]
    assert len({game for game, _ in shown}) == 2
    assert len(set(shown)) == len(shown)


@pytest.mark.whole
def test_one_that_dies_now_is_no_other_game_s_trouble(league: Path) -> None:
    dies = "import os\n" + FIRST.replace(
        "def decide(view: Any) -> str:\n",
        "def decide(view: Any) -> str:\n    if view.table % 9 == 0:\n        os._exit(3)\n",
    )
    assert "os._exit" in dies
    (league / "bots" / "bob.py").write_text(dies)
    told = json.loads(
        main("rerun", league / "results" / "cup", "bob", "--json", "--most", 1000).stdout
    )
    assert 0 < told["differ"] < told["games"]
    for each in told["first"]:
        assert (each["now"], each["fault"], each["decision"]) == (None, "crash", 1)
        assert each["view"]["table"] % 9 == 0


@pytest.mark.whole
def test_what_cannot_be_asked_is_said_in_one_line(league: Path) -> None:
    results = league / "results" / "cup"
    (league / "bots" / "cid.py").write_text("def decied(view):\n    return 0\n")
    (league / "bots" / "dee.py").unlink()
    for words, code, told in (
        (("annn",), 2, "no bot 'annn' played in it; did you mean ann?"),
        (("dee",), 2, "dee is gone; put it back, or name its file by --bot PATH"),
        (("cid",), 1, "cannot be loaded: no bot is defined; rename decied to decide"),
    ):
        done = main("rerun", results, *words)
        assert (done.returncode, done.stdout) == (code, b"")
        assert told in done.stderr.decode()
        assert done.stderr.count(b"\n") == 1
    (league / "elsewhere.py").write_text(CHANCE)
    assert main("rerun", results, "dee", "--bot", league / "elsewhere.py").returncode == 0
