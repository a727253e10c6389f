"""Releases: their keys and numbers of rules are kept, so that a later one compares by them."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.json import schema_components

from arena import __version__
from arena.model import Week
from arena.tables import formats, releases
from arena.tables.document import VERSION, Standings
from arena.tables.releases import Release, describe_release, keep_keys, list_keys
from arena.tables.results import make_files
from tests.places import EXPECTED, ROOT
from tests.site.documents import kept

FILE = ROOT / "arena" / "tables" / "releases.json"
DIGESTS = EXPECTED / "releases.json"
"""Of the kept document as each release made it: its ratings, and its tables."""


def digest(*texts: str) -> str:
    return sha256("".join(texts).encode()).hexdigest()


def digests(release: Release) -> dict[str, str]:
    """What this code makes of the kept document, with the keys of a release."""
    document = keep_keys(kept(), release.keys)
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


@pytest.mark.parametrize("version", VERSIONS)
def test_a_key_that_a_release_does_not_write_has_a_default(version: str) -> None:
    """Else what it published cannot be read."""
    _, parts = schema_components((Standings, Week))
    release = releases.find_release(version)
    assert release
    required = {name: part.get("required", ()) for name, part in parts.items()}
    assert release.format != VERSION or list_keys(required, release.keys) == ""


@pytest.mark.parametrize("version", VERSIONS)
def test_other_ratings_or_tables_have_another_number(version: str) -> None:
    """If it fails, raise `RULES` or `LAYOUT`: or honest results of that release are accused."""
    release = releases.find_release(version)
    assert release
    told, now = json.loads(DIGESTS.read_text())[version], digests(release)
    same = {"rules": release.rules == releases.RULES, "layout": release.layout == releases.LAYOUT}
    assert {name: now[name] for name in same if same[name]} == {
        name: told[name] for name in same if same[name]
    }
