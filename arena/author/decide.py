"""Questions to a bot, one or those of a game, asked as the arena would: the same interface, the
same random numbers.

The bot is confined, as in a tournament. Or it runs in the caller's process without sandbox and
limits (`players.InProcessBot`), so that a test's traceback and a debugger reach its lines; it is
asked as `arena.sandbox.harness` asks it, but one view at a time, and its exceptions reach the
caller.
"""

import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import arena.check_games  # noqa: F401 - before anything else of ours
import games
from arena.author.players import load_bots
from arena.author.views import RecordedGame, find_recorded_game, read_record
from arena.errors import UsageError
from arena.model import Limits
from arena.records.questions import NOT_KNOWN, Question
from arena.records.record import Divergence, judge_record
from arena.sandbox import wire
from arena.sandbox.capture import is_word
from arena.sandbox.randomness import SEED_BYTES
from arena.words import spell

NO_LIMITS: Mapping[str, int] = {}
OTHER_ORDER = (
    "replay_game: sets of words have another order here than in the game; run with PYTHONHASHSEED=0"
)


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
    if confined is None:  # then house bots are, too
        confined = isinstance(bot, str | Path)
    decisions = list[str]()
    with load_bots(caller, [bot], confined, game.hello, limits) as (loaded,):
        seated = loaded.sit(game.begun)
        for number in range(len(game.questions)):
            view = game.view(number)
            reply = seated.decide(view)
            if not (is_word(reply) and reply in view.legal):
                error = loaded.refuse(view, reply)
                error.add_note(f"in decision {number + 1} of {len(game.questions)}")
                raise error
            decisions.append(reply)
        if failure := seated.end(result):
            raise loaded.refuse(None, failure)
    return decisions
