"""The functions of `random` act on the generator of the game asked, without a process here. A
stream's words are made a second way.
"""

import copy
import hashlib
import pickle
import random
import struct
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from arena.sandbox.randomness import FUNCTIONS, Batch, Generators, Stream, StreamRandom

SEED = bytes([1]) * 16  # of game 1; that of game 2 differs


@pytest.fixture
def generators() -> Iterator[Generators]:
    """Those of a process with the games 1 and 2; none of them was asked yet."""
    kept = {name: getattr(random, name) for name in FUNCTIONS}
    own = Generators()
    own.install()
    for table in (1, 2):
        own.begin(table, bytes([table]) * 16)
    yield own
    for name, function in kept.items():
        setattr(random, name, function)


def made(seed: bytes = SEED) -> Any:  # it has all of a Random's methods
    return Stream(seed)


def words(seed: bytes, blocks: int) -> list[int]:
    """Return a stream's first words."""
    found = list[int]()
    for block in range(blocks):
        digest = hashlib.blake2b(seed + block.to_bytes(8, "little")).digest()
        found += struct.unpack("<8Q", digest)[::-1]  # the last first
    return found


def test_a_number_is_53_bits_of_a_word() -> None:
    stream = made()
    assert [stream.random() for _ in range(24)] == [w // 2**11 / 2**53 for w in words(SEED, 3)]


def test_bits_are_the_highest_of_as_many_words_as_they_take() -> None:
    first, second, third = words(SEED, 1)[:3]
    assert made().getrandbits(5) == first >> 59
    assert made().getrandbits(64) == first
    assert made().getrandbits(130) == (first + (second << 64) + (third << 128)) >> 62
    assert made().getrandbits(0) == 0
    with pytest.raises(ValueError, match="non-negative"):
        made().getrandbits(-1)


def test_of_few_a_word_chooses_by_a_product_and_of_many_by_bits_that_fit() -> None:
    stream, own = made(), iter(words(SEED, 8))
    for n in (1, 2, 3, 7, 2**14 - 1):
        assert stream.randrange(n) == next(own) * n // 2**64
    while (bits := next(own) >> 49) >= 2**14:
        pass
    assert stream.randrange(2**14) == bits


def test_a_choice_is_the_element_of_randrange() -> None:
    for n in (1, 3, 52, 2**15):
        one, other = made(), made()
        assert [one.choice(range(n)) for _ in range(9)] == [other.randrange(n) for _ in range(9)]
    with pytest.raises(IndexError, match="Cannot choose from an empty sequence"):
        made().choice([])


def calls() -> dict[str, tuple[object, ...]]:
    """Return arguments for each function."""
    return {
        "seed": (5,), "getstate": (), "setstate": (made(b"other").getstate(),),
        "getrandbits": (70,), "randbytes": (9,), "random": (), "uniform": (2, 3),
        "randint": (1, 6), "randrange": (3, 300, 3), "choice": ("abcdef",),
        "choices": ("abc", (1, 2, 3)), "sample": (range(50), 5), "shuffle": (list("abcdef"),),
        "triangular": (), "betavariate": (2, 3), "expovariate": (1.5,), "gammavariate": (2, 3),
        "gauss": (0, 1), "lognormvariate": (0, 1), "normalvariate": (0, 1),
        "paretovariate": (2,), "vonmisesvariate": (0, 4), "weibullvariate": (1, 2),
        "binomialvariate": (20, 0.3),
    }  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_stream_stands_behind_the_function_and_both_objects(
    generators: Generators, name: str
) -> None:
    generators.table = 1
    doors: tuple[Callable[[], Any], ...]
    doors = lambda: random, lambda: generators.of(1), lambda: Batch(generators, [1])[0]
    drawn = []
    for turn in range(3):
        generators.begin(1, SEED)
        generators.forget(1)
        generators.begin(1, SEED)
        for call in range(6):  # the doors in turn, each beginning once
            arguments = copy.deepcopy(calls()[name])
            result = getattr(doors[(turn + call) % 3](), name)(*arguments)
            drawn.append((result, arguments, random.random()))
    assert drawn[:6] == drawn[6:12] == drawn[12:]
    assert isinstance(generators.of(1), Random)
    assert generators.of(1) is generators.of(1)


@pytest.mark.parametrize("seed", [0, -5, 7, 2**70, True, 0.5, "deck", b"deck", bytearray(b"x")])
def test_a_seed_steers_all_that_is_drawn(generators: Generators, seed: Any) -> None:
    generators.table = 1
    generators.of(1).random()
    random.seed(seed)
    numbers = [random.random(), generators.of(1).random(), *random.choices(range(10**6), k=2)]
    generators.of(1).seed(seed)
    drawn = [random.random(), random.random(), *generators.of(1).choices(range(10**6), k=2)]
    assert drawn == numbers
    assert numbers[0] != made().random()


def test_seeds_of_different_kinds_differ_and_some_things_are_none() -> None:
    drawn = set()
    for seed in (5, 6, 0, 5.0, "5", b"5", b"\x05", ""):
        stream = made()
        stream.seed(seed)
        drawn.add(stream.random())
    with pytest.raises(TypeError, match="found tuple; a seed is None, an int"):
        made().seed((1, 2))
    first, second = made(), made()
    for _ in range(2):  # without a seed it begins anew, and still repeats itself
        first.seed()
        second.seed(None)
        drawn.add(first.random())
        assert second.random() in drawn
    assert len(drawn | {made().random()}) == 11


def test_a_state_leads_back_wherever_it_was_taken() -> None:
    for drawn in range(20):
        stream = made()
        for _ in range(drawn):
            stream.random()
        stream.gauss()
        state = stream.getstate()
        further = [stream.gauss(), stream.random(), stream.gauss()]
        stream.setstate(state)
        assert [stream.gauss(), stream.random(), stream.gauss()] == further
    with pytest.raises(ValueError, match="found a state of version 3"):
        stream.setstate(Random(1).getstate())


def test_a_copy_goes_its_own_way_from_the_same_place() -> None:
    rng, twin = StreamRandom(Stream(SEED)), made()
    rng.random()
    rng.gauss()
    state = rng.getstate()
    twin.setstate(state)
    expected = [twin.gauss(), twin.random()]
    for other in (copy.copy(rng), copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))):
        assert [other.gauss(), other.random()] == expected
        assert rng.getstate() == state
        assert isinstance(other, Random)


