"""`python -m tests.benchmarks.tuning BOTS [--seconds 60] [--idle 100]`: what `arena tune` finds.

Writes three bots of 8 to 10 plain numbers, and one whose numbers change moves but no value, into
the folder BOTS; tunes each of the three by three seeds, plays the numbers found and the old ones on
2,000 fresh decks in this process (`arena.testing.play`), and counts how often the fourth is told
better. Then the standard error of a gain with a deck for each seat, and with one deck for all.
"""

import argparse
import json
import secrets
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from unittest.mock import patch

import numpy as np

from arena import ids
from arena.league.bots import BotPath
from arena.league.files import read_bot
from arena.plan.match import Terms, find_pools
from arena.process.launch import start_client
from arena.progress import SILENT
from arena.testing import play
from arena.tuning.numbers import read_numbers, write_numbers
from arena.tuning.race import Race, find_field

BOTS = {
    "no_thanks": '''"""Takes a card for its full cost; eight numbers more do nothing yet."""

from games import no_thanks

TUNE = {
    "share": (1.0, 0.1, 1.2), "later": (0.0, -0.5, 0.5), "player": (0.0, -0.2, 0.2),
    "short": (0, 0, 12), "worth": (0.0, 0.0, 2.0), "near": (0.0, -3.0, 6.0),
    "greed": (0, 0, 8), "rival": (0.0, 0.0, 1.0), "low": (0.0, -6.0, 6.0),
}
N = {name: row[0] for name, row in TUNE.items()}


def decide(view):
    if view.game != "no_thanks":
        return view.legal[0]
    costs = [no_thanks.points((*t, view.card), 0) - no_thanks.points(t, 0) for t in view.taken]
    own = costs.pop(view.seat)
    price = own * (N["share"] + N["later"] * (1 - view.cards_left / 12) + N["player"] * (view.players - 4))
    price -= N["worth"] * max(0, N["short"] - view.chips)
    price -= N["near"] * any(abs(card - view.card) == 2 for card in view.taken[view.seat])
    price -= N["low"] * (view.card < 15)
    if view.pot < price:
        return "pass"
    once_round = view.pot + view.players - 1
    if view.chips > 1 and N["greed"] and min(costs) * N["rival"] > once_round + 8 - N["greed"]:
        return "pass"
    return "take"
''',
    "sixteen": '''"""Makes sets, else plays what weighs most; seven weights do nothing yet."""

from games import sixteen

TUNE = {
    "number": (1.0, -3.0, 3.0), "bust": (0.0, -10.0, 10.0), "reach": (0.0, -10.0, 10.0),
    "colour": (0.0, -10.0, 10.0), "same": (0.0, -10.0, 10.0), "wild": (0.0, -10.0, 10.0),
    "over": (0.0, -3.0, 3.0), "gap": (0.0, -2.0, 2.0),
}
N = {name: row[0] for name, row in TUNE.items()}


def decide(view):
    if view.game != "sixteen" or view.phase == sixteen.DRAW:
        return view.legal[0]
    pile = [card for card, _, _ in view.pile[-2:]] if view.options.match else []

    def weigh(play):
        colour, number = play[-2], int(play[-1])
        gap = sixteen.GOAL - view.total - number
        if gap == 0 or gap > 0 and len(pile) == 2 and any(
            len({card[at] for card in (*pile, play[-2:])}) == 1 for at in (0, 1)
        ):
            return 100.0
        if gap < 0:
            return -50 + N["over"] * number
        top = pile[-1] if pile else "--"
        return (
            N["number"] * number + N["reach"] * (gap <= 6) + N["bust"] * (gap <= 2) + N["gap"] * gap
            + N["colour"] * (top[0] == colour) + N["same"] * (top[1] == play[-1])
            + N["wild"] * (sixteen.HELD[play] != play)
        )

    return max(view.legal, key=weigh)
''',
    "diciassette": '''"""Plays its highest number, calls what it sees; nine numbers do nothing yet."""

from games.diciassette import CALL, DOWN, NUMBER, PASS, TRAP, UNKNOWN, WINDOW

TUNE = {
    "high": (1.0, -3.0, 3.0), "hidden": (0.0, 0.0, 5.0), "need": (17.0, 8.0, 24.0),
    "full": (17, 8, 24), "over": (0.0, -10.0, 10.0), "down": (0.0, -10.0, 10.0),
    "trap": (0.0, -10.0, 20.0), "special": (0.0, -10.0, 10.0), "late": (0.0, -10.0, 10.0),
    "zero": (0.0, -10.0, 10.0),
}
N = {name: row[0] for name, row in TUNE.items()}


def decide(view):
    if view.game != "diciassette":
        return view.legal[0]
    seen = sum(NUMBER.get(card, 0) for card, _, _ in view.row)
    seen += N["hidden"] * sum(card == UNKNOWN for card, _, _ in view.row)
    if view.phase == WINDOW:
        return CALL if seen >= N["need"] else PASS

    def weigh(play):
        card, face = play[:-2], play[-1]
        number, down = NUMBER[card], face == DOWN
        over = seen + number >= N["full"]
        return (
            N["high"] * number + over * (N["over"] * number) + N["down"] * down + N["late"] * (down and over)
            + N["trap"] * (card == TRAP and down and over) + N["special"] * (not number) + N["zero"] * (not number and over)
        )

    return max(view.legal, key=weigh)
''',
    "idle": '''"""Numbers change which of two equal moves is made, not what it is worth."""

from random import Random

from games import no_thanks

TUNE = {
    "n0": (0.5, 0.0, 1.0),
    "n1": (0.5, 0.0, 1.0),
    "n2": (0.5, 0.0, 1.0),
    "n3": (0.5, 0.0, 1.0),
    "n4": (0.5, 0.0, 1.0),
    "n5": (0.5, 0.0, 1.0),
    "n6": (0.5, 0.0, 1.0),
    "n7": (0.5, 0.0, 1.0),
}


def decide(view):
    if view.game != "no_thanks":
        return view.legal[0]
    mine = view.taken[view.seat]
    cost = no_thanks.points((*mine, view.card), 0) - no_thanks.points(mine, 0)
    numbers = [row[0] for row in TUNE.values()]
    coin = Random(f"{numbers} {view.taken} {view.chips} {view.pot} {view.card}").random()
    return "take" if 2 * view.pot >= cost * (0.7 + 0.6 * coin) else "pass"
''',
}
FIELD, PLAYERS = ("champion", "haggler", "ledger"), {"no_thanks": 3}
BETTER = {"share": 0.6, "later": 0.3, "greed": 7, "rival": 0.4, "low": 2.0}


