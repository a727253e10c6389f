"""Bots of `play` and `duel`: a file is behind the walls and plays as in this process."""

import py_compile
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.author import players
from arena.errors import Unconfinable
from arena.league import bots
from arena.league.bots import HOUSE_BOTS, find_house, find_house_bots
from arena.league.files import hash_source, read_bot
from arena.records.record import judge_record
from arena.testing import NoDecision, decide, duel, play, view_of
from tests.author.made import MARKS, POOLS, bot, first, last

pytestmark = pytest.mark.usefixtures("kept_zygote")

HOUSE = ("almanac", "random_choice", "ledger", "arrays", "haggler")


RUN: dict[str, Callable[..., object]] = {
    "a name": lambda **more: play("sixteen", ["ann", first], **more),
    "a path": lambda **more: play("sixteen", [first, Path("bots/ann.py")], **more),
    "a duel": lambda **more: duel("bots/ann.py", first, "sixteen", decks=2, **more),
    "others": lambda **more: duel(first, last, "no_thanks", decks=2, others=["ann"], **more),
    "a house bot's name": lambda **more: duel("champion", last, "sixteen", decks=2, **more),
}


@pytest.mark.whole
@pytest.mark.parametrize("way", RUN)
def test_a_stranger_s_file_runs_behind_the_walls_unless_one_says_otherwise(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "mark"
    for name in ("ann", "champion"):
        bot(tmp_path / "bots", MARKS.format(mark=str(mark)), name)
    monkeypatch.chdir(tmp_path)
    RUN[way]()
    assert not mark.exists()
    RUN[way](confined=False)
    assert mark.exists()  # the attack works, once it is let


@pytest.mark.whole
def test_compiled_code_beside_it_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`.pyc` files are no part of a bot, and in no hash; `almanac` imports csv."""
    mark, beside = tmp_path / "mark", bot(tmp_path, "", "csv")
    folder = shutil.copytree(find_house() / "almanac", tmp_path / "bots" / "almanac")
    beside.write_text(f"{MARKS.format(mark=str(mark))}\nfrom _csv import reader\n")
    py_compile.compile(str(beside), str(folder / "csv.pyc"))
    monkeypatch.delitem(sys.modules, "csv", raising=False)
    monkeypatch.chdir(tmp_path)
    play("no_thanks", ["almanac", first, first])
    assert not mark.exists()
    monkeypatch.delitem(sys.modules, "csv", raising=False)
    play("no_thanks", ["almanac", first, first], confined=False)
    assert mark.exists()


@pytest.mark.whole
def test_a_house_bot_that_was_changed_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, mark = shutil.copytree(find_house(), tmp_path / "house"), tmp_path / "mark"
    bot(house, MARKS.format(mark=str(mark)), "champion")
    monkeypatch.setattr(bots, "find_house", lambda package: house)
    (tmp_path / "bots").mkdir()
    monkeypatch.chdir(tmp_path)
    duel("champion", first, "no_thanks", decks=4, players=5)
    assert not mark.exists()


@pytest.mark.whole
@pytest.mark.parametrize(("game", "players"), POOLS)
def test_house_bots_play_the_same_games_behind_the_walls(game: str, players: int) -> None:
    line_up = [HOUSE[seat % len(HOUSE)] for seat in range(players)]
    for deck in range(3):
        played = play(game, line_up, seed=5, deck=deck, dice=2)
        assert played == play(game, line_up, seed=5, deck=deck, dice=2, confined=True)
    here, walled = (
        duel("champion", "arrays", game, decks=4, players=players, confined=confined)
        for confined in (None, True)
    )
    assert [*here.payoffs] == [*walled.payoffs] != [0] * 4


WRONG = {
    "error": ("raise ZeroDivisionError('at once')", "ZeroDivisionError: at once"),
    "illegal": ("return 'takes'", "it answered 'takes', which is not legal"),
    "time": ("while True: pass", "over the time limit"),
    "crash": ("import os; os._exit(3)", "exited"),
    "memory": ("bytearray(1 << 40)", "MemoryError"),
}


@pytest.mark.whole
@pytest.mark.parametrize("kind", WRONG)
def test_behind_the_walls_a_fault_raises_or_is_a_forfeit(kind: str, tmp_path: Path) -> None:
    code, reason = WRONG[kind]
    path = bot(tmp_path, f"import os\n\ndef decide(view):\n    {code}\n")
    with pytest.raises(NoDecision, match=f"ann: (?s:.*){reason}") as raised:
        play("no_thanks", [first, path, first], seed=3, deck=7)
    place = r"ann in seat 1 of No Thanks! 3p: seed 3, deck 7, action \d+"
    assert re.fullmatch(place, raised.value.__notes__[0])
    record = play("no_thanks", [first, path, first], seed=3, faults="forfeit").record
    judge_record(record)
    assert record["result"]["forfeits"] == [1]
    assert record["meta"]["faults"][0][:2] == [1, kind]
    made = duel(path, first, "sixteen", decks=2, faults="forfeit", players=4)
    assert made.forfeits == (4, 0)  # by its process or by those that follow it


ENDS = """\
GAMES = []
class Bot:
    def __init__(self, game): GAMES.append(game)
    def decide(self, view): return view.legal[0]
    def end(self, result):
        if len(GAMES) == 3: raise KeyError(result.ranks)
"""


@pytest.mark.whole
@pytest.mark.parametrize("confined", [True, False])
def test_one_process_plays_all_games_and_is_told_results(confined: bool, tmp_path: Path) -> None:
    path, wrong = bot(tmp_path, ENDS), NoDecision if confined else KeyError
    with pytest.raises(wrong, match=r"\[[12], [12]\]") as raised:
        duel(path, "haggler", "sixteen", decks=4, confined=confined)
    assert "deck 1, " in raised.value.__notes__[-1]  # the third game
    made = duel(path, "haggler", "sixteen", decks=4, faults="forfeit", confined=confined)
    assert made.forfeits == (0, 0)


@pytest.mark.whole
@pytest.mark.parametrize("confined", [None, False])
def test_partners_share_nothing(confined: bool | None, tmp_path: Path) -> None:
    text = "SEEN = set()\n\ndef decide(view):\n    SEEN.add(view.seat // 2)\n"
    path = bot(tmp_path, f"{text}    assert len(SEEN) == 1\n    return view.legal[0]\n")
    assert not duel(path, path, "sixteen", decks=2, players=4, confined=confined).payoffs.any()


def test_without_walls_unconfined_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "HAS_WALLS", False)
    path = bot(tmp_path, "def decide(view):\n    return view.legal[0]\n")
    without = "confined=False runs the bot without a sandbox, with all of your permissions"
    with pytest.raises(Unconfinable, match=f"bots of others need Linux.*{without}"):
        duel(path, first, "sixteen")
    with pytest.raises(Unconfinable, match=f"bots of others need Linux.*{without}"):
        decide(path, view_of("no_thanks", card=10, pot=9))
    play("sixteen", [path, "haggler"], confined=False)
    play("sixteen", ["haggler", first])  # what came with Arena needs no walls


def test_house_bots_are_known_by_their_content() -> None:
    """To change one, copy its new hash from here: before, it is a stranger's."""
    assert {bot.name: hash_source(read_bot(bot)) for bot in find_house_bots()} == HOUSE_BOTS
