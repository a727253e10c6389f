"""A folder that is put in place whole: the old site is there until the new one is, all of it.

A site lists in one of its files what it consists of. By this list a site is recognised, so that
nothing else is ever overwritten.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path

import msgspec

from arena.errors import UsageError
from arena.system.folders import read_inside, replace_folder
from arena.typed_json import decode
from arena.words import visible

MANIFEST = "site.json"
"""The list of a site's files, each with its SHA-256."""

MOST_BYTES = 1 << 26  # of it: some hundred for each file

SHOWN = 3  # foreign files that a message names


class Manifest(msgspec.Struct):
    """The part of a site's manifest that is read."""

    made_by: str
    files: dict[str, str]


MADE_BY = "arena publish"


class StagedSite:
    """A site that is being written, in a folder beside its place."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bytes = 0
        self.hashes: dict[str, str] = {}

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file; `name` is its path in the site."""
        data = content if isinstance(content, bytes) else content.encode()
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        self.bytes += len(data)
        self.hashes[name] = sha256(data).hexdigest()

    @property
    def files(self) -> int:
        """The number of files there will be, the manifest among them."""
        return len(self.hashes) + 1


@contextmanager
def replace_site(to: Path) -> Iterator[StagedSite]:
    """Give a site to write; if the block ends well, it takes the place of the one that is there.

    Leftovers of killed writers are removed first. Raises UsageError, before anything is written, if
    something else is there; OSError, which names the place, where the disk fails: the old site is
    then still there.
    """
    place = to.resolve()  # before the first look: a link that comes later is not followed
    check_target(to)
    try:
        check = partial(check_target, to)  # once more: files may come meanwhile
        prefix = f".{place.name}.arena-publish-"
        with replace_folder(place.parent, place.name, prefix, check) as folder:
            site = StagedSite(folder)
            yield site
            manifest = {"made_by": MADE_BY, "files": dict(sorted(site.hashes.items()))}
            (folder / MANIFEST).write_text(json.dumps(manifest, indent=0) + "\n", "utf-8")
    except OSError as error:
        error.filename = str(to)  # a full disk names no file, other errors a draft's
        raise


def check_target(to: Path, aside: Path | None = None) -> None:
    """Raise UsageError unless the folder is missing, empty, or a site that this program wrote. It
    may have been moved `aside`.
    """
    folder = aside or to
    try:
        there = sorted(os.listdir(folder))
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"{to}: {error.strerror}; --to takes a folder") from None
    if not there:
        return
    known = _files_of(folder)
    if known is None:
        raise UsageError(
            f"{to}: holds {visible(there[0])}, and is not a site of `arena publish`; name a new "
            "folder, or an empty one, with --to"
        )
    foreign = [
        name
        for path in sorted(folder.rglob("*"))
        if not path.is_dir() or path.is_symlink()
        if (name := path.relative_to(folder).as_posix()) not in known and name != MANIFEST
    ]
    if foreign:
        named = ", ".join(map(visible, foreign[:SHOWN]))
        more = f" and {len(foreign) - SHOWN} more" if len(foreign) > SHOWN else ""
        raise UsageError(
            f"{to}: holds {named}{more}, which `arena publish` did not write and would delete; "
            "move it away, or name another folder with --to"
        )


def _files_of(folder: Path) -> set[str] | None:
    """The files that a site consists of; None where the folder is no site."""
    try:
        manifest = decode(read_inside(folder, MANIFEST, MOST_BYTES), Manifest)
    except (OSError, ValueError):
        return None
    return {*manifest.files} if manifest.made_by == MADE_BY else None
