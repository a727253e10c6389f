"""17 Diciassette: add a card to the row, open or hidden, and call "17" when you think it is there.

A right call earns the caller a victory and the last player a penalty; a wrong one, the other way
round. Three victories win. The numbers D01 to D40 are those of `rules.md`.

The rules are in `play.py`, with what there is to play with in `cards.py` and what it earns in
`tokens.py`. A seat's view is in `view.py`; `hidden.py` deals again what it hides by the record,
`worlds.py` by the view. `record.py` reads records and shows a state to tools.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from games import Rng
from games.diciassette.cards import (
    BACK,
    CALL,
    DOWN,
    HAND,
    NUMBER,
    PASS,
    PLAY,
    PLAYS,
    REV,
    TRAP,
    TRASH,
    UNKNOWN,
    UP,
    WINDOW,
    X2,
    Options,
    Placed,
    Setup,
    Specials,
    complete_setup,
    deal,
    pack,
    parse_setup,
)
from games.diciassette.features import features, move_classes
from games.diciassette.hidden import resample
from games.diciassette.play import Play
from games.diciassette.record import (
    Dump,
    make_dump,
    pass_window,
    priority,
    replay_action,
    summarize,
)
from games.diciassette.table import (
    LEGEND,
    derived_zones,
    describe_event,
    describe_round,
    split_decision,
    symbol,
    zones,
)
from games.diciassette.view import Fields, View
from games.diciassette.worlds import build_state

NAME = "diciassette"
TITLE = "17 Diciassette"
VERSION = 2
KEEPS_ROUNDS = True
LOW_WINS = False
SCORE_UNIT = "victory", "victories"

__all__ = [
    "BACK", "CALL", "DOWN", "HAND", "KEEPS_ROUNDS", "LEGEND", "LOW_WINS", "NAME", "NUMBER", "PASS",
    "PLAY", "PLAYS", "REV", "SCORE_UNIT", "TITLE", "TRAP", "TRASH", "UNKNOWN", "UP", "VERSION",
    "WINDOW", "X2", "Dump", "Fields", "Options", "Placed", "Setup", "Specials", "State", "View",
    "complete_setup", "count_pieces", "deal", "derived_zones", "describe_event", "describe_round",
    "determinize", "features", "initial_setup", "move_classes", "pack", "parse_setup", "priority",
    "resample", "seat_counts", "side", "split_decision", "summarize", "symbol", "zones",
]  # fmt: skip


class State(Play):
    """A game in progress, which also reads records and shows itself to tools.

    Apart from `Play`, because both take a game of 17 from outside: it needs neither to be played.
    """

    __slots__ = ()

    def replay(self, seat: int, action: str, other_takers: Sequence[int] = ()) -> None:
        """Carry out an action of a record, with the passes it implies. Raises IllegalAction."""
        replay_action(self, seat, action, other_takers)

    def dump(self) -> dict[str, Any]:
        """Return the whole state as the actions so far tell it: they do not tell of passes."""
        return make_dump(pass_window(self))


def determinize(view: View, rng: Rng) -> State:
    """Return a game that the seat which is asked may be in, by this view alone."""
    return build_state(State, view, rng)


def seat_counts(options: Options) -> tuple[int, ...]:
    """Return how many may play, ascending (D01)."""
    return 2, 3, 4, 5, 6


def side(seat: int) -> int:
    """Return the seat: everybody plays alone."""
    return seat


def initial_setup(setup: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a record's setup without the reshuffles, which come as they are played (D36)."""
    return {key: setup[key] for key in ("deck", "first")}


def count_pieces(state: State) -> Counter[str]:
    """Return the cards (D03, D04), in hand, in the row and in both piles."""
    row = [card for card, _, _ in state.row]
    return Counter([*state.deck, *chain(*state.hands), *row, *state.discard])
