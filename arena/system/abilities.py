"""The system that this is, and what it lacks: nothing else asks."""

import sys

from arena.errors import Unconfinable

LINUX, WINDOWS = (sys.platform == name for name in ("linux", "win32"))

HAS_WALLS = LINUX
"""True if bots can be shut in: Landlock, seccomp and all else that it takes are Linux's."""


def require_linux() -> None:
    """Raise Unconfinable on a system where a command cannot do its work. Asked before anything is
    imported that only Linux has.
    """
    if LINUX:
        return
    system = {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)
    remedy = "WSL, a container" if WINDOWS else "a container"
    raise Unconfinable(
        f"This command needs Linux, where Arena sandboxes bots; on {system} use {remedy} or a "
        "virtual machine."
    )
