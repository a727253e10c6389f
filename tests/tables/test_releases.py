"""Releases: their keys and numbers of rules are kept, so that a later one compares by them."""

import json
import re
from collections.abc import Callable
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import ValidationError
from msgspec.json import schema_components
from msgspec.structs import replace

from arena import __version__
from arena.model import NotRanked, Week
from arena.tables import formats, releases
from arena.tables.document import VERSION, Standings
from arena.tables.releases import Release, describe_release, keep_keys, list_keys
from arena.tables.results import make_files
from arena.typed_json import decode
from tests.documents import example
from tests.places import EXPECTED, ROOT

FILE = ROOT / "arena" / "tables" / "releases.json"
DIGESTS = EXPECTED / "releases.json"
"""Of the kept document as each release made it: its ratings, and its tables."""


def digest(*texts: str) -> str:
    return sha256("".join(texts).encode()).hexdigest()


def digests(release: Release) -> dict[str, str]:
    """What this code makes of the kept document, with the keys of a release."""
    document = keep_keys(example(), release.keys)
    return {
        "rules": digest(formats.json(document)),
        "layout": digest(*make_files(document).values()),
    }


def written(by_version: object) -> str:
    """JSON with a line for each list."""
    text = json.dumps(by_version, indent=1)
    return re.sub(r"\[[^\]]*\]", lambda found: " ".join(found[0].split()), text) + "\n"


def test_the_release_at_hand_is_kept(check_kept: Callable[[str, Path], None]) -> None:
    """`--regen-all` writes its entries anew; those of other releases are left alone."""
    ours = {"format": VERSION, "rules": releases.RULES, "layout": releases.LAYOUT}
    entry = ours | {"keys": describe_release().keys}
    check_kept(written(json.loads(FILE.read_text()) | {__version__: entry}), FILE)
    told = digests(describe_release())
    check_kept(written(json.loads(DIGESTS.read_text()) | {__version__: told}), DIGESTS)


VERSIONS = json.loads(FILE.read_text())


def find_lack(release: Release) -> str:
    """Keys without a default that a release does not write: its files could not be read."""
    _, parts = schema_components((Standings, Week))
    required = {
        name: part.get("required", ()) for name, part in parts.items() if name in release.keys
    }
    return list_keys(required, release.keys) if release.format == VERSION else ""


def find_unnumbered(release: Release, told: dict[str, str]) -> list[str]:
    """What this code makes otherwise than a release did. Raise its number: or honest results of the
    release are accused.
    """
    now = digests(release)
    ours = {"rules": releases.RULES, "layout": releases.LAYOUT}
    same = [name for name, number in ours.items() if getattr(release, name) == number]
    return [name for name in same if now[name] != told[name]]


@pytest.mark.parametrize("version", VERSIONS)
def test_what_a_release_wrote_can_be_read_and_compared(version: str) -> None:
    release = releases.find_release(version)
    assert release
    assert find_lack(release) == ""
    if version != __version__:  # whose digests the test above holds
        assert find_unnumbered(release, json.loads(DIGESTS.read_text())[version]) == []


def make_older(kind: str, key: str) -> Release:
    """A made-up release that does not write a key yet."""
    ours = describe_release()
    keys = {**ours.keys, kind: [name for name in ours.keys[kind] if name != key]}
    return replace(ours, keys=keys)


@pytest.mark.parametrize(
    ("kind", "key", "lack"),
    [
        ("Standings", "not_ranked", ""),
        ("PoolTable", "line_ups_not_played", "PoolTable.line_ups_not_played"),
        ("WeekRow", "faults", "WeekRow.faults"),
    ],
)
def test_a_key_that_an_older_release_does_not_write_needs_a_default(
    kind: str, key: str, lack: str
) -> None:
    older = make_older(kind, key)
    assert find_lack(older) == lack
    assert find_lack(replace(older, format=VERSION - 1)) == ""  # another format is not compared
    document = replace(example(), not_ranked=(NotRanked("ann", "guest"),))
    text = formats.json(keep_keys(document, older.keys))
    if kind != "WeekRow":
        pruned = json.loads(
            here := formats.json(document),
            object_pairs_hook=lambda pairs: {name: part for name, part in pairs if name != key},
        )
        assert text == json.dumps(pruned, indent=1) + "\n" != here
    with pytest.raises(ValidationError) if "PoolTable" in lack else nullcontext():
        assert formats.json(decode(text, Standings)) == text


def test_what_an_older_release_made_otherwise_needs_another_number() -> None:
    older = make_older("PoolTable", "line_ups_not_played")
    told = digests(older)
    assert told["rules"] != digests(describe_release())["rules"]
    assert find_unnumbered(older, told) == []
    for name in told:
        other = told | {name: digest("other")}
        assert find_unnumbered(older, other) == [name]
        assert find_unnumbered(replace(older, **{name: 0}), other) == []
