"""Event loops for tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Return what comes of it, in a thread of its own: in that of pytest a loop may run already,
    where a browser was tried before (playwright's, which goes on between tests).
    """
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()
