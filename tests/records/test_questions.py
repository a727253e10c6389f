"""A seat's questions, made again of the record; and a view copied as a test, which runs."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.model import Played, Pool
from arena.process.zygote_client import ZygoteClient
from arena.records.questions import TEST_HEAD, find_question_at, find_questions, format_test
from arena.session import session
from arena.session.game import LiveGame
from arena.testing import NoDecision, view_of
from tests.author.made import CASES
from tests.games.cases import Case
from tests.games.playing import steps
from tests.places import source
from tests.sessions import Bench, line_of

POOLS = [
    Pool("no_thanks", 3, "{}", ""),
    Pool("sixteen", 4, "{}", "mixed"),
    Pool("diciassette", 4, "{}", ""),
]
BOTS = {
    "ann": source("chance"), "bob": source("errs_in_windows"), "cid": source("chance"),
    "dee": "import random\ndef decide(view):\n    assert random.random() < 0.9\n"
           "    return random.choice(view.legal)\n",
}  # fmt: skip


@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.game)
def test_they_are_what_the_session_asked(
    pool: Pool, zygote: ZygoteClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, tuple[list[list[tuple[Any, str]]], Sequence[int]]] = {}
    finish = session.Session._finish

    def noted(self: session.Session, game: LiveGame) -> None:
        questions = [game.questions(seat) for seat in range(pool.players)]
        asked[game.fixture.id] = questions, game.aliases
        finish(self, game)

    monkeypatch.setattr(session.Session, "_finish", noted)
    bench = Bench(zygote, tmp_path)
    bench.play(BOTS, pool, deals=36)
    compared = [_compare(pool, played, *asked[played.fixture.id]) for played in bench.played]
    forfeits, in_play = map(sum, zip(*compared, strict=True))
    assert sum(len(own) for each, _ in asked.values() for own in each) > 1000
    assert forfeits > 0, "no seat forfeited a game"
    assert (in_play > 0) == (pool.game == "diciassette"), "no seat failed in play after a window"


def _compare(
    pool: Pool, played: Played, asked: list[list[tuple[Any, str]]], aliases: Sequence[int]
) -> tuple[int, int]:
    """Return how many seats forfeited when asked, and how often the fault alone says in play."""
    record, forfeits, in_play = json.loads(line_of(pool, played)), 0, 0
    failed = {fault.seat: fault.reason.phase for fault in played.faults}
    for seat, own_asked in enumerate(asked):
        found = list(find_questions(record, seat, aliases, failed))
        answered = [each for each in found if each.answer is not None]
        assert [(each.fields, each.answer) for each in answered] == own_asked
        faulted = found[len(answered) :]
        own = [at for who, _, at in record["meta"]["faults"] if who == seat]
        assert [each.at for each in faulted] == own
        forfeits += len(faulted)
        for each in faulted:
            known = find_question_at(record, each.at, seat, failed=failed)
            assert (known.decision, known.view._replace(table=aliases[seat])) == (None, each.fields)
            guessed = find_question_at(record, each.at)
            if guessed.view != known.view:
                in_play += 1
                assert (guessed.view.phase, known.view.phase) == ("window", "play")
                assert find_question_at(record, each.at, seat, "play").view == known.view
    return forfeits, in_play


@pytest.mark.usefixtures("kept_zygote")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_holds_of_who_decided_so_and_of_nobody_else(
    case: Case, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot takes the last legal decision, and then answers nonsense."""
    bot = tmp_path / "bots" / "last.py"
    bot.parent.mkdir()
    bot.write_text("def decide(view):\n    return view.legal[-1]\n")
    monkeypatch.chdir(tmp_path)

    def run(*decision: str) -> None:
        space: dict[str, Any] = {}
        exec(TEST_HEAD + format_test("last", view, *decision), space)
        (test,) = (value for name, value in space.items() if name.startswith("test_"))
        test()

    rng = Random(f"{case} {seed}")
    state = case.state(rng)
    shown = [state.view(state.to_act) for _ in steps(state, case.seats, rng)
             if state.to_act is not None and state.has_choice()]  # fmt: skip
    view = rng.choice(shown)
    run(view.legal[-1])
    run()
    with pytest.raises(AssertionError):
        run(view.legal[0])
    bot.write_text("def decide(view):\n    return 'nothing'\n")
    with pytest.raises(NoDecision, match="it answered 'nothing', which is not legal"):
        run()


def test_it_reads_as_one_writes_it() -> None:
    view = view_of("no_thanks", options={"chips": 9}, card=10, pot=3)
    lines = format_test("my-bot", view, "take", "game 3f2a, step 17").splitlines()
    assert lines[:4] == [
        "def test_my_bot_game_3f2a_step_17() -> None:",
        "    view = view_of(",
        '        "no_thanks",',
        '        options={"chips": 9},',
    ]
    assert lines[-1] == '    assert decide("my-bot", view, confined=True) == "take"'
