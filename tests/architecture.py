"""Who imports whom; draws the wings of arena/ as boxes on floors by it: `arena/wings.svg`.

A line is left out where others lead there, and the command line's, which imports all. One past
several floors has a narrow place on each floor between, as in Sugiyama's layouts, so that it runs
behind no box. All places of a floor are sorted by the mean of what they are joined to.
"""

import ast
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import mean

from tests.places import ROOT

BOX, HIGH, FLOOR, MARGIN = 104, 34, 78, 16  # pixels
WIDE, NARROW = BOX + 20, 22  # the places of a box and of a line on a floor
LIFE = ("plan", "schedule", "session", "store", "rating", "tables", "site")
"""The wings that a game goes through, from a config to a page; numbered in the picture."""

HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" font-family="sans-serif"
 font-size="15" text-anchor="middle">
<rect width="{0}" height="{1}" fill="#fff"/>
"""
LINE = '<polyline points="{}" fill="none" stroke="{}" stroke-width="1.3"/>\n'
RECT = (
    '<rect x="{}" y="{}" width="{}" height="{}" rx="6" fill="{}" stroke="#446"/>\n'
    '<text x="{}" y="{}">{}</text>\n'
)
Places = dict[str, dict[int, float]]  # the middle of a wing, or of a line on its floors


@cache
def imported(file: Path) -> set[str]:
    """Return the dotted names a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@cache
def modules(file: Path) -> set[str]:
    """Return the modules of arena that a file imports, without the first word: `store.scan`."""
    return {
        name.removeprefix("arena.")
        for name in imported(file)
        if name.startswith("arena.") and (ROOT / f"{name.replace('.', '/')}.py").is_file()
    }


def name_of(file: Path) -> str:
    """Return a module's name without the first word: `store.scan`, `model`."""
    return ".".join(file.relative_to(ROOT / "arena").with_suffix("").parts)


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def find_direct(imports: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Leave out what a wing also reaches through another."""

    def reach(wing: str) -> set[str]:
        return imports[wing].union(*map(reach, imports[wing]))

    return {wing: names - set().union(*map(reach, names)) for wing, names in imports.items()}


def draw_wings(floors: Sequence[set[str]], imports: Mapping[str, set[str]]) -> str:
    """Return an SVG of wings on floors, the lowest first, by what each imports of the others."""
    *lower, (top,) = floors
    level = {wing: number for number, floor in enumerate(lower) for wing in floor}
    direct = find_direct({wing: names for wing, names in imports.items() if wing != top})
    rows: list[list[str]] = [sorted(floor) for floor in lower]
    paths = []  # of each line the places, from the importer down
    near: dict[str, list[str]] = {}
    for wing, names in sorted(direct.items()):
        for name in sorted(names):
            between = {
                number: f"{wing} {name} {number}" for number in range(level[name] + 1, level[wing])
            }
            for number, place in between.items():
                rows[number].append(place)
            level |= {place: number for number, place in between.items()}
            path = [wing, *sorted(between.values(), key=level.__getitem__, reverse=True), name]
            paths.append(path)
            for upper, under in pairwise(path):
                near.setdefault(upper, []).append(under)
                near.setdefault(under, []).append(upper)
    x: dict[str, float] = {}
    width = max(sum(map(width_of, row)) for row in rows)
    for row in rows:
        place_row(row, x, width)
    for _ in range(30):
        for row in [*rows[1:], *rows[-2::-1]]:
            row.sort(key=lambda place: (mean(x[other] for other in near[place]), place))
            place_row(row, x, width)
    high = 2 * MARGIN + len(lower) * FLOOR + HIGH
    y = {place: high - MARGIN - HIGH - number * FLOOR for place, number in level.items()}
    parts = [HEAD.format(2 * MARGIN + width, high)]
    for path in paths:
        points = [f"{x[path[0]]:.0f},{y[path[0]] + HIGH}"]
        for place in path[1:-1]:
            points += [f"{x[place]:.0f},{y[place]}", f"{x[place]:.0f},{y[place] + HIGH}"]
        points.append(f"{x[path[-1]]:.0f},{y[path[-1]]}")
        parts.append(LINE.format(" ".join(points), "#99a"))
    middle = f"{MARGIN + width / 2:.0f}"
    parts.append(RECT.format(MARGIN, MARGIN, width, HIGH, "#eef", middle, MARGIN + 22, top))
    for wing in sorted(direct):
        fill, words = ("#fda", f"{LIFE.index(wing) + 1} {wing}") if wing in LIFE else ("#eef", wing)
        left, middle = f"{x[wing] - BOX / 2:.0f}", f"{x[wing]:.0f}"
        parts.append(RECT.format(left, y[wing], BOX, HIGH, fill, middle, y[wing] + 22, words))
    return "".join([*parts, "</svg>\n"])


def width_of(place: str) -> int:
    return NARROW if " " in place else WIDE


def place_row(row: Sequence[str], x: dict[str, float], width: float) -> None:
    """Set the middles of a floor's places, spread over the width."""
    space = (width - sum(map(width_of, row))) / len(row)
    left = float(MARGIN)
    for place in row:
        x[place] = left + (width_of(place) + space) / 2
        left += width_of(place) + space
