"""`python -m tests.benchmarks.six_rounds --seed S [--games 1500]`: do commands lead an author from
`arena new` to a better bot?

Plays six rounds in a new league, by commands alone: a tournament, the lost games, why the worst one
was lost, rules for the bot, a test of one rule, an edit, and a match of the file against its last
commit. The edits are kept here. Each was written after reading what `explain` printed in the same
round of an earlier run; with other deals, or on a slower machine, it may print another rule, or
none. An edit is not written if its rule tests worse, and undone if the match finds it worse. Prints
of each command its words, the characters of its output and its seconds; of each round the rating;
and at the end a match of the last version against the first, on deals of its own.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

CONFIG = """\
name = "six"
seed = {}

[[games]]
game = "no_thanks"
players = 3
deals = 1
max_games = {}
"""
GAME_S, BOT_S, RULE_S, MATCH_S = "10", "40", "8", "15"
OF_GAME = ("--game", "no_thanks")
TOP = '    """Return "take" if a third of what the card would cost lies on it in chips."""\n'
END = "    return no_thanks.TAKE if 3 * view.pot >= cost(view) else no_thanks.PASS\n"


class Round(NamedTuple):
    """What an author thought and wrote, having read what `explain` printed."""

    because: str
    rule: str  # is tested before it is written
    before: str  # the line that the edit is written before, or after where it is the first
    code: str


ROUNDS = (
    Round(
        "explain printed such a rule",
        "take -> pass when pot <= 1",
        END,
        "    if view.pot <= 1:\n        return no_thanks.PASS\n",
    ),
    Round(
        "explain printed such a rule",
        "take -> pass when cards_left <= 7 and cost >= 7",
        END,
        "    if view.cards_left <= 7 and cost(view) >= 7:\n        return no_thanks.PASS\n",
    ),
    Round(
        "explain printed such a rule",
        "pass -> take when card <= 15 and pot_share >= 25",
        END,
        "    if view.card <= 15 and 4 * view.pot >= cost(view):\n        return no_thanks.TAKE\n",
    ),
    Round(
        "explain printed such a rule",
        "pass -> take when chips <= 4 and pot_share >= 23",
        END,
        "    if view.chips <= 4 and 4 * view.pot >= cost(view):\n        return no_thanks.TAKE\n",
    ),
    Round(
        "explain found no rule; an idea of the author's: a card that only the bot wants comes back",
        "take -> pass when cost_others >= 18 and cost <= 2 and chips >= 2 and pot <= 4",
        TOP,
        '    others = no_thanks.features(view)["cost_others"]\n'
        "    if others >= 18 and cost(view) <= 2 and view.chips >= 2 and view.pot <= 4:\n"
        "        return no_thanks.PASS\n",
    ),
    Round(
        "explain found no rule, but marked passes with few chips in the worst game",
        "pass -> take when chips <= 3 and pot_share >= 19",
        END,
        "    if view.chips <= 3 and 5 * view.pot >= cost(view):\n        return no_thanks.TAKE\n",
    ),
)


class Author:
    """A league's folder, and what each command took there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.took = defaultdict[str, list[tuple[int, float]]](list)  # characters, seconds

    def arena(self, *words: str, show: str = "") -> str:
        """Run a command; print what it took, and its lines that fit `show`. Returns its stdout."""
        environment = os.environ | {"PYTHONPATH": os.environ.get("PYTHONPATH", "") or os.getcwd()}
        began_s = time.monotonic()
        done = subprocess.run(
            (sys.executable, "-m", "arena", *words),
            cwd=self.folder, env=environment, capture_output=True, text=True,
        )  # fmt: skip
        took = len(done.stdout + done.stderr), time.monotonic() - began_s
        self.took[words[0]].append(took)
        print(f"  {took[0]:6,} characters {took[1]:5.1f} s  arena {shlex.join(words)}", flush=True)
        if done.returncode and words[0] != "explain":  # that one may be too slow here
            raise SystemExit(done.stderr)
        shown = [each for each in done.stdout.splitlines() if show and re.search(show, each)]
        for each in shown if not done.returncode else done.stderr.splitlines()[-1:]:
            print(f"        {each}")
        return done.stdout

    def git(self, *words: str) -> None:
        who = ("-c", "user.name=author", "-c", "user.email=author@localhost")
        subprocess.run(("git", *who, *words), cwd=self.folder, check=True, capture_output=True)

    def rate(self) -> str:
        """Play what is missing; returns the bot's row of the tables."""
        self.arena("tournament", "tournaments/six.toml", "--quiet")
        found = json.loads(self.arena("standings", "six", "--format", "json", "--short"))
        ((_, place, mu, (low, high), beats, *_),) = [
            row for row in found["pools"][0]["rows"] if row[0] == "mine"
        ]
        return f"place {place}, {mu} mu [{low}, {high}], beats {beats:.0%}"

    def match(self, since: str, seed: int) -> str:
        """Compare the bot with an older version against the others; returns the table's row."""
        limits = ("--field", *OF_GAME, "--seconds", MATCH_S, "--seed", str(seed))
        found = self.arena("match", "mine", "--since", since, *limits, show="^No Thanks! 3p  ")
        return found.splitlines()[2]


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser("six_rounds")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--games", type=int, default=1500, metavar="N", help="of all bots (1500)")
    given = parser.parse_args(words)
    began_s = time.monotonic()
    with TemporaryDirectory() as folder:
        author = Author(Path(folder))
        author.arena("init", ".")
        for name in ("mine", "test_mine"):  # as `arena new` writes it, and does so here
            (author.folder / "bots" / f"{name}.py").unlink()
        author.arena("new", "mine")
        config = author.folder / "tournaments" / "six.toml"
        config.write_text(CONFIG.format(given.seed, given.games))
        for command in ("init -q", "add -A", "commit -qm first", "tag first"):
            author.git(*command.split())
        rated = [author.rate()]
        print(f"at first: {rated[0]}")
        for number, each in enumerate(ROUNDS, 1):
            print(f"round {number}")
            play_round(author, each, given.seed)
            rated.append(author.rate())
            print(f"after round {number}: {rated[-1]}")
        print("the last version against the first, on deals of its own")
        author.match("first", given.seed + 1)
    print("command      runs  characters  seconds")
    author.took["all"] = [each for took in author.took.values() for each in took]
    for command, took in author.took.items():
        characters, took_s = (sum(each) for each in zip(*took, strict=True))
        print(f"{command:12} {len(took):4}  {characters:10,}  {took_s:7.1f}")
    print(f"{rated[0]}, then {rated[-1]}; seed {given.seed}, {time.monotonic() - began_s:.0f} s")


