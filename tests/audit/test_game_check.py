"""Deals that outsiders can check: exports, the revealed secret, and what is wrong with either."""

import json
import os
import shutil
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from arena import ids
from arena.audit.game_check import MOST_BYTES, find_evidence
from arena.store.plans import load_plan
from arena.store.public import SECRET_FILE
from arena.store.store import Store
from tests.audit.findings import change_row
from tests.leagues import SMALL, SMALL_GAMES, alter, main, make

pytestmark = [pytest.mark.whole, pytest.mark.usefixtures("without_refits")]

DEALT = b"deals: recomputed from the secret"
NOT_DEALT = b"deals: not recomputed; "
PLAYED = SMALL.replace("seed = 5\n", "")


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of which were exported: `before` its secret was revealed, and `after`."""
    folder = tmp_path_factory.mktemp("season")
    results = folder / "results" / "cup"
    for words in (
        ("tournament", make(folder, PLAYED), "-q"),
        ("export", results, "--to", folder / "before", "--with-sources"),
        ("reveal", results, "--yes"),
        ("export", results, "--to", folder / "after"),
    ):
        done = main(*words)
        assert done.returncode == 0, done.stderr.decode()
    return folder


@pytest.fixture
def before(season: Path, tmp_path: Path) -> Path:
    """A copy of the export from before, with the revealed secret put beside it."""
    folder = Path(shutil.copytree(season / "before", tmp_path / "before"))
    shutil.copy(season / "results" / "cup" / SECRET_FILE, folder)
    return folder


def findings(folder: Path, *words: object) -> list[str]:
    """Return what verify finds, as `kind place: what`."""
    found = json.loads(main("verify", folder, "--json", *words).stdout)["findings"]
    return [f"{each['kind']} {each['location']}: {each['message']}" for each in found]


def told(folder: Path, **changes: object) -> None:
    """Change keys of the secret's file; None takes one out."""
    file = folder / SECRET_FILE
    text = json.loads(file.read_text()) | changes
    file.write_text(json.dumps({key: value for key, value in text.items() if value is not None}))


def test_before_it_is_revealed_an_export_has_the_commitment_and_the_secret_nowhere(
    season: Path,
) -> None:
    with closing(Store.open(season / "results" / "cup")) as store:
        secret: bytes = store.meta("secret")
    committed = ids.commit("cup", secret)
    with closing(Store.open(season / "before")) as store:
        assert store.meta("commitment") == committed
        assert (store.meta("secret"), store.meta("revealed")) == (None, None)
    assert not (season / "before" / SECRET_FILE).exists()
    for file in filter(Path.is_file, (season / "before").rglob("*")):
        assert secret not in file.read_bytes(), file
        assert secret.hex().encode() not in file.read_bytes(), file
    for name in ("before/standings.csv", "results/cup/standings.md", "results/cup/standings.html"):
        assert committed in (season / name).read_text(), name
    assert committed in main("standings", season / "before").stdout.decode()
    done = main("verify", season / "before")
    assert (done.returncode, NOT_DEALT in done.stdout) == (0, True)
    assert b"name the file that `arena reveal` writes" in done.stdout
    assert f"commitment: {committed}; compare it".encode() in done.stdout


def test_with_the_secret_beside_it_or_named_every_deal_is_dealt_again(
    season: Path, before: Path
) -> None:
    file = season / "results" / "cup" / SECRET_FILE
    for folder, words in ((before, ()), (season / "before", ("--secret", file))):
        done = main("verify", folder, "--replay-bots", 5, *words)
        assert done.returncode == 0, done.stdout.decode()
        assert DEALT + b" of secret.json" in done.stdout
        assert f"games: {SMALL_GAMES} of {SMALL_GAMES} follow the rules".encode() in done.stdout
        assert b"replayed: 5 games, 5 with the same result" in done.stdout
    done = main("verify", season / "results" / "cup")
    assert (done.returncode, DEALT + b"\n" in done.stdout) == (0, True)


def test_what_is_given_to_verify_has_to_be_there_and_of_its_kind(season: Path) -> None:
    folder = season / "before"
    for words, why in (
        (("--secret", season / "none.json"), b"--secret: "),
        (("--secret", season), b"cannot be read"),
        (("--seed", 5), b"--seed: cup was dealt from a secret"),
        (("--seed", 5, "--secret", season / "x"), b"--seed: cannot be combined with --secret"),
        (("--replay-bots", 3), b"ask its owner to replay them, or to reveal"),
    ):
        done = main("verify", folder, *words)
        assert (done.returncode, why in done.stderr) == (2, True), done.stderr


def test_an_export_from_after_it_has_the_secret_itself(season: Path) -> None:
    assert json.loads((season / "after" / SECRET_FILE).read_bytes()) == json.loads(
        (season / "results" / "cup" / SECRET_FILE).read_bytes()
    )
    done = main("verify", season / "after")
    assert (done.returncode, DEALT in done.stdout) == (0, True)
    assert b"; compare it with the one published before the first game" in done.stdout
    refused = main("verify", season / "after", "--replay-bots", 3)
    assert refused.returncode == 2
    assert b"a published copy without the bots" in refused.stderr


def test_deals_that_were_exchanged_are_found_by_the_secret_alone(before: Path) -> None:
    """Whole and legal games on decks of this very tournament, chosen for whom they suit: two have
    each other's course, each stored as if it were its own.
    """
    with closing(Store.open(before)) as store:
        rows = [row for row in store.games() if row.pool.game == "sixteen" and not row.faults]
    one = rows[0]
    other = next(row for row in rows if row.line_up == one.line_up and row.deal != one.deal
                 and row.seating == one.seating and row.pool == one.pool)  # fmt: skip
    for row, course in ((one, other), (other, one)):
        played = row._replace(body=course.body, ranks=course.ranks, scores=course.scores)
        change_row(before / "arena-public.sqlite", played)
    told = "rules game {}: its deal does not follow from the secret"
    found = [each for each in findings(before) if each.startswith("rules")]
    assert sorted(found) == sorted(told.format(row.id) for row in (one, other))
    (before / SECRET_FILE).unlink()
    assert not [each for each in findings(before) if each.startswith("rules")]


