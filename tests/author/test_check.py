"""What a check finds out, in few pools and little time here."""

import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.author import check as checks
from arena.author.check import check_bot, choose_games, pools
from arena.author.check_report import CheckFault, format_report, verdict
from arena.author.check_results import find_rarest
from arena.league.bots import HOUSE_BOTS, BotPath
from arena.model import Bot, Pool
from arena.process.bot_process import BotProcess
from arena.process.zygote_client import ZygoteClient
from tests.places import BOTS, ROOT
from tests.wrong_bots import MISTAKES, WrongBot, write_among

pytestmark = pytest.mark.usefixtures("kept_zygote", "few")

FEW = [Pool(*pool, "{}", "") for pool in (("no_thanks", 3), ("sixteen", 2), ("diciassette", 2))]
SOUND = "def decide(view):\n    return view.legal[-1]\n"


def plan(
    monkeypatch: pytest.MonkeyPatch, given: list[Pool], games: int = 1, timed: int = 1, s: float = 0
) -> None:
    monkeypatch.setattr(checks, "pools", lambda: given)
    monkeypatch.setattr(checks, "GAMES", games)
    monkeypatch.setattr(checks, "TIMED", timed)
    monkeypatch.setattr(checks, "PLAY_S", s)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    plan(monkeypatch, FEW)


def written(folder: Path, text: str, name: str = "mine") -> BotPath:
    (folder / f"{name}.py").write_text(text)
    return BotPath(name, folder / f"{name}.py")


@pytest.mark.parametrize("pool", pools(), ids=lambda pool: pool.title)
def test_each_game_of_a_pool_is_another_and_has_the_bot_in_it(pool: Pool) -> None:
    bots = [Bot(name, name) for name in HOUSE_BOTS]
    games = list(islice(choose_games(pool, bots[2], bots), 60))
    assert len({game.id for game in games}) == 60
    assert all(bots[2] in game.line_up for game in games)
    assert {bot for game in games for bot in game.line_up} == {*bots}
    seats = [game.seating.index(game.line_up.index(bots[2])) for game in games]
    assert {*seats} == set(range(pool.entrants))


@pytest.mark.whole
@pytest.mark.parametrize("first", MISTAKES, ids=lambda first: first.name)
def test_what_a_first_bot_does_wrong_is_said(first: WrongBot, tmp_path: Path) -> None:
    checked = check_bot(BotPath(first.name, write_among(tmp_path, first)))
    told = [fault.remedy or "" for fault in checked.faults if fault.kind == first.fault]
    if first.fault == "play on":
        assert not checked.faults
    else:
        assert not checked.sound
        assert any(first.note in remedy for remedy in told), checked.faults


@pytest.mark.whole
@pytest.mark.parametrize("name", ["mine", "haggler"])
def test_a_bot_that_is_sound_is_found_so(tmp_path: Path, name: str) -> None:
    noticed: list[CheckFault] = []
    checked = check_bot(written(tmp_path, SOUND, name), noticed=noticed.append)
    assert checked.sound
    assert (checked.faults, noticed) == ((), [])
    assert [pool.games for pool in checked.pools] == [1, 1, 1]
    assert checked.reproducibility is not None
    assert (checked.reproducibility.games, checked.reproducibility.reproduced) == (3, True)
    assert 0 < checked.load.cpu_ms < checked.load.cpu_limit_ms
    phases = {(cost.game, cost.phase) for cost in checked.cpu}
    assert phases >= {("no_thanks", "play"), ("sixteen", "play"), ("diciassette", "window")}
    assert (checked.load.interface, checked.output.lines) == ("decide", 0)


SPINS = """\
from time import process_time
def spin(until):
    while process_time() < until:
        pass
"""
THINKS = f"{SPINS}def decide(view):\n    spin(process_time() + 0.006)\n    return view.legal[0]\n"


