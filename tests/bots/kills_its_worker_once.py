"""Kills its grandparent, the worker, at its first decision, and leaves the file FLAG."""

import os
from pathlib import Path
from typing import Any

FLAG = Path("FLAG")  # the test puts its own path here


def decide(view: Any) -> str:
    if not FLAG.exists():
        FLAG.touch()
        status = Path(f"/proc/{os.getppid()}/status").read_text()
        os.kill(int(status.split("PPid:")[1].split()[0]), 9)
    return str(view.legal[0])