def test_a_secret_or_commitment_that_was_changed_later_is_found(before: Path) -> None:
    """In the copy, in the file; each is held against the secret."""
    whole = (before / SECRET_FILE).read_text()
    other = ids.commit("cup", bytes(16))
    told(before, secret=bytes(16).hex(), commitment=other)
    wrong = "secret secret.json: its secret does not match the commitment v1:"
    (found,) = findings(before)
    assert found.startswith(wrong)
    assert NOT_DEALT + b"its secret is wrong (see above)" in main("verify", before).stdout
    (before / SECRET_FILE).write_text(whole)
    told(before, commitment=other)
    assert findings(before) == [
        "secret secret.json: its commitment does not match its secret; ask for another copy"
    ]
    store = before / "arena-public.sqlite"
    alter(store, "UPDATE meta SET value = ? WHERE key = 'commitment'", other)
    found, *tables = findings(before)
    assert found.startswith(wrong)
    names = [f"table standings.{form}" for form in ("csv", "html", "json", "md")]
    assert sorted(each.split(": ")[0] for each in tables) == names


def test_another_secret_in_a_copy_from_after_it_deals_nothing(season: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(season / "after", tmp_path / "copy"))
    alter(copy / "arena-public.sqlite", "UPDATE meta SET value = ? WHERE key = 'secret'", bytes(16))
    for _ in range(2):  # with the right one beside it, and without
        (found,) = findings(copy)
        assert found.startswith("secret database: its secret does not match the commitment v1:")
        assert (DEALT in main("verify", copy).stdout) == (copy / SECRET_FILE).exists()
        (copy / SECRET_FILE).unlink(missing_ok=True)


def test_deals_of_a_given_seed_take_the_seed_and_no_secret(league: Path, tmp_path: Path) -> None:
    results, copy = league / "results" / "cup", tmp_path / "copy"
    assert json.loads((results / "standings.json").read_bytes())["commitment"] is None
    assert main("export", results, "--to", copy).returncode == 0
    done = main("verify", copy)
    assert done.returncode == 0
    assert b"give the seed of its config with --seed N" in done.stdout
    assert b"commitment" not in done.stdout
    done = main("verify", copy, "--seed", 5)
    assert (done.returncode, DEALT + b" of --seed 5" in done.stdout) == (0, True)
    assert len(findings(copy, "--seed", 6)) == SMALL_GAMES
    assert findings(results, "--seed", 6) == [
        "secret --seed 6: is not the secret of these results; ask their owner for the right file"
    ]
    refused = main("reveal", results, "--yes")
    assert (refused.returncode, b"come from the seed in its config" in refused.stderr) == (2, True)


JUNK = [
    b"", b"{}", b"null", b"[]", b"\xff\xfe", b"[" * 30_000, b'{"a":' * 9_000, b"1" * 60_000,
    b'"\\ud800"', b" " * (MOST_BYTES + 1), b'{"version": 1}', b'{"version": 9e999}', b"\0" * 99,
]  # fmt: skip
VALUES: list[Any] = [
    None, 0, 2, -1, 1.5, True, [], {}, "", "x", "v1:", "\x1b[31m", "0" * 31, "G" * 32, "0" * 33,
    "0" * 32 + "\n", "A" * 32, "\uff10" * 32, "v1:" + "0" * 64 + "\n", 10**400,
]  # fmt: skip


def problems(folder: Path) -> list[tuple[str, str]]:
    """Return what is wrong with the evidence of a folder's deals, by place."""
    with closing(Store.open(folder)) as store:
        return find_evidence(store, load_plan(store)).problems


def test_a_stranger_s_secret_is_a_finding_whatever_it_is(before: Path) -> None:
    file = before / SECRET_FILE
    whole = file.read_bytes()
    for junk in JUNK:
        file.write_bytes(junk)
        ((place, what),) = problems(before)
        assert (place, what[:3], len(what) < 300) == (SECRET_FILE, "is ", True), junk[:12]
    file.write_bytes(whole)
    for key, value in product(("version", "secret", "commitment"), VALUES):
        if (key, value) != ("version", True):  # which to Python is 1
            told(before, **{key: value})
            ((place, what),) = problems(before)
            file.write_bytes(whole)
            assert what.startswith("is not a secret from `arena reveal`"), (key, value)
            assert (place, "\x1b" in what, len(what) < 300) == (SECRET_FILE, False, True)
    file.unlink()
    os.mkfifo(file)
    assert problems(before) == [(SECRET_FILE, "cannot be read (not a regular file)")]
    file.unlink()
    file.mkdir()
    assert findings(before)[0].startswith("secret secret.json: cannot be read (")


def test_a_stranger_s_commitment_is_a_finding_and_in_no_table(before: Path) -> None:
    (before / SECRET_FILE).unlink()
    store = before / "arena-public.sqlite"
    for value in ("x", 5, b"\xff", "v1:" + "0" * 63, "[" * 60_000):
        alter(store, "UPDATE meta SET value = ? WHERE key = 'commitment'", value)
        damaged = "its commitment is damaged or misplaced; get another copy"
        assert problems(before) == [("database", damaged)]
        document = json.loads(main("standings", before, "--json").stdout)
        assert document["commitment"] is None
