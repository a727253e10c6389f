"""The speed of this machine for one bot: the CPU time of a fixed piece of work.

A limit of CPU time means as much work on every machine only if it is as much longer as the machine
is slower.
"""

import time

ROUNDS = 25  # the least of them is told: whatever disturbs a round makes it longer
STEPS = 16_000


def measure_work_s(steps: int = STEPS) -> float:
    """The CPU seconds that a fixed piece of work takes here; measuring takes 0.1 s."""
    return min(_round_s(steps) for _ in range(ROUNDS))


def _round_s(steps: int) -> float:
    """Do what bots do: small numbers, lists, dicts, sorting, calls."""
    began_s = time.thread_time()
    seen: dict[int, int] = {}
    number = 1
    for _ in range(steps):
        number = _next(number)
        seen[number & 1023] = seen.get(number & 1023, 0) + 1
    sorted([key * count % 8191 for key, count in seen.items()] * 16)
    return time.thread_time() - began_s


def _next(number: int) -> int:
    return (number * 1103515245 + 12345) & 0x7FFFFFFF
