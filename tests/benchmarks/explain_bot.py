"""`python -m tests.benchmarks.explain_bot --seed S ... [--seconds 60] [--only BOT ...] [--lots]`:
do the rules that `arena explain BOT` prints make bots better?

Plays a league of the house bots, the bot of `arena init` (`mine`) and the first of bots/README
(`thrifty`) with one pool a game, and asks for rules for each bot and game: of these two with each
seed, of the others with the first. Each printed rule becomes a bot file, whose code is made here
and not by `arena.insight`, and plays `arena match` against the bot without it, in the field, on
deals of its own. Prints a line a run, then how many rules have a positive estimate there, how many
are worse, how many agree with their match within 1.96 of the joint error, which runs printed none,
and the CPU time. With `--lots`, `mine` plays a No Thanks! whose scores are a hash of deck and
actions: all moves are equal, and no rule should hold.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from math import hypot
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from shutil import copy, copytree
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

POOLS = (("no_thanks", 3), ("sixteen", 2), ("diciassette", 3))
GAMES, MATCH_GAMES = 600, 3000
MATCH_S = 30
AUTHORS = ("mine", "thrifty")
CONFIG = 'name = "own"\nseed = {}\n' + "".join(
    f'[[games]]\ngame = "{game}"\nplayers = {players}\ndeals = 1\nmax_games = {GAMES}\n'
    for game, players in POOLS
)
WRAPPER = '''\
"""Decides as the bot of the same name does, but where a rule says otherwise."""

import re

import was

from games import {game} as game


def fits(chosen, view, decision):
    if chosen in (game.move_classes(view, decision) if hasattr(game, "move_classes") else ()):
        return ()
    found = re.fullmatch(re.escape(chosen).replace(r"\\*", "(.*)"), decision)
    return None if found is None else found.groups()


def changed(view, decision):
    if view.game != "{game}" or decision not in view.legal:
        return decision
    stars = fits({chosen!r}, view, decision)
    if stars is None or fits({better!r}, view, decision) is not None:
        return decision
    try:
        if not ({when}):
            return decision
    except (IndexError, TypeError, ValueError):
        return decision
    exact = {better!r}
    for star in stars:
        exact = exact.replace("*", star, 1)
    for wanted in (exact, {better!r}):
        for other in view.legal:
            if fits(wanted, view, other) is not None:
                return other
    return decision


{kind}
'''
LOTS = """

def _drawn_lots(self):
    from hashlib import blake2b

    played = repr((self.start, self.actions)).encode()
    return [*blake2b(played, digest_size=len(self.taken)).digest()]


