"""Two games that are not there yet are added by the steps of games/README.md: a copy of the
repository gets the files of `tests/games/new/`, and all that Arena does is done with them there.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.places import ROOT

NEW = ROOT / "tests" / "games" / "new"
PARTS = (
    "arena", "games", "tests", "pyproject.toml", "bots/random_choice.py", "bots/first_legal.py"
)  # fmt: skip
GOLDEN = {
    "nim": ["--players", "3", "--options", '{"heaps": 2}', "--seed", "0"],
    "kuhn": ["--seed", "0"],
}
"""By game, the words that choose its playthrough."""


def run_in(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_games_that_are_added_pass_the_contract_and_every_command_takes_them(
    tmp_path: Path,
) -> None:
    for part in PARTS:
        source, target = ROOT / part, tmp_path / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("new"))
        else:
            shutil.copy(source, target)
    for name in GOLDEN:
        for file, to in (  # steps 1 to 3
            (f"{name}.py", "games"),
            (f"{name}.md", "games"),
            (f"test_{name}.py", "tests/games"),
            ("test_commands.py", f"tests/games/test_{name}_commands.py"),
        ):
            shutil.copy(NEW / file, tmp_path / to)
    for name, words in GOLDEN.items():
        run_in(tmp_path, "tests.games.golden", name, *words)  # step 4
        made = tmp_path / "tests" / "playthroughs" / f"{name}.json"
        assert made.read_text() == (NEW / made.name).read_text()  # that was read and believed
    said = run_in(tmp_path, "pytest", "tests/games", "-k", " or ".join(GOLDEN))
    found = re.search(r"(\d+) passed, \d+ deselected in", said)  # none failed, none was skipped
    assert found, said
    assert int(found[1]) >= 112  # of each some forty of the contract, its own, and the commands
