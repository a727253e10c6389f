"""Ids and keys, computed here a second way: plain JSON, hashlib and hmac."""

import hashlib
import hmac
import json
import re
from collections import namedtuple
from typing import Any, cast

import pytest

import games
from arena import ids
from arena.model import Bot, Entry, Fixture, Limits, LineUp, Mirrored, Pool, Seating
from arena.schedule.order import Schedule, make_identity
from games import Rng, shuffled

POOL = Pool("no_thanks", 3, '{"chips":9}', "")
TRIO = (Bot("ann", "aa"), Bot("bob", "bb"), Bot("cid", "cc"))
LINE_UP = [["ann", "aa"], ["bob", "bb"], ["cid", "cc"]]
IDENTITY = ids.Identity(POOL, 1, Limits(), "full", False)
SECRET = bytes(range(16))


def text(*parts: object) -> bytes:
    return json.dumps(parts, separators=(",", ":")).encode()


@pytest.mark.parametrize("shared", [False, True, Mirrored(("ann", "bob"), never_meet=False)])
def test_an_id_is_twenty_digits_of_the_hash_of_all_that_determines_a_game(
    shared: bool | Mirrored,
) -> None:
    whole = text(
        "arena game", 4, ["no_thanks", 3, '{"chips":9}', ""], 1, [100, 2000, 3000, 512, 64, 3],
        "full", shared, LINE_UP, [2, 0, 1], 7,
    )  # fmt: skip
    identity, expected = IDENTITY._replace(shared_decks=shared), hashlib.sha256(whole).hexdigest()
    assert ids.game_id(identity, TRIO, (2, 0, 1), 7) == expected[:20]
    assert ids.make_id_function(identity, TRIO)((2, 0, 1), 7) == expected[:20]


def test_a_limit_added_later_changes_no_id_at_its_default() -> None:
    Later = cast(Any, namedtuple)("Later", [*Limits._fields, "stack_kib"], defaults=[*Limits(), 8])

    def of(limits: Any) -> str:
        return ids.game_id(IDENTITY._replace(limits=limits), TRIO, (0, 1, 2), 0)

    assert of(Later()) == of(Limits())
    assert of(Later(cpu_ms=101)) == of(Limits(cpu_ms=101)) != of(Limits())
    assert len({of(Later(stack_kib=stack)) for stack in (8, 16, 32)}) == 3


def test_secrets_are_of_sixteen_bytes_and_bots_numbers_come_under_a_key_of_their_own() -> None:
    key = hmac.new(SECRET, b'["arena bots"]', hashlib.sha256).digest()
    assert ids.bots_key(SECRET) == key
    assert ids.secret_from_seed(17) == hashlib.sha256(b"arena seed 17").digest()[:16]
    assert len({ids.new_secret() for _ in range(100)}) == 100
    assert len(ids.new_secret()) == 16


def test_a_commitment_is_the_hash_of_name_seeds_and_secret_and_says_its_version() -> None:
    """As a shell has it: printf '["arena commitment",1,"cup",4,"000102..."]' | sha256sum."""
    whole = b'["arena commitment",1,"cup",4,"000102030405060708090a0b0c0d0e0f"]'
    assert ids.commit("cup", SECRET) == f"v1:{hashlib.sha256(whole).hexdigest()}"
    assert re.fullmatch(ids.COMMITMENT, ids.commit("cup", SECRET))


class Drawing:
    """A game whose deal is the numbers that it draws."""

    def __init__(self, count: int = 1) -> None:
        self.count = count
        self.deals = 0

    def deal(self, options: object, seats: int, rng: Rng) -> list[float]:
        self.deals += 1
        return [rng.random() for _ in range(self.count)]


def dealt(game: Any, deal: int = 7, where: tuple[int, ...] | None = None) -> list[float]:
    return list(ids.deal_setup(game, None, SECRET, POOL, TRIO, deal, where))


@pytest.mark.parametrize("seating", [(2, 0, 1), None])  # None: seatings that share decks
def test_a_deal_is_read_from_a_sponge(seating: tuple[int, ...] | None) -> None:
    line_up = text("arena deals", ["no_thanks", 3, '{"chips":9}', ""], LINE_UP)[:-1] + b","
    key = hashlib.blake2b(line_up, key=SECRET, digest_size=32).digest()
    digest = hashlib.shake_128(key + text(7, seating)[1:]).digest(8 * 90)
    words = [int.from_bytes(digest[at : at + 8], "little") for at in range(0, len(digest), 8)]
    assert dealt(Drawing(90), where=seating) == [word % 2**52 / 2**52 for word in words]


def test_a_deal_that_draws_more_than_another_did_is_dealt_anew_from_the_first_number() -> None:
    game = Drawing(5)
    assert dealt(game) == dealt(Drawing(200))[:5]
    assert game.deals == 2  # once to count
    game.count = 200
    assert dealt(game)[150:] == dealt(Drawing(200))[150:]
    game.count = 0
    assert dealt(game) == []


class Shuffling(Drawing):
    """A game whose deal is so many cards in another order, and a number drawn then."""

    def deal(self, options: object, seats: int, rng: Rng) -> list[float]:
        self.deals += 1
        return [*shuffled(range(self.count), rng), rng.random()]


