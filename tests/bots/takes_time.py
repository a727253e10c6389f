"""Computes over a decision in seat 0 until its process has had 5.3 s."""

import time
from typing import Any

AFTER_S = 5.3


def decide(view: Any) -> str:
    while view.seat == 0 and time.process_time() < AFTER_S:
        pass
    return str(view.legal[-1])
