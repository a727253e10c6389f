"""Documents that commands print by `--json`: a type for every one, and the types of no other wing.

Loaded where a command prints JSON, and not before: `--help` needs none of it.
"""

from pkgutil import resolve_name
from typing import Annotated, Any, NamedTuple

from msgspec import UNSET, Struct, UnsetType, json

import games
from arena.faults.kinds import CauseKind, FaultKind
from arena.typed_json import First, means


class FaultCause(Struct, frozen=True, kw_only=True):
    """Faults of a bot that have one cause."""

    bot: str
    file: Annotated[str, means("The author's file with the mistake, if known.")]
    kind: Annotated[CauseKind, means("Of the fault; `end`: in `end`, which costs no game.")]
    count: Annotated[int, means("0: it does not load, and no game was forfeited for that.")]
    message: Annotated[str, means("The first such fault, in one line.")]
    location: Annotated[str | None, means("The innermost line of the bot's code; null if unknown.")]
    remedy: Annotated[str | None, means("What to do about it; null if unknown.")]
    game_id: Annotated[str | None, means("Id of the first game with this fault; null without one.")]
    seat: Annotated[int | None, means("The bot's seat in that game, or null.")]
    action_number: Annotated[int | None, means("Number of the forfeit's action, from 0, or null.")]


class Difference(Struct, frozen=True, kw_only=True):
    """A recorded game, and the first decision in it that the bot's code now makes otherwise."""

    game_id: Annotated[str, means("Its id.")]
    seat: int
    decision_number: Annotated[int, means("Number of the seat's decision in that game, from 1.")]
    action_number: Annotated[int, means("Number of actions before it: its own, from 0.")]
    before: Annotated[str | None, means("The decision in the game; null for a forfeit.")]
    now: Annotated[str | None, means("The decision now; null for a fault.")]
    fault: Annotated[FaultKind | None, means("Kind of the fault now; null if there is none.")]
    legal: Annotated[tuple[str, ...], means("The legal decisions, in the view's order.")]
    view: Annotated[dict[str, Any], means("The view's fields, in their order.")]


class Change(Struct, frozen=True, kw_only=True):
    """Decisions of one class that are now of another."""

    before: Annotated[str, means("Move class; `a decision` or `a forfeit` where one was a fault.")]
    now: Annotated[str, means("The same; or `a fault: KIND`.")]
    count: int
    games: Annotated[int, means("Number of games with such a change.")]


class Rerun(Struct, frozen=True, kw_only=True):
    """Recorded games asked again of a bot's code, as `arena rerun --json` prints it."""

    version: First = 1
    bot: str
    games: Annotated[int, means("Number of games compared.")]
    mismatches: Annotated[int, means("Number of these with a changed decision.")]
    changes: Annotated[list[Change], means("By move class, the most frequent first.")]
    first_mismatches: Annotated[
        list[Difference], means("The first of these games, --most at most.")
    ]


class FaultCauses(Struct, frozen=True, kw_only=True):
    """Causes of forfeits, as `arena faults --json` prints it."""

    version: First = 1
    causes: Annotated[list[FaultCause], means("By bot, most faults first.")]


class GameFound(Struct, frozen=True, kw_only=True):
    """A game in the tables."""

    game_id: str
    pool: str
    bots: Annotated[tuple[str, ...], means("By seat, as ranks and scores.")]
    ranks: tuple[int, ...]
    scores: tuple[float, ...]
    ending: Annotated[str, means("How it ended, for --lost, --upset and --fault; else empty.")]
    expected_share: Annotated[
        float | None, means("For --lost: share of its opponents that the ratings gave the bot.")
    ] = None


class GamesFound(Struct, frozen=True, kw_only=True):
    """Games worth a replay, as `arena games --json` prints them."""

    version: First = 1
    games: list[GameFound]


class StateDocument(Struct, frozen=True, kw_only=True):
    """A document whose `state` is a game's: its schema has the type of each game's."""

    version: First = 1

    @classmethod
    def make_schema(cls) -> dict[str, Any]:
        """Return the schema, with the state's type for every game."""
        schema = json.schema(cls)
        states = {
            f"{name}_state": json.schema(games.dump_type(games.load(name)))["$defs"].popitem()[1]
            for name in games.names()
        }
        state = schema["$defs"][cls.__name__]["properties"]["state"]
        state["anyOf"] = [{"$ref": f"#/$defs/{name}"} for name in states]
        schema["$defs"] |= states
        return schema


class Position(StateDocument, frozen=True, kw_only=True):
    """A game after some actions, as `arena replay --at N --json` prints it."""

    state: Annotated[
        dict[str, Any] | UnsetType,
        means("All that lies there, with the keys of its record format."),
    ] = UNSET
    view: Annotated[
        dict[str, Any] | UnsetType, means("With --as, instead: the fields of that seat's view.")
    ] = UNSET


class Judged(StateDocument, frozen=True, kw_only=True):
    """A record of a file, judged, as `arena judge --json` prints it: a line for each."""

    line: Annotated[int, means("Its number in the file, from 1.")]
    valid: Annotated[bool, means("Whether it follows the rules.")]
    state: Annotated[
        dict[str, Any] | UnsetType,
        means("If it is valid: after the last action, with the keys of the game's record format."),
    ] = UNSET
    action_number: Annotated[
        int | UnsetType | None,
        means("If not: number of the first wrong action, from 0; null if there is none."),
    ] = UNSET
    reason: Annotated[str | UnsetType, means("If not: what is wrong.")] = UNSET


class Document(NamedTuple):
    """A document that commands print as JSON."""

    type: str  # `MODULE:NAME`
    commands: tuple[str, ...]  # by their words before --json; of a config there are none


DOCUMENTS = {
    "standings": Document("arena.tables.document:Standings", ("standings", "tournament")),
    "short": Document("arena.tables.formats:Short", ("standings --short", "tournament --short")),
    "dry-run": Document("arena.runner.dry_run:Forecasts", ("tournament --dry-run",)),
    "history": Document("arena.tables.history:History", ("history",)),
    "check": Document("arena.author.check_report:Checked", ("check",)),
    "match": Document("arena.tables.match:Match", ("match",)),
    "tune": Document("arena.tuning.search:Tuning", ("tune",)),
    "faults": Document("arena.cli.documents:FaultCauses", ("faults",)),
    "games": Document("arena.cli.documents:GamesFound", ("games",)),
    "rerun": Document("arena.cli.documents:Rerun", ("rerun",)),
    "explain": Document("arena.insight.report:Explained", ("explain",)),
    "advice": Document("arena.insight.report:Advices", ("explain BOT",)),
    "replay": Document("arena.records.replay:Replay", ("replay",)),
    "position": Document("arena.cli.documents:Position", ("replay --at N",)),
    "judge": Document("arena.cli.documents:Judged", ("judge",)),
    "verify": Document("arena.audit.verification:Verification", ("verify",)),
    "audit": Document("arena.audit.audit:Findings", ("audit",)),
    "doctor": Document("arena.process.refusal:Examination", ("doctor",)),
    "config": Document("arena.plan.keys:FileKeys", ()),
}


def load_type(name: str) -> Any:
    """Load the type of a document. Only its own module is loaded, for some load slowly."""
    return resolve_name(DOCUMENTS[name].type)
