"""The recipes for several machines in tournaments/README.md, word for word as they stand there.

Here all machines are this one. GNU parallel itself is run where it and rsync are installed, with an
`ssh` that leads to homes on this machine; elsewhere the commands that the recipes run are.
"""

import glob
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from tests.leagues import main, make
from tests.places import ROOT
from tests.sessions import CHANCE, FIRST

PAGE = (ROOT / "tournaments" / "README.md").read_text().split("## On several machines")[1]
PAGE = PAGE.split("\n## ")[0]
BLOCKS = re.findall(r"^```(sh|yaml)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
PLAIN, LOOP, PARALLEL, SCRIPT, SLURM, WORKFLOW = (text for _, text in BLOCKS)

CONFIG = """\
seed = 2
[[games]]
game = "no_thanks"
players = 3
deals = 2
"""
SETTLED = CONFIG.replace("deals = 2", "deals = 6\nsettle = 0.9")
BOTS = {"ann": CHANCE, "bob": FIRST, "cid": CHANCE, "dee": FIRST}

SSH = """\
#!/bin/sh
while [ "${1#-}" != "$1" ]; do
    case $1 in -l | -o | -p) shift 2 ;; *) shift ;; esac
done
HOME=$HOSTS/$1
shift
if [ "$1" = -- ]; then shift; fi
mkdir -p "$HOME"
cd "$HOME"
export HOME
exec sh -c "$*"
"""


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return make(tmp_path, CONFIG, BOTS).parents[1]


def run(lines: Iterable[str], league: Path, values: Mapping[str, str] | None = None) -> None:
    """Run lines that begin with `arena` as a shell would, in this process."""
    for line in lines:
        with pytest.MonkeyPatch.context() as changed:
            for name, value in (values or {}).items():
                changed.setenv(name, value)
            words = shlex.split(os.path.expandvars(line))
        assert words[0] == "arena"
        found = [sorted(glob.glob(word, root_dir=league)) or [word] for word in words[1:]]
        done = main(*[word for each in found for word in each], cwd=league)
        assert done.returncode == 0, (line, done.stderr.decode())


def commands(text: str) -> list[str]:
    """Return the lines of a script that begin with `arena`, in one line each."""
    joined = text.replace("\\\n", " ")
    return re.findall(r"^ *(?:exec |- run: )?(arena .*)$", joined, re.MULTILINE)


def hold_like_one_run(league: Path) -> None:
    config = league / "tournaments" / "cup.toml"
    whole = league / "whole"
    assert main("tournament", config, "-q", "--results", whole).returncode == 0
    merged = league / "results" / "cup" / "standings.json"
    assert merged.read_bytes() == (whole / "standings.json").read_bytes()


def test_the_five_lines(league: Path) -> None:
    run(PLAIN.splitlines(), league)
    hold_like_one_run(league)


@pytest.mark.long
def test_the_loop_through_the_stages(league: Path) -> None:
    config = league / "tournaments" / "cup.toml"
    config.write_text(SETTLED)
    first, *body, last = LOOP.splitlines()
    condition = re.fullmatch(r'while \[ "\$\((arena .*)\)" \]; do', first)
    assert condition
    assert last == "done"
    rounds = 0
    while main(*shlex.split(condition[1])[1:], cwd=league).stdout:
        run([line.strip() for line in body], league)
        rounds += 1
    assert rounds > 1
    hold_like_one_run(league)


def test_what_gnu_parallel_runs(league: Path) -> None:
    plan, parallel, merge = PARALLEL.replace("\\\n", " ").splitlines()
    command, _, numbers = parallel[parallel.index("arena tournament") :].partition(" ::: ")
    returned = re.search(r"--return (\S+)", parallel)
    assert returned
    run([plan], league)
    for number in numbers.split():
        run([command.replace("{}", number)], league)
        assert (league / returned[1].replace("{}", number) / "arena.sqlite").exists()
    run([merge], league)
    hold_like_one_run(league)


@pytest.mark.skipif(
    not (shutil.which("parallel") and shutil.which("rsync")),
    reason="not installed: apt-get install parallel rsync",
)
def test_gnu_parallel_itself(league: Path, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "ssh").write_text(SSH)
    (programs / "ssh").chmod(stat.S_IRWXU)
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    home = {"HOSTS": str(tmp_path / "hosts"), "PARALLEL_HOME": str(tmp_path / "parallel")}
    subprocess.run(
        ["sh", "-ec", PARALLEL], cwd=league, env={**os.environ, **home, "PATH": path}, check=True,
        timeout=300,
    )  # fmt: skip
    hosts = sorted(host.name for host in (tmp_path / "hosts").iterdir())
    assert hosts == ["ann", "bob", "cid"]
    assert not list((tmp_path / "hosts").glob("*/cup/cup.plan"))
    hold_like_one_run(league)


def test_a_slurm_array(league: Path) -> None:
    array = re.search(r"^#SBATCH --array=1-(\d+)$", SCRIPT, re.MULTILINE)
    assert array
    plan, wait, merge = SLURM.splitlines()
    assert wait == "sbatch --wait cup.sh"
    run([plan], league)
    for number in range(1, int(array[1]) + 1):
        values = {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_CPUS_PER_TASK": "2"}
        run(commands(SCRIPT), league, values)
    run([merge], league)
    hold_like_one_run(league)


def test_a_matrix_of_github_s(league: Path) -> None:
    """Each job in a checkout of its own; what it hands on lies where download-artifact puts it."""
    shard, merge = WORKFLOW.split("\n  merge:\n")
    matrix = re.search(r"^        shard: \[(.*)\]$", shard, re.MULTILINE)
    named = re.search(r"^          name: (\S+?)\$\{\{ matrix.shard \}\}(\S+)$", shard, re.MULTILINE)
    handed = re.search(r"^          path: (.+)$", shard, re.MULTILINE)
    put = re.search(r"^          path: (\w+)$", merge, re.MULTILINE)
    assert matrix
    assert named
    assert handed
    assert put
    for number in matrix[1].split(", "):
        checkout = Path(shutil.copytree(league, league.parent / f"runner {number}"))
        lines = [line.replace("${{ matrix.shard }}", number) for line in commands(shard)]
        assert len(lines) == 2
        run(lines, checkout)
        path = checkout / handed[1].replace("${{ matrix.shard }}", number)
        shutil.copytree(path, league / put[1] / f"{named[1]}{number}{named[2]}")
    run(commands(merge), league)
    hold_like_one_run(league)
