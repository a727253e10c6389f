"""The command `arena schema`: the JSON Schema of what each command prints as JSON."""

from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer

from arena.cli.terminal import out
from arena.errors import UsageError, require_linux
from arena.words import not_one_of


class Document(NamedTuple):
    """What commands print as JSON."""

    module: str
    name: str  # of its type in the module
    commands: tuple[str, ...]
    on_windows: bool = True  # whether the module loads there


DOCUMENTS = {
    "standings": Document(
        "arena.tables.document", "Standings", ("standings --json", "tournament --json")
    ),
    "dry-run": Document(
        "arena.runner.dry_run", "Forecasts", ("tournament --dry-run --json",), False
    ),
    "against": Document("arena.tables.against", "Against", ("standings --against OLD --json",)),
    "check": Document("arena.author.check_report", "Checked", ("check --json",)),
    "match": Document("arena.tables.settling", "Match", ("match --json",)),
    "faults": Document("arena.cli.documents", "FaultCauses", ("faults --json",)),
    "rerun": Document("arena.cli.documents", "Rerun", ("rerun --json",)),
    "replay": Document("arena.cli.documents", "Position", ("replay --json",)),
    "judge": Document("arena.cli.documents", "Judged", ("judge --json",)),
    "verify": Document("arena.audit.verify", "Verification", ("verify --json",)),
    "audit": Document("arena.audit.audit", "Findings", ("audit --json",)),
    "doctor": Document("arena.process.doctor", "Examination", ("doctor --json",), False),
}


def schema_command(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="Name of a document; default: list them."),
    ] = None,
) -> None:
    """Print the JSON Schema of what a command prints with --json."""
    if name is None:
        for each, document in DOCUMENTS.items():
            commands = ", ".join(f"arena {command}" for command in document.commands)
            out(f"{each:<{max(map(len, DOCUMENTS))}}  {commands}")
        return
    if name not in DOCUMENTS:
        raise UsageError(f"NAME: {not_one_of(name, list(DOCUMENTS))}")
    if not DOCUMENTS[name].on_windows:
        require_linux(or_macos=True)
    from arena.typed_json import schema_of

    out(*schema_of(type_of(name)).splitlines())


def type_of(name: str) -> Any:
    """Load the type of a document. Only its own module is loaded, for some load slowly."""
    document = DOCUMENTS[name]
    return getattr(import_module(document.module), document.name)
