"""Questions to a bot, one or those of a game, asked as the arena would: the same interface, the
same random numbers.

The bot is confined, as in a tournament. Or it runs in the caller's process without sandbox and
limits (`InProcessBot`), so that a test's traceback and a debugger reach its lines; it is asked as
`arena.sandbox.harness` asks it, but one view at a time, and its exceptions reach the caller.
"""

import random
import sys
import warnings
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import arena.check_games  # noqa: F401 - before anything else of ours
import games
from arena.author.views import RecordedGame, find_recorded_game, read_record
from arena.errors import Unconfinable, UsageError, require_linux
from arena.faults.kinds import FaultKind
from arena.faults.reasons import in_full, wrong_word
from arena.faults.remedies import remedy
from arena.league.bots import ENTRY_FILE, NAME, BotPath, find_bot, find_house_bots, find_league
from arena.league.files import Source, hash_source, read_bot
from arena.model import Bot, Limits, Reason, file_of
from arena.plan.plan import check_walls
from arena.process.death import reason_of
from arena.records.questions import NOT_KNOWN, Question
from arena.records.record import Divergence, judge_record
from arena.sandbox import folder, wire
from arena.sandbox.capture import is_word, no_decision, plain
from arena.sandbox.harness import MANY_DRAWS, Game, kind_of
from arena.sandbox.randomness import FUNCTIONS, SEED_BYTES, Batch, Generators
from arena.words import spell

if TYPE_CHECKING:
    from arena.process.asker import Reply


class NoDecision(AssertionError):
    """A bot's answer was not legal; or, confined, it gave none."""

    kind: FaultKind = "illegal"


NO_LIMITS: Mapping[str, int] = {}
OTHER_ORDER = (
    "replay_game: sets of words have another order here than in the game; run with PYTHONHASHSEED=0"
)
UNWALLED = "confined=False runs the bot without a sandbox, with all of your permissions"
ONLY_FILES = "with confined=True, give a bot's path or name"


def decide(bot: Any, view: Any, *, seed: int = 0, confined: bool | None = None) -> str:
    """Return a bot's decision in the game of a view, one of `view.legal`.

    `bot` is a path (`bots/thrifty.py`, or a folder with a `bot.py`) or a name in the league's
    folder `bots/`; or a function `decide(view)`, a class such as `Bot`, whose instance is new each
    time, an object with a method `decide`, or a function called `decide_many`. It draws from the
    generator of a game with that `seed`, whether by `random`, `game.rng` or `rngs[0]`: the same
    seed gives the same decision.

    A bot given by path or name is confined and limited as in a tournament. `confined=False` is for
    a bot of your own: it runs in this process with all of your permissions, no limit ends it, and
    its exceptions reach the caller. Functions, classes and objects always run in this process.
    Raises NoDecision, an AssertionError, where the answer is not legal; UsageError for a wrong bot
    or view; Unconfinable where bots cannot be confined.
    """
    if not hasattr(view, "legal") or not hasattr(view, "table"):
        raise UsageError(f"decide: found {spell(view)}; expected a view made by view_of() or at()")
    hello = wire.Hello(view.game, games.changed_options(view.options))
    question = Question(0, tuple(view), view.legal, None)
    begun = wire.Begun(view.table, _to_bytes(seed))
    game = RecordedGame("", view.seat, hello, begun, [question])
    return _ask("decide", bot, game, confined, Limits(), None)[-1]


def replay_game(
    bot: Any, record: Mapping[str, Any] | str | Path, seat: int, *, table: int = 0, seed: int = 0,
    failed: Mapping[int, str] = NOT_KNOWN, limits: Mapping[str, int] = NO_LIMITS,
    confined: bool | None = None,
) -> None:  # fmt: skip
    """Ask a bot all that a seat was asked in a recorded game, in order, and tell it the result.

    `bot` and `confined` are as for `decide`, `record` is as for `at`. One instance plays all of the
    game, which goes on as recorded where the bot now decides differently. It is told the result
    unless the seat forfeited. `table` is `view.table`, and the generator is that of a game with
    this `seed`: `arena faults --as-test` writes those of the game. `failed` are the phases that
    seats failed in, by seat, where the record leaves that open; `limits` those that differ from the
    default, as in a config: only a confined bot has any.

    Raises NoDecision at the first answer that is not legal, and where a confined bot fails; what
    else a bot raises; UsageError for a wrong bot or record; Unconfinable.
    """
    __tracebackhide__ = True  # of pytest: what the bot did is of interest
    given = read_record(record)
    try:
        judge_record(given)
        game = find_recorded_game(given, seat, wire.Begun(table, _to_bytes(seed)), failed)
    except Divergence as error:
        raise UsageError(f"replay_game: the record breaks the rules: {error}") from None
    if not 0 <= seat < given["players"]:
        raise UsageError(f"replay_game: seat: found {seat}; expected 0 to {given['players'] - 1}")
    if confined is False and sys.flags.hash_randomization:
        warnings.warn(OTHER_ORDER, stacklevel=2)
    result = given["result"]
    told = result if result and seat not in result.get("forfeits", ()) else None
    _ask("replay_game", bot, game, confined, Limits(**limits), told)


