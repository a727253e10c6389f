"""A player over scripted processes: what it asks of them, and whose fault it sees."""

import inspect
import sys
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any, cast

import pytest

from arena.model import Bot, Fixture, Limits, Reason
from arena.process.bot_process import BotProcess
from arena.process.death import Death
from arena.sandbox import wire
from arena.session.game import LiveGame, Origin
from arena.session.player import Player
from games import no_thanks

HELLO = wire.Hello("no_thanks", {})
OPTIONS = no_thanks.Options()
CRASH, PROTOCOL = Reason("crash", "it fell"), Reason("protocol", "it babbled")

Reply = Callable[[int], wire.Answer | Death]
"""From the number of questions to what becomes of them."""

ORIGIN = Origin(
    lambda game: (no_thanks.State(OPTIONS, 3, no_thanks.deal(OPTIONS, 3, Random(game.deal))), ()),
    lambda game: ((0, 1, 2), (b"",) * 3),
)


def answers(count: int) -> wire.Answer:
    return wire.Answer(0, ["pass"] * count, [])


def dies(reason: Reason, question: int = 0) -> Reply:
    return lambda count: Death(reason, question)


class Scripted:
    """A process that loads unless `unloaded`, and replies by its script, then always answers."""

    def __init__(self, *script: Reply, kind: str = "Bot", unloaded: str = "") -> None:
        self.script, self.kind, self.unloaded = list(script), kind, unloaded
        self.wants_results = kind == "Bot"
        self.used_s, self.worst_s, self.printed = 1.0, 0.0, ""
        self.asked: list[int] = []  # questions, by message
        self.told: list[int] = []  # results, by message

    def load(self) -> Reason | None:
        return Reason("load", self.unloaded) if self.unloaded else None

    def tell(self, hello: wire.Hello) -> None:
        assert hello == HELLO

    def ask(
        self, begun: list[wire.Begun], over: list[wire.Over], views: Sequence[Any]
    ) -> wire.Answer | Death:
        count = len(views)
        self.asked.append(count)
        self.told.append(sum(result is not None for _, result in over))
        return self.script.pop(0)(count) if self.script else answers(count)

    def end(self) -> None:
        pass


class Bench:
    """A player, its scripted processes in their order, and what becomes of its games.

    A game is over with its first decision or fault from here on; so many of its questions were
    `answered` by a process that is gone.
    """

    def __init__(
        self, *processes: Scripted, games: int = 4, restarts: int = 3, answered: int = 0
    ) -> None:
        self.processes = list(processes)
        self.started: list[Scripted] = []
        self.outcomes: dict[str, str | Reason] = {}  # by game
        limits = Limits(max_restarts=restarts)
        self.player = Player(self.launch, HELLO, limits, self.settle, self.forfeit)
        for number in range(games):
            fixture = Fixture(f"{number:020}", (Bot("a", ""),) * 3, (0, 1, 2), number)
            game = LiveGame(fixture, ORIGIN, (0, 1, 2), [self.player.waiting] * 3)
            seat = game.state.to_act
            assert seat is not None
            self.player.begin(game, seat, game.make_begun(seat))
            while game.state.to_act != seat or len(game.questions(seat)) < answered:
                decision = game.state.legal()[0]
                game.trail.append(decision)
                game.state.apply(decision)
            assert game.advance()

    def launch(self) -> BotProcess:
        self.started.append(self.processes.pop(0) if self.processes else Scripted())
        return cast(BotProcess, self.started[-1])

    def settle(self, games: Sequence[LiveGame], decisions: Sequence[str]) -> None:
        for game, decision in zip(games, decisions, strict=True):
            self.over(game, decision, {"reason": "over"})

    def over(self, game: LiveGame, outcome: str | Reason, result: dict[str, Any] | None) -> None:
        assert game.fixture.id not in self.outcomes, "settled twice"
        self.outcomes[game.fixture.id] = outcome
        self.player.finish(game, result)

    def forfeit(self, game: LiveGame, seat: int, reason: Reason) -> None:
        self.over(game, reason, None)


