"""A bot's random numbers: each game has a generator of its own, a small stream.

So that the plain use of `random` repeats itself whatever shares the process, `Generators.install`
replaces the module's functions by plain ones that hand the whole call to the generator of the game
asked; `from random import choice` works, because it is done before the bot's module is loaded.

The stream is BLAKE2b (RFC 7693) in counter mode: block n is the digest of the seed and n, read as
eight words, the last first. A Mersenne Twister takes 2.5 KB and 6 us to seed before a bot has drawn
anything; a stream takes 0.5 KB, and makes no block before its first word is drawn. BLAKE2b is
Python's own, and the quickest digest of so few bytes. A `random.Random` always holds a Mersenne
Twister, though none is drawn from here. So the functions of `random` act on the stream itself, and
a `StreamRandom` is made where a bot asks for an object.

Runs in the bot's process; imports the standard library alone.
"""

import random
import struct
from _blake2 import blake2b  # as hashlib has it, which loads OpenSSL too: 4 ms a zygote
from collections.abc import Callable, Iterator, Sequence
from operator import index
from random import Random
from typing import Any, Final, Self, TypeVar

FUNCTIONS: Final = tuple(
    name
    for name in """
        seed getstate setstate getrandbits randbytes random uniform randint randrange choice choices
        sample shuffle triangular betavariate binomialvariate expovariate gammavariate gauss
        lognormvariate normalvariate paretovariate vonmisesvariate weibullvariate
    """.split()
    if hasattr(Random, name)  # binomialvariate came with Python 3.12
)
"""The functions of `random` that draw, or set what is drawn."""

VERSION: Final = 4  # the first part of a state; 1 to 3 are those of `random.Random`
SEED_BYTES: Final = 16
FEW: Final = 1 << 14  # up to here a product with a word is even to one part in 2**50

State = tuple[int, tuple[bytes, int, int], float | None]
"""A place in a stream: version, (seed, blocks made, words left of the last), what `gauss` keeps."""

LOADING_SEED: Final = 17  # while the module loads, every bot draws the same numbers

_T = TypeVar("_T")
_WORDS = struct.Struct("<8Q")  # alike on every machine