def _to_bytes(seed: int) -> bytes:
    return (seed % (1 << 8 * SEED_BYTES)).to_bytes(SEED_BYTES, "little")


def _ask(
    caller: str,
    bot: Any,
    game: RecordedGame,
    confined: bool | None,
    limits: Limits,
    result: dict[str, Any] | None,
) -> list[str]:
    """Ask a bot all questions of a game, and tell it the result, if given: its decisions.

    For bots, and what is raised, see `decide`; messages begin with the `caller`.
    """
    __tracebackhide__ = True  # of pytest: what the bot did is of interest
    named = isinstance(bot, str | Path)
    if confined and not named:
        raise UsageError(f"{caller}: found {spell(bot)}; {ONLY_FILES}")
    path = find_player(bot) if named else None
    replies: Generator[object, None, None]
    if path and confined is not False:
        replies = _ask_confined(path, game, limits, result)
    else:
        replies = _ask_here(caller, bot, path, game, result)
    name = path.name if path else getattr(bot, "__name__", type(bot).__name__)
    decisions = []
    with closing(replies):
        for number, reply in enumerate(replies):
            view = game.view(number) if number < len(game.questions) else None
            if view is None or not (is_word(reply) and reply in view.legal):
                error = refuse(name, path is not None and path.path.is_dir(), view, reply)
                if view is not None and getattr(reply, "kind", "") != "load":
                    error.add_note(f"in decision {number + 1} of {len(game.questions)}")
                raise error
            decisions.append(reply)
    return decisions


def find_player(given: str | Path) -> BotPath:
    """Find a bot by its path, or by its name in the league, else among the house bots. Raises
    UsageError.
    """
    try:
        is_name = NAME.fullmatch(str(given))
        return find_bot(find_league(Path.cwd()) if is_name else Path.cwd(), str(given))
    except UsageError:
        house = {bot.name: bot for bot in find_house_bots()}
        if str(given) not in house:
            raise
        return house[str(given)]


def refuse(name: str, is_folder: bool, view: Any, answer: object) -> NoDecision:
    """Describe an answer that is not legal, or the reason why there is none; `view` is None where
    the bot was asked for no decision.
    """
    if isinstance(answer, Reason) and not answer.played:
        reason = answer
    elif is_word(word := answer.played if isinstance(answer, Reason) else answer):
        reason = wrong_word(word, f"it answered {word!r}, which is not legal", ())
    else:
        reason = reason_of(no_decision(0, answer))
    lines = [f"{name}: {in_full(reason)}"]
    if view is not None:
        legal = ", ".join(view.legal[:12]) + (", ..." if len(view.legal) > 12 else "")
        lines += [f"legal: {legal}", f"It was shown: {view}"]
    advice = remedy(reason, file_of(name, is_folder))
    error = NoDecision("\n".join(lines + ([f"remedy: {advice}"] if advice else [])))
    error.kind = reason.kind
    return error


def require_walls(*bots: Path) -> None:
    """Raise Unconfinable where there are no walls for these bots, with what `confined=False` does
    there.
    """
    try:
        require_linux()
    except Unconfinable as error:
        raise Unconfinable(f"{error} {UNWALLED}.") from None
    check_walls(*bots, remedy=UNWALLED)


def _ask_confined(
    path: BotPath, game: RecordedGame, limits: Limits, result: dict[str, Any] | None
) -> Generator["Reply", None, None]:
    source = read_bot(path)
    require_walls(path.path)
    from arena.author.replayer import CurrentBot, start_replayer

    now = CurrentBot(path.path, source, Bot(path.name, hash_source(source)))
    with start_replayer(now, limits) as player:
        reason = player.problem()
        yield from [reason] if reason else player.replies(game, result)


