"""Prints a line and ends its process."""

import os
from typing import Any


def decide(view: Any) -> str:
    print("last words")
    os._exit(3)
