"""Checks of a view of 17: a field alone, and against others. For `games.make_view`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from games import FORFEIT
from games.diciassette.cards import (
    BACK,
    CALL,
    DOWN,
    HAND,
    PLAY,
    PLAYS,
    UNKNOWN,
    UP,
    WINDOW,
    Options,
    backs_of,
    pack,
)
from games.diciassette.tokens import GOAL
from games.diciassette.view import Fields
from games.kit.situations import wrong_events


def problems(options: Options, view: Fields) -> Iterator[str]:
    """Yield why a view cannot be, a line each: field, finding, remedy."""
    shape = [*_wrong_shapes(options, view)]
    yield from shape
    if not shape:
        yield from _wrong_cards(options, view)
        yield from _wrong_turn(options, view)
        yield from wrong_events(view.since, view.players, _may_be)


def _wrong_shapes(options: Options, view: Fields) -> Iterator[str]:
    if view.phase not in (PLAY, WINDOW):
        yield f"phase: found {view.phase!r}; expected 'play' or 'window'"
    for name, by_seat in (("backs", view.backs), ("tokens", view.tokens)):
        if len(by_seat) != view.players:
            yield f"{name}: found {len(by_seat)} seats; expected {view.players}, one per player"
    for back in chain(*view.backs):
        if not 0 <= back <= 5:
            yield f"backs: found {back}; expected 0 for a blank, or 1 to 5"
            break
    for card, face, owner in view.row:
        known = card in BACK and face in (UP, DOWN)
        hidden = card == UNKNOWN and face == DOWN and owner != view.seat  # its player knows it
        if not (known or hidden) or not 0 <= owner < view.players:
            yield (
                f"row: found {(card, face, owner)!r}; expected (card, 'u' or 'd', owner), a blank "
                "back of another seat that lies face down as '?'"
            )
            break
    for card in view.discard:
        if card not in BACK and card != UNKNOWN:
            yield f"discard: found {card!r}; expected cards, or '?'"
            break
    for victories, penalties in view.tokens:
        if not 0 <= victories < GOAL or penalties not in (0, 1):
            yield (
                f"tokens: found {(victories, penalties)}; expected 0 to {GOAL - 1} "
                f"victories ({GOAL} end the game) and 0 or 1 penalties "
                f"(two are handed back, D29)"
            )
            break
    if view.direction not in (1, -1):
        yield f"direction: found {view.direction}; expected 1 or -1"
    for name, seat in (("next", view.next), ("last", view.last)):
        if seat is not None and not 0 <= seat < view.players:
            yield f"{name}: found {seat}; expected a seat, 0 to {view.players - 1}"
    if view.turns < 0:
        yield f"turns: found {view.turns}; expected 0 or more"


def _wrong_cards(options: Options, view: Fields) -> Iterator[str]:
    """Yield why the cards cannot lie so: which, with which backs, and how many."""
    if backs_of(view.hand) != view.backs[view.seat]:
        yield (
            f"backs: found {view.backs[view.seat]} for seat {view.seat}; hand has "
            f"{backs_of(view.hand)}"
        )
    for seat, backs in enumerate(view.backs):
        if len(backs) > HAND:
            name = "hand" if seat == view.seat else f"backs: seat {seat}"
            yield f"{name}: found {len(backs)} cards; a hand has at most {HAND} (D08)"
    played = [card for card, _, _ in view.row] + [*view.discard]
    shown = Counter([*view.hand, *played])
    del shown[UNKNOWN]
    there = Counter(pack(options))
    for card, count in shown.items():
        if count > there[card]:
            yield f"hand, row and discard: found {card} {count} times; there are {there[card]}"
    others = [backs for seat, backs in enumerate(view.backs) if seat != view.seat]
    seen = Counter([*chain(*others), *[BACK.get(card, 0) for card in [*view.hand, *played]]])
    if view.top_back is not None:
        seen[view.top_back] += 1
    if (view.top_back is None) != (view.deck == 0):
        yield (
            f"top_back: found {view.top_back} with {view.deck} cards in the draw pile; expected "
            "None without one, else a back"
        )
    all_backs = Counter(map(BACK.__getitem__, there.elements()))
    for back, count in seen.items():
        if count > all_backs[back]:
            what = "blank backs" if back == 0 else f"backs with a {back}"
            yield (
                f"hand, backs, row, discard and top_back: found {count} {what}; there are "
                f"{all_backs[back]}"
            )
    elsewhere = sum(map(len, view.backs)) + len(played)
    if view.deck < 0 or elsewhere + view.deck != there.total():
        yield (
            f"deck: found {view.deck}; with {elsewhere} cards in hands, row and discard it is "
            f"{there.total() - elsewhere}; leave out deck or discard"
        )


def _wrong_turn(options: Options, view: Fields) -> Iterator[str]:
    """Yield why it cannot be this seat's question: by who played last, and what is owed."""
    last, following = view.last, view.next
    most = 1 + (options.specials.x2 if options.x2_stack else min(options.specials.x2, 1))
    if not 1 <= view.due <= most:
        yield f"due: found {view.due}; with these options a turn owes 1 to {most} cards (D15)"
    least, owed = (1, most) if view.phase == PLAY else (0, (most - 1) * options.mid_x2_call)
    if not least <= view.need <= owed:
        yield f"need: found {view.need}; expected {least} to {owed} in phase {view.phase!r}"
    if last is None and (view.row or view.need > 1 or view.due > 1):
        yield (
            "last: found None, which is before a round's first card; then row is empty "
            "and one card is due"
        )
    if not view.turns and view.phase == PLAY and last != view.seat:
        begun = view.row or view.discard or any(map(any, view.tokens)) or last is not None
        if begun:
            yield "turns: found 0, but cards were played; give turns, or leave it out"
    if view.phase == PLAY:
        if not view.hand:
            yield "hand: found no card; a seat without cards is not asked to play (D37)"
        if following != view.seat:
            yield f"next: found {following}; in phase 'play' it is the seat that is asked"
        turn = None if last is None else (last + view.direction) % view.players
        if last is not None and view.seat not in (last, turn):
            yield f"last: found {last}; then it is the turn of seat {turn}, not {view.seat}"
        elif view.turns >= options.max_turns and last not in (None, view.seat):
            yield f"turns: found {view.turns}; after {options.max_turns} the game is over (D38)"
        return
    if last is None or last == view.seat:
        yield f"last: found {last}; in a window, another seat played last and this one may call"
        return
    if following != (last if view.need else (last + view.direction) % view.players):
        yield f"next: found {following}; seat {last} played last; leave out next"
    if not view.row and not options.empty_row_call:
        yield "row: found no card; with these options an empty row cannot be called (D10)"
    if not view.turns and not view.need:
        yield "turns: found 0; a window comes after a turn, so give 1 or more"


def _may_be(seat: int, rest: Sequence[Any]) -> bool:
    what = rest[0]
    if seat < 0:
        return rest in (["void"], ["reshuffle"])
    if len(rest) == 1:
        return what in PLAYS or what in (f"{UNKNOWN}:{DOWN}", FORFEIT)
    return len(rest) == 3 and what in (CALL, "exhausted") and type(rest[2]) is tuple
