"""Recorded games as tests of a bot, for a file that pytest runs: it calls `replay_game`."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.author.views import find_recorded_game
from arena.model import Limits
from arena.records.questions import CONFINED_NOTE, NOT_KNOWN, quote
from arena.records.replay import name_seats, read_meta
from arena.sandbox import wire

if TYPE_CHECKING:
    from arena.author.archive import Archive
    from arena.store.scan import StoredGame
    from arena.store.store import Store


class GameTest(NamedTuple):
    """A game to be written as a test of a seat's bot."""

    record: dict[str, Any]  # which the judge agrees with
    seat: int
    why: str = ""  # it forfeited, in a line; "" if it did not
    begun: wire.Begun | None = None  # the bot's random numbers; None where they are unknown
    failed: Mapping[int, str] = NOT_KNOWN
    limits: Limits = Limits()


def read_game_test(
    store: "Store", archive: "Archive", row: "StoredGame", seat: int, why: str
) -> GameTest:
    """Read a stored game, to be written as a test, with limits no higher than the reader's. Raises
    ArenaError where it breaks the rules.
    """
    from arena.audit.rerun import bound_limits
    from arena.author.archive import read_recorded_game
    from arena.store.logs import find_failed_phases

    game = read_recorded_game(store, archive, row, seat)
    begun, failed = game.begun if archive.exact else None, find_failed_phases(store, row.id)
    return GameTest(json.loads(row.line), seat, why, begun, failed, bound_limits(archive.limits))


def write_game_tests(tests: Iterable[GameTest]) -> str:
    """Write a file of tests, each a call of `replay_game`, with the records at its end."""
    head = f"from arena.testing import replay_game\n\n{CONFINED_NOTE}"
    parts, records = [head], dict[str, str]()
    for test in tests:
        id = re.sub(r"\W", "", str(read_meta(test.record).get("id", "")), flags=re.ASCII)[:8]
        name = f"GAME_{id}".rstrip("_").upper()
        parts.append(_format(test, name, id))
        records[name] = json.dumps(test.record, separators=(",", ":"))
    return "\n\n".join([*parts, "".join(f"{name} = {text!r}\n" for name, text in records.items())])


def _format(test: GameTest, name: str, id: str) -> str:
    record, seat, why, begun, failed, limits = test
    questions, unsure = (
        find_recorded_game(record, seat, begun or wire.Begun(0, b""), phases).questions
        for phases in (failed, NOT_KNOWN)
    )
    bot = name_seats(record)[seat] or "my_bot"
    arguments = [quote(bot), name, f"seat={seat}"]
    if begun:
        arguments.append(f"table={begun.table}")
        arguments.append(f"seed={int.from_bytes(begun.seed, 'little'):#x}")
    if questions != unsure:
        arguments.append(f"failed={quote(failed)}")
    given = zip(limits._fields, limits, Limits(), strict=True)
    if changed := {key: value for key, value, usual in given if value != usual}:
        arguments.append(f"limits={quote(changed)}")
    told = f"Decision {len(questions)}: {why}" if why and questions else why
    words = re.sub(r"\W+", "_", f"{bot} game {id}" if id else bot, flags=re.ASCII).lower()
    unknown = "its random numbers in the game are unknown: it draws others, always the same"
    return (
        f"def test_{words}_seat_{seat}() -> None:\n"
        f"    {quote(told or f'No forfeit in {len(questions)} decisions.')}\n"
        f"{'' if begun else f'    # {unknown}{chr(10)}'}"
        "    replay_game(\n"
        f"{''.join(f'        {argument},{chr(10)}' for argument in arguments)}"
        "        confined=True,\n    )\n"
    )
