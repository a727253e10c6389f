"""Inside a bot's process: has the bot loaded, then answers one batch of questions after another.

Nothing here is trusted: the parent measures for itself all that it must know. The loop only sees to
it that a well-meant bot meets the interface of `bots/README.md`, and that its failures are reported
with its own lines.
"""

import linecache
import os
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from io import TextIOWrapper
from itertools import islice
from random import Random
from types import ModuleType
from typing import Any, NoReturn, Protocol, cast

import msgspec

import games
from arena.sandbox import wire
from arena.sandbox.capture import LONGEST, Complaint, Output, explain, is_word, no_decision, plain
from arena.sandbox.folder import load
from arena.sandbox.randomness import Batch, Generators

KINDS = ("decide", "Bot", "decide_many")


def load_bot(path: str) -> ModuleType:
    """Load `path`/bot.py. Raises whatever the bot raises."""
    file = os.path.join(path, "bot.py")
    with open(file, "rb") as stream:
        source = stream.read()
    sys.path.insert(0, path)
    return load(file, source, len(os.listdir(path)) > 1)  # a single file is called bot.py too


def read_sources(path: str, modules: int) -> None:
    """Read the lines of the bot's own code, for tracebacks: later no file can be opened.

    They are among the last so many modules; to touch all the others would copy their memory.
    """
    for module in list(islice(reversed(sys.modules.values()), max(modules, 0))):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.startswith(path):
            lines = linecache.getlines(file)
            # without a time: with one, linecache would look at the file again
            linecache.cache[file] = (len(lines), None, lines, file)


def kind_of(module: ModuleType) -> str:
    """The kind of bot that the module defines. Raises LookupError unless it is one."""
    defined = [name for name in KINDS if callable(getattr(module, name, None))]
    if len(defined) > 1:
        raise _no_bot(
            f"found {' and '.join(defined)}; a bot defines one of them", "keep one of them"
        )
    if not defined:
        raise _no_bot("no bot is defined", _guess_remedy(module))
    if defined == ["Bot"] and not hasattr(module.Bot, "decide"):
        raise _no_bot("class Bot has no method decide", "add `def decide(self, view)`")
    return defined[0]


def _no_bot(what: str, remedy: str) -> LookupError:
    return LookupError(Complaint("bot", f"{what}; {remedy}", remedy))


def _guess_remedy(module: ModuleType) -> str:
    callables = {
        name: value
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    }
    classes = [name for name, value in callables.items() if isinstance(value, type)]
    for name in classes:
        if callable(getattr(callables[name], "decide", None)):
            return f"rename class {name} to Bot"
    for kind in ("decide", "decide_many"):
        for name in get_close_matches(kind, callables.keys() - set(classes), 1, 0.7):
            return f"rename {name} to {kind}"
    advice = f"put the code into `def decide(view)`; found only {', '.join(callables)}"
    return advice if callables else "put the code into `def decide(view)`"


ENDS_TOLD = 8  # texts of failures of `end` in one answer: they share the room of no decision

MANY_DRAWS = Complaint(
    "draws",
    "decide_many answers for many games at once, and each game has its "
    "own generator: draw from rngs[i], not from the random module",
)

Decide = Callable[[Any], object]
Failures = list[wire.Failure]


class Game:
    """The game that a `Bot` will play: its constructor's argument."""

    def __init__(self, view: Any, generators: Generators) -> None:
        self.name: str = view.game
        self.seat: int = view.seat
        self.players: int = view.players
        self.options = view.options
        self._table, self._generators = view.table, generators

    @property
    def rng(self) -> Random:
        """The game's own generator, the one that the functions of `random` draw from."""
        return self._generators.of(self._table)


class Line(Protocol):
    """A bot's process is tied to its parent by this, on one system or another."""

    confined: bool  # whether loading ends with a filter of system calls
    word: "memoryview[int]"  # [0]: the question it is at, for the parent to read
    output_bytes: int  # of prints, at most

    def receive(self) -> memoryview:
        """Wait for the next message and return its body, to be released before the next call. Ends
        the process when the parent has hung up.
        """

    def send(self, message: Any) -> None:
        """Send a message, however long."""

    def end_loading(self) -> None:
        """Close what was open for loading."""


def main(path: str, generators: Generators, line: Line) -> NoReturn:
    """Load the bot whose snapshot is the folder `path`, and serve until the parent hangs up.

    `generators` stand behind the functions of `random` already.
    """
    output = Output(generators, line.output_bytes)
    sys.stdout = sys.stderr = TextIOWrapper(output, "utf-8", "backslashreplace", "\n", True, True)
    before = len(sys.modules)
    try:
        module = load_bot(path)
        kind = kind_of(module)
        if line.confined:
            read_sources(path, len(sys.modules) - before)
            line.end_loading()
    except MemoryError:
        os._exit(wire.OUT_OF_MEMORY)
    except BaseException as error:
        line.send(wire.Ready("", False, explain(0, "error", error)))
        os._exit(0)
    player = getattr(module, kind)
    line.send(wire.Ready(kind, kind == "Bot" and callable(getattr(player, "end", None)), None))
    try:
        hello = _decode_hello(line.receive())
        server = Server(kind, player, generators, line, output)
        decode = make_decode(hello) if hello.options else decode_of(hello.game)
        server.serve(decode)
    except MemoryError:  # reading or writing a batch: the bot has left too little
        os._exit(wire.OUT_OF_MEMORY)


