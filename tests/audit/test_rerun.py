"""`arena audit`: who does not repeat itself, views that leak, pairs that help each other."""

import copy
import json
from contextlib import closing
from pathlib import Path

import pytest

from arena.audit import audit, rerun
from arena.model import Played
from arena.store.store import Store
from games import no_thanks
from tests.leagues import BOTS, DECKS_OF_THREE, copied, main, make, played_in
from tests.places import source
from tests.processes import busy_loops

pytestmark = [pytest.mark.whole, pytest.mark.xdist_group("rerun")]  # `results` are played once


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    bots = {**BOTS, "eve": source("unreplayed")}
    return played_in(tmp_path_factory.mktemp("replayed"), DECKS_OF_THREE, bots)


def test_who_dies_where_it_is_played_again_is_named_and_nobody_else(
    results: Path, tmp_path: Path
) -> None:
    done = main("audit", results, "--games", 60, "--json")
    assert done.returncode == 1
    assert {each["bot"] for each in json.loads(done.stdout)["mismatches"]} == {"eve"}
    done = main("verify", copied(results, tmp_path / "cup"), "--replay-bots", 60, "--json")
    assert done.returncode == 1
    told = [each["message"] for each in json.loads(done.stdout)["findings"]]
    assert told
    assert not [message for message in told if not message.startswith("eve ")]


def test_who_dies_in_every_replay_is_named_for_that(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without others around its games, the second batch is as narrow as the first."""
    monkeypatch.setattr(rerun._Stage, "company", lambda *_: [])
    with closing(Store.open(results)) as store:
        found, _ = rerun.rerun_games(store, 60)
        few, _ = rerun.rerun_games(store, rerun.FEW)
    named = [game for game in found if game.reproduced is False]
    assert {game.bot for game in named} == {"eve"}
    assert "in two replays but not in the record" in rerun.describe_rerun(named[0])
    assert not [game for game in few if game.reproduced is False], "too few to say so"


@pytest.mark.parametrize(("differs", "cut", "alike"), [(2, 5, False), (2, 2, None), (2, 1, None)])
def test_what_differs_before_a_fault_cuts_a_game_short_is_a_difference(
    results: Path, monkeypatch: pytest.MonkeyPatch, differs: int, cut: int, alike: bool | None
) -> None:
    with closing(Store.open(results)) as store:
        row = next(store.games(in_order_of_id=True))
    record = copy.deepcopy(json.loads(row.line))
    seat, decision = record["actions"][differs]
    record["actions"][differs] = [seat, {"take": "pass", "pass": "take"}[decision]]
    record["meta"]["faults"] = [[0, "memory", cut]]
    monkeypatch.setattr(rerun, "make_line", lambda *_: json.dumps(record))
    found = rerun.compare_games(row, Played(row.fixture, b"", (), (), ()))
    bot = record["meta"]["bots"][0 if alike is None else seat]
    assert (found.reproduced, found.bot) == (alike, bot)


@pytest.mark.long
def test_on_a_busy_machine_no_honest_bot_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main("tournament", make(tmp_path, DECKS_OF_THREE), "-q").returncode == 0
    with closing(Store.open(tmp_path / "results" / "cup")) as store, busy_loops(8):
        for _ in range(50):
            found, _ = rerun.rerun_games(store, 60)
            assert not [game for game in found if game.reproduced is False]


def test_the_bot_that_does_not_repeat_itself_is_named_and_nobody_else(tmp_path: Path) -> None:
    bots = {**BOTS, "eve": source("fickle"), "gil": source("takes_the_pot")}
    audited = played_in(tmp_path, DECKS_OF_THREE, bots)
    done = main("audit", audited, "--games", 60, "--json")
    assert done.returncode == 1
    told = json.loads(done.stdout)
    otherwise = {each["bot"] for each in told["reproducibility"] if each["mismatches"]}
    assert otherwise == {"eve"}
    assert {each["bot"] for each in told["mismatches"]} == {"eve"}
    assert told["views"]["leaks"] == []
    assert told["views"]["compared"] == 3 * told["views"]["positions"] == 3 * 180
    assert [lean["pool"] for lean in told["pairs"]] == ["No Thanks! 3p"] * (6 * 5 // 2)
    words = main("audit", audited, "--games", 60).stdout.decode()
    assert "eve decided differently at action " in words
    assert max(map(len, words.splitlines())) <= 120


def test_a_view_that_tells_too_much_is_found(
    results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = no_thanks.State.fields

    def peeking(state: no_thanks.State, seat: int, table: int = 0) -> tuple[object, ...]:
        told = honest(state, seat, table)
        return (*told[:6], state.deck[-1] if state.deck else 0, *told[7:])  # the pot's place

    monkeypatch.setattr(no_thanks.State, "fields", peeking)
    with closing(Store.open(results)) as store:
        kept = store.meta
        monkeypatch.setattr(store, "meta", lambda key: key == "public" or kept(key))
        found = audit.audit_store(store, 5)
    assert found.again == []  # of a published file no game is played again
    assert "sees hidden cards: view.pot was " in found.findings.views.leaks[0]