def tune(path: Path, game: str, seed: int, *words: object) -> dict:
    command = [
        sys.executable,
        "-m",
        "arena",
        "tune",
        path,
        "--game",
        game,
        "--seed",
        seed,
        "--json",
    ]
    done = subprocess.run([*map(str, (*command, *words))], capture_output=True, check=True)
    return json.loads(done.stdout)


def load(code: bytes):
    names = {"__name__": "bot"}
    exec(code, names)
    return names["decide"]


def fresh(path: Path, game: str, found: dict) -> tuple[float, float]:
    """The gain on 2,000 fresh decks, and its standard error."""
    source = read_bot(BotPath(path.stem, path))
    numbers = read_numbers("bot", source, True)
    values = {one["name"]: one["tuned"] for one in found["numbers"]}
    sets = [load(path.read_bytes()), load(write_numbers(path.read_bytes(), numbers, values))]
    players, seed, gains = PLAYERS.get(game, 2), secrets.randbits(40), []
    for deck in range(2000 // players):
        others = Random(f"{seed} {deck}").sample(FIELD, players - 1)
        for seat in range(players):
            shares = []
            for me in sets:
                bots = [*others[:seat], me, *others[seat:]]
                at = deck * players + seat
                ranks = play(game, bots, seed=seed, deck=at, dice=deck, confined=False).result[
                    "ranks"
                ]
                mine = ranks.pop(seat)
                shares.append(np.mean([(its > mine) + (its == mine) / 2 for its in ranks]))
            gains.append(shares[1] - shares[0])
    return float(np.mean(gains)), float(np.std(gains, ddof=1)) / len(gains) ** 0.5


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("bots", type=Path)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--idle", type=int, default=100)
    given = parser.parse_args()
    given.bots.mkdir(exist_ok=True)
    paths = {name: given.bots / f"{name}_bot.py" for name in BOTS}
    for name, path in paths.items():
        path.write_text(BOTS[name])
    for game in ("no_thanks", "sixteen", "diciassette"):
        for seed in (1, 2, 3):
            found = tune(paths[game], game, seed, "--seconds", given.seconds)
            gain, error = fresh(paths[game], game, found)
            final = (found["interval"][1] - found["gain"]) / 1.96
            z = (gain - found["gain"]) / (error**2 + final**2) ** 0.5
            print(game, seed, found["games"], f"{found['gain']:.3f} fresh {gain:.3f} z {z:.2f}")
    told = sum(
        tune(paths["idle"], "no_thanks", seed, "--games", 2000)["better"]
        for seed in range(given.idle)
    )
    print("numbers without value told better:", told, "of", given.idle)
    path, pools = paths["no_thanks"], find_pools(Terms(("no_thanks",), None))
    source, deal = read_bot(BotPath("bot", path)), ids.deal_setup
    old = {one.name: one.value for one in read_numbers("bot", source, True)}
    with closing(start_client(True)) as client:
        race = Race("bot", source, find_field(given.bots, (), pools, source), pools, client, SILENT)
        for name, where in (
            ("a deck for each seat", lambda at: at),
            ("one for all", lambda _: None),
        ):
            with patch.object(
                ids, "deal_setup", lambda *a, where=where: deal(*a[:-1], where(a[-1]))
            ):
                payoffs, _ = race.play(
                    [old, {**old, **BETTER}], range(2000), b"0123456789abcdef", old
                )
            gains = payoffs[1] - payoffs[0]
            print(name, f"{gains.mean():.4f}, standard error {gains.std(ddof=1) / 2000**0.5:.4f}")


if __name__ == "__main__":
    main()
