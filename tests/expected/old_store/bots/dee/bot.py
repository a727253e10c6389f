"""Plays the last legal decision, prints a line when it is loaded, and fails now and then."""

from pathlib import Path
from random import random
from typing import Any

FAILS = float(Path(__file__).with_name("fails.txt").read_text(encoding="utf-8"))
print("loaded")


def decide(view: Any) -> Any:
    if random() < FAILS:
        raise ValueError(f"no idea in {view.game}")
    return view.legal[-1]
