"""Makes the bot's weights by self-play, always the same ones on one machine, in some 25 s of CPU.

`python -m bots.learned.train` plays rounds of games with the network as it is, sometimes against
its advice, and after each moves its weights towards what the decisions came to: how much further
ahead the game ended, in tens of points, than the seat was when it decided.
"""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bots.learned.bot import NEAR, SEATS, WEIGHTS, WIDTH, features
from games.no_thanks import CARDS, PLAYED

SEED, ROUNDS, GAMES, BATCH = 29, 80, 2000, 2048
INPUTS, UNITS = 4 + SEATS + 2 * len(NEAR), 32
CHIPS, TEN, WHOLE = 11, 10, 1024
RATE, BOLD = 0.003, 0.4  # of learning, and how much better what is not played must be; less by less
STYLE = 0.5  # how differently seats like to take: tournaments have others than itself

Array = NDArray[Any]


def main() -> None:
    """Train a network and write its weights."""
    rng = np.random.default_rng(SEED)
    hidden, out = rng.normal(0, INPUTS**-0.5, (INPUTS, UNITS)), rng.normal(0, 0.1, (UNITS, 2))
    net = [hidden, np.zeros(UNITS), out, np.zeros(2)]
    mean, square, step = [0 * part for part in net], [0 * part for part in net], 0
    for number in range(ROUNDS):
        left = 1 - number / ROUNDS
        seen, took, gains = play(net, BOLD * left + 0.05, rng)
        for batch in np.array_split(rng.permutation(len(seen)), len(seen) // BATCH):
            step += 1
            for at, slope in enumerate(slopes(net, seen[batch], took[batch], gains[batch])):  # Adam
                mean[at] += 0.1 * (slope - mean[at])
                square[at] += 0.01 * (slope**2 - square[at])
                scale = np.sqrt(square[at] / (1 - 0.99**step)) + 1e-8
                net[at] = net[at] - RATE * left * mean[at] / (1 - 0.9**step) / scale
    write(net)


def play(net: list[Array], bold: float, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Return of all decisions what was seen, whether the card was taken, and what was gained."""
    decks = rng.permuted(np.tile(CARDS, (GAMES, 1)), axis=1)[:, :PLAYED]
    owner, chips = np.full((GAMES, WIDTH), -1), np.full((GAMES, SEATS), CHIPS)
    pot, turned, turn = np.zeros((3, GAMES), int)
    made = []
    styles = rng.normal(0, STYLE, (GAMES, SEATS))
    going = np.arange(GAMES)
    while len(going):
        seat, card, own = turn[going], decks[going, turned[going]], chips[going, turn[going]]
        places = np.where(owner[going] < 0, -1, (owner[going] - seat[:, None]) % SEATS)
        seen = features(places, card, pot[going], own, PLAYED - 1 - turned[going])
        worth = values(net, seen)[1] @ (-1, 1) + styles[going, seat]
        take = rng.random(len(going)) < 1 / (1 + np.exp(-np.clip(worth / bold, -30, 30)))
        take |= own == 0
        ahead = lead(owner[going], chips[going])[np.arange(len(going)), seat]
        asked = own > 0
        made.append([part[asked] for part in (seen, take, going, seat, ahead)])
        takes, passes = going[take], going[~take]
        owner[takes, card[take]] = turn[takes]
        chips[takes, turn[takes]] += pot[takes]
        turned[takes] += 1
        pot[takes] = 0
        chips[passes, turn[passes]] -= 1
        pot[passes] += 1
        turn[passes] = (turn[passes] + 1) % SEATS
        going = going[turned[going] < PLAYED]
    seen, take, game, seat, ahead = map(np.concatenate, zip(*made, strict=True))
    gains: Array = (lead(owner, chips)[game, seat] - ahead) / TEN
    return seen, take.astype(int), gains


def lead(owner: Array, chips: Array) -> Array:
    """Return by how many points each seat is ahead of the others' mean, a row a game."""
    starts = owner != np.roll(owner, 1, axis=1)  # of runs
    cards = [((owner == seat) & starts) @ np.arange(WIDTH) for seat in range(SEATS)]
    points = np.stack(cards, axis=1) - chips
    ahead: Array = (points.sum(axis=1, keepdims=True) - SEATS * points) / (SEATS - 1)
    return ahead


def values(net: list[Array], seen: Array) -> tuple[Array, Array]:
    """Return the hidden units, and what passing and taking are worth."""
    hidden, shift, out, last = net
    units = np.maximum(seen / TEN @ hidden + shift, 0)
    return units, units @ out + last


def slopes(net: list[Array], seen: Array, took: Array, gains: Array) -> list[Array]:
    """Return for each part of the network how the squared error changes with it."""
    units, worth = values(net, seen)
    error, rows = np.zeros_like(worth), np.arange(len(seen))
    error[rows, took] = (worth[rows, took] - gains) / len(seen)
    back = error @ net[2].T * (units > 0)
    return [seen.T / TEN @ back, back.sum(axis=0), units.T @ error, error.sum(axis=0)]


def write(net: list[Array]) -> None:
    """Write the weights as whole numbers; a last hidden unit, always 1, stands for a constant."""
    hidden, shift, out, last = net
    more = out @ (-1, 1), last @ (-1, 1)  # that taking is worth
    hidden = np.column_stack([hidden / TEN, np.zeros(INPUTS)])
    parts = hidden, np.append(shift, 1), np.append(*more)
    whole = [np.rint(part * WHOLE).astype(int).tolist() for part in parts]
    WEIGHTS.write_text(json.dumps(whole) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
