"""Situations of Sixteen: a view whose cards add up, made from some of its fields."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from games import FORFEIT
from games.kit.situations import players_in, raise_all, seat_in, wrong_events
from games.sixteen import (
    COLOURS,
    DEALT,
    DRAW,
    GOAL,
    HELD,
    SKIP,
    WILD,
    Fields,
    Options,
    decisions,
    may_skip,
    pack,
    seat_counts,
)

STRIDE = 17  # has no divisor in common with 54 or 52 cards: a mixed pack, always the same one
CARDS_A_SET = 4  # what a completed set is taken to have had; three at least
SETS = ("sixteen", "match", "bust")


def make_view(options: Options, given: Mapping[str, Any]) -> Fields:
    """Return the fields of a view that has the given ones. Raises SituationError.

    A hand of fewer cards than a turn begins with is one of the end, when the closed pile is empty.
    """
    pile = given.get("pile", ())
    players = players_in(given, seat_counts(options), ("hands",), [owner for _, owner, _ in pile])
    phase = given.get("phase", "play")
    full = DEALT + (phase == "play")
    hand, hands = given.get("hand"), given.get("hands", ())
    fullest = hands.index(max(hands)) if hands else 0
    seat = seat_in(given, players, (pile[-1][1] + 1) % players if pile else fullest)
    size = full if hand is None else len(hand)
    if hand is None and seat < len(hands):
        size = hands[seat]
    free = _free(options, [*(hand or ()), *map(_held, pile), *given.get("gone", ())])
    if hand is None:
        hand, free = free[: max(size, 0)], free[max(size, 0) :]
    ending = size < full and options.draw_rule == "auto"
    others = min(DEALT, size) if ending else DEALT
    hands = hands or tuple([size if owner == seat else others for owner in range(players)])
    rest = len(pack(options)) - sum(hands) - len(pile)  # in the closed pile, or gone
    if "gone" in given:
        gone = given["gone"]
    elif "deck" in given or ending:
        gone = tuple(free[: max(rest - given.get("deck", 0), 0)])
    else:
        gone = tuple(free[: CARDS_A_SET * sum(given.get("sets", ()))])
    count = max(len(gone) // CARDS_A_SET, bool(gone))
    view = Fields(
        table=given.get("table", 0),
        players=players,
        seat=seat,
        phase=phase,
        since=given.get("since", ()),
        hand=tuple(sorted(hand)),
        pile=pile,
        total=given.get("total", sum(int(card[-1]) for card, _, _ in pile if card in COLOURS)),
        sets=given.get("sets", (count - count // 2, count // 2)),
        deck=given.get("deck", rest - len(gone)),
        hands=hands,
        gone=gone,
    )
    raise_all(_problems(options, view))
    return view


def _held(placed: tuple[str, int, bool]) -> str:
    return WILD if placed[2] else placed[0]


def _free(options: Options, used: Sequence[str]) -> list[str]:
    """Return the pack less the cards used, mixed."""
    cards = pack(options)
    left = Counter(used)
    free = []
    for place in range(len(cards)):
        card = cards[place * STRIDE % len(cards)]
        if left[card]:
            left[card] -= 1
        else:
            free.append(card)
    return free


def _problems(options: Options, view: Fields) -> Iterator[str]:
    if view.phase not in ("play", DRAW):
        yield f"phase: found {view.phase!r}; expected 'play' or 'draw'"
    elif view.phase == DRAW and (options.draw_rule == "auto" or not view.deck):
        yield (
            "phase: no seat draws here; give options={'draw_rule': 'strict'} or 'loose', "
            "and cards in the closed pile"
        )
    yield from _wrong_cards(options, view)
    yield from _wrong_pile(options, view)
    yield from _wrong_hands(options, view)
    if len(view.sets) != 2 or min(view.sets) < 0:
        yield f"sets: found {view.sets}; expected the sets of side 0 and of side 1"
    else:
        most = (3 if options.bonus_triple else 2) if options.bonus else 1
        if not bool(view.gone) <= sum(view.sets) <= most * (len(view.gone) // 3):
            yield (
                f"sets: found {view.sets}; {len(view.gone)} cards are gone, and a set has "
                f"three or more; leave out gone or sets"
            )
    choices = decisions(view.phase, view.hand, options) if view.hand else ()
    if len(choices) < 2 and not (view.phase == DRAW and may_skip(len(view.hand), options)):
        yield (
            f"hand: found {view.hand}; a seat is asked only where it has a choice; give "
            f"different cards"
        )

    def may_be(seat: int, rest: Sequence[Any]) -> bool:
        if len(rest) == 1:
            return seat >= 0 and (rest[0] in HELD or rest[0] in (DRAW, SKIP, FORFEIT))
        return seat >= 0 and len(rest) == 3 and rest[0] in SETS and rest[1] in (0, 1)

    yield from wrong_events(view.since, view.players, may_be)


def _wrong_cards(options: Options, view: Fields) -> Iterator[str]:
    there = Counter(pack(options))
    for card, count in Counter([*view.hand, *map(_held, view.pile), *view.gone]).items():
        if count > there[card]:
            yield (
                f"hand, pile and gone: found {card!r} {count} times; the pack has "
                f"{there[card]} of it (S02)"
            )
            return


def _wrong_pile(options: Options, view: Fields) -> Iterator[str]:
    for card, seat, wild in view.pile:
        if card not in COLOURS or not 0 <= seat < view.players or (wild and not options.wilds):
            yield (
                f"pile: found {(card, seat, wild)!r}; expected (card as it counts, seat, whether it"
                " is a wild), such as ('G5', 0, False)"
            )
            return
    total = sum(int(card[1]) for card, _, _ in view.pile)
    if view.total != total:
        yield f"total: found {view.total}; the pile comes to {total}; give pile, not total"
    if total >= GOAL:
        yield f"pile: comes to {total}; at {GOAL} or more the pile is taken away (S05, S06)"
    cards = [card for card, _, _ in view.pile]
    for three in zip(cards, cards[1:], cards[2:], strict=False):
        alike = any(len({card[place] for card in three}) == 1 for place in (0, 1))
        if options.match and alike:
            yield f"pile: {', '.join(three)} are a match, and taken away (S07)"
            return
    owners = [*[seat for _, seat, _ in view.pile], view.seat]
    if view.deck > 0:  # else seats without a card are skipped
        for before, owner in pairwise(owners):
            if owner != (before + 1) % view.players:
                yield (
                    f"pile: after seat {before} it was the turn of seat "
                    f"{(before + 1) % view.players}, not {owner}; change an owner, or seat"
                )
                return


def _wrong_hands(options: Options, view: Fields) -> Iterator[str]:
    hands, auto = view.hands, options.draw_rule == "auto" and view.deck > 0
    if len(hands) != view.players:
        yield f"hands: found {len(hands)} hands; expected {view.players}, one per player"
        return
    if hands[view.seat] != len(view.hand):
        yield f"hands: found {hands[view.seat]} for seat {view.seat}; hand has {len(view.hand)}"
    for seat, size in enumerate(hands):
        most = DEALT + (seat == view.seat and view.phase == "play")
        if not (most if auto else 0) <= size <= most:
            name = "hand" if seat == view.seat else f"hands: seat {seat}"
            takes = f"{most}" if auto else f"0 to {most}"
            yield f"{name}: found {size} cards; with {view.deck} to be drawn it has {takes}"
    there = sum(hands) + view.deck + len(view.pile) + len(view.gone)
    cards = len(pack(options))
    if view.deck < 0 or there != cards:
        yield (
            f"deck: found {view.deck}; hands, pile, gone and the closed pile come to {there} "
            f"cards, the pack has {cards}; leave out deck or gone"
        )
