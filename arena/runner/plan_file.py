"""The file that `arena plan` writes: all that a shard's host has to know, the secret among it.

It is JSON: two words for people, and the plan with its SHA-256, so that what a copy has lost is
seen before a game is played by it.
"""

import hashlib
import json
import os
import stat
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

import games
from arena.errors import ArenaError, UsageError
from arena.model import Pool, StoredPlan
from arena.runner.clocks import Reference
from arena.schedule.choices import Choice
from arena.store.forms import HOST
from arena.store.plans import (
    choices_of_text,
    plan_of_text,
    text_of_choices,
    text_of_plan,
)
from arena.system import atomic
from arena.typed_json import decode
from arena.words import shown

VERSION = 2
MOST_BYTES = 1 << 28  # a thousand bots in a hundred pools have a tenth of it

WARNING = (
    "Keep it secret: whoever has this file knows every deal of the tournament. `arena tournament "
    "CONFIG --shard I/N --plan FILE` plays by it, then it can be removed."
)


class Planned(NamedTuple):
    """A tournament as far as it is planned: what every host that plays a shard of it has to know
    beside its config and bots.
    """

    plan: StoredPlan
    secret: bytes
    choices: dict[Pool, Choice]
    rules: dict[str, int]  # the version of each game's rules
    versions: dict[str, str]  # of what bots' decisions may depend on, where it was planned
    reference: Reference | None = None  # the machine that limits are meant for


_Name = Annotated[str, msgspec.Meta(max_length=HOST)]
_Seconds = Annotated[float, msgspec.Meta(ge=1e-6, le=60)]


class _File(msgspec.Struct):
    arena_plan: int
    sha256: str
    content: msgspec.Raw


class _Content(msgspec.Struct):
    secret: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{32}\Z")]
    rules: dict[str, int]
    versions: dict[str, str]
    choices: msgspec.Raw
    plan: msgspec.Raw
    reference: tuple[_Name, _Seconds] | None


def rules_of(plan: StoredPlan) -> dict[str, int]:
    """Return the version of the rules, here, of each game of a plan."""
    names = sorted({entry.pool.game for entry in plan.entries})
    return {name: games.load(name).VERSION for name in names}


def write(path: Path, planned: Planned) -> None:
    """Write the file, whole or not at all, for its owner's eyes alone. Raises UsageError where
    something else lies there, or it cannot be written.
    """
    check_place(path)
    told = {
        "secret": planned.secret.hex(),
        "rules": planned.rules,
        "versions": planned.versions,
        "reference": planned.reference,
        "choices": json.loads(text_of_choices(planned.choices)),
        "plan": json.loads(text_of_plan(planned.plan)),
    }
    content = json.dumps(told)
    words = json.dumps(
        {"arena_plan": VERSION, "warning": WARNING, "sha256": _sum(content.encode())}
    )
    try:
        with atomic.written(path, 0o600) as stream:
            stream.write(f'{words[:-1]},\n"content": {content}}}\n'.encode())
    except OSError as error:
        raise UsageError(
            f"{path}: cannot be written ({error.strerror}); name another file"
        ) from None


def check_place(path: Path) -> None:
    """Raise UsageError if the file would take the place of something that is no plan file."""
    try:
        there = path.lstat()
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise UsageError(f"{path}: {path.parent} is no folder; make it first") from None
        return
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name another file") from None
    if not stat.S_ISREG(there.st_mode) or (there.st_size and not _begins_as_ours(path)):
        raise UsageError(f"{path}: is something else than a plan of arena's; name another file")


def _begins_as_ours(path: Path) -> bool:
    with path.open("rb") as stream:
        return stream.read(20).startswith(b'{"arena_plan":')


def read(path: Path) -> Planned:
    """Return what a file says. Raises UsageError where it is none, is damaged, or of another
    arena.
    """
    try:
        with path.open("rb") as stream:
            text = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; {_WRITTEN}") from None
    try:
        if len(text) > MOST_BYTES:
            raise ValueError
        file = decode(text, _File)
    except ValueError:
        raise UsageError(f"{path}: is no plan of arena's, or not all of one; {_WRITTEN}") from None
    if file.arena_plan != VERSION:
        raise UsageError(
            f"{path}: is of version {shown(file.arena_plan)}; this arena reads {VERSION}; have the "
            "same arena on all hosts"
        )
    content = bytes(file.content)
    if _sum(content) != file.sha256:
        raise UsageError(f"{path}: is damaged, its SHA-256 is another; copy it again")
    return _planned(path, content)


def _planned(path: Path, content: bytes) -> Planned:
    try:
        told = decode(content, _Content)
        plan = plan_of_text(bytes(told.plan))
        choices = choices_of_text(bytes(told.choices))
    except (ValueError, ArenaError) as error:
        raise UsageError(
            f"{path}: is no plan that this arena can play ({error}); have the same arena on all "
            "hosts"
        ) from None
    secret = bytes.fromhex(told.secret)
    reference = told.reference and Reference(*told.reference)
    return Planned(plan, secret, choices, told.rules, told.versions, reference)


def open_to_others(path: Path) -> bool:
    """Return whether others on this machine may read the file."""
    return bool(os.stat(path).st_mode & (stat.S_IRGRP | stat.S_IROTH))


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


_WRITTEN = "`arena plan CONFIG --to FILE` writes one"
