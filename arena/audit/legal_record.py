"""Whether a stored game is by the rules: checked before its record is used for anything."""

import json
from typing import Any

from arena.records.judge import judge_record
from arena.store.scan import StoredGame
from arena.words import shown


def find_illegal(row: StoredGame) -> tuple[str, dict[str, Any]]:
    """Find why a sound game is not one by the rules ("" if it is); returned with its record."""
    try:
        record = json.loads(row.line)
    except (ValueError, RecursionError) as error:
        return f"its record cannot be read ({error})", {}
    if (record["game"], record["players"]) != (row.pool.game, row.pool.players):
        named = (shown(record["game"]), shown(record["players"]))
        return f"its record is of {named[0]} with {named[1]} players", record
    verdict = judge_record(record)
    if not verdict.agree:
        where = "" if verdict.at is None else f"action {verdict.at}: "
        return f"its record is not by the rules: {where}{verdict.why}", record
    return "", record
