"""The functions of `random` act on the generator of the game asked. No process is needed."""

import random
from collections.abc import Callable, Iterator
from random import Random

import pytest

from arena.sandbox.randomness import Batch, Generators
from arena.sandbox.stream import FUNCTIONS, Stream, StreamRandom


@pytest.fixture
def generators() -> Iterator[Generators]:
    kept = {name: getattr(random, name) for name in FUNCTIONS}
    made = Generators()
    made.install()
    for table in (1, 2):
        made.begin(table, bytes([table]) * 16)
    yield made
    for name, function in kept.items():
        setattr(random, name, function)


@pytest.fixture
def own() -> Callable[[int], Random]:
    """What makes a game's generator outside of the process."""

    def of(table: int) -> Random:
        return StreamRandom(Stream(bytes([table]) * 16))

    return of


def test_a_game_draws_its_own_numbers_whatever_is_asked_in_between(
    generators: Generators, own: Callable[[int], Random]
) -> None:
    drawn: dict[int, list[float]] = {1: [], 2: []}
    for table in (1, 2, 2, 1, 2, 1):
        generators.table = table
        drawn[table].append(random.random())
    for table, numbers in drawn.items():
        expected = own(table)
        assert numbers == [expected.random() for _ in range(3)]


@pytest.mark.parametrize("name", ["choice", "shuffle", "gauss", "sample", "randrange"])
def test_every_function_hands_the_whole_call_on(
    generators: Generators, own: Callable[[int], Random], name: str
) -> None:
    calls: dict[str, tuple[object, ...]] = {
        "choice": ("abcdef",),
        "shuffle": (list("abcdef"),),
        "gauss": (0, 1),
        "sample": (range(50), 5),
        "randrange": (3, 300),
    }
    generators.table = 1
    ours, theirs = list("abcdef"), list("abcdef")
    arguments = (ours,) if name == "shuffle" else calls[name]
    expected = (theirs,) if name == "shuffle" else calls[name]
    assert getattr(random, name)(*arguments) == getattr(own(1), name)(*expected)
    assert ours == theirs


def test_seed_and_getstate_are_the_game_s_own_too(
    generators: Generators, own: Callable[[int], Random]
) -> None:
    generators.table = 1
    state = random.getstate()
    first = random.random()
    random.setstate(state)
    assert random.random() == first
    random.seed(5)
    alone = own(1)
    alone.seed(5)
    assert random.random() == alone.random()
    generators.table = 2
    assert random.random() == own(2).random()  # the other game saw nothing of it


def test_while_the_module_loads_every_bot_draws_the_same(generators: Generators) -> None:
    assert [random.random() for _ in range(3)] == [
        number for seeded in [Random(17)] for number in (seeded.random() for _ in range(3))
    ]  # 17: the loading seed


def test_in_decide_many_the_functions_say_why_they_do_not_draw(generators: Generators) -> None:
    generators.table = 1
    random.random()  # asked alone before: its generator is there
    generators.refusal = "draw from rngs[i]"
    with pytest.raises(RuntimeError, match=r"draw from rngs\[i\]"):
        random.random()


@pytest.mark.parametrize("draw", ["random", "randbytes", "choice"])
def test_the_functions_draw_from_what_current_returns(generators: Generators, draw: str) -> None:
    """They look it up by themselves where they can: while loading, at first use, and later."""
    arguments = {"random": (), "randbytes": (9,), "choice": (range(9999),)}[draw]
    other = Generators()
    for table in (1, 2):
        other.begin(table, bytes([table]) * 16)
    for asked in (None, 1, 1, 2, 1, None, 2):
        generators.table = other.table = asked
        expected = getattr(other.current(), draw)(*arguments)
        assert getattr(random, draw)(*arguments) == expected
    generators.refusal = other.refusal = "draw from rngs[i]"
    with pytest.raises(RuntimeError, match="draw from rngs"):
        getattr(random, draw)(*arguments)
    with pytest.raises(RuntimeError, match="draw from rngs"):
        other.current()


def test_a_batch_that_failed_leaves_its_generators_where_they_were(generators: Generators) -> None:
    batch = Batch(generators, [1, 2])
    drawn = [rng.random() for rng in batch] + [batch[0].random(), batch[-1].random()]
    batch.undo()
    assert [rng.random() for rng in Batch(generators, [1, 2])] == drawn[:2]
    assert len(batch) == 2


def test_a_finished_game_is_forgotten(generators: Generators) -> None:
    generators.of(1)
    generators.forget(1)
    with pytest.raises(KeyError):
        generators.of(1)


def test_a_finished_game_s_table_may_come_again(generators: Generators) -> None:
    generators.table = 1
    first = random.random(), generators.of(1).random()
    generators.forget(1)
    generators.begin(1, bytes([1]) * 16)
    assert (generators.of(1).random(), random.random()) == first
