"""Plays its decisions on by rules of thumb, in games that the view allows, and takes the best."""

import random
from collections.abc import Callable
from random import Random
from statistics import fmean, stdev
from typing import Any, NamedTuple

from games import diciassette, no_thanks, sixteen
from games.diciassette import BACK, CALL, DOWN, NUMBER, PASS, REV, TRAP, TRASH, UNKNOWN, UP, X2
from games.sixteen import DRAW, GOAL, WILD, WILDS

# Sixteen: what the next player has of a pile that lacks so much, or shows such a card
RISKS = {1: 0.0, 2: 0.3, 3: 0.4, 4: 0.45, 5: 0.45, 6: 0.45}
SAME_COLOUR, SAME_NUMBER, A_POINT = 0.6, 0.45, -0.03

# No Thanks!
ENOUGH = 15  # points: to be ahead by more is worth no more

# 17
TARGET, A_HIDDEN_CARD = 17, 1.3
NEAR, FULL = 10, 14  # totals from which specials are good, and numbers are not
SPECIALS = {TRAP: 0.8, X2: 0.35, TRASH: 0.3, REV: 0.2}


class Search(NamedTuple):
    """How decisions of a game are compared."""

    game: Any  # its rules
    rule: Callable[[Any, Random], str]  # the rule of thumb that all seats play on by
    lead: Callable[[Any, int], float]  # what a seat's position is worth once a playout ends
    rounds: Callable[[Any], int]  # how many are over
    horizon: int  # rounds that a playout takes; to the end of the game where none is
    playouts: int  # a decision: some 10 ms, never 30
    clear: float  # standard errors that the rule of thumb must be beaten by


def decide(view: no_thanks.View | sixteen.View | diciassette.View) -> str:
    """Return what the rule of thumb says, or else what clearly does better in the same games."""
    if view.game not in SEARCHES:
        return view.legal[0]
    search = SEARCHES[view.game]
    rng = Random(random.random())  # quicker than the arena's own generator, and as repeatable
    usual = search.rule(search.game.determinize(view, rng), rng)
    others = [play for play in view.legal if play != usual and play not in WILDS]
    gains: dict[str, list[float]] = {play: [] for play in others}
    stages = len(others).bit_length()
    for _ in range(stages):  # each leaves the better half, down to one
        for _ in range(search.playouts // stages // (len(others) + 1)):
            state = search.game.determinize(view, rng)
            lead = lead_after(search, state, usual, rng)
            for play in others:
                gains[play].append(lead_after(search, state, play, rng) - lead)
        others.sort(key=lambda play: sum(gains[play]), reverse=True)
        del others[max(1, len(others) // 2) :]
    for best in others:
        error = stdev(gains[best]) / len(gains[best]) ** 0.5
        if fmean(gains[best]) > search.clear * error:
            return best
    return usual


def lead_after(search: Search, state: Any, decision: str, rng: Random) -> float:
    """Return what a decision leads to where all go on by the rule of thumb."""
    seat, end, state = state.to_act, search.rounds(state) + search.horizon, state.copy()
    state.apply(decision)
    while state.to_act is not None and search.rounds(state) < end:
        state.apply(search.rule(state, rng))
    return search.lead(state, seat)


def card_for_pile(state: sixteen.State, rng: Random) -> str:
    """Return a card that makes a set, else one after which few cards of the next player do."""
    if state.phase == DRAW or state.to_act is None:
        return DRAW
    hand, gap = state.hands[state.to_act], GOAL - state.total
    pile = [card for card, _, _ in state.pile] if state.options.match else []
    before, last = ["?!", "!?", *pile][-2:]
    colour, number = (a if a == b else "" for a, b in zip(before, last, strict=True))
    fit = [card for card in hand if card != WILD and int(card[1]) <= gap]
    for card in fit:
        if int(card[1]) == gap or card[0] == colour or card[1] == number:
            return card
    if WILD in hand and (gap <= 6 or colour or number or not fit):
        return f"{WILD}={colour or 'B'}{gap if gap <= 6 else number or 0}"

    def risk(card: str) -> float:
        colour, number = card[0], card[1]
        same = SAME_COLOUR * (colour == last[0]) + SAME_NUMBER * (number == last[1])
        left = RISKS.get(gap - int(number), 0)
        return same + left + A_POINT * int(number) + 0.05 * rng.random()

    return min(fit, key=risk) if fit else hand[int(rng.random() * len(hand))]


def take_or_pass(state: no_thanks.State, rng: Random) -> str:
    """Return "take" at a fair price, unless the card is sure to come round with more on it."""
    seat, card, left = state.to_act, state.card, len(state.deck)
    if seat is None or card is None or not state.chips[seat]:
        return no_thanks.TAKE
    costs = [(card - 1 not in own and card) - (card + 1 in own and card + 1) for own in state.taken]
    own, chips, pot = costs.pop(seat), state.chips[seat], state.pot
    share = 0.5 + 0.06 * (len(costs) - 3) + 0.2 * (1 - left / 12)
    fair = pot >= own * share - 0.8 * max(0, 6.8 - chips)
    comes_round = chips > 1 and min(costs) > 2 * (pot + len(costs)) + 4
    return no_thanks.TAKE if fair and not comes_round else no_thanks.PASS


def card_or_call(state: diciassette.State, rng: Random) -> str:
    """Return a call where numbers and hidden cards make it likely, else what keeps the row low."""
    seat = state.to_act
    if seat is None:
        return PASS
    row = [card for card, _, _ in state.rows[seat]]
    hidden = row.count(UNKNOWN)
    known = sum([NUMBER[card] for card in row if card != UNKNOWN])
    if state.phase == diciassette.WINDOW:
        return CALL if known + hidden >= TARGET else PASS
    guess = known + A_HIDDEN_CARD * hidden

    def promise(card: str) -> float:
        number, luck = NUMBER[card], 0.3 * rng.random()
        if number == 0:
            return luck + SPECIALS[card] * (guess >= NEAR)
        return luck + 0.1 * number + 0.5 if guess + number < FULL else luck - 0.1 * number

    card = max(state.hands[seat], key=promise)
    hides = card == TRAP or (not BACK[card] and guess + NUMBER[card] >= FULL)
    return f"{card}:{DOWN if hides else UP}"


def lead_in_sets(state: sixteen.State, seat: int) -> float:
    """Return by how many sets the seat's side is ahead."""
    return state.sets[seat % 2] - state.sets[1 - seat % 2]


def lead_in_points(state: no_thanks.State, seat: int) -> float:
    """Return by how many points the seat is ahead, of each other one some at most."""
    scores = state.scores()
    return sum([max(-ENOUGH, min(ENOUGH, score - scores[seat])) for score in scores])


def lead_in_tokens(state: diciassette.State, seat: int) -> float:
    """Return by how many victories the seat is ahead; two penalties cost one, three win."""
    worth = [won + 2 * (won > 2) - penalties / 2 for won, penalties in state.tokens]
    return worth[seat] - (sum(worth) - worth[seat]) / (len(worth) - 1)


SEARCHES = {
    "diciassette": Search(
        diciassette, card_or_call, lead_in_tokens, lambda state: len(state.rounds), 1, 150, 1.0
    ),
    "no_thanks": Search(no_thanks, take_or_pass, lead_in_points, lambda state: 0, 1, 80, 1.0),
    "sixteen": Search(
        sixteen, card_for_pile, lead_in_sets, lambda state: sum(state.sets), 2, 240, 0.5
    ),
}