_decode_hello = msgspec.msgpack.Decoder(wire.Hello).decode

Decode = Callable[[memoryview], tuple[int, list[wire.Begun], list[wire.Over], list[Any]]]
"""Decodes a batch of questions: an unguessable number, to be repeated in the answer; games that
begin, and that are over; and the views."""


def make_decode(hello: wire.Hello) -> Decode:
    """Make what decodes questions in a game: 1 ms in a fresh process."""
    game = games.load(hello.game)
    view: Any = games.bind_options(game.View, games.parse_options(game.Options, hello.options))
    asked: Any = tuple[int, list[wire.Begun], list[wire.Over], list[view]]
    return cast(Decode, msgspec.msgpack.Decoder(asked).decode)


@lru_cache
def decode_of(game: str) -> Decode:
    """The same for a game under its usual options, made once in the zygote."""
    return make_decode(wire.Hello(game, {}))


class Server:
    """Answers for one bot."""

    def __init__(
        self, kind: str, player: Any, generators: Generators, line: Line, output: Output
    ) -> None:
        self._kind, self._player, self._generators = kind, player, generators
        self._line, self._word = line, line.word
        self._output = output
        self._bots: dict[int, Any] = {}  # by table, of a `Bot`

    def serve(self, decode: Decode) -> NoReturn:
        """Answer until the parent hangs up."""
        answer = self._all_at_once if self._kind == "decide_many" else self._one_by_one
        decide = self._decide_of_class if self._kind == "Bot" else self._player
        while True:
            number, begun, over, views = decode(self._line.receive())
            failures: Failures = []
            self._output.failures = failures
            for table, seed in begun:
                self._generators.begin(table, seed)
            for table, result in over:
                self._end(table, result, failures)
            decisions = answer(decide, views, failures) if views else []
            self._line.send(wire.Answer(number, decisions, failures))
            if failures and failures[-1].kind == "memory":
                os._exit(wire.OUT_OF_MEMORY)

    def _one_by_one(self, decide: Decide, views: Sequence[Any], failures: Failures) -> list[str]:
        """Ask for decisions one by one; they end early at a failure of memory."""
        generators, word = self._generators, self._word
        decisions: list[str] = []
        for index, view in enumerate(views):
            word[0] = index
            generators.table = view.table
            try:
                decision = decide(view)
            except MemoryError as error:
                failures.append(explain(index, "memory", error))
                return decisions
            except BaseException as error:
                failures.append(explain(index, "error", error))
                decision = ""
            # `is_word`, without the call (a test compares); at once, while all knows whose it is
            if type(decision) is not str or len(decision) > LONGEST or not decision.isascii():
                text = plain(decision)
                if is_word(text):
                    decision = text
                else:
                    failures.append(no_decision(index, decision))
                    decision = ""
            decisions.append(decision)
        return decisions

    def _decide_of_class(self, view: Any) -> object:
        bot = self._bots.get(view.table)
        if bot is None:
            bot = self._bots[view.table] = self._player(Game(view, self._generators))
        return bot.decide(view)

    def _all_at_once(self, decide: Any, views: list[Any], failures: Failures) -> list[str]:
        generators = self._generators
        generators.refusal, generators.table = MANY_DRAWS, None

        def ask(asked: list[Any]) -> list[object]:
            rngs = Batch(generators, [view.table for view in asked])
            try:
                given = decide(asked, rngs)
                if isinstance(given, str):  # whose letters would be taken for decisions
                    words = f"decide_many returned a string for {len(asked)} views"
                    raise ValueError(Complaint("batch", words))
                decisions = list(map(plain, given))
                if len(decisions) != len(asked):
                    counts = f"{len(decisions)} decisions for {len(asked)} views"
                    raise ValueError(Complaint("batch", f"decide_many returned {counts}"))
                if len(asked) > 1 and not all(map(is_word, decisions)):
                    raise TypeError("decide_many returned something that is not a decision")
            except BaseException:
                rngs.undo()
                raise
            return decisions

        self._word[0] = 0
        try:
            if len(views) > 1:
                return cast(list[str], ask(views))
        except MemoryError:
            os._exit(wire.OUT_OF_MEMORY)  # the parent asks again, one at a time
        except BaseException:
            pass  # who is at fault shows below, one at a time
        return self._one_by_one(lambda view: ask([view])[0], views, failures)

    def _end(self, table: int, result: dict[str, Any] | None, failures: Failures) -> None:
        """Drop a finished game, its bot told the result if there is one to tell."""
        bot = self._bots.pop(table, None)
        if bot is not None and result is not None:
            self._generators.table = table
            try:
                bot.end(games.Result(result))
            except MemoryError:
                os._exit(wire.OUT_OF_MEMORY)
            except BaseException as error:
                if len(failures) < ENDS_TOLD:
                    failures.append(explain(-1, "error", error))
                else:  # counted, and no more
                    failures[-1] = failures[-1]._replace(question=failures[-1].question - 1)
        self._generators.forget(table)
