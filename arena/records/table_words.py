"""Who sits at a table, what lies on it and how it ended, in words on one line. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.escape import visible
from games import Zone


def names_in(record: dict[str, Any]) -> list[str]:
    """Return the bots of a record by seat; "" for each where it does not say."""
    meta, seats = record.get("meta"), record["players"]
    bots = meta.get("bots") if isinstance(meta, dict) else None
    if not isinstance(bots, list) or len(bots) != seats:
        return [""] * seats
    return [visible(str(bot)) for bot in bots]


def title(record: dict[str, Any]) -> str:
    """Return a record's game, options and bots, on one line."""
    names = names_in(record)
    table = ", ".join(f"{seat} {name}".rstrip() for seat, name in enumerate(names))
    options = "".join(f", {key} = {value}" for key, value in record.get("options", {}).items())
    return visible(f"{record['game']}, {len(names)} players{options}: {table}")


def places(result: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return in words how a game ended; `names` by seat."""
    ranks, scores = result["ranks"], result["scores"]
    order = sorted(range(len(names)), key=lambda seat: ranks[seat])
    told = [f"{ranks[s]}. {names[s] or f'seat {s}'} ({scores[s]})" for s in order]
    return f"over ({result['reason']}): {', '.join(told)}"


def in_a_line(zones: Iterable[Zone]) -> str:
    """Return what lies in some zones, on one line."""
    return ", ".join(f"{visible(zone.name)} {words_of(zone)}" for zone in zones)


def words_of(zone: Zone) -> str:
    """Return a zone's pieces in words: backs are counted, not drawn."""
    seen = [visible(piece.text) for piece in zone.pieces if not piece.back or piece.text]
    backs = len(zone.pieces) - len(seen)
    if not zone.cards and backs:
        return "hidden"
    if not zone.cards:
        return " ".join(seen) or "-"
    if zone.seat is None and seen and backs:  # their order tells something
        return " ".join("hidden" if piece.back else visible(piece.text) for piece in zone.pieces)
    return " ".join([*([f"{backs} hidden"] if backs else []), *seen]) or "none"
