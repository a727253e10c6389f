"""Randomness inside a bot's process: the functions of `random` act on the game's own generator.

So that the plain use of `random` repeats itself whatever shares the process, `install` replaces
the module's functions by plain ones that hand the whole call to the generator of the game asked;
`from random import choice` works, because it is done before the bot's module is loaded. Runs
in the bot's process; imports the standard library and its own neighbours alone.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, overload

from arena.sandbox.stream import FUNCTIONS, Stream, StreamRandom

LOADING_SEED = 17  # while the module loads, every bot draws the same numbers


class Generators:
    """The generators of a process's games, each made at its first use."""

    def __init__(self) -> None:
        self.table: int | None = None  # the game asked; None while loading
        self.refusal = ""  # why there is no one game to draw for, while `decide_many` runs
        self._seeds: dict[int, bytes] = {}
        self._made: dict[int | None, Stream] = {}
        self._objects: dict[int, Random] = {}  # of the games whose bots asked for one
        self._loading = Random(LOADING_SEED)

    def begin(self, table: int, seed: bytes) -> None:
        """Take a game in, its generator not yet made."""
        self._seeds[table] = seed

    def forget(self, table: int) -> None:
        """Drop a finished game."""
        self._seeds.pop(table, None)
        self._made.pop(table, None)
        self._objects.pop(table, None)

    def of(self, table: int) -> Random:
        """The generator of a game, as an object; the functions of `random` share it."""
        made = self._objects.get(table)
        if made is None:
            made = self._objects[table] = StreamRandom(self._drawn_from(table))
        return made

    def current(self) -> Random | Stream:
        """What is drawn from for the game at hand. Raises RuntimeError in `decide_many`."""
        if self.refusal:
            raise RuntimeError(self.refusal)
        return self._loading if self.table is None else self._drawn_from(self.table)

    def _drawn_from(self, table: int) -> Stream:
        made = self._made.get(table)
        if made is None:
            made = self._made[table] = Stream(self._seeds[table])
        return made

    def install(self) -> None:
        """Replace the functions of the `random` module. Done once a process."""
        for name in FUNCTIONS:
            setattr(random, name, self._function(name))

    def _function(self, name: str) -> Callable[..., Any]:
        function = {"choice": self._choice, "random": self._random}.get(name, self._other)(name)
        function.__name__ = function.__qualname__ = name
        function.__doc__ = getattr(Random, name).__doc__
        return function

    # Each of these has `current` in line where a generator is made (a test compares), and the two
    # that bots call most their own parameters: that takes a third off the time of `choice`.

    def _choice(self, name: str) -> Callable[..., Any]:
        current, made = self.current, self._made

        def choice(seq: Any) -> Any:
            generator = None if self.refusal else made.get(self.table)  # none is made for None
            return (generator or current()).choice(seq)

        return choice

    def _random(self, name: str) -> Callable[..., Any]:
        current, made = self.current, self._made

        def number() -> float:
            generator = None if self.refusal else made.get(self.table)
            return (generator or current()).random()

        return number

    def _other(self, name: str) -> Callable[..., Any]:
        current, made = self.current, self._made

        def function(*args: Any, **kwargs: Any) -> Any:
            generator = None if self.refusal else made.get(self.table)
            return getattr(generator or current(), name)(*args, **kwargs)

        return function


class Batch(Sequence[Random]):
    """The generators of a batch's games, in its order; `undo` puts back the ones taken.

    Made one by one as they are taken: a bot that draws nothing pays for none.
    """

    def __init__(self, generators: Generators, tables: Sequence[int]) -> None:
        self._generators, self._tables = generators, tables
        self._before: dict[int, Any] = {}

    def __len__(self) -> int:
        return len(self._tables)

    @overload
    def __getitem__(self, index: int) -> Random: ...
    @overload
    def __getitem__(self, index: slice) -> list[Random]: ...
    def __getitem__(self, index: int | slice) -> Random | list[Random]:
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
