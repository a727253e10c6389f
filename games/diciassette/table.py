"""A table of 17 as a seat may know it, and what it hears, for whoever draws or tells it.

A card face down that the seat knows stands in brackets: its own, or one with a number on its back.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from games import Event, Symbol
from games.diciassette.cards import (
    BACK,
    CALL,
    DOWN,
    NUMBER,
    REV,
    TRAP,
    TRASH,
    UNKNOWN,
    WINDOW,
    X2,
    Placed,
)
from games.diciassette.features import ROW_GOAL
from games.kit.zones import BACK as BLANK
from games.kit.zones import Colour, Piece, Zone, card_zone, value_zone

_PHRASES = {
    "pass": "does not call",
    "reshuffle": "the discard pile is shuffled into a new draw pile",
    "void": "no cards are left to play: the round is void",
}
_SPECIALS: dict[str, tuple[str, Colour]] = {
    REV: ("reverse", "blue"), X2: ("times two", "green"), TRASH: ("trash", "orange"),
    TRAP: ("trap", "red"),
}  # fmt: skip
LEGEND = {
    "N3": "The number is on both sides: everyone can read it, even in a hand or face down. Its "
    "text is N3. The row makes the sum of its numbers.",
    "n3": "The back is blank. Its text is n3; n3:u is face up, n3:d is face down.",
    REV: "Face up: play changes direction.",
    X2: "Face up: the next turn has two cards. Cards due are those still to play in a turn.",
    TRASH: "Face up: removes the last card of the row, and itself.",
    TRAP: "Face down, when someone calls 17: its owner gets a victory, the caller a penalty.",
}
"""Effects that cards do not state. All cards count 0, but for the numbers."""
VOID = "void"
_HIGHEST = max(NUMBER.values())


def zones(view: Any) -> tuple[Zone, ...]:
    """Return what lies on the table as the view's seat may know it."""
    seats = range(view.players)
    top = () if view.top_back is None else (_by_back(view.top_back),)
    return (
        _row_of(view.row),
        value_zone("now", "call or pass" if view.phase == WINDOW else "play", style="next"),
        value_zone(
            "turns go", "to the left" if view.direction == 1 else "to the right", style="next"
        ),
        value_zone("cards due", view.need or view.due, style="next"),
        value_zone("draw pile", view.deck, None, "stack"),
        Zone("its top", top, style="stack"),
        _discarded(view.discard),
        *(value_zone("victories", view.tokens[seat][0], seat, "tokens", "green") for seat in seats),
        *(value_zone("penalties", view.tokens[seat][1], seat, "tokens", "red") for seat in seats),
        *(
            card_zone("hand", view.hand, seat)
            if seat == view.seat
            else _hand_of(view.backs[seat], seat)
            for seat in seats
        ),
    )


def derived_zones(shown: tuple[Zone, ...]) -> tuple[Zone, ...]:
    """Return what the row makes, or between which numbers, of the cards that are seen in it."""
    row = shown[0].pieces
    least = sum(NUMBER[piece.text.strip("()")] for piece in row if not piece.is_hidden)
    most = least + _HIGHEST * sum(piece.is_hidden for piece in row)
    return (value_zone("makes", least if least == most else f"{least} to {most}", style="next"),)


def symbol(text: str) -> Symbol:
    """Return a card; in brackets one that lies face down, and is known."""
    card, is_down = text.strip("()"), text.startswith("(")
    down = " face down" if is_down else ""
    if card in _SPECIALS:
        words, colour = _SPECIALS[card]
        return Symbol(card, words + down, colour, is_face_down=is_down)
    if BACK[card]:
        number = str(BACK[card])
        return Symbol(number, f"two-sided {number}{down}", "violet", "both", is_down)
    return Symbol(card[1:], card[1:] + down, is_face_down=is_down)


@lru_cache(1 << 10)  # all see the same, and what was there remains for a while
def _row_of(row: Sequence[Placed]) -> Zone:
    return Zone("row", tuple([_placed(*placed) for placed in row]))


@lru_cache(1 << 10)
def _discarded(known: Sequence[str]) -> Zone:
    pieces = tuple([BLANK if card == UNKNOWN else Piece(card) for card in known])
    return Zone("discarded", pieces, style="pile")


@lru_cache(1 << 10)
def _hand_of(backs: Sequence[int], seat: int) -> Zone:
    return Zone("hand", tuple(map(_by_back, backs)), seat)


def _placed(card: str, face: str, owner: int) -> Piece:
    if card == UNKNOWN:
        return BLANK._replace(played_by=owner)
    return Piece(f"({card})" if face == DOWN else card, played_by=owner)


def _by_back(number: int) -> Piece:
    """Return a card of which the back is seen: a number there says what it is."""
    return Piece(f"N{number}") if number else BLANK


def describe_event(event: Event) -> str:
    """Return what an event says its seat did."""
    what = str(event[1])
    if what == CALL:
        return "calls 17"
    card, _, face = what.partition(":")
    if card in BACK or card == UNKNOWN:
        named = "a card" if card == UNKNOWN else card
        return f"plays {named} face down" if face == DOWN else f"plays {named}"
    return _PHRASES.get(what, what)


def split_decision(decision: str) -> tuple[str, ...]:
    """Return what a person chooses: the card, then its face."""
    card, _, face = decision.partition(":")
    return (card, "down" if face == DOWN else "up") if face else (card,)


def describe_round(
    event: Event, rounds: Sequence[Mapping[str, Any]], names: Sequence[str], options: Any
) -> list[tuple[int, str]] | None:
    """Return what a call showed, who wins the round, and what each gets and loses (D25 to D30)."""
    if event[1] == VOID:
        return [(-1, describe_event(event))]
    if len(event) == 2 or not isinstance(event[3], tuple):
        return None
    last = rounds[-1]
    caller, total, traps, tokens = last["caller"], last["total"], last["traps"], last["tokens"]
    before = next((end["tokens"] for end in rounds[-2::-1] if "tokens" in end), None)
    right = total >= ROW_GOAL
    how = "calls 17" if event[1] == CALL else "has no card left, which counts as a call of 17"
    row = " ".join(card for card, _, _ in event[3]) or "no card"
    verdict = "right" if right else "wrong"
    came = [(caller, f"{how}, {verdict}: the row is worth {total} ({row})")]
    winner, loser = (caller, last["last"]) if right else (last["last"], caller)
    came.append((winner, "wins the round"))
    trappers = dict.fromkeys(traps)
    came += [(owner, "gets a victory for a trap") for owner in trappers if owner != winner]
    charged = [owner for owner in traps if options.own_trap_penalty or owner != caller]
    got = dict.fromkeys((caller, loser), 0)
    got[caller] += len(charged) if options.trap_penalty == "each" else min(len(charged), 1)
    got[loser] += 1
    for seat, penalties in got.items():
        victories, held = before[seat] if before else (0, 0)
        lost = victories + (seat == winner or seat in trappers) - tokens[seat][0]
        if penalties:
            came.append((seat, _penalised(penalties, held, lost)))
    return came


def _penalised(got: int, held: int, lost: int) -> str:
    """Return in words what so many penalties are with those held, and the victories they cost."""
    which = f"{got} penalties" if got > 1 else "a second penalty" if held else "a penalty"
    if not lost:
        return f"takes {which}" + ": both go back" * (got == held == 1)
    cost = f"which cost{'s' * (got == 1)} {'a victory' if lost == 1 else f'{lost} victories'}"
    return f"takes {which}, {cost}"
