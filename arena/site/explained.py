"""Findings of `arena explain`: kept in a file beside the results, and shown in the viewer.

The file is no part of the results, and may be a stranger's. Its numbers are believed, if the record
has their decision and a better one was legal there: all words are the record's and ours.
"""

import errno
from collections import Counter
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

import games
from arena.insight.report import Explained, Mark, SeatExplained, describe_good
from arena.records.questions import walk_decisions
from arena.records.record import judge_record, open_record
from arena.records.replay import call_seats, name_seats
from arena.site.replay_encoder import Cost, Review
from arena.system.folders import read_inside, write_atomically
from arena.typed_json import decode, encode

FOLDER = "insight"  # of a results folder
MOST_BYTES = 1 << 16
MOST_MARKS = 20  # of a game
MOST_LOST = {"beats": 1, "score": 10_000}


class _Place(NamedTuple):
    nth: int
    word: str
    legal: tuple[str, ...]


def keep_explained(results: Path, explained: Explained) -> list[SeatExplained]:
    """Write a game's file; seats not explained now stay in it, and so do those for which more was
    played before, which are returned. Raises OSError.
    """
    stay = list[SeatExplained]()
    name, text = _name(explained.game_id), encode(explained)
    with suppress(OSError, ValueError, RecursionError):  # or nested too deep to be written again
        old = read_explained(results, explained.game_id)
        if (old.bots, old.worlds) == (explained.bots, explained.worlds):
            new = {one.seat: one.games for one in explained.seats}
            stay = [one for one in old.seats if (one.games or old.games) > new.get(one.seat, inf)]
            seats = {one.seat: one for one in (*old.seats, *explained.seats, *stay)}
            base = old if len(stay) == len(new) else explained
            text = encode(replace(base, seats=[seats[seat] for seat in sorted(seats)]))
    if len(text) >= MOST_BYTES:
        raise OSError(errno.EFBIG, f"over {MOST_BYTES >> 10} KiB", str(results / name))
    with write_atomically(results, name) as out:
        out.write(f"{text}\n".encode())
    return stay


def find_review(results: Path, record: dict[str, Any], id: str) -> tuple[Review, int]:
    """Find what a game's file says of its decisions; also return how much does not match the
    record, and is left out. A file that cannot be used counts as one. Raises Divergence.
    """
    try:
        seats = read_explained(results, id).seats
    except FileNotFoundError:
        return Review(), 0
    except (OSError, ValueError):
        return Review(), 1
    rules, places = games.load(record["game"]), _find_places(record)
    marks = [(nth, one.seat, mark) for one in seats for nth, mark in enumerate(one.mistakes)]
    line = [
        (at, passes, one.seat, part) for one in seats for at, passes, part in one.shares_by_decision
    ]
    sound = {one[:3]: one[3] for one in line if one[:3] in places and 0 <= one[3] <= 1}
    costs, wrong, marked = list[Cost](), len(line) - len(sound), Counter[int]()
    for _, seat, mark in sorted(marks, key=lambda mark: mark[:2]):  # each seat's costliest first
        decided = mark.action_number, mark.unrecorded_decisions, seat
        place, most = places.pop(decided, None), MOST_LOST[mark.unit]
        if (
            place is None or mark.decision != place.word
            or mark.better not in place.legal or mark.better == place.word
            or not 0 < mark.loss <= most or not 0 <= mark.loss_se <= most
        ):  # fmt: skip
            wrong += 1
            continue
        marked[seat] += decided in sound
        loss = _describe_loss(mark, games.score_unit(rules, 2))
        words = f"{place.word} cost {loss}: {mark.better} was better (arena explain, not verified)"
        costs.append(Cost(mark.action_number, seat, place.nth, mark.better, words))
    names, looked = call_seats(name_seats(record)), Counter(seat for *_, seat in sound)
    good = [f"{names[who]}: {describe_good(looked[who], marked[who])}" for who in sorted(looked)]
    chances = [(at, seat, round(100 * part)) for (at, _, seat), part in sorted(sound.items())]
    return Review(costs[:MOST_MARKS], chances, good), wrong


def _name(game: str) -> str:
    if not game.isalnum():  # a stranger's store may have any
        raise OSError(errno.EINVAL, "not a game's id", game)
    return f"{FOLDER}/{game}.json"


def read_explained(results: Path, game: str) -> Explained:
    """Read a game's file. Raises OSError, ValueError."""
    text = read_inside(results, _name(game), MOST_BYTES + 1)
    explained = decode(text, Explained)
    if len(text) > MOST_BYTES or explained.game_id != game or explained.worlds == "true cards":
        raise ValueError("is not what `arena explain` wrote of this game")
    return explained


def _find_places(record: dict[str, Any]) -> dict[tuple[int, int, int], _Place]:
    """Find a record's decisions, by the actions before, the steps since, and the seat. Raises
    Divergence.
    """
    judge_record(record)
    state, asked = open_record(record), Counter[tuple[int, int]]()
    places = dict[tuple[int, int, int], _Place]()
    course = [(seat, action) for seat, action, *_ in record["actions"]]
    for at, passes, seat, word in walk_decisions(state, course, record["result"] is not None):
        places[at, passes, seat] = _Place(asked[at, seat], word, state.legal())
        asked[at, seat] += 1
    return places


def _describe_loss(mark: Mark, unit: str) -> str:
    """Describe the cost of a decision; ± is two standard errors."""
    if mark.unit == "score":
        return f"{mark.loss:.1f} ±{2 * mark.loss_se:.1f} {unit}"
    return f"{100 * mark.loss:.0f} ±{200 * mark.loss_se:.0f} opponents in 100"
