"""`kill -9` before each step of some work that makes, moves or removes a file."""

import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SEAMS = {"open", "os.mkdir", "os.rename", "os.link", "os.remove", "os.rmdir"}
"""Audit events of what changes a folder."""


def killed_at_each(
    start: Path, at: Path, work: Callable[[Path], object], stride: int = 1
) -> Iterator[Path]:
    """Yield a copy of a folder in which the work was killed before a step of it, for each step, or
    each so many; at last one in which it was done.
    """
    number, status = 1 - stride, 1
    while status:
        number += stride
        shutil.rmtree(at, ignore_errors=True)
        shutil.copytree(start, at)
        child = os.fork()
        if not child:
            sys.addaudithook(_killer(str(at), number))
            try:
                work(at)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        assert status in (0, signal.SIGKILL)
        yield at
    assert number > 1, "it was killed at no step"


def _killer(inside: str, number: int) -> Callable[[str, tuple[Any, ...]], None]:
    left = number

    def hook(event: str, words: tuple[Any, ...]) -> None:
        nonlocal left
        if event not in SEAMS or isinstance(words[0], int):
            return
        reads = event == "open" and not (words[2] or 0) & (os.O_WRONLY | os.O_RDWR)
        there = inside in os.path.realpath(os.path.dirname(words[0]))  # it may be by a descriptor
        if there and not reads:
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    return hook