@pytest.mark.whole
def test_a_bot_that_loads_near_its_limit_is_sound_warned_and_started_fewer_times(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    starts: list[str] = []
    start = ZygoteClient.start

    def counted(zygote: ZygoteClient, path: Path, *given: Any) -> BotProcess:
        starts.append((path / "bot.py").read_text())
        return start(zygote, path, *given)

    monkeypatch.setattr(ZygoteClient, "start", counted)
    plan(monkeypatch, [*FEW, Pool("sixteen", 4, "{}", "same")], 4, 2)
    monkeypatch.setattr(checks, "AGAIN_S", 0.0)
    monkeypatch.setattr(checks, "LIMITS", checks.LIMITS._replace(load_ms=500))
    told, times = [], []
    for name, text in (("slow", f"{SPINS}spin(0.3)\n{SOUND}"), ("quick", SOUND)):
        checked = check_bot(written(tmp_path, text, name))
        assert (checked.sound, len(checked.pools)) == (True, 4)
        told.append(" ".join(" ".join(format_report(checked, 80)).split()))
        times.append(starts.count(text))
    assert re.search(r"warning loading takes 3\d\d of 500 ms of CPU time; on a slower", told[0])
    assert "warning" not in told[1]
    assert times[0] <= 1 + 3 + 5 < times[1]  # measured; in each game; in each pool's seats


@pytest.mark.whole
def test_a_quick_bot_plays_enough_to_be_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    plan(monkeypatch, FEW, 60, 12, 7.0)
    checked = check_bot(BotPath("mine", ROOT / "bots" / "first_legal.py"))
    assert all(pool.games >= 12 for pool in checked.pools)  # whatever the machine does
    places = [place.game for place in checked.rough_places]
    assert places == [None, "diciassette", "no_thanks", "sixteen"]
    overall, *_ = checked.rough_places
    assert overall.bots == 9  # it is a house bot itself, and plays none under another name
    assert overall.interval is not None


@given(st.integers(1, 100_000))
def test_what_is_seen_with_95_percent_is_the_rarest_that_is(tries: int) -> None:
    rarest = find_rarest(tries)
    assert (1 - 1 / rarest) ** tries <= 0.05 + 1e-9
    assert (1 - 1 / (rarest + 1)) ** tries > 0.05 - 1e-9


@pytest.mark.whole
def test_a_replayed_game_asks_the_same_questions(tmp_path: Path) -> None:
    text = "class Bot:\n    def __init__(self, game): self.asked = 0\n"
    text += "    def decide(self, view):\n        self.asked += 1\n"
    text += "        assert self.asked < 2\n        return view.legal[-1]\n"
    checked = check_bot(written(tmp_path, text))
    assert [fault.count for fault in checked.faults] == [3]
    assert checked.reproducibility
    assert checked.reproducibility.reproduced


@pytest.mark.whole
def test_who_does_not_repeat_itself_is_shown_where() -> None:
    checked = check_bot(BotPath("fickle", BOTS / "fickle.py"))
    assert (checked.sound, checked.faults) == (False, ())
    assert checked.reproducibility
    differed = checked.reproducibility.first_mismatch
    assert differed
    assert differed.first_answer != differed.second_answer
    assert {differed.first_answer, differed.second_answer} <= {*differed.question.legal}


@pytest.mark.whole
def test_what_it_keeps_between_games_shows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plan(monkeypatch, FEW, 60, 12, 7.0)
    text = "ASKED = []\ndef decide(view):\n    ASKED.append(view)\n"
    checked = check_bot(written(tmp_path, f"{text}    return view.legal[len(ASKED) // 9 % 2]\n"))
    assert checked.reproducibility is not None
    assert checked.reproducibility.reproduced is False


def test_a_lost_process_costs_nothing_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan(monkeypatch, [Pool("no_thanks", players, "{}", "") for players in (4, 5)], 8)
    text = "import os\ndef decide(view):\n    len(view.taken) == 5 and os._exit(1)\n"
    checked = check_bot(written(tmp_path, f"{text}    return view.legal[-1]\n"))
    assert [pool.forfeits for pool in checked.pools] == [0, 8]
    assert {fault.pool for fault in checked.faults} == {"No Thanks! 5p"}
    assert "strikes" in {fault.kind for fault in checked.faults}


@pytest.mark.whole
def test_what_it_prints_is_told_and_a_fault_has_its_view() -> None:
    checked = check_bot(BotPath("talks", BOTS / "talks.py"))
    printed = checked.output.first
    assert "hello" in printed[0]
    pools = {line.partition(": ")[0] for line in printed if "at play" in line}
    assert pools == {"17 Diciassette 2p", "No Thanks! 3p", "Sixteen 2p"}
    (fault,) = checked.faults
    assert (fault.file, fault.line, fault.pool) == ("talks.py", 11, "Sixteen 2p")
    assert fault.question is not None
    assert {*fault.question.legal} >= {*fault.question.view["hand"]} - {"W"}


@pytest.mark.whole
def test_what_goes_wrong_in_end_is_told_and_costs_no_game(tmp_path: Path) -> None:
    text = "class Bot:\n    def __init__(self, game): pass\n"
    text += "    def decide(self, view): return view.legal[0]\n"
    text += "    def end(self, result):\n        result.append(1)\n"
    checked = check_bot(written(tmp_path, text))
    (fault,) = checked.faults
    assert (fault.kind, fault.file, fault.line) == ("end", "mine.py", 5)
    assert (checked.sound, [pool.forfeits for pool in checked.pools]) == (False, [0, 0, 0])


@pytest.mark.whole
def test_of_a_slow_bot_it_says_what_games_cost_and_why_it_is_not_placed(tmp_path: Path) -> None:
    slow = "import time\ndef decide(view):\n    time.sleep(0.006)\n    return view.legal[0]\n"
    checked = check_bot(written(tmp_path, slow))
    decisions = [pool.decisions / pool.games for pool in checked.pools]
    assert (checked.wait_s or 0) >= 0.006 * sum(decisions) / len(decisions)
    assert (checked.slowdown or 0) >= 10
    few = "it is so slow that there was only time for 1"
    assert (checked.rough_places, (checked.not_placed_reason or "")[: len(few)]) == ((), few)
    quick = check_bot(written(tmp_path, SOUND))
    assert 0 < (quick.slowdown or 0) < 10
    busy = check_bot(written(tmp_path, THINKS))
    assert [pool.games for pool in busy.pools] == [1, 1, 1]
    for cost in busy.cpu:
        assert 6 <= cost.median_ms <= cost.p99_ms <= cost.worst_ms < busy.cpu_limit_ms
    for bot, costs, sleeps in ((checked, True, True), (quick, False, False), (busy, True, False)):
        assert ("mine is sound, but makes its games" in verdict(bot)) is costs
        report = " ".join(" ".join(format_report(bot, 80)).split())
        assert ("does not compute: does it sleep?" in report) is sleeps


@pytest.mark.whole
def test_what_was_not_tried_is_in_the_verdict(tmp_path: Path) -> None:
    checked = check_bot(written(tmp_path, SOUND), confined=False)
    assert (checked.sound, checked.untried) == (True, ("sandbox",))
    assert verdict(checked).endswith("; the sandbox was not tried here")
    elsewhere = replace(checked, untried=("limits", "sandbox"))
    assert verdict(elsewhere).endswith("; limits and sandbox were not tried here")


@pytest.mark.long  # it thinks for eight seconds
def test_a_few_games_are_no_verdict(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(checks, "GAMES", 60)
    bot = written(tmp_path, THINKS)
    checked = check_bot(bot)
    assert (checked.sound, checked.enough_games, checked.planned_games) == (True, False, 180)
    played = sum(pool.games for pool in checked.pools)
    told = rf"mine makes its games [\d,]+ times as long: no fault found in {played} of 180 games \("
    assert re.match(told, verdict(checked))
    more = check_bot(bot, seconds=2 * checks.SECONDS)
    assert sum(pool.games for pool in more.pools) > played


@pytest.mark.whole
def test_a_folder_beside_a_file_of_its_name_is_found(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.py").write_text(SOUND)
    checked = check_bot(written(tmp_path, SOUND))
    assert (checked.sound, checked.same_name) == (False, ("mine",))
    assert "mine has the same name, and a tournament accepts only one" in verdict(checked)
    (tmp_path / "mine" / "bot.py").unlink()  # a folder of notes is no bot
    assert check_bot(written(tmp_path, SOUND)).sound
