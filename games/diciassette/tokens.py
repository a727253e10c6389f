"""The tokens of 17: what a round gives to whom, and what second penalties cost."""

from collections.abc import Iterable
from typing import cast

from games.diciassette.cards import Options

GOAL = 3  # victories
V, P = 0, 1  # places in a pair of tokens

Tokens = tuple[tuple[int, int], ...]  # by seat: victories, penalties


def award_tokens(
    options: Options, tokens: Tokens, caller: int, traps: Iterable[int], winner: int, loser: int
) -> Tokens:
    """Return the tokens after a round whose revealed traps, left to right, have these owners.

    They are given in order, and what second penalties cost is taken back.
    """
    held = [*map(list, tokens)]
    charged = False
    paid: list[int] = []  # who has the victory of this round (D26)
    for owner in traps:
        if owner not in paid:
            paid.append(owner)
            held[owner][V] += 1
        spared = owner == caller and not options.own_trap_penalty  # D27
        if not spared and (options.trap_penalty == "each" or not charged):  # D28
            charged = True
            _penalise(held[caller], options)
    if winner not in paid:
        held[winner][V] += 1
    _penalise(held[loser], options)
    for pair in held:
        if pair[P] > 1:
            _pay(pair)
    return cast(Tokens, tuple(map(tuple, held)))


def _penalise(pair: list[int], options: Options) -> None:
    pair[P] += 1
    if options.penalty_timing == "sequential":  # D30
        _pay(pair)


def _pay(pair: list[int]) -> None:
    """Give both penalties and a victory, if there is one, back for each second penalty (D29)."""
    while pair[P] >= 2:
        pair[P] -= 2
        pair[V] = max(0, pair[V] - 1)
