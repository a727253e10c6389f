"""A game of 17 that a seat may be in, by its view alone.

What the view does not say is dealt anew: the blank backs that the seat has not seen, and the order
of the pile. Other seats are taken to know what this one does, and their own cards. In which turn a
card of the row was played matters where trash meets x2: a turn's cards lie side by side, and have
one owner.
"""

from collections import Counter
from itertools import groupby
from typing import Any, TypeVar, cast

from games import FORFEIT, BaseState, Rng, shuffled
from games.diciassette.cards import BACK, DOWN, HAND, PLAY, UNKNOWN, UP, WINDOW, X2, Setup, pack
from games.diciassette.play import Play
from games.diciassette.view import View

P = TypeVar("P", bound=Play)


def build_state(kind: type[P], view: View, rng: Rng) -> P:
    """Return a game of that type which the seat that is asked may be in, by this view alone."""
    state = object.__new__(kind)
    start = Setup((), view.seat, (), int(rng.random() * 2**53))
    BaseState.__init__(state, view.options, view.players, start, view.seat)
    state.next, state.last = view.next, view.last
    state.phase, state.turns = view.phase, view.turns
    state.tokens, state.direction, state.need = view.tokens, view.direction, view.need
    state.due = view.due
    state.backs, state.window = list(view.backs), None
    state.used, state.actions, state._rounds, state._last_play = [], [], [], -1
    since = cast(Any, view.since)
    state.forfeited = [who for who, what, *_ in since if what == FORFEIT]
    state.logs = []
    for seat in range(view.players):
        starts = [at for at, event in enumerate(since) if event[0] == seat != view.seat]
        state.logs.append(list(since[starts[-1] if starts else 0 :]))
    _deal(state, view, rng)
    _count_turns(state)
    goes_on = state.phase == PLAY or state.need or state.hands[state.next]
    if not goes_on and state.turns < view.options.max_turns:
        state.window = state.copy()
        state.window.to_act = (cast(int, view.last) + view.direction) % view.players
    return state


def _deal(state: Play, view: View, rng: Rng) -> None:
    """Deal what the view's seat cannot know: hands, row, both piles, and who knows what of them."""
    shown = [*view.hand, *[card for card, _, _ in view.row], *view.discard]
    hidden = Counter(pack(view.options)) - Counter(card for card in shown if card != UNKNOWN)
    by_back: dict[int, list[str]] = {back: [] for back in range(6)}
    for card in shuffled([*hidden.elements()], rng):
        by_back[BACK[card]].append(card)

    def deal_card(card: str) -> str:
        return by_back[0].pop() if card == UNKNOWN else card

    state.row = [(deal_card(card), face, owner) for card, face, owner in view.row]
    state.discard = [deal_card(card) for card in view.discard]
    state.hidden = [
        card for card, known in zip(state.discard, view.discard, strict=True) if known == UNKNOWN
    ]
    state.hands = [
        view.hand if seat == view.seat else tuple(sorted([by_back[back].pop() for back in backs]))
        for seat, backs in enumerate(view.backs)
    ]
    top = [] if view.top_back is None else [by_back[view.top_back].pop()]
    state.deck = shuffled([card for cards in by_back.values() for card in cards], rng) + top
    state.discards = [view.discard] * view.players
    state.rows = [
        tuple(
            [placed if _knows(seat, placed) else (UNKNOWN, DOWN, placed[2]) for placed in state.row]
        )
        for seat in range(view.players)
    ]


def _knows(seat: int, placed: tuple[str, str, int]) -> bool:
    card, face, owner = placed
    return face == UP or BACK[card] > 0 or owner == seat


def _count_turns(state: Play) -> None:
    """Find the turns that the row's cards are of, and the x2s that `need` and `due` are from."""
    last = state.last
    in_turn = state.need > 0 and (state.phase == WINDOW or last == state.to_act)
    state.played = max(1, HAND - len(state.hands[last])) if in_turn and last is not None else 0
    current = state.turns - (state.phase == WINDOW and not in_turn)
    turn = state.turns - (not in_turn)
    groups = [(seat, len([*cards])) for seat, cards in groupby(state.row, lambda card: card[2])]
    if groups and groups[-1][0] != last:
        turn -= 1  # what it played is no more there
    stamps: list[int] = []
    for _, count in reversed(groups):
        stamps[:0] = [turn] * count
        turn -= 1
    state._stamps = stamps

    def x2s(turn: int, due: int) -> int:
        seen = sum(
            stamp == turn and card == X2 and face == UP
            for stamp, (card, face, _) in zip(stamps, state.row, strict=True)
        )
        return seen if state.cards_due(seen) == due else max(0, due - 1)

    state._x2s = x2s(current, state.due)
    state._obliging = x2s(current - 1, state.need + state.played)
