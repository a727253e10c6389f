"""What a seat was asked, made again of the record: the same as the session asked."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.model import Played, Pool
from arena.process.zygote_client import ZygoteClient
from arena.records.questions import find_question_at, find_questions
from arena.session import session
from arena.session.game import LiveGame
from tests.places import source
from tests.sessions import Bench, line_of

POOLS = (
    Pool("no_thanks", 3, "{}", ""),
    Pool("sixteen", 4, "{}", "mixed"),
    Pool("diciassette", 4, "{}", ""),
)
BOTS = {
    "ann": source("chance"), "bob": source("errs_in_windows"), "cid": source("chance"),
    "dee": "import random\ndef decide(view):\n    assert random.random() < 0.9\n"
           "    return random.choice(view.legal)\n",
}  # fmt: skip


@pytest.mark.parametrize("pool", POOLS, ids=lambda pool: pool.game)
def test_they_are_what_the_session_asked(
    pool: Pool, zygote: ZygoteClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, list[list[tuple[Any, str]]]] = {}
    last: dict[str, Sequence[int]] = {}
    finish = session.Session._finish

    def noted(self: session.Session, game: LiveGame) -> None:
        asked[game.fixture.id] = [game.questions(seat) for seat in range(pool.players)]
        last[game.fixture.id] = game.aliases
        finish(self, game)

    monkeypatch.setattr(session.Session, "_finish", noted)
    bench = Bench(zygote, tmp_path)
    bench.play(BOTS, pool, deals=20)
    forfeits, in_play = 0, 0
    for played in bench.played:
        compared = _compare(pool, played, asked[played.fixture.id], last[played.fixture.id])
        forfeits, in_play = forfeits + compared[0], in_play + compared[1]
    assert sum(len(own) for each in asked.values() for own in each) > 1000
    assert forfeits > 0, "no seat forfeited a game"
    assert (in_play > 0) == (pool.game == "diciassette"), "no seat failed in play after a window"


def _compare(
    pool: Pool, played: Played, asked: list[list[tuple[Any, str]]], aliases: Sequence[int]
) -> tuple[int, int]:
    """Hold a game's questions to the session's; return how many seats forfeited it when asked, and
    in how many of them only the fault's reason says that it was in play, not in the window before.
    """
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
            assert known.decision is None
            assert known.view._replace(table=aliases[seat]) == each.fields
            guessed = find_question_at(record, each.at)
            if guessed.view != known.view:
                in_play += 1
                assert (guessed.view.phase, known.view.phase) == ("window", "play")
                assert find_question_at(record, each.at, seat, "play").view == known.view
    return forfeits, in_play
