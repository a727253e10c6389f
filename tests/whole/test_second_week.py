"""The second week of a league: bots were mended, removed, added, and what was counts as past."""

import json
import re
from pathlib import Path

import pytest

from tests.leagues import main, make
from tests.sessions import CHANCE, FIRST

pytestmark = pytest.mark.xdist_group("second week")  # `league` is played once

CONFIG = 'seed = 5\n[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 2\n'
FAILS = "def decide(view):\n    print('asked')\n    return view.legal[1 // 0]\n"
WEEKS = (
    {"ann": FIRST, "bob": CHANCE, "ida": f"import randon\n{FIRST}", "old": FAILS},
    {"ann": FIRST, "bob": CHANCE, "ida": FIRST, "new": CHANCE},
)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results after the second week."""
    folder = tmp_path_factory.mktemp("weeks")
    for bots, forfeits in zip(WEEKS, ([b"ida", b"old"], []), strict=True):
        config = make(folder, CONFIG, bots)
        for name in {path.stem for path in (folder / "bots").glob("*.py")} - bots.keys():
            (folder / "bots" / f"{name}.py").unlink()
        done = main("tournament", config)
        assert done.returncode == 0, done.stderr.decode()
        assert re.findall(rb"(\w+): forfeits all 36 games", done.stderr) == forfeits
    return folder / "results" / "cup"


def test_faults_are_those_of_the_tables_unless_all_are_asked_for(results: Path) -> None:
    watched = main("watch", results).stdout
    assert watched.startswith(b"cup: 48 of 48 games")  # four line-ups, six seatings, two deals
    assert b"old" not in watched
    document = json.loads((results / "standings.json").read_text())
    assert all(not row["faults"] for row in document["overall"])
    now = main("faults", results)
    assert (now.stdout, now.stderr) == (b"", b"No faults.\n")
    everything = main("faults", results, "--all")
    assert everything.stderr == b""  # no hint to repeat what was mended or removed
    told = re.findall(rb"(?m)^(\w+): 36 games forfeited$", everything.stdout)
    assert told == [b"ida", b"old"]
    assert json.loads(main("faults", results, "ida", "--json").stdout)["causes"] == []
    past = json.loads(main("faults", results, "ida", "--all", "--json").stdout)["causes"]
    assert len(past) == 1


def test_results_and_games_are_named_or_offered(results: Path) -> None:
    assert main("faults", "cup", cwd=results.parents[1]).stderr == b"No faults.\n"
    refused = main("faults", "cpu", cwd=results.parents[1])
    said = b"cpu: no such folder or file; did you mean results/cup?\n"
    assert (refused.returncode, refused.stderr) == (2, said)
    which, *offered = main("replay", results).stderr.decode().splitlines()
    assert which == f"{results}: name a game by the first digits of its id, or add --bot BOT:"
    assert len(offered) == 10


def test_logs_are_of_the_file_that_is_there(results: Path) -> None:
    assert main("logs", results, "ida").stderr == b"ida: 0 faults, 0 lines printed\n"
    assert b"ida: 36 faults" in main("logs", results, "ida", "--all").stderr
    refused = main("logs", results, "old")
    assert refused.returncode == 2
    assert b"old did not play in the last run; for earlier runs, " in refused.stderr
    assert b"asked" in main("logs", results, "old", "--all").stdout


def test_of_an_export_logs_say_that_texts_and_prints_are_not_in_it(
    results: Path, tmp_path: Path
) -> None:
    assert main("export", results, "--to", tmp_path / "out").returncode == 0
    done = main("logs", tmp_path / "out", "old", "--all")
    assert b": error (no text: exports have none)\n" in done.stdout
    assert done.stderr == b"old: 36 faults, exports have no printed output\n"
