"""`python -m tests.benchmarks.history COMMIT... [--games N] [--rounds R]`: what each step gained.

For each commit, oldest first as given, a `git worktree` in a temporary folder; then the same small
measures in all of them in turn, round after round, with this Python: a session of No Thanks! with
three random bots and one with readers, each by the commit's own `tests.benchmarks.ladder`; a
tournament of N games; and start-up, a tournament of one deal. Tournaments are played through the
command line and counted from here, so nothing else of a commit's benchmarks has to be as it is now.
What a commit cannot measure is left empty. A gain is taken round by round, as the speed over that
of the commit before; its median is told.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tabulate import tabulate

from tests.benchmarks import load, tournaments
from tests.benchmarks.accounting import ROOT, cost_of

GAMES, ROUNDS = 10_000, 5
SESSION = """\
import gc, json, os, sys
import arena
if not arena.__file__.startswith(os.getcwd()):
    sys.exit("no arena here, but one that is installed")
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # as a worker: the cores are another line
from arena.process.zygote_client import ZygoteClient
from arena.runner.worker import GARBAGE
from tests.benchmarks import ladder, tournaments
gc.freeze()
gc.set_threshold(GARBAGE)
zygote = ZygoteClient()
pool = tournaments.pool_of("no_thanks", 3)
took = ladder.in_a_session(zygote, pool, sys.argv[1], int(sys.argv[2]))
zygote.close()
print(json.dumps(took.cpu_s / took.decisions * 1e6))
"""
MEASURES = (
    "random, us a decision",
    "reader, us a decision",
    "tournament, CPU s",
    "start-up, CPU s",
)
SUBJECT = 60  # letters of it

Values = dict[str, list[float | None]]  # by measure, one a round


@contextmanager
def worktrees(commits: Sequence[str]) -> Iterator[list[Path]]:
    """Check out the commits in temporary folders, which are removed in the end."""
    with tempfile.TemporaryDirectory(prefix="arena-history-") as folder:
        paths = [Path(folder, str(number)) for number in range(len(commits))]
        try:
            for path, commit in zip(paths, commits, strict=True):
                _git("worktree", "add", "--quiet", "--detach", str(path), commit)
            yield paths
        finally:
            for path in paths:
                if path.exists():
                    _git("worktree", "remove", "--force", str(path))
            _git("worktree", "prune")


def measured(folder: Path, games: int) -> dict[str, float | None]:
    """Return each measure of the commit in a folder, None where it has no way to measure it."""
    many, few = (
        tournaments.of_one_line_up("no_thanks", 3, "random_choice", 1, count)
        for count in (games, 1)
    )
    return {
        MEASURES[0]: _session(folder, "random_choice", games),
        MEASURES[1]: _session(folder, "reader", games // 2),
        MEASURES[2]: tournaments.cost(many, folder).cpu_s,
        MEASURES[3]: tournaments.cost(few, folder).cpu_s,
    }


def _session(folder: Path, bot: str, games: int) -> float | None:
    command = [sys.executable, "-c", SESSION, bot, str(max(1, games))]
    try:
        return float(json.loads(cost_of(command, folder).stdout))
    except RuntimeError as error:
        print(f"{folder.name}: no session of {bot}: {error}", file=sys.stderr)
        return None


def table(commits: Sequence[str], found: Sequence[Values]) -> str:
    """Return a line a commit: each measure's median, minimum and maximum, and what it gained."""
    rows = []
    for at, (commit, values) in enumerate(zip(commits, found, strict=True)):
        row = [commit]
        for measure in MEASURES:
            own = [value for value in values[measure] if value is not None]
            row.append(
                f"{statistics.median(own):.2f} ({min(own):.2f}..{max(own):.2f})" if own else ""
            )
            row.append(gain(found[at - 1][measure], values[measure]) if at else "")
        rows.append(row)
    heads = ["commit", *(head for measure in MEASURES for head in (measure, "gain"))]
    return tabulate(rows, heads, disable_numparse=True)


def gain(before: Sequence[float | None], now: Sequence[float | None]) -> str:
    """Return how much faster it became, "" if that was not measured."""
    ratios = [old / new for old, new in zip(before, now, strict=True) if old and new]
    return f"{statistics.median(ratios) - 1:+.1%}" if ratios else ""


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="history", description="Say what each commit gained.")
    parser.add_argument("commits", nargs="+", metavar="COMMIT")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="R")
    parser.add_argument("--load", type=float, default=load.MOST, metavar="L",
                        help="begin a round when the 1-minute load is under this")  # fmt: skip
    given = parser.parse_args(words)
    form = f"--format=%h %<({SUBJECT},trunc)%s"
    named = [_git("log", "-1", form, commit) for commit in given.commits]
    found: list[Values] = [{measure: [] for measure in MEASURES} for _ in named]
    with worktrees(given.commits) as folders:
        for _ in load.rounds(given.rounds, given.load):
            for folder, values in zip(folders, found, strict=True):
                for measure, value in measured(folder, given.games).items():
                    values[measure].append(value)
    print(table(named, found))


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"git {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout.strip()


if __name__ == "__main__":
    main()
