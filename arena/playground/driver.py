"""A visitor's game in the browser: the rules referee, and the other seats are bots of this
interpreter.

`worker.js` runs it, from the zip that `arena.playground.page` makes. The page keeps all decisions:
another worker takes the game up by playing them again, and so does taking one back. A bot is asked
again then, for what it remembers, but its decision stands. Nothing here holds a bot in: the walls
are the worker's and its frame's.
"""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import games
from arena.model import Bot, Fixture, Pool
from arena.records.record import make_body, make_line
from arena.sandbox.capture import is_word
from arena.sandbox.harness import kind_of, load_bot
from arena.sandbox.randomness import LOADING_SEED, SEED_BYTES, Generators
from arena.sandbox.seated import InProcessBot, lend_imports
from arena.sandbox.wire import Begun
from arena.site.replay_encoder import encode_replay

HINT = "champion"  # whose decision a hint is
TABLE = 1  # all there is
VISITOR = ""  # in place of a bot's name

Decision = tuple[int, str | None, str]
"""(seat, decision, kind of fault); without a decision the seat forfeits."""


class Table:
    """A game that a visitor plays, as `start` says: `game`, `options`, `seats` (names of bots,
    `VISITOR` for the visitor), `seed` (text); of a game that is taken over also `record` and `at`,
    the number of its actions that stand.

    `bots` is a folder of folders; `tell` hears the seat whose bot is about to run, None after that.
    """

    def __init__(
        self, start: dict[str, Any], bots: Path, tell: Callable[[int | None], None]
    ) -> None:
        self.rules = games.load(start["game"])
        self.options = games.parse_options(self.rules.Options, start["options"])
        self.seats, self._seed, self._tell = start["seats"], start["seed"], tell
        self.visitor = self.seats.index(VISITOR)
        self.decisions: list[Decision] = []
        self._rng, self._generators = Random(self._seed), Generators()
        self._generators.install()
        self._bots: dict[tuple[int, str], InProcessBot | None] = {}  # None: it cannot be loaded
        self._folder = bots
        setup, self._course = self._deal(start)
        self.state = self.rules.State(self.options, len(self.seats), setup)

    def _deal(self, start: dict[str, Any]) -> tuple[Any, Sequence[tuple[int, str]]]:
        """The setup, and the actions that stand: of a game that is taken over as its seat knows it,
        with all that is hidden from it dealt again.
        """
        many = len(self.seats)
        if "record" not in start:
            return self.rules.deal(self.options, many, self._rng), ()
        setup = self.rules.parse_setup(self.options, many, start["record"]["setup"])
        actions = start["record"]["actions"][: start["at"]]
        course: Sequence[tuple[int, str]] = [(seat, action) for seat, action, *_ in actions]
        given = self.rules, self.options, many, setup
        setup, course = games.resample(*given, course, self.visitor, self._rng) or (setup, course)
        return games.complete_setup(self.rules, setup, self._rng), course

    def play(self, decisions: Sequence[Decision]) -> None:
        """Play decisions again, then go on to the visitor's next question, or to the end."""
        out = {seat for seat, decision, _ in decisions if decision is None}
        for seat, action in self._course:
            self._pass_over(seat, out)
            self.state.replay(seat, action)
        for seat, decision, kind in decisions:
            self._go_to_choice()
            if decision is not None:
                self._pass_over(seat, out)
            self._take(seat, decision, kind)
        self.go_on()

    def answer(self, decision: str) -> None:
        """Take the visitor's decision, and go on."""
        self._take(self.visitor, decision, "")
        self.go_on()

    def go_on(self) -> None:
        """Ask bots, up to the visitor's next question or the end."""
        while (seat := self._go_to_choice()) not in (None, self.visitor):
            assert seat is not None
            self._take(seat, *self._ask(seat))

    def _go_to_choice(self) -> int | None:
        state = self.state
        while (seat := state.to_act) is not None:
            if seat not in state.forfeited and state.has_choice():
                break
            state.apply(state.legal()[0])
        return seat

    def _take(self, seat: int, decision: str | None, kind: str) -> None:
        if decision is None:
            self.state.forfeit(seat)
        else:
            self.state.apply(decision)
        self.decisions.append((seat, decision, kind))

    def _pass_over(self, seat: int, out: set[int]) -> None:
        """Ask a bot for what it remembers; of no other use is what it answers."""
        if seat == self.state.to_act and seat not in out and self.seats[seat] != VISITOR:
            self._ask(seat)

    def _ask(self, seat: int, guest: str = "") -> tuple[str | None, str]:
        """The decision of a seat's bot, or of a guest there; or None and the kind of its fault."""
        place = seat, guest or self.seats[seat]
        if place not in self._bots:
            self._tell(seat)
            self._bots[place] = self._load(*place)
        bot = self._bots[place]
        if bot is None:
            return None, "load"
        view = self.state.view(seat, TABLE + seat)
        self._tell(seat)
        try:
            answer = bot.decide(view)
        except MemoryError:
            return None, "memory"
        except BaseException:  # a bot may raise anything
            return None, "error"
        finally:
            self._tell(None)
        return (answer, "") if is_word(answer) and answer in view.legal else (None, "illegal")

    def _load(self, seat: int, name: str) -> InProcessBot | None:
        """Load a bot; None if it cannot be. It draws the same numbers whoever is loaded before."""
        path = self._folder / name
        random.seed(LOADING_SEED)
        try:
            with lend_imports(path):
                module = load_bot(str(path))
            kind = kind_of(module)
        except BaseException:  # a bot may raise anything
            return None
        begun = Begun(TABLE + seat, Random(f"{self._seed} {seat}").randbytes(SEED_BYTES))
        return InProcessBot(kind, getattr(module, kind), self._generators, begun)

    def hint(self) -> str:
        """The decision of `HINT` in the visitor's place; "" where it has none."""
        return self._ask(self.visitor, HINT)[0] or ""

    def show(self) -> dict[str, Any]:
        """The game so far, for the page: `replay` as the viewer reads it, `record` as a line, all
        `decisions`, and what the visitor may do: `choices`, each a decision and its parts as a
        person chooses them, and the `faces` of cards among these parts.
        """
        state, rules = self.state, self.rules
        result = state.result() if state.to_act is None else None
        names = tuple(Bot(name or "you", "") for name in self.seats)
        line_up, options = tuple(sorted({*names})), json.dumps(games.changed_options(self.options))
        fixture = Fixture("0" * 16, line_up, tuple(map(line_up.index, names)), 0)
        pool, body = Pool(rules.NAME, len(names), options, ""), make_body(rules, state, result)
        kinds: dict[int, Any] = {seat: kind for seat, word, kind in self.decisions if word is None}
        faults = [
            (seat, kinds.get(seat, ""), at)
            for at, (seat, action) in enumerate(state.actions)
            if action == games.FORFEIT
        ]
        line = make_line(pool, fixture, faults, body)
        legal = () if result else state.legal()
        zones = games.zones(rules, state.view(self.visitor), bool(result))
        cards = {piece.text for zone in zones if zone.is_cards for piece in zone.pieces}
        choices = [[word, *games.split_decision(rules, word)] for word in legal]
        parts = {part for _, *parts in choices for part in parts}
        return {
            "replay": encode_replay(json.loads(line), "here", {}, now=state),
            "record": line.decode(),
            "decisions": self.decisions,
            "choices": choices,
            "faces": {part: games.symbol(rules, part)[:4] for part in parts & cards},
        }


def handle(asked: str, tell: Callable[[int | None], None]) -> str:
    """Answer the page: `start` and `decisions` begin a game or take it up, `answer` plays on, both
    with the game so far; `hint` asks for one. JSON, both ways.
    """
    message = json.loads(asked)
    if "start" in message:
        _tables[:] = [Table(message["start"], Path(__file__).with_name("bots"), tell)]
        _tables[0].play([(*row,) for row in message["decisions"]])
    elif "hint" in message:
        return json.dumps({"hint": _tables[0].hint()})
    else:
        _tables[0].answer(message["answer"])
    return json.dumps(_tables[0].show())


_tables: list[Table] = []  # the one that is played
