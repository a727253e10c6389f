"""A newcomer's first hour at a terminal: from an empty folder to a bot that is mended and sound. A
test is a station, and holds the words that the next step depends on.
"""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.keyboards import Keyboard
from tests.leagues import arena

MISTAKE = '''\
"""Pays for a card what it is worth."""

PRICES = {card: card // 3 for card in range(3, 30)}


def decide(view):
    if view.game != "no_thanks":
        return view.legal[0]
    return "take" if view.pot > 3 and view.pot >= PRICES[view.card] else view.legal[0]
'''
LINE = 9  # where it is wrong: cards go up to 35
MENDED = MISTAKE.replace("range(3, 30)", "range(3, 36)")


def typed(folder: Path, command: str, code: int = 0, columns: int = 80) -> str:
    """Type a command; return what is on the screen in the end, as words with one space between."""
    with Keyboard(*command.split()[1:], cwd=folder, columns=columns) as keys:
        assert keys.end() == code, keys.seen
    assert "Traceback" not in keys.seen
    return " ".join(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", " ", keys.seen).split())


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that `arena init` began, with a bot that `arena new` wrote."""
    folder = tmp_path_factory.mktemp("newcomer")
    made = typed(folder, "arena init cup")
    assert "cup: a league with the house bots and a first bot of yours, bots/mine.py" in made
    assert "cd cup arena tournament tournaments/first.toml arena check mine" in made
    league = folder / "cup"
    made = typed(league, "arena new frugal")
    assert made.startswith("bots/frugal.py bots/test_frugal.py ")
    assert "It can already play. Next: arena check frugal arena match frugal haggler" in made
    return league


@pytest.fixture
def league(begun: Path) -> Path:
    """The same, with a mistake in the bot: a test before may have mended it."""
    (begun / "bots" / "frugal.py").write_text(MISTAKE)
    return begun


def test_check_names_a_fault_at_once_with_line_and_view(league: Path) -> None:
    told = typed(league, "arena check frugal", code=1)
    assert re.match(rf".{{0,200}}fault: error: KeyError: 3\d \(frugal\.py line {LINE}\)", told)
    assert re.search(r"with this view players=\d, .*card=3\d, pot=\d+", told)
    assert "legal: pass, take" in told
    assert re.search(r"frugal is not sound: it forfeits \d+ of ", told)


def test_match_counts_the_faults_and_says_where_to_look(league: Path) -> None:
    told = typed(league, "arena match frugal haggler --game no_thanks --games 60")
    assert re.search(r"No Thanks! 3p .* frugal \d+ ", told)  # in the column of faults
    assert re.search(r"frugal: \d+ games forfeited; error: KeyError: 3\d and the like", told)
    assert "All causes: arena faults results/match-frugal-haggler " in told


def test_from_the_tournament_by_its_faults_to_a_debugger(league: Path) -> None:
    told = typed(league, "arena tournament tournaments/first.toml")
    (line,) = re.findall(r"frugal: forfeits (\d+) of .*\(KeyError, frugal.py line", told)
    assert "1,380 games played; all tables are in results/first/" in told
    told = typed(league, "arena faults results/first", columns=60)
    assert f"frugal: {line} games forfeited {line} x error: KeyError: 3" in told  # one mistake
    (replay,) = re.findall(r"arena replay results/first \w+ --at \d+", told)
    assert '"to_act"' in typed(league, f"{replay} --json")
    (command, file) = re.findall(r"arena (faults .* --as-test) > (test_\w+\.py)", told)[0]
    text = arena(*command.split(), cwd=league).stdout
    (league / file).write_bytes(text)
    assert "NoDecision: frugal: Traceback" in run_test(league, file, code=1)
    (league / file).write_bytes(text.replace(b" confined=True,", b" confined=False,"))
    stopped = run_test(league, "--pdb", file, stdin="p view.card, max(PRICES)\nq\n", code=2)
    assert f"bots/frugal.py({LINE})decide()\n-> return" in stopped
    assert re.search(r"\(3\d, 29\)", stopped)
    (league / "bots" / "frugal.py").write_text(MENDED)
    assert "1 passed" in run_test(league, file)


def run_test(league: Path, *words: str, stdin: str = "", code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words], cwd=league,
        input=stdin, env={**os.environ, "PYTHONHASHSEED": "0"}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_a_bot_that_is_mended_is_found_sound_in_the_time_that_check_promises(league: Path) -> None:
    """In CPU time: its parts take turns, and others' work is not its own."""
    (league / "bots" / "frugal.py").write_text(MENDED)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = typed(league, "arena check frugal", columns=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert 0 < after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 20
    assert re.search(r"frugal is sound \(\d+ games, \d+ s\)$", told)
    assert re.search(r"repeats yes: \d+ games replayed, every decision the same", told)
    assert re.search("Rough place among 10 bots|place not known yet: [0-9]+ of 10 in", told)