State.scores = _drawn_lots
"""
KINDS = {
    "decide": "def decide(view):\n    return changed(view, was.decide(view))\n",
    "Bot": "class Bot(was.Bot):\n    def decide(self, view):\n"
    "        return changed(view, super().decide(view))\n",
    "decide_many": "def decide_many(views, rngs):\n"
    "    return [changed(v, d) for v, d in zip(views, was.decide_many(views, rngs))]\n",
}


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="explain_bot")
    parser.add_argument("--seed", type=int, nargs="+", required=True)
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="a run (60)")
    parser.add_argument("--only", nargs="*", default=[], metavar="BOT")
    parser.add_argument("--lots", action="store_true", help="all moves equal, one game, no matches")
    given = parser.parse_args(words)
    with TemporaryDirectory() as folder:
        league = Path(folder) / "league"
        if given.lots:
            code = Path(folder) / "code"
            for part in ("arena", "bots", "games", "tournaments"):
                copytree(part, code / part)
            with (code / "games" / "no_thanks.py").open("a") as rules:
                rules.write(LOTS)
            os.environ["PYTHONPATH"] = str(code)
        _arena(league.parent, "init", str(league))
        page = (Path(__file__).parents[2] / "bots" / "README.md").read_text()
        (league / "bots" / "thrifty.py").write_text(page.split("```python\n")[1].split("```")[0])
        (league / "tournaments" / "own.toml").write_text(CONFIG.format(given.seed[0]))
        _arena(league, "tournament", "tournaments/own.toml", "--quiet")
        bots = sorted(path.stem for path in (league / "bots").iterdir() if path.name[0] not in "._")
        found, silent = list[Matched](), list[str]()
        for bot in [each for each in bots if each not in ("README", "test_mine")]:
            if given.only and bot not in given.only:
                continue
            for game, players in POOLS[:1] if given.lots else POOLS:
                for seed in given.seed if bot in AUTHORS else given.seed[:1]:
                    matched = list(run(league, bot, game, players, seed, given.seconds))
                    found += matched
                    silent += [] if matched else [f"{bot} in {game} (seed {seed})"]
    better, worse = sum(each.gain > 0 for each in found), sum(each.is_worse for each in found)
    agree = sum(each.agrees for each in found)
    print(f"{len(found)} rules: {better} with a positive estimate, {worse} significantly worse")
    print(f"{agree} agree with their match; {len(silent)} runs printed none: {', '.join(silent)}")
    print(f"seeds {given.seed}, {_cpu_s():.0f} s of CPU")


class Matched(NamedTuple):
    """What a printed rule came to in a match."""

    gain: float  # in mu
    is_worse: bool  # for sure
    agrees: bool  # with the figure that was printed


def run(
    league: Path, bot: str, game: str, players: int, seed: int, seconds: int
) -> Iterator[Matched]:
    """Explain a bot; yield what each printed rule came to."""
    before = _cpu_s()
    words = ("explain", "own", bot, "--game", game, "--seconds", str(seconds), "--seed", str(seed))
    (advice,) = json.loads(_arena(league, *words, "--json"))["advice"]
    cpu = _cpu_s() - before
    what = f"{bot} in {game}: {advice['decisions']:,} decisions sampled, {cpu:.0f} s of CPU"
    told = f"{advice['tested']} tested, {len(advice['holds'])} hold"
    print(f"{what}, {told}, seed {seed}, load {os.getloadavg()[0]:.1f}", flush=True)
    for number, rule in enumerate(advice["confirmed"][:3]):
        ruled = f"{bot}_rule{number}_{seed}"
        write_wrapped(league / "bots", bot, ruled, game, rule)
        limits = ("--games", str(MATCH_GAMES), "--seconds", str(MATCH_S), "--seed", str(seed + 1))
        where = ("--field", "--game", game, "--players", str(players), *limits)
        match = json.loads(_arena(league, "match", ruled, bot, *where, "--fresh", "--json"))
        (pool,) = match["pools"]
        if any(pool["faults"].values()):
            raise SystemExit(f"{ruled}: forfeits games: {pool['faults']}")
        low, high = pool["interval"] or (None, None)
        least, most = rule["interval"]
        told = f"{100 * rule['gain']:+.1f} ±{50 * (most - least):.1f} in 100, "
        told += f"about {rule['mu']:+.2f} mu; match "
        told += f"{pool['difference']:+.2f} mu [{low}, {high}], {pool['games']:,} games"
        print(f"  {rule['rule']}: {told}", flush=True)
        error = (high - low) / 3.92 if high is not None else 1e9
        error = hypot(error, (most - least) / 3.92 * abs(rule["gain_mu"] / (rule["gain"] or 1)))
        agrees = abs(rule["gain_mu"] - pool["difference"]) <= 1.96 * error
        yield Matched(pool["difference"], high is not None and high < 0, agrees)


def write_wrapped(bots: Path, bot: str, name: str, game: str, rule: dict[str, Any]) -> None:
    """Write a bot that follows a rule: a folder with the bot's own files and a wrapper."""
    folder = bots / name
    if (bots / bot).is_dir():
        copytree(bots / bot, folder, dirs_exist_ok=True)
        (folder / "bot.py").rename(folder / "was.py")
    else:
        folder.mkdir(exist_ok=True)
        copy(bots / f"{bot}.py", folder / "was.py")
    text = (folder / "was.py").read_text()
    (kind,) = [k for k in KINDS if re.search(rf"^(def|class) {k}\b", text, re.MULTILINE)]
    change, _, conditions = rule["rule"].partition(" when ")
    chosen, better = change.split(" -> ")
    when = " and ".join(map(expression, filter(None, conditions.split(" and ")))) or "True"
    wrapper = WRAPPER.format(game=game, chosen=chosen, better=better, when=when, kind=KINDS[kind])
    (folder / "bot.py").write_text(wrapper)


def expression(condition: str) -> str:
    """Write a condition in Python: `len(taken[own]) <= 7` as the bot's author would."""
    field, sign, number = condition.rsplit(" ", 2)
    found = re.fullmatch(r"(?:(len|sum|least|most)\()?(\w+)((?:\[\w+\])*)\)?", field)
    assert found is not None, condition
    measure, name, places = found.groups()
    value = f"(view.{name} if hasattr(view, {name!r}) else game.features(view)[{name!r}])"
    value += places.replace("[own]", "[view.seat]")
    if measure in ("least", "most"):
        others = f"[x for i, x in enumerate({value}) if i != view.seat or {bool(places)} or "
        others += f"len({value}) != view.players]"
        value = f"{'min' if measure == 'least' else 'max'}({others})"
    elif measure:
        value = f"{measure}({value})"
    return f"{value} {sign} {number}"


def _arena(folder: Path, *words: str) -> str:
    """Run a command of arena in a league; return what it printed."""
    environment = os.environ | {"PYTHONPATH": os.environ.get("PYTHONPATH", "") or os.getcwd()}
    command = (sys.executable, "-m", "arena", *words)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(f"arena {' '.join(words)}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def _cpu_s() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main(sys.argv[1:])