def test_a_death_costs_the_game_it_was_at_and_a_new_process_is_asked_the_others() -> None:
    bench = Bench(Scripted(dies(CRASH, 2)))
    bench.player.ask()
    assert list(bench.outcomes.values()) == [CRASH, "pass", "pass", "pass"]
    assert next(iter(bench.outcomes)) == f"{2:020}"
    assert [process.asked for process in bench.started] == [[4], [3]]
    bench.player.close()
    assert bench.player.asker.cpu_s == 2.0  # of both


def test_a_batch_garbled_is_asked_again_one_by_one() -> None:
    deaf = Scripted(answers, answers, dies(PROTOCOL), kind="decide")
    bench = Bench(Scripted(dies(PROTOCOL, 3)), deaf)
    bench.player.ask()
    assert list(bench.outcomes.values()) == ["pass", "pass", PROTOCOL, "pass"]


def test_results_that_fall_due_meanwhile_are_told_apart_and_cost_no_game() -> None:
    bench = Bench(Scripted(dies(PROTOCOL)), Scripted(answers, dies(CRASH)), games=3)
    bench.player.ask()
    assert [process.asked for process in bench.started[1:]] == [[1, 0], [1, 0, 1]]
    assert list(bench.outcomes.values()) == ["pass"] * 3
    bench.player.close()
    assert bench.player.texts.ends() == [(1, CRASH)]


def test_no_more_ends_are_counted_than_a_process_was_told_results() -> None:
    failure = wire.Failure(-(10**9), "error", "it failed")
    claims = [answers, lambda count: wire.Answer(0, ["pass"] * count, [failure, failure])]
    bench = Bench(Scripted(*claims), games=3)
    bench.player.ask()
    bench.player.close()
    assert bench.started[0].told == [0, 3]
    assert bench.player.texts.ends() == [(3, Reason("error", "it failed"))]


def test_out_of_memory_is_the_fault_of_the_question_after_the_last_answer() -> None:
    def runs_out(count: int) -> wire.Answer:
        return wire.Answer(0, ["pass"], [wire.Failure(1, "memory", "full")])

    bench = Bench(Scripted(runs_out))
    bench.player.ask()
    assert list(bench.outcomes.values()) == ["pass", Reason("memory", "full"), "pass", "pass"]
    assert len(bench.started) == 2


def test_processes_may_die_one_after_the_other_as_they_catch_up(
    request: pytest.FixtureRequest,
) -> None:
    """Each was once replaced from within the replacing of the one before: a RecursionError, with a
    thousand. Here the stack has room for fewer calls than there are deaths.
    """
    games, restarts = 150, 100
    allowed = restarts + games // 100
    deadly = [Scripted(dies(CRASH)) for _ in range(games)]
    bench = Bench(*deadly, games=games, restarts=restarts, answered=1)
    request.addfinalizer(partial(sys.setrecursionlimit, sys.getrecursionlimit()))
    sys.setrecursionlimit(len(inspect.stack(0)) + allowed)
    bench.player.ask()
    kinds = [outcome.kind for outcome in bench.outcomes.values() if isinstance(outcome, Reason)]
    assert kinds == ["crash"] * (allowed + 1) + ["strikes"] * (games - allowed - 1)
    assert [len(process.asked) for process in bench.started] == [1] * (allowed + 1)
    assert bench.player.lost is not None
    assert "died 102 times in 150 games here; the limit is 101" in bench.player.lost.message


def test_not_to_load_is_forgiven_once() -> None:
    bench = Bench(Scripted(unloaded="busy"))
    bench.player.ask()
    assert list(bench.outcomes.values()) == ["pass"] * 4
    bench = Bench(Scripted(unloaded="busy"), Scripted(unloaded="gone"))
    bench.player.ask()
    assert list(bench.outcomes.values()) == [Reason("load", "gone")] * 4