def test_a_game_draws_its_own_numbers_whatever_is_asked_in_between(generators: Generators) -> None:
    drawn: dict[int, list[float]] = {1: [], 2: []}
    for table in (1, 2, 2, 1, 2, 1):
        generators.table = table
        drawn[table].append(random.random())
    for table, numbers in drawn.items():
        own = made(bytes([table]) * 16)
        assert numbers == [own.random() for _ in range(3)]


@pytest.mark.parametrize(
    ("draw", "arguments"), [("random", ()), ("randbytes", (9,)), ("choice", (range(9999),))]
)
def test_the_functions_draw_from_what_current_returns(
    generators: Generators, draw: str, arguments: tuple[Any, ...]
) -> None:
    """They look it up by themselves where they can: while loading, at first use, and later."""
    other = Generators()
    for table in (1, 2):
        other.begin(table, bytes([table]) * 16)
    for asked in (None, 1, 1, 2, 1, None, 2):
        generators.table = other.table = asked
        expected = getattr(other.current(), draw)(*arguments)
        assert getattr(random, draw)(*arguments) == expected
    generators.refusal = other.refusal = "draw from rngs[i]"
    for refused in (lambda: getattr(random, draw)(*arguments), other.current):
        with pytest.raises(RuntimeError, match="draw from rngs"):
            refused()


def test_a_batch_that_failed_leaves_its_generators_where_they_were(generators: Generators) -> None:
    batch = Batch(generators, [1, 2])
    drawn = [rng.random() for rng in batch] + [batch[0].random(), batch[-1].random()]
    batch.undo()
    assert [rng.random() for rng in Batch(generators, [1, 2])] == drawn[:2]
    assert len(batch) == 2


def test_a_finished_game_is_forgotten_and_its_table_may_come_again(generators: Generators) -> None:
    generators.table = 1
    first = random.random(), generators.of(1).random()
    generators.forget(1)
    with pytest.raises(KeyError):
        generators.of(1)
    generators.begin(1, SEED)
    assert (generators.of(1).random(), random.random()) == first
