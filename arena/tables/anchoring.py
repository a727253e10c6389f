"""What tables say of the bots that their ratings are measured from. Pure."""

from arena.tables.document import Standings
from arena.tables.document_pool import AnchorPoint, PoolTable
from arena.words import amount


def facts(doc: Standings) -> list[str]:
    """Return the line that stands beside all tables; none where no pool was to be anchored."""
    points = [pool.anchor for pool in doc.pools if pool.anchor]
    used = [point for point in points if not point.refused]
    if not points:
        return []
    if not used:
        return ["anchor: none could be used, as the pools' lines say; a pool's mean is 25"]
    line = f"anchor: {', '.join(sorted({*map(_point, used)}))}"
    meaning = "± is of the difference to it"
    if len(used) == len(doc.pools):
        return [f"{line}; {meaning}"]
    where = f"in {len(used)} of {amount(len(doc.pools), 'pool')}"
    return [
        f"{line}, {where}; there {meaning}; a mean that takes in other pools compares with no "
        "other league"
    ]


def note(pool: PoolTable) -> str:
    """Return what a pool's own line says of its anchor, "" if it was to have none."""
    if pool.anchor is None:
        return ""
    if pool.anchor.refused:
        return f"not anchored, its mean is 25: {pool.anchor.bot} {pool.anchor.refused}"
    return f"anchor: {_point(pool.anchor)}"


def _point(point: AnchorPoint) -> str:
    return f"{point.bot} at {point.rating:.15g}"
