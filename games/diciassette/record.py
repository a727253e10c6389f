"""Records of 17 read, by putting in the passes that they leave out, and a state shown to tools.

A card that is played says that nobody called before it, a call that those asked before the caller
passed. After some windows the game goes on by itself (D37, D38), and no action tells that nobody
called there: the passes are made at once, and the state is kept as it was before them, for a call
or a forfeit that comes in that window after all.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from games import FORFEIT, BaseDump, IllegalAction
from games.diciassette.cards import BACK, CALL, HAND, PASS, PLAY, UP, WINDOW, MissingPile
from games.diciassette.play import Play


def replay_action(state: Play, seat: int, action: str, other_takers: Sequence[int]) -> None:
    """Carry out an action of a record. Raises IllegalAction; the state then stays as it is.

    Where nothing can fail once the action is legal, which is nearly always, no copy is needed.
    """
    may_fail = action in (CALL, FORFEIT) or other_takers or len(state.deck) <= HAND * state.seats
    if may_fail or goes_on(state):
        state.become(replay_in_copy(state, seat, action, other_takers))
        return
    for decision in decisions(state, seat, action):
        state.apply(decision)
    state.window = None
    if goes_on(state):
        state.become(pass_window(state.copy()))


def replay_in_copy(state: Play, seat: int, action: str, other_takers: Sequence[int]) -> Play:
    """Return the state after an action of a record; the given one stays as it is. Raises
    IllegalAction.
    """
    late = action in (CALL, FORFEIT)
    after = ((state.window or state) if late else pass_window(state)).copy()
    after.window = None
    if other_takers and action != CALL:
        raise IllegalAction("only a call of 17 names other seats")
    if action == FORFEIT:
        after.forfeit(seat)
    else:
        for decision in decisions(after, seat, action, other_takers):
            after.apply(decision)
    return pass_window(after)


def pass_window(state: Play) -> Play:
    """Return the state after the window that it is in, if it goes on by itself; else itself.

    Where the record does not give the pile that this would need, a prefix ends: whatever comes
    next says what is missing.
    """
    if not goes_on(state) or state.to_act is None:
        return state
    later = state.copy()
    try:
        for _ in state.asked_from(state.to_act):
            later.apply(PASS)
    except MissingPile:
        return state
    later.window = state
    return later


def goes_on(state: Play) -> bool:
    """Return whether the game goes on by itself after the window that it is in (D37, D38)."""
    if state.to_act is None or state.phase != WINDOW or state.need:
        return False
    return state.turns >= state.options.max_turns or not state.hands[state.next]


def decisions(state: Play, seat: int, action: str, other_takers: Sequence[int] = ()) -> list[str]:
    """Return what an action of a record, no forfeit, stands for: passes before it, and itself.

    Raises IllegalAction if it cannot be played here.
    """
    if state.to_act is None:
        raise IllegalAction("the game is over")
    asked = state.asked_from(state.to_act) if state.phase == WINDOW else []
    if action == CALL:
        _check_call(
            state, [one for one in asked if one not in state.forfeited], (seat, *other_takers)
        )
        return [PASS] * asked.index(seat) + [CALL]
    _check_play(state, seat, action)
    return [PASS] * len(asked) + [action]


def _check_play(state: Play, seat: int, action: str) -> None:
    if seat != state.next:
        raise IllegalAction(f"it is the turn of seat {state.next}, not {seat}")
    state.check_play(seat, action)
    stand_in = f"{state.hands[seat][0]}:{UP}"
    if seat in state.forfeited and action != stand_in:
        raise IllegalAction(f"the stand-in of seat {seat} plays {stand_in!r} here (D40)")


def _check_call(state: Play, callers: Sequence[int], calls: Sequence[int]) -> None:
    """Raise IllegalAction unless all `calls` are of `callers`, and the first has priority."""
    for seat in calls:
        if seat not in callers:
            may = ", ".join(map(str, callers)) or "no seat"
            raise IllegalAction(f"seat {seat} cannot call here; {may} can")
    order = [callers.index(seat) for seat in calls]
    if order[0] != min(order) or len(set(order)) < len(order):
        raise IllegalAction(f"seat {callers[min(order)]} has priority over {calls[0]} (D11)")


class Dump(BaseDump):
    """The whole state. `need`: cards still to play; `dir`: 1 or -1; `row`: card, face and owner;
    `last`: the seat that played last; `callers`: the seats that may call now, by priority;
    `tokens`: victories and penalties by seat; `deck`: the number of cards; `deck_top_back`: the
    number on the back of the top card, 0 for none; `discard`: oldest first; `discard_hidden`: those
    face down.
    """

    need: int
    dir: int
    row: list[tuple[str, str, int]]
    last: int | None
    callers: list[int]
    tokens: list[tuple[int, int]]
    hands: list[list[str]]
    deck: int
    deck_top_back: int | None
    discard: list[str]
    discard_hidden: list[str]
    total: int
    turns: int


def make_dump(state: Play) -> dict[str, Any]:
    """Return the whole state, keys as the record format has them.

    As actions do not tell of passes, it is in a window until the next card is played.
    """
    last = state.last
    after_turn = last is not None and not state.played
    between = state.played and state.options.mid_x2_call
    window = state.to_act is not None and (state.phase == WINDOW or after_turn or between)
    callers = []
    if window and last is not None and state.may_be_called():
        asked = state.asked_from((last + state.direction) % state.seats)
        callers = [seat for seat in asked if seat not in state.forfeited]
    return {
        "phase": "over" if state.to_act is None else WINDOW if window else PLAY,
        "to_act": None if state.to_act is None else state.next,
        "over": state.over,
        "need": 0 if state.to_act is None else state.need or state.due,
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
