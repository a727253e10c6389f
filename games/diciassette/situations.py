"""Situations of 17: a view whose cards add up, made from some of its fields.

What is hidden is counted by its back: 35 blanks, and seven of each number. The state behind a view
is not made; what one field says of another is checked, ruling by ruling.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from games.diciassette.cards import (
    BACK,
    HAND,
    PLAY,
    UNKNOWN,
    UP,
    WINDOW,
    X2,
    Options,
    Placed,
    backs_of,
    pack,
)
from games.diciassette.checks import problems
from games.diciassette.view import Fields
from games.kit.situations import players_in, raise_all, seat_in

STRIDE = 19  # has no divisor in common with 70 cards: a mixed pack, always the same one
PLAYERS = (2, 3, 4, 5, 6)


def make_view(options: Options, given: Mapping[str, Any]) -> Fields:
    """Return the fields of a view that has the given ones. Raises SituationError."""
    unknown = [card for card in given.get("hand", ()) if card not in BACK]
    raise_all(f"hand: found {card!r}; cards are {', '.join(BACK)}" for card in unknown)
    direction = given.get("direction", 1)
    row: tuple[Placed, ...] | None = given.get("row")
    owners = [owner for _, _, owner in row or ()]
    if given.get("last") is not None:
        owners.append(given["last"])
    players = players_in(given, PLAYERS, ("backs", "tokens"), [*owners, given.get("next", 0)])
    following = (owners[-1] + direction) % players if owners else given.get("next", 0)
    seat = seat_in(given, players, following)
    phase = given.get("phase", PLAY if given.get("need", 1) else WINDOW)
    need, due = given.get("need", int(phase == PLAY)), given.get("due", 1)
    before = (seat - direction) % players
    last: int | None = given.get("last", before)
    known = [*given.get("hand", ()), *[card for card, _, _ in row or ()], *given.get("discard", ())]
    supply = Supply(options, [card for card in known if card in BACK])
    for number in [0] * known.count(UNKNOWN) + _others(given, seat):
        supply.take_back(number)
    if row is None:
        began = phase == PLAY and need == due == 1 and given.get("last") is None
        row = ()
        if last is not None and not began:
            card = X2 if max(need, due) > 1 else "N1"
            supply.take_back(BACK[card])
            row = ((card, UP, last),)
    if "last" not in given and not row:
        last = None
    hand = tuple(sorted(given["hand"] if "hand" in given else _hand(given, seat, supply)))
    backs = given.get("backs") or tuple(
        [backs_of(hand if owner == seat else tuple(supply.take(HAND))) for owner in range(players)]
    )
    discard = given.get("discard")
    if discard is None:
        there = sum(map(len, backs)) + len(row)
        discard = tuple(supply.take(len(pack(options)) - there - given["deck"])) \
            if "deck" in given else ()  # fmt: skip
    deck = given.get("deck", len(pack(options)) - sum(map(len, backs)) - len(row) - len(discard))
    tokens = given.get("tokens", ((0, 0),) * players)
    played = bool(row or discard) or last is not None or any(map(any, tokens))
    turns = min(max(len(row) + len(discard), int(played)), options.max_turns - (phase == PLAY))
    follows = seat if phase == PLAY or last is None else last if need else (last + direction)
    view = Fields(
        table=given.get("table", 0),
        players=players,
        seat=seat,
        phase=phase,
        since=given.get("since", ()),
        hand=hand,
        backs=tuple([tuple(sorted(numbers)) for numbers in backs]),
        row=row,
        discard=discard,
        deck=deck,
        top_back=given.get("top_back", supply.next_back() if deck > 0 else None),
        tokens=tokens,
        direction=direction,
        need=need,
        due=due,
        next=given.get("next", follows % players),
        turns=given.get("turns", turns),
        last=last,
    )
    raise_all(problems(options, view))
    return view


def _others(given: Mapping[str, Any], seat: int) -> list[int]:
    """Return the backs that are given of the other seats, and the one on the draw pile."""
    hands = [hand for owner, hand in enumerate(given.get("backs", ())) if owner != seat]
    return [back for back in [*chain(*hands), given.get("top_back")] if back is not None]


def _hand(given: Mapping[str, Any], seat: int, supply: "Supply") -> list[str]:
    backs = given.get("backs", ())
    if seat >= len(backs):
        return supply.take(HAND)
    return [card for back in backs[seat] for card in supply.take_back(back)]


class Supply:
    """The cards that nothing given uses, mixed; what is taken of it is used too."""

    def __init__(self, options: Options, used: Iterable[str]) -> None:
        cards, left = pack(options), Counter(used)
        self._free: list[str] = []
        for place in range(len(cards)):
            card = cards[place * STRIDE % len(cards)]
            if left[card]:
                left[card] -= 1
            else:
                self._free.append(card)

    def take(self, count: int) -> list[str]:
        """Return so many cards, or all there are."""
        taken, self._free = self._free[: max(count, 0)], self._free[max(count, 0) :]
        return taken

    def take_back(self, back: int) -> list[str]:
        """Return a card with that back, or none if there is none."""
        card = next((card for card in self._free if BACK[card] == back), None)
        if card is None:
            return []
        self._free.remove(card)
        return [card]

    def next_back(self) -> int:
        """Return the back of the card that comes next; a blank without any."""
        return BACK[self._free[0]] if self._free else 0
