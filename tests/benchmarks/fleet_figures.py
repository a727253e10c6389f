"""The figures of a simulated cluster, as `tests.benchmarks.fleet` prints them."""

from collections.abc import Sequence
from typing import NamedTuple

from tests.benchmarks.fleet_counts import Counts, Look
from tests.benchmarks.fleet_hosts import Span
from tests.benchmarks.fleet_organiser import Measured


class Row(NamedTuple):
    """What was measured at one size."""

    hosts: str
    threads: int  # of each
    load: float
    measured: Measured
    idle: Counts  # a second, before the organiser came
    look: Look
    begun: Counts  # until hosts were checked and bots loaded
    played: Counts  # while sessions were played
    scheduler_mib: Sequence[float]  # by time, from the organiser's start to its end
    spans: Sequence[Span]


HEADS = (
    "hosts",
    "threads of each",
    "load",
    "sessions played",
    "games of a session",
    "sessions a second (clock)",
    "threads idle between two sessions, % (clock)",
    "- median, ms (clock)",
    "start: hosts checked after, s (clock)",
    "- bots loaded after, s (clock)",
    "- organiser, CPU-s",
    "- scheduler, CPU-s",
    "- bots as they are sent to a host, kB",
    "- scheduler sent, MB",
    "a session: scheduler, CPU-ms",
    "- organiser's client of Dask, CPU-ms",
    "- organiser's storing, CPU-ms",
    "- storing a game, CPU-us",
    "- messages of the scheduler",
    "- scheduler sent, kB",
    "- job as it is sent, kB",
    "sessions a second that take a core: scheduler's",
    "- organiser's",
    "threads that play as much as the organiser stores",
    "nothing to do: scheduler, % of a core",
    "- heartbeats a second",
    "- messages a second",
    "a look, once a second: scheduler, CPU-ms",
    "- organiser, CPU-ms",
    "- answer, kB",
    "scheduler before, MiB",
    "- most",
    "- after",
    "organiser with the plan, MiB",
    "- with all sessions of the league",
    "- most",
    "sessions of the league",
    "games stored, of those returned",
    "hosts that joined late",
    "- that were lost",
)


def figures(row: Row) -> tuple[str, ...]:
    """Return a row's figures, as HEADS names them."""
    told, begun, played = row.measured, row.begun, row.played
    sessions, games = told.sessions, told.games
    scheduler_s, messages = for_sessions(row)
    client_s, storing_s = told.loop_cpu_s / sessions, told.storing_cpu_s / sessions
    organiser_s = (told.loop_cpu_s + told.main_cpu_s) / sessions
    gaps = gaps_s(row.spans)
    played_s = sum(span.ended_s - span.began_s for span in row.spans)
    said = " ".join(told.said)
    return (
        row.hosts,
        f"{row.threads}",
        f"{row.load:.1f}",
        f"{sessions:,}",
        f"{games / sessions:.0f}",
        f"{sessions / told.wall_s:.1f}",
        f"{100 * sum(gaps) / (sum(gaps) + played_s):.0f}",
        f"{1000 * sorted(gaps)[len(gaps) // 2]:.0f}" if gaps else "",
        f"{told.ready_s:.1f}",
        f"{told.loaded_s:.1f}",
        f"{told.begun_cpu_s:.1f}",
        f"{begun.cpu_s:.1f}",
        f"{told.kit / 1e3:.0f}",
        f"{begun.sent / 1e6:.0f}",
        f"{1e3 * scheduler_s:.1f}",
        f"{1e3 * client_s:.1f}",
        f"{1e3 * storing_s:.1f}",
        f"{1e6 * told.storing_cpu_s / games:.0f}",
        f"{messages:.1f}",
        f"{played.sent / sessions / 1e3:.0f}",
        f"{told.job / 1e3:.1f}",
        f"{1 / scheduler_s:.0f}" if scheduler_s > 0 else "",
        f"{1 / organiser_s:.0f}",
        f"{played_s / len(row.spans) / organiser_s:.0f}",
        f"{100 * row.idle.cpu_s:.1f}",
        f"{row.idle.heartbeats:.0f}",
        f"{row.idle.messages:.0f}",
        f"{1e3 * row.look.theirs_s:.1f}",
        f"{1e3 * row.look.ours_s:.1f}",
        f"{row.look.size / 1e3:.0f}",
        f"{row.scheduler_mib[0]:.0f}",
        f"{max(row.scheduler_mib):.0f}",
        f"{row.scheduler_mib[-1]:.0f}",
        f"{told.plan_mib:.0f}",
        f"{told.least_mib:.0f}",
        f"{told.most_mib:.0f}",
        f"{told.all_sessions:,}",
        f"{told.stored:,} of {games:,}",
        f"{said.count(' joins')}",
        f"{said.count(' is gone')}",
    )


def for_sessions(row: Row) -> tuple[float, float]:
    """Return the scheduler's CPU time and messages for a session: without what workers' heartbeats
    and looking after hosts cost, which come whether sessions are played or not.
    """
    played, idle, looks = row.played, row.idle, row.measured.wall_s
    beats = played.heartbeats / max(idle.heartbeats, 1.0)
    cpu_s = played.cpu_s - beats * idle.cpu_s - looks * row.look.theirs_s
    messages = played.messages - 2 * (played.heartbeats + looks)  # each with its answer
    return cpu_s / row.measured.sessions, messages / row.measured.sessions


def gaps_s(spans: Sequence[Span]) -> list[float]:
    """Return how long hosts waited, on the same thread, from a session's end to the next one's
    begin. On which of a host's threads that was, nobody noted: the sum is the same if the one that
    has waited longest is taken to go on.
    """
    of_host = dict[int, list[Span]]()
    for span in spans:
        of_host.setdefault(span.host, []).append(span)
    found = list[float]()
    for own in of_host.values():
        ends = sorted(span.ended_s for span in own)
        begins = sorted(span.began_s for span in own)
        first = len(begins) - sum(begin >= ends[0] for begin in begins)  # nothing was before those
        found += [max(0.0, begin - end) for end, begin in zip(ends, begins[first:], strict=False)]
    return found
