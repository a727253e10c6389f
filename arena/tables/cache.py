"""Results that were computed before, in the user's cache folder.

Each is kept under a digest of the content of all that it was made from, code and machine included,
never of times or sizes: what is found there is what would be computed again. The folder is the
user's own, so that results from elsewhere bring none.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TypeVar

from arena.system.folders import DRAFT, make_cache_folder, read_ordinary_file
from arena.system.machine import describe_arithmetic
from arena.typed_json import decode, encode

T = TypeVar("T")

MOST_FILES, MOST_BYTES = 4096, 64 << 20
"""Room of the folder: tables of ten bots take 0.2 MB, of a thousand some 20, a game to watch
0.03.
"""

SEAL = 64  # characters of a file's first line, a digest of its name and the rest


def remember(content: Callable[[], Iterable[bytes]], form: type[T], make: Callable[[], T]) -> T:
    """Recall what was made from this content before, with this code, on this machine; else make it
    and keep it. What cannot be kept, or changed meanwhile, is made again the next time.
    """
    folder = make_cache_folder()
    if folder is None:
        return make()
    key = _make_key(form, content())
    with suppress(OSError, ValueError):  # nothing is there, or it is damaged
        stored = read_ordinary_file(folder / key, MOST_BYTES)
        if stored[:SEAL] == _seal(key, stored[SEAL:]):
            return decode(stored[SEAL:], form)
    value = make()
    if _make_key(form, content()) == key:
        _keep(folder, key, encode(value).encode())
    return value


def _make_key(form: object, content: Iterable[bytes]) -> str:
    digest = sha256(_arithmetic())
    for part in chain((str(form).encode(),), content):
        digest.update(b"%d:" % len(part) + part)
    return digest.hexdigest()


def _keep(folder: Path, key: str, content: bytes) -> None:
    if len(content) + SEAL > MOST_BYTES:
        return
    with suppress(OSError):  # nothing depends on it
        draft = folder / f".{key}{DRAFT}"  # what a kill leaves of it is removed with the oldest
        draft.write_bytes(_seal(key, content) + content)
        draft.replace(folder / key)
        if key.startswith("0"):  # once in sixteen times: there may be thousands of files
            _remove_oldest(folder)


def _seal(key: str, content: bytes) -> bytes:
    return sha256(key.encode() + content).hexdigest().encode()


def _remove_oldest(folder: Path, most_files: int = MOST_FILES) -> None:
    with os.scandir(folder) as entries:
        files = [(entry.stat(follow_symlinks=False), entry.path) for entry in entries]
    left = MOST_BYTES
    for number, (status, path) in enumerate(sorted(files, key=lambda file: -file[0].st_mtime_ns)):
        left -= status.st_size
        if number >= most_files or left < 0:
            Path(path).unlink(missing_ok=True)


@cache
def _arithmetic() -> bytes:
    return encode(describe_arithmetic()).encode()