def _ask_here(
    caller: str, bot: Any, path: BotPath | None, game: RecordedGame, result: dict[str, Any] | None
) -> Generator[object, None, None]:
    home = path.path.absolute() if path else None
    with lend_random([bot]) as generators, lend_imports(home):
        loaded = load(home, read_bot(path)) if path and home else take(caller, bot)
        player = InProcessBot(*loaded, generators, game.begun)
        for number in range(len(game.questions)):
            yield player.decide(game.view(number))
        player.end(result)


def take(caller: str, bot: Any) -> tuple[str, Any]:
    """The kind of a bot that is no file, and its function or class. Raises UsageError, its message
    begun with the `caller`.
    """
    if isinstance(bot, type):
        return "Bot", bot
    given = getattr(bot, "decide", bot)
    if not callable(given):
        raise UsageError(f"{caller}: found {spell(bot)}; expected a bot's path, name or function")
    return getattr(bot, "__name__", ""), given


@contextmanager
def lend_random(bots: Iterable[object]) -> Iterator[Generators]:
    """Give `random`'s functions other generators for a while. In the end all is as before.

    Names that the modules of these functions and classes imported from `random` use them, too.
    """
    generators = Generators()
    functions = {name: getattr(random, name) for name in FUNCTIONS}
    modules = {sys.modules.get(getattr(bot, "__module__", "")) for bot in bots}
    imported = [
        (module, name, value)
        for module in modules - {None, random}
        for name, value in vars(module).items()
        if any(value is function for function in functions.values())
    ]
    generators.install()
    for module, name, value in imported:
        setattr(module, name, getattr(random, value.__name__))
    try:
        yield generators
    finally:
        for module, name, value in [*imported, *((random, *item) for item in functions.items())]:
            setattr(module, name, value)


@contextmanager
def lend_imports(path: Path | None) -> Iterator[None]:
    """Let the bot at `path`, if it is a folder, import its own modules for a while. In the end none
    of them is left.
    """
    modules, paths, finders = {**sys.modules}, sys.path[:], sys.meta_path[:]
    if path and path.is_dir():  # a bot of one file has nothing beside it
        sys.path.insert(0, str(path))
    try:
        yield
    finally:
        sys.path[:], sys.meta_path[:] = paths, finders
        start = f"{folder.PACKAGE}."
        names = [n for n in sys.modules if f"{n}.".startswith(start) or start + n in sys.modules]
        for name in {"bot", *names}:
            sys.modules.pop(name, None)
        sys.modules.update(modules)


def load(path: Path, source: Source) -> tuple[str, Any]:
    """Load the bot at `path`: its kind, and the function or class that its module defines. Raises
    whatever the bot raises, and LookupError if it defines no bot.
    """
    file = str(path / ENTRY_FILE if path.is_dir() else path)
    module = folder.load(file, dict(source.files)[ENTRY_FILE], path.is_dir())
    try:
        kind = kind_of(module)
    except LookupError as error:
        error.add_note(f"{file} was loaded as a bot")
        raise
    return kind, getattr(module, kind)


class InProcessBot:
    """A bot that plays one seat of one game."""

    def __init__(self, kind: str, given: Any, generators: Generators, begun: wire.Begun) -> None:
        generators.begin(*begun)
        self._kind, self._given, self._generators = kind, given, generators
        self._refusal = MANY_DRAWS if kind == "decide_many" else ""
        self._table = begun.table
        self._bot: Any = None  # an instance of the class `Bot`

    def decide(self, view: Any) -> object:
        """The reply to a view. Raises whatever the bot raises."""
        self._generators.table, self._generators.refusal = view.table, self._refusal
        if self._kind == "decide_many":
            decisions = list(self._given([view], Batch(self._generators, [view.table])))
            if len(decisions) != 1:
                raise ValueError(f"decide_many returned {len(decisions)} decisions for 1 view")
            return plain(decisions[0])
        if self._kind != "Bot":
            return plain(self._given(view))
        if self._bot is None:
            self._bot = self._given(Game(view, self._generators))
        return plain(self._bot.decide(view))

    def end(self, result: dict[str, Any] | None) -> None:
        """Forget the game, its result told to an instance of `Bot` that wants to know. Raises what
        the bot raises.
        """
        end = getattr(self._bot, "end", None)
        if result is not None and callable(end):
            self._generators.table = self._table
            end(games.Result(result))
        self._generators.forget(self._table)
