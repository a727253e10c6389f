"""Situations of No Thanks!: a view whose cards and chips add up, made from some of its fields."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from games import FORFEIT
from games.kit.situations import players_in, raise_all, seat_in, wrong_events
from games.no_thanks import CARDS, PLAYED, Fields, Options, chips_each, seat_counts
from games.no_thanks.table import PASS, TAKE

USUAL_CARD = 20


def make_view(options: Options, given: Mapping[str, Any]) -> Fields:
    """Return the fields of a view that has the given ones. Raises SituationError."""
    players = players_in(given, seat_counts(options), ("taken", "all_chips"))
    seat = seat_in(given, players)
    total = chips_each(options, players) * players
    shown: Sequence[int] | None = given.get("all_chips")
    fits = shown is not None and len(shown) == players
    pot = given.get("pot", total - sum(shown) if shown is not None and fits else 0)
    chips = given.get("chips", shown[seat] if shown is not None and fits else None)
    taken = given.get("taken", _taken(options, given, players, seat, pot, chips))
    gone = {*chain(*taken)}
    usual = (card for card in (USUAL_CARD, *CARDS) if card not in gone)
    left = PLAYED - 1 - sum(map(len, taken))
    if chips is None:
        share = chips_each(options, players)
        chips = min(share, total - pot) if gone else share - pot // players
    view = Fields(
        table=given.get("table", 0),
        players=players,
        seat=seat,
        phase=given.get("phase", "play"),
        since=given.get("since", ()),
        card=given.get("card", next(usual, USUAL_CARD)),
        pot=pot,
        chips=chips,
        taken=taken,
        cards_left=given.get("cards_left", left),
        all_chips=given.get(
            "all_chips", _all_chips(options, players, seat, pot, chips, bool(gone))
        ),
    )
    raise_all(_problems(options, view))
    return view


def _taken(
    options: Options, given: Mapping[str, Any], players: int, seat: int, pot: int, chips: int | None
) -> tuple[tuple[int, ...], ...]:
    """Return cards taken, by seat: as many as the pile lacks, else only where the chips tell so."""
    share = chips_each(options, players)
    moved = chips is not None and chips != share - pot // players
    count = min(max(PLAYED - 1 - given.get("cards_left", PLAYED - 1 - moved), 0), PLAYED - 1)
    card = given.get("card", USUAL_CARD)
    cards = [other for other in CARDS if other != card][:count]
    first = seat if chips is not None and chips > share else seat + 1
    return tuple([tuple(cards[(owner - first) % players :: players]) for owner in range(players)])


def _all_chips(
    options: Options, players: int, seat: int, pot: int, chips: int, any_taken: bool
) -> tuple[int, ...] | None:
    """Return chips by seat where they are open: the others' as level as play may leave them."""
    if not options.open_chips:
        return None
    share = chips_each(options, players)
    held = [chips] * players
    rest, count = divmod(share * players - pot - chips, players - 1)
    for step in range(1, players):  # from the seat before this one, which passed last
        held[(seat - step) % players] = rest + (players - step <= count)
    if not any_taken:
        for step in range(1, players):
            held[(seat - step) % players] = share - pot // players - (step <= pot % players)
    return tuple(held)


def _problems(options: Options, view: Fields) -> Iterator[str]:
    share = chips_each(options, view.players)
    total = share * view.players
    cards = [*chain(*view.taken)]
    if view.phase != "play":
        yield f"phase: found {view.phase!r}; expected 'play'"
    if len(view.taken) != view.players:
        yield f"taken: found {len(view.taken)} seats; expected {view.players}, one per player"
    for card in cards:
        if card not in CARDS or cards.count(card) > 1:
            yield f"taken: found {card}; expected each card from 3 to 35 at most once"
            break
    if view.card not in CARDS:
        yield f"card: found {view.card}; expected 3 to 35"
    elif view.card in cards:
        yield f"card: found {view.card}, which is also in taken; leave it out of one"
    if view.cards_left != PLAYED - 1 - len(cards):
        yield (
            f"cards_left: found {view.cards_left}; {PLAYED} cards are played (N03): one "
            f"is on offer, {len(cards)} are taken, "
            f"{PLAYED - 1 - len(cards)} are left"
        )
    if view.chips < 1:
        yield f"chips: found {view.chips}; a seat without chips must take, and is not asked (N04)"
    if view.pot < 0 or view.pot + view.chips > total:
        yield (
            f"pot: found {view.pot}, and {view.chips} in hand; {view.players} players "
            f"have {total} chips in all"
        )
    elif not cards and view.chips != share - view.pot // view.players:
        yield (
            f"chips: found {view.chips}; with {view.pot} in the pot and no card taken a seat to "
            f"decide has {share - view.pot // view.players}; change pot, or give taken"
        )
    if (view.all_chips is not None) != options.open_chips:
        yield (
            "all_chips: only views with the option open_chips have it; give "
            "options={'open_chips': True}"
        )
    elif view.all_chips is not None:
        shown = view.all_chips
        if len(shown) != view.players or min(shown) < 0 or sum(shown) != total - view.pot:
            yield (
                f"all_chips: found {shown}; {view.players} players have "
                f"{total - view.pot} outside the pot of {view.pot}"
            )
        elif shown[view.seat] != view.chips:
            yield f"all_chips: found {shown[view.seat]} of seat {view.seat}; chips is {view.chips}"

    def may_be(seat: int, rest: Sequence[Any]) -> bool:
        if seat < 0 or rest[0] != TAKE:
            return seat >= 0 and rest in ([PASS], [FORFEIT])
        return len(rest) == 3 and seat < len(view.taken) and rest[1] in view.taken[seat]

    yield from wrong_events(view.since, view.players, may_be)