class Stream:
    """Numbers from a seed. Has all methods of a `random.Random`; those that are not here are
    `Random`'s own.
    """

    __slots__ = ("_blocks", "_seed", "_words", "gauss_next")

    def __init__(self, seed: bytes) -> None:
        self._start(seed)

    def _start(self, seed: bytes) -> None:
        self._seed, self._blocks = seed, 0
        self._words: list[int] = []  # of the last block, the next one last
        self.gauss_next: float | None = None  # as `Random.gauss` keeps its second number

    def _more(self) -> list[int]:
        digest = blake2b(self._seed + self._blocks.to_bytes(8, "little")).digest()
        self._blocks += 1
        self._words = list(_WORDS.unpack(digest))
        return self._words

    def random(self) -> float:
        """Draw a multiple of 2**-53 in [0, 1)."""
        return ((self._words or self._more()).pop() >> 11) * 2**-53

    def getrandbits(self, k: int) -> int:
        """Draw an int of `k` random bits. Raises ValueError if `k` is negative."""
        k = index(k)
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        if k <= 64:
            return (self._words or self._more()).pop() >> (64 - k) if k else 0
        words = [(self._words or self._more()).pop() for _ in range(-(-k // 64))]
        joined = b"".join(word.to_bytes(8, "little") for word in words)
        return int.from_bytes(joined, "little") >> (-k % 64)

    def _randbelow(self, n: int) -> int:
        """Draw an int in [0, n), each as likely to one part in 2**50; 0 where n is 0."""
        if n < FEW:
            return (self._words or self._more()).pop() * n >> 64
        bits = n.bit_length()
        while (drawn := self.getrandbits(bits)) >= n:
            pass
        return drawn

    def choice(self, seq: Sequence[_T]) -> _T:
        """Draw an element of a sequence. Raises IndexError if it is empty."""
        n = len(seq)
        if not n:
            raise IndexError("Cannot choose from an empty sequence")
        if n < FEW:  # `_randbelow`, without the call
            return seq[(self._words or self._more()).pop() * n >> 64]
        return seq[self._randbelow(n)]

    def seed(self, a: float | str | bytes | bytearray | None = None, version: int = 2) -> None:
        """Start over, from `a`. None stands for the next number of the stream itself: nothing here
        comes from the system. `version` makes no difference. Raises TypeError for what seeds no
        `random.Random` either.
        """
        if a is None:
            a = self.getrandbits(8 * SEED_BYTES)
        if isinstance(a, int):
            text = b"int %b" % abs(a).to_bytes(-(-a.bit_length() // 8), "little")
        elif isinstance(a, float):
            text = b"float %b" % struct.pack("<d", a)
        elif isinstance(a, str):
            text = b"str %b" % a.encode()
        elif isinstance(a, bytes | bytearray):
            text = b"bytes %b" % bytes(a)
        else:
            raise TypeError(
                f"found {type(a).__name__}; a seed is None, an int, float, str, bytes or bytearray"
            )
        self._start(blake2b(text, digest_size=SEED_BYTES).digest())

    def getstate(self) -> State:
        """The place in the stream, for `setstate`."""
        return VERSION, (self._seed, self._blocks, len(self._words)), self.gauss_next

    def setstate(self, state: State) -> None:
        """Go to a place in a stream. Raises ValueError for the state of another generator."""
        version, place, gauss_next = state
        if version != VERSION:
            raise ValueError(
                f"found a state of version {version}; a game's generator accepts only "
                f"version {VERSION}"
            )
        seed, blocks, left = place
        self._seed, self._blocks, self._words = seed, blocks, []
        if left:
            self._blocks -= 1
            del self._more()[left:]
        self.gauss_next = gauss_next


for _name in FUNCTIONS:
    if not hasattr(Stream, _name):
        setattr(Stream, _name, getattr(Random, _name))


class StreamRandom(Random):
    """The `random.Random` of a stream: drawing from one draws from the other."""

    def __new__(cls, stream: Stream) -> Self:
        """Make one whose Mersenne Twister, which is never drawn from, costs no word of the
        system's.
        """
        return super().__new__(cls, 0)  # type: ignore[call-arg]

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        # in the object itself, so that no call lies between; `Random` makes all else of these
        self.random = stream.random  # type: ignore[method-assign]
        self.choice = stream.choice  # type: ignore[method-assign, assignment]
        self.getrandbits = stream.getrandbits  # type: ignore[method-assign]
        self._randbelow = stream._randbelow
        self.seed = stream.seed  # type: ignore[method-assign]
        self.getstate = stream.getstate  # type: ignore[method-assign]
        self.setstate = stream.setstate  # type: ignore[method-assign]

    @property
    def gauss_next(self) -> float | None:
        """The second number that `gauss` made, if it is still to be drawn."""
        return self._stream.gauss_next

    @gauss_next.setter
    def gauss_next(self, number: float | None) -> None:
        self._stream.gauss_next = number

    def __reduce__(self) -> tuple[Callable[[State], Random], tuple[State]]:
        """Copy by the place in the stream: the copy then draws for itself."""
        return _at, (self.getstate(),)


def _at(state: State) -> Random:
    copy = StreamRandom(Stream(b""))
    copy.setstate(state)
    return copy


class Generators:
    """The generators of a process's games, each made at its first use."""

    def __init__(self) -> None:
        self.table: int | None = None  # the game asked; None while loading
        self.refusal = ""  # why there is no one game to draw for, while `decide_many` runs
        self._seeds: dict[int, bytes] = {}
        self._streams: dict[int | None, Stream] = {}
        self._objects: dict[int, Random] = {}  # of the games whose bots asked for one
        self._loading = Random(LOADING_SEED)

    def begin(self, table: int, seed: bytes) -> None:
        """Take a game in, its generator not yet made."""
        self._seeds[table] = seed

    def forget(self, table: int) -> None:
        """Drop a finished game."""
        self._seeds.pop(table, None)
        self._streams.pop(table, None)
        self._objects.pop(table, None)

    def of(self, table: int) -> Random:
        """The generator of a game, as an object; the functions of `random` share it."""
        generator = self._objects.get(table)
        if generator is None:
            generator = self._objects[table] = StreamRandom(self._stream_of(table))
        return generator

    def current(self) -> Random | Stream:
        """The generator of the game at hand. Raises RuntimeError in `decide_many`."""
        if self.refusal:
            raise RuntimeError(self.refusal)
        return self._loading if self.table is None else self._stream_of(self.table)

    def _stream_of(self, table: int) -> Stream:
        stream = self._streams.get(table)
        if stream is None:
            stream = self._streams[table] = Stream(self._seeds[table])
        return stream

    def install(self) -> None:
        """Replace the functions of the `random` module. Done once a process.

        Each has `current` in line where a generator is made (a test compares), and the two that
        bots call most their own parameters: that takes a third off the time of `choice`.
        """
        current, streams = self.current, self._streams

        def choice(seq: Any) -> Any:
            generator = None if self.refusal else streams.get(self.table)  # none is made for None
            return (generator or current()).choice(seq)

        def number() -> float:
            generator = None if self.refusal else streams.get(self.table)
            return (generator or current()).random()

        def make(name: str) -> Callable[..., Any]:
            def function(*args: Any, **kwargs: Any) -> Any:
                generator = None if self.refusal else streams.get(self.table)
                return getattr(generator or current(), name)(*args, **kwargs)

            return function

        for name in FUNCTIONS:
            function = {"choice": choice, "random": number}.get(name) or make(name)
            function.__name__ = function.__qualname__ = name
            function.__doc__ = getattr(Random, name).__doc__
            setattr(random, name, function)


class Batch(Sequence[Random]):
    """The generators of a batch's games, in its order; `undo` puts back the ones taken.

    Made one by one as they are taken: a bot that draws nothing pays for none.
    """

    def __init__(self, generators: Generators, tables: Sequence[int]) -> None:
        self._generators, self._tables = generators, tables
        self._before: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self._tables)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._take(table) for table in self._tables[index]]
        return self._take(self._tables[index])

    def __iter__(self) -> Iterator[Random]:
        return map(self._take, self._tables)

    def undo(self) -> None:
        """Set every generator taken back to where it was."""
        for table, state in self._before.items():
            self._generators.of(table).setstate(state)

    def _take(self, table: int) -> Random:
        generator = self._generators.of(table)
        if table not in self._before:
            self._before[table] = generator.getstate()
        return generator
