"""A document of standings to make pages of: the kept one."""

from msgspec import json

from arena.tables.document import Standings
from tests.places import EXPECTED


def kept() -> Standings:
    """Return the standings that are kept as a golden file."""
    return json.decode((EXPECTED / "standings.json").read_bytes(), type=Standings)
