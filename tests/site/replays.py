"""A replay read as the viewer reads it, written a second time, and findings of `arena explain`."""

import json
from typing import Any, NamedTuple

from msgspec.structs import replace

from arena.insight.report import Explained, Mark, SeatExplained
from arena.site.replay_encoder import ZONE_GONE, encode_script
from games import Zone


class Lying(NamedTuple):
    """A zone as eyes see it, and each of its pieces: face, whether it is a back, who laid it."""

    zone: Zone  # without its pieces
    pieces: list[tuple[tuple[Any, ...], bool, int | None]]


def encode_replay(record: dict[str, Any], id: str, *more: Any) -> dict[str, Any]:
    """Return what the script of a game hands to the viewer."""
    script = encode_script(record, id, *more)
    replay: dict[str, Any] = json.loads(script.split(", ", 1)[1].removesuffix(");\n"))
    return replay


def sees(eyes: int, eye: int) -> bool:
    return bool(eyes & 1 << eye)


def lying(replay: dict[str, Any], eye: int) -> list[list[Lying]]:
    """Return what eyes see of the table, by step."""
    now: dict[int, list[int]] = {}
    seen = []
    for changes in replay["steps"]:
        for eyes, zone, at, removed, *pieces in changes:
            if not sees(eyes, eye):
                continue
            if removed == ZONE_GONE:
                del now[zone]
            else:
                now.setdefault(zone, [])[at : at + removed] = pieces
        seen.append([_zone(replay, zone, now[zone]) for zone in sorted(now)])
    return seen


def _zone(replay: dict[str, Any], number: int, pieces: list[int]) -> Lying:
    name, seat, cards, look, colour = replay["zones"][number]
    told = []
    for piece in pieces:
        face, by = replay["pieces"][piece]
        *looks, is_back = replay["faces"][face]
        told.append((tuple(looks), is_back, by))
    return Lying(Zone(name, (), seat, cards, look, colour), told)


def heard(replay: dict[str, Any], eye: int) -> list[list[tuple[int | None, str]]]:
    """Return what eyes heard, by step."""
    return [
        [(seat, replay["words"][words]) for eyes, seat, words in step if sees(eyes, eye)]
        for step in replay["heard"]
    ]


def arguments_at(replay: dict[str, Any], index: int) -> dict[str, str]:
    """Return what a question's test gives to `view_of`."""
    told: dict[int, str] = {}
    for _, seat, _, _, *changes in replay["asked"][: index + 1]:
        if seat == replay["asked"][index][1] and changes:
            for field, at, removed, text in (replay["edits"][each] for each in changes[0]):
                before = told.get(field, "")
                told[field] = before[:at] + text + before[at + removed :]
    return {replay["fields"][field]: text for field, text in told.items() if text}


ID = "0106d9d8"
OWN = Mark(
    action_number=1, unrecorded_decisions=0, decision="pass", better="take", loss=0.234,
    loss_se=0.019, unit="beats", decision_value=0.4, worlds=300, view={"card": 3},
)  # fmt: skip


def seat(number: int, *marks: Mark, share: float = 0.5, games: int = 900) -> SeatExplained:
    return SeatExplained(
        seat=number, bot="ann", share_beaten=share, expected_share=0.5, expected_se=0.1,
        deal_share=0.5, deal_se=0.1, lost_before_first_decision=False, decisions=1,
        shares_by_decision=[(1, 0, 0.5)][: number == 1], mistakes=[*marks], games=games,
    )  # fmt: skip


def explained(*seats: SeatExplained, **changes: Any) -> Explained:
    found = Explained(
        game_id=ID, pool="No Thanks! 3p", bots=["ann", "bob", "cid"], ranks=[1, 2, 3],
        worlds="fair", games=900, faults={}, not_reproduced=[], seats=[*seats],
    )  # fmt: skip
    return replace(found, **changes)
