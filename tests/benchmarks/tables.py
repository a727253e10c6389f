"""What `make bench` measured, as tables and as the file it writes: pure but for `machine`."""

import os
import platform
import statistics
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from arena import __version__
from tests.benchmarks.lines import CPU, RATIOS, START_UP, WALL, Figures, Ratio

LITTLE_S = 0.05
PACKAGES = ("msgspec", "multiprocess", "numpy", "pettingzoo", "trueskill")

Measured = dict[str, list[Figures]]  # by line, one a round
Rows = list[list[str]]


class Round(NamedTuple):
    """What else the machine did in a round."""

    load: float  # the 1-minute figure when it began
    others: dict[str, float]  # by line, how many cores others kept busy meanwhile


def speeds(measured: Measured, name: str, per: str, less_start_up: bool = False) -> list[float]:
    """Games a second of a line, round by round; [] if it was not measured.

    Less start-up, what a tournament of one deal took in the same round is first taken off each
    tournament; 0 where too little is left to speak of.
    """
    found = []
    for figures, start in zip(measured.get(name, []), measured[START_UP], strict=False):
        took: float = getattr(figures, per)
        if less_start_up and name.startswith("tournament"):
            took -= getattr(start, per)
        found.append(figures.games / took if took > LITTLE_S else 0.0)
    return found


def by_round(ratio: Ratio, measured: Measured, less_start_up: bool = False) -> list[float]:
    """A ratio round by round, without rounds in which a speed is 0."""
    over, under = (
        speeds(measured, name, ratio.per, less_start_up) for name in (ratio.over, ratio.under)
    )
    return [a / b for a, b in zip(over, under, strict=False) if a and b]


def verdict(ratio: Ratio, middle: float) -> str:
    """How a ratio's median stands to its floor and aim."""
    return "aim" if middle >= ratio.aim else "floor" if middle >= ratio.floor else "BELOW"


def rates(measured: Measured) -> tuple[Rows, list[str]]:
    """The rows and heads of the table of all lines."""
    rows = []
    for name, rounds in measured.items():
        cpu = speeds(measured, name, CPU)
        net = speeds(measured, name, CPU, less_start_up=True)
        wall = speeds(measured, name, WALL)
        decisions = [figures.decisions for figures in rounds if figures.decisions]
        rows.append([
            name, f"{rounds[0].games:,}", _short(statistics.median(cpu)), _spread(cpu),
            "" if net == cpu else _short(statistics.median(net)),
            _short(statistics.median(wall)),
            f"{statistics.mean(decisions):.1f}" if decisions else "",
        ])  # fmt: skip
    heads = [
        "line", "games", "a CPU-s", "min..max", "less start-up", "a wall-s", "decisions a game",
    ]  # fmt: skip
    return rows, heads


def ratios(measured: Measured) -> tuple[Rows, list[str]]:
    """The rows and heads of the table of ratios, those that could be taken."""
    rows = []
    for ratio in RATIOS:
        values = by_round(ratio, measured)
        if not values:
            continue
        middle = statistics.median(values)
        net = by_round(ratio, measured, less_start_up=True)
        rows.append([
            f"{ratio.name} ({ratio.per.removesuffix('_s')})", f"{middle:.3g}",
            f"{min(values):.3g}..{max(values):.3g}",
            f"{statistics.median(net):.3g}" if net else "",
            f"{min(net):.3g}..{max(net):.3g}" if net else "",
            f"{ratio.floor:g}", f"{ratio.aim:g}", verdict(ratio, middle),
        ])  # fmt: skip
    heads = [
        "ratio", "median", "min..max", "less start-up", "min..max", "floor", "aim", "verdict",
    ]  # fmt: skip
    return rows, heads


def loads(rounds: Sequence[Round]) -> tuple[Rows, list[str]]:
    """The rows and heads of the table of what else the machine did."""
    rows = []
    for number, each in enumerate(rounds, 1):
        line, most = max(each.others.items(), key=lambda item: item[1])
        middle = statistics.median(each.others.values())
        rows.append([str(number), f"{each.load:.2f}", f"{middle:.2f}", f"{most:.2f}", line])
    return rows, ["round", "load before", "others' cores, median", "most", "beside"]


def document(games: int, measured: Measured, rounds: Sequence[Round]) -> dict[str, Any]:
    """What is written: every figure of every round, the loads, and the ratios."""
    found = []
    for ratio in RATIOS:
        values = by_round(ratio, measured)
        if values:
            middle = statistics.median(values)
            net = by_round(ratio, measured, less_start_up=True)
            found.append(ratio._asdict() | {
                "by_round": values, "by_round_less_start_up": net, "median": middle,
                "verdict": verdict(ratio, middle),
            })  # fmt: skip
    return {
        "games": games,
        "rounds": {name: [f._asdict() for f in own] for name, own in measured.items()},
        "loads": [each._asdict() for each in rounds],
        "ratios": found,
    }


def machine() -> dict[str, Mapping[str, Any]]:
    """What the figures depend on, beside the code: this machine, and versions."""
    versions: dict[str, str | None] = {"python": platform.python_version(), "arena": __version__}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = None
    named = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    processor = named[0] if named else platform.machine()
    kind = {"system": platform.platform(), "processor": processor, "cpus": os.cpu_count()}
    return {"machine": kind, "versions": versions}


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _spread(values: Sequence[float]) -> str:
    return f"{_short(min(values))}..{_short(max(values))}"
