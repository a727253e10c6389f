"""A state of 17 as replay tools show it: all of it, and on one line of words."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.diciassette.cards import BACK, PLAY, UP, WINDOW
from games.diciassette.play import Play


def dumped(state: Play) -> dict[str, Any]:
    """Return the whole state, keys as the record format has them.

    As actions do not tell of passes, it is in a window until the next card is played.
    """
    last = state.last
    after_turn = last is not None and not state.played
    between = state.played and state.options.mid_x2_call
    window = state.turn is not None and (state.phase == WINDOW or after_turn or between)
    callers = []
    if window and last is not None and state.may_be_called():
        asked = state.asked_from((last + state.direction) % state.seats)
        callers = [seat for seat in asked if seat not in state.forfeited]
    return {
        "phase": "over" if state.turn is None else WINDOW if window else PLAY,
        "to_act": None if state.turn is None else state.next,
        "over": state.over,
        "need": 0 if state.turn is None else state.need or state.due,
        "dir": state.direction,
        "row": [list(placed) for placed in state.row],
        "last": last,
        "callers": callers,
        "tokens": [list(pair) for pair in state.tokens],
        "hands": [list(hand) for hand in state.hands],
        "deck": len(state.deck),
        "deck_top_back": BACK[state.deck[-1]] if state.deck else None,
        "discard": list(state.discard),
        "discard_hidden": list(state.hidden),
        "total": state.total(),
        "turns": state.turns,
    }


def summarize(dump: Mapping[str, Any]) -> str:
    """Return a dump in words: total, row (face down with a star), tokens and hands by seat."""
    row = " ".join(f"{card}{'' if face == UP else '*'}" for card, face, _ in dump["row"]) or "-"
    tokens = " ".join(f"{victories}/{penalties}" for victories, penalties in dump["tokens"])
    hands = " | ".join(" ".join(hand) or "-" for hand in dump["hands"])
    return f"{dump['total']:>2} {row:<24} tokens {tokens}  hands {hands}"


def priority(dump: Mapping[str, Any]) -> Sequence[int]:
    """Return who may call, in the order in which they are asked (D11)."""
    callers: Sequence[int] = dump["callers"]
    return callers