def test_cards_are_sorted_by_the_numbers_that_would_have_been_drawn() -> None:
    for count in (0, 1, 33, 108):
        numbers = dealt(Drawing(count + 1))
        cards = sorted(range(count), key=numbers.__getitem__)
        assert dealt(Shuffling(count)) == [*cards, numbers[count]]
    game = Shuffling(5)
    dealt(game)
    game.count = 50  # more than it drew before: it is dealt anew
    assert dealt(game) == dealt(Shuffling(50))


def test_the_numbers_of_seats_come_of_one_digest() -> None:
    key = ids.bots_key(SECRET)
    tables, own = ids.draw_seat_numbers(key, "0a1b", 3)
    assert len(tables) == len(own) == 3
    whole = hashlib.shake_128(key + text("seats", "0a1b")).digest(72)
    for seat, (table, seed) in enumerate(zip(tables, own, strict=True)):
        digest = whole[24 * seat :][:24]
        assert (table, seed) == (int.from_bytes(digest[:8], "little") >> 11, digest[8:])


KEPT = {
    (Pool("no_thanks", 3, "{}", ""), False): "fb7f0a77712d69d4b7a7",
    (Pool("no_thanks", 3, "{}", ""), True): "a722e2c85a4e2e0c00f0",
    (Pool("no_thanks", 5, "{}", ""), False): "646367145e32585ca987",
    (Pool("no_thanks", 5, "{}", ""), True): "ab0cc4e9169460737e81",
    (Pool("sixteen", 4, "{}", "same"), False): "034e9dabdc2a84670944",
    (Pool("sixteen", 4, "{}", "same"), True): "9866d4efcd95577bd52d",
}
"""By pool and whether decks are shared: the hash of all ids, seatings, seats' numbers and deals of
a small tournament, as they were before matches shared dice."""


@pytest.mark.parametrize(("pool", "shared"), KEPT)
def test_games_of_tournaments_are_those_they_always_were(pool: Pool, shared: bool) -> None:
    bots = tuple(Bot(name, name[0] * 8) for name in ("ann", "bob", "cid", "dee", "eve", "fay"))
    entry = Entry(pool, bots, 2, "auto", shared)
    rules = games.load(pool.game)
    lines = []
    for each in Schedule(entry, make_identity(entry, Limits())):
        tables, seeds = ids.draw_numbers(ids.bots_key(SECRET), shared, pool, each)
        line_up, where = ids.find_deck(shared, each.line_up, each.seating)
        setup = ids.deal_setup(rules, rules.Options(), SECRET, pool, line_up, each.deal, where)
        lines.append([each.id, each.seating, tables, [seed.hex() for seed in seeds], setup])
    assert hashlib.sha256(json.dumps(lines).encode()).hexdigest()[:20] == KEPT[pool, shared]


BOTH, APART = (Mirrored(("ann", "cid"), apart) for apart in (False, True))
"""In TRIO, bots 0 and 2 are compared."""


@pytest.mark.parametrize(
    ("line_up", "ways"),
    [
        (TRIO, [{(0, 1, 2), (2, 1, 0)}, {(1, 0, 2), (1, 2, 0)}, {(0, 2, 1), (2, 0, 1)}]),
        ((TRIO[0], TRIO[2]), [{(0, 1), (1, 0)}]),
        ((TRIO[0], TRIO[2]), [{(0, 1, 0, 1), (1, 0, 1, 0)}]),  # a team is a bot twice
    ],
)
def test_a_deck_of_a_match_has_the_two_seatings_in_which_the_two_changed_seats(
    line_up: LineUp, ways: list[set[Seating]]
) -> None:
    decks = [{ids.find_deck(BOTH, line_up, way) for way in pair} for pair in ways]
    assert [len(deck) for deck in decks] == [1] * len(ways)
    assert len(set.union(*decks)) == len(ways)
    other = (line_up[0]._replace(hash="new"), *line_up[1:])
    assert ids.find_deck(BOTH, other, min(ways[0])) not in decks[0]


def test_two_that_play_apart_have_the_same_decks_with_the_same_others_in_their_seats() -> None:
    others = Bot("bob", "bb"), Bot("bug", "dd")
    first, second = (TRIO[0], *others), (*others, TRIO[2])
    assert ids.find_deck(APART, first, (0, 1, 2)) == ids.find_deck(APART, second, (2, 0, 1))
    assert ids.find_deck(APART, first, (0, 1, 2)) != ids.find_deck(APART, second, (0, 1, 2))
    assert ids.find_deck(APART, first, (0, 1, 2)) != ids.find_deck(APART, first, (0, 2, 1))
    third = (TRIO[0], others[0], Bot("bug", "changed"))
    assert ids.find_deck(APART, first, (0, 1, 2)) != ids.find_deck(APART, third, (0, 1, 2))


def test_both_games_of_a_deck_have_the_same_dice_by_seat_and_no_table_twice() -> None:
    key = ids.bots_key(SECRET)
    twins = [Fixture(id, TRIO, way, 7) for id, way in (("0a", (0, 1, 2)), ("0b", (2, 1, 0)))]
    (tables, dice), (others, same) = (ids.draw_numbers(key, BOTH, POOL, each) for each in twins)
    assert dice == same
    assert len({*dice}) == 3
    assert len({*tables, *others}) == 6
    where = [-1, 0, -1]
    digest = hashlib.shake_128(key + text("dice", POOL, LINE_UP, where, 7)).digest(48)
    assert dice == (digest[:16], digest[16:32], digest[32:])
    for change in ({"deal": 8}, {"seating": (1, 0, 2)}):
        assert not {*dice} & {*ids.draw_numbers(key, BOTH, POOL, twins[0]._replace(**change))[1]}
