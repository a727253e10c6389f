"""Ends its process, without a word, whenever it is asked."""

import os
from typing import Any


def decide(view: Any) -> str:
    os._exit(1)