def play_round(author: Author, own: Round, seed: int) -> None:
    """Read why games were lost, edit the bot, and keep the edit if it is better in a match."""
    lost = author.arena("games", "six", "--bot", "mine", "--lost")
    game = re.findall(r"^[0-9a-f]{8,}", lost, re.MULTILINE)[0]
    seeded = ("--seed", str(seed))
    author.arena("explain", "six", f"{game}:mine", "--seconds", GAME_S, *seeded, show=r"^\d\. |It ")
    of_bot = ("explain", "six", "mine", *OF_GAME, *seeded)
    author.arena(*of_bot, "--seconds", BOT_S, show=r"^mine |^\d\. |^   beats")
    print(f"  idea, of an earlier run: {own.because}")
    rule = ("--seconds", RULE_S, "--rule", own.rule)
    if " fewer opponents" in author.arena(*of_bot, *rule, show=r"^   beats"):
        print("  tested worse: not written")
        return
    file = author.folder / "bots" / "mine.py"
    text = file.read_text()
    edited = own.before + own.code if own.before == TOP else own.code + own.before
    file.write_text(text.replace(own.before, edited))
    author.arena("check", "mine", show="^mine is")
    line = author.match("HEAD", seed)
    if re.findall(r"  ([+-])[0-9]", line)[0] == "-":  # the estimate is the first
        print("  worse in the match: undone")
        file.write_text(text)
        return
    print("  kept" if "is better" in line else "  kept, though no match has shown it to help")
    author.git("commit", "-qam", own.rule)


if __name__ == "__main__":
    main(sys.argv[1:])
