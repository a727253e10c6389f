"""Where the house bots lie: in a clone in `bots/`, in an installed package inside it."""

from pathlib import Path

from arena.league.bots import BOTS, BotPath, find_bot

NAMES = (
    "almanac", "arrays", "champion", "first_legal", "haggler", "ledger", "nines", "random_choice",
    "reader", "trapper",
)  # fmt: skip
"""The house bots, by name. A clone's `bots/` may hold its owner's beside them."""

PACKAGE = Path(__file__).parents[1]


def house(package: Path = PACKAGE) -> Path:
    """Return the folder that the house bots lie in, and the page for bots' authors."""
    installed = package / "house"
    return installed if installed.is_dir() else package.parent / BOTS


def house_bots(package: Path = PACKAGE) -> list[BotPath]:
    """Return the house bots that came with arena, by name. Raises UsageError where one is gone."""
    folder = house(package)
    return [
        find_bot(folder, str(path if (path := folder / f"{name}.py").exists() else folder / name))
        for name in NAMES
    ]
