"""The command that explains a lost game, or a bot's mistakes: `arena explain`."""

from typing import TYPE_CHECKING

from arena.cli.terminal import out_json

if TYPE_CHECKING:
    from arena.insight import Explained


def print_explained(found: "Explained") -> None:
    """Print as JSON why a game was lost."""
    out_json(found)
