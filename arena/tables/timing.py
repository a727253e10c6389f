"""What bots' processes used: timing.csv, and the same in short for the terminal.

This is measured, and differs from run to run, so it is kept apart from the standings.
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from arena import escape
from arena.escape import visible
from arena.model import Limits, Timing
from arena.words import short_duration

SHOWN = 10  # bots on the terminal, those nearest their limit


def table(timings: Iterable[Timing], limits: Limits) -> str:
    """timing.csv as text: CPU time in s, and by decision in µs, loading and all else included."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ["game", "players", "options", "partners", "bot", "decisions", "cpu_s",
         "cpu_us_a_decision", "worst_batch_us_a_decision", "limit_us_a_decision"]
    )  # fmt: skip
    for pool, bot, decisions, cpu_s, worst_s in timings:
        mean_us = f"{cpu_s / decisions * 1e6:.1f}" if decisions else ""
        worst_us, limit_us = f"{worst_s * 1e6:.1f}", limits.cpu_ms * 1000
        of_whom = [escape.csv(str(part)) for part in (*pool, bot)]
        writer.writerow([*of_whom, decisions, f"{cpu_s:.3f}", mean_us, worst_us, limit_us])
    return out.getvalue()


def summary(timings: Sequence[Timing], limits: Limits, late: Mapping[str, int]) -> str:
    """A table of the bots that used most of their limit, all pools together; empty if none decided.

    `late` is how many games each bot forfeited for its time. Such bots come first, since what they
    used when they were stopped is in no batch.
    """
    from tabulate import tabulate

    rows = []
    for name in sorted({timing.bot for timing in timings}):
        of_bot = [timing for timing in timings if timing.bot == name]
        decisions = sum(timing.decisions for timing in of_bot)
        faults = late.get(name, 0)
        if decisions or faults:
            cpu_s = sum(timing.cpu_s for timing in of_bot)
            worst_s = max(timing.worst_s for timing in of_bot)
            rows.append((-faults, -worst_s, name, cpu_s / decisions if decisions else None))
    if not rows:
        return ""
    rows.sort(key=lambda row: row[:3])
    heads = ["bot", "time faults", "worst batch", "mean with loading"]
    lines = [
        [
            visible(name),
            f"{-faults:,}",
            short_duration(-worst_s) if worst_s else "-",
            "-" if mean_s is None else short_duration(mean_s),
        ]
        for faults, worst_s, name, mean_s in rows[:SHOWN]
    ]
    if not any(late.values()):
        for row in (heads, *lines):
            del row[1]
    text = tabulate(lines, heads, colalign=("left", *["right"] * (len(heads) - 1)),
                    disable_numparse=True)  # fmt: skip
    more = f"\nand {len(rows) - SHOWN} more, in timing.csv" if len(rows) > SHOWN else ""
    return f"CPU time per decision, limit {limits.cpu_ms} ms:\n{text}{more}"
