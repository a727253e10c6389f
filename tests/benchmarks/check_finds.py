"""`python -m tests.benchmarks.check_finds [--tests] [--seeds N]`: does `arena check` find what
`arena check --thorough` finds?

Thirty bots go wrong rarely: in a phase, a seat, a number of players, late, by chance, from game to
game. With `--tests`, the broken bots of tests/ too. A row has the kinds of trouble that each check
found with each seed, with its CPU seconds; a `*` marks a bot with a kind that the default missed.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tabulate import tabulate

from tests.places import ROOT

DECIDE = """\
import random, time, os
def bad(view):
    {bad}
def decide(view):
    if {when}:
        return bad(view)
    return random.choice(view.legal)
"""
RAISE = "raise ValueError('rare')"
SLOW = """t = time.process_time()
    while time.process_time() < t + {s}: pass
    return view.legal[0]"""
COUNT = """\
import random, time
asked = 0
held = []
def decide(view):
    global asked
    asked += 1
    {then}
    return random.choice(view.legal)
"""
BOT = """\
import random
class Bot:
    def __init__(self, game):
        self.game, self.asked = game, 0
        {init}
    def decide(self, view):
        self.asked += 1
        {decide}
        return random.choice(view.legal)
    def end(self, result):
        {end}
"""
MANY = """\
import time
def decide_many(views, rngs):
    {many}
    return [rng.choice(view.legal) for view, rng in zip(views, rngs)]
"""


def when(condition: str, bad: str = RAISE) -> str:
    return DECIDE.format(when=condition, bad=bad)


def bot(init: str = "pass", decide: str = "pass", end: str = "pass") -> str:
    return BOT.format(init=init, decide=decide, end=end)


RARE = {
    "phase: windows of 17": when("view.phase == 'window'"),
    "seat 5": when("view.seat == 5"),
    "five players of No Thanks!": when("view.game == 'no_thanks' and view.players == 5"),
    "teams of Sixteen, seat 3": when("view.game == 'sixteen' and view.seat == 3"),
    "late: last card of No Thanks!": when("view.game == 'no_thanks' and not view.cards_left"),
    "late: no deck left in Sixteen": when("view.game == 'sixteen' and view.deck < 3"),
    "late: turn 25 of 17": when("view.game == 'diciassette' and view.turns >= 25"),
    "nine legal decisions or more": when("len(view.legal) >= 9"),
    "one chip left": when("view.game == 'no_thanks' and view.chips == 1"),
    "error, 1 in 300 decisions": when("random.random() < 1 / 300"),
    "error, 1 in 1,000 decisions": when("random.random() < 1 / 1000"),
    "error, 1 in 3,000 decisions": when("random.random() < 1 / 3000"),
    "illegal, 1 in 1,000 decisions": when("random.random() < 1 / 1000", "return 'nothing'"),
    "None, 1 in 1,000 decisions": when("random.random() < 1 / 1000", "return None"),
    "exits, 1 in 1,000 decisions": when("random.random() < 1 / 1000", "os._exit(3)"),
    "160 ms, 1 in 1,000 decisions": when("random.random() < 1 / 1000", SLOW.format(s=0.16)),
    "endless, 1 in 2,000 decisions": when("random.random() < 1 / 2000", "while True: pass"),
    "600 MB, 1 in 1,000 decisions": when(
        "random.random() < 1 / 1000", "return bytes(600 << 20) and view.legal[0]"
    ),
    "writes a file, 1 in 1,000": when("random.random() < 1 / 1000", "open('/tmp/x', 'w')"),
    "recursion, 1 in 1,000": when("random.random() < 1 / 1000", "return bad(view)"),
    "clock decides": when("time.time_ns() % 50 == 0", "return view.legal[0]"),
    "os.urandom, 1 in 50 decisions": when(
        "os.urandom(1)[0] < 5", "return view.legal[os.urandom(1)[0] % len(view.legal)]"
    ),
    "own generator": when("random.Random().random() < 0.02", "return view.legal[-1]"),
    "counts its games": COUNT.format(then="if asked % 40 == 0: return view.legal[-1]"),
    "fails after 900 questions": COUNT.format(then="assert asked < 900"),
    "grows by 2 MB a question": COUNT.format(then="held.append(bytes(2 << 20))"),
    "prints, 1 in 500 questions": COUNT.format(then="if asked % 500 == 0: print('rare')"),
    "end fails for the last": bot(end="assert result.ranks[self.game.seat] < self.game.players"),
    "Bot fails at its 60th question": bot(decide="assert self.asked < 60"),
    "Bot's constructor, seat 4": bot(init="assert game.seat != 4"),
    "decide_many fails alone on one": MANY.format(many="assert len(views) > 1 or views[0].seat"),
    "decide_many fails on seat 2": MANY.format(many="assert all(v.seat != 2 for v in views)"),
    "decide_many, 160 ms, 1 in 400": MANY.format(
        many="slow = any(rng.random() < 1 / 400 for rng in rngs); t = time.process_time()\n"
        "    while slow and time.process_time() < t + 0.16: pass"
    ),
}


def broken(folder: Path) -> Iterator[tuple[str, Path]]:
    """The broken bots of tests/."""
    for place in ("bots", "first_bots", "hostile"):
        for path in sorted((ROOT / "tests" / place).iterdir()):
            if path.suffix == ".py" and path.stem.isidentifier() and path.stem.islower():
                yield f"{place}/{path.stem}", path


def check(path: Path, seed: int, *options: str) -> tuple[set[str], float, int]:
    """The kinds of trouble that a check finds, its CPU seconds and its games."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [
        sys.executable,
        "-m",
        "arena",
        "check",
        path,
        "--json",
        "-q",
        "--seed",
        seed,
        *options,
    ]
    done = subprocess.run([*map(str, command)], capture_output=True, check=False, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not done.stdout:
        return {"refused"}, cpu_s, 0
    document = json.loads(done.stdout)
    found = {fault["kind"] for fault in document["faults"]}
    if document["repeats"] and document["repeats"]["alike"] is False:
        found.add("repeats")
    if document["prints"]["lines"]:
        found.add("prints")
    return found, cpu_s, sum(pool["games"] for pool in document["pools"])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    rows, missed, tried = [], 0, 0
    with tempfile.TemporaryDirectory() as place:
        bots = [*broken(Path(place))] if given.tests else []
        for number, (name, text) in enumerate(RARE.items()):
            path = Path(place) / f"rare_{number}.py"
            path.write_text(text)
            bots.append((name, path))
        for name, path in bots:
            if given.only not in name:
                continue
            for seed in range(given.seeds if path.parent == Path(place) else 1):
                found, cpu_s, games = check(path, seed)
                all_found, all_cpu_s, all_games = check(path, seed, "--thorough")
                tried, mark = tried + 1, "*" if all_found - found else ""
                missed += bool(mark)
                kinds = (" ".join(sorted(each)) or "-" for each in (found, all_found))
                rows.append((mark, name, seed, *kinds, games, all_games, cpu_s, all_cpu_s))
                print(tabulate(rows[-1:], tablefmt="plain", floatfmt=".1f"), flush=True)
    head = ("", "bot", "seed", "default", "thorough", "games", "", "CPU-s", "")
    print(tabulate(rows, head, floatfmt=".1f"))
    print(f"{missed} of {tried} checks missed a kind that --thorough found")


if __name__ == "__main__":
    main()
