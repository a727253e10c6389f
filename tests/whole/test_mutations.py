"""Whatever somebody changed in records, stores and archives, Arena judges it right or refuses it in
a sentence, soon, in little memory. A run prints its seed; `--seed` makes the same mutants again.
"""

import filecmp
import json
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena import ids
from arena.audit.game_check import find_evidence, wrong_game
from arena.records.record import Divergence, judge_record, make_body
from arena.store.plans import load_plan
from arena.store.store import Store
from arena.words import visible
from games import load
from tests import mutants, mutated_folders
from tests.bounded import Ended, attempt, find_doubt, limit_memory, peak
from tests.leagues import NOW, SMALL, copied, main, make
from tests.places import EXAMPLES, ROOT
from tests.sessions import CHANCE, FIRST

RECORD_S = 1.0  # CPU time for a mutant
CUP = Path("results") / "cup"
KINDS = ("results", "results", "backup", "export", "archive")

CONFIG = SMALL.replace("seed = 5\n", "").replace("workers = 2", "workers = 1")
WEEKS = (
    {"ann": CHANCE, "bob": FIRST, "cid": FIRST + "# c\n"},
    {"ann": CHANCE, "bob": FIRST + "# b\n", "cid": FIRST + "# c\n"},
)


@pytest.fixture(scope="module")
def leagues(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results with two weeks, a backup of them, an export and a season's archive."""
    folder = tmp_path_factory.mktemp("leagues")
    with pytest.MonkeyPatch.context() as changed:  # the same games each time
        changed.setattr(ids, "new_secret", lambda: bytes(range(ids.SECRET_BYTES)))
        for week, bots in enumerate(WEEKS):
            config, now = make(folder, CONFIG, bots), NOW + timedelta(weeks=week)
            assert main("tournament", config, "-q", now=now).returncode == 0
    cup = folder / CUP
    assert main("backup", cup, folder / "backups").returncode == 0
    assert main("export", cup, "--with-sources", "--to", folder / "export").returncode == 0
    copied(folder / "results", folder / "season" / "results")
    assert main("season", "close", folder / "season" / CUP, "--yes").returncode == 0
    (backup,), (archive,) = (
        (folder / "backups").iterdir(),
        (folder / "season" / "seasons").iterdir(),
    )
    for kind, made in zip(KINDS[1:], (cup, backup, folder / "export", archive), strict=True):
        copied(made, folder / "kinds" / kind)
    return folder / "kinds"


def judge_records(seed: int, count: int, folder: str, kinds: str) -> None:
    """Judge mutants of records, and of the bodies that a store has, and print what came of it: what
    is accepted has to say, to the letter, what the rules say; a stored game ends as its row says.
    """
    with closing(Store.open(Path(kinds) / "results")) as store:
        plan, rows = load_plan(store), [*store.games()]
        secret = find_evidence(store, plan).secret
    shares = {False, True, *(entry.shared_decks for entry in plan.entries)}
    assert secret is not None
    assert not any(wrong_game(row, secret, shares) for row in rows)
    lines = [*EXAMPLES.read_bytes().splitlines(), *(row.line for row in rows)]
    bodies = [row.body for row in rows]
    limit_memory()
    told, wrong, slowest, given = Counter[str](), list[str](), (0.0, ""), list[bytes]()
    for number in range(count):
        random = Random(f"{seed} {number}")
        row, line = random.choice(rows), random.choice(lines)
        text = mutants.mutate_record(random, *((row.body, bodies) if number % 2 else (line, lines)))
        began = time.process_time()
        try:
            if number % 2:
                outcome, doubt = judge_row(row._replace(body=text), secret, shares, row.body)
            else:
                outcome, doubt = judge_line(text)
                given.append(text)
        except Exception as error:
            outcome, doubt = "failed", f"{type(error).__name__}: {error}"
        took = time.process_time() - began
        slowest, told[outcome] = max(slowest, (took, f"mutant {number}")), told[outcome] + 1
        if took > RECORD_S:
            doubt = doubt or f"took {took:.1f} s"
        if doubt:
            wrong.append(f"mutant {number}: {doubt:.300}")
    wrong += find_doubts_of_commands(Path(folder) / "mutants.jsonl", given[-1000:], told)
    print(json.dumps({**told, "slowest": slowest, "MiB": peak(), "wrong": wrong[:20]}))


def find_doubts_of_commands(file: Path, lines: Sequence[bytes], told: Counter[str]) -> list[str]:
    """What is wrong with what `judge` says of a file of records, and `replay` of some of them."""
    file.write_bytes(b"\n".join(lines))
    judged = main("judge", file)
    right = sum(judge_line(line)[0] == "accepted" for line in lines)
    doubts = [find_doubt(judged)]
    if f"records: {right} of " not in judged.stdout.decode():
        doubts.append(f"judge does not find {right} right")
    for line in lines[:100:4]:
        file.write_bytes(line)
        for words in ((), ("--json",), ("--at", 3), ("--as", 0), ("--as-test", "--as", 0)):
            try:
                done = main("replay", file, "--line", 1, *words)
                told[f"replay {done.returncode}"] += 1
                doubt = find_doubt(done)
            except Exception as error:
                doubt = f"{type(error).__name__}: {error}"
            doubts.append(doubt and f"replay {words} of {line!r}: {doubt}")
    return [doubt for doubt in doubts if doubt]


def judge_line(text: bytes) -> tuple[str, str]:
    """Return what the judge says of a line, and what is wrong with that."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return "not JSON", ""
    if not isinstance(record, dict):
        return "no object", ""
    try:
        state = judge_record(record)
    except Divergence as error:
        return "refused", "" if 0 < len(str(error)) < 550 else f"refused by {error!s:.100}"
    return "accepted", find_difference(record, state)


def find_difference(record: dict[str, Any], state: Any) -> str:
    """What a record says, and the rules do not, by JSON's types: true is not 1, nor 1.0."""
    result = record["result"] and state.result()
    body = json.loads(make_body(load(record["game"]), state, result))
    right: dict[str, Any] = {"rounds": state.rounds, **body}
    told: dict[str, Any] = {key: record.get(key) for key in right}
    told["actions"] = [entry[:2] for entry in told["actions"]]  # nor who else called
    if told["rounds"] is None:  # nobody has to say them, nor winners, nor that nothing was shuffled
        del told["rounds"], right["rounds"]
    if result is not None:
        told["result"] = {key: told["result"][key] for key in told["result"] if key != "winners"}
    if "removed" in right["setup"]:  # these cards have no order
        told["setup"] = told["setup"] | {"removed": sorted(told["setup"]["removed"])}
    if "reshuffles" in right["setup"]:
        given, used = told["setup"].get("reshuffles") or [], right["setup"]["reshuffles"]
        more = 0 if result else len(given) - len(used)  # which a prefix has not come to
        right["setup"]["reshuffles"] = used + given[len(used) : len(used) + more]
        told["setup"] = told["setup"] | {"reshuffles": given}
    texts = [{key: json.dumps(of[key], sort_keys=True) for key in right} for of in (told, right)]
    differing = [key for key in right if texts[0][key] != texts[1][key]]
    return f"accepted with another {' and '.join(differing)}" if differing else ""


def judge_row(row: Any, secret: bytes, shares: Any, before: bytes) -> tuple[str, str]:
    """Return what is said of a stored game, and what is wrong with that: another course of the same
    deal may end alike; nothing else passes.
    """
    if problem := wrong_game(row, secret, shares):
        return "row refused", "" if len(problem) < 700 else f"refused by {len(problem)} characters"
    if row.body == before:
        return "row as it was", ""
    there, was = (json.loads(body) for body in (row.body, before))
    moved = [key for key in was if key not in ("actions", "rounds") and there[key] != was[key]]
    return "row played otherwise", f"another {moved} passes" if moved else ""


@pytest.mark.parametrize("count", [150, pytest.param(20_000, marks=pytest.mark.long)])
def test_a_mutated_record_is_judged_right_or_refused(
    leagues: Path, tmp_path: Path, seed: int, count: int
) -> None:
    words = (seed, count, str(tmp_path), str(leagues))
    code = f"from tests.whole import test_mutations; test_mutations.judge_records{words}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr.decode()[-5000:]
    print(done.stdout.decode())
    told = json.loads(done.stdout)
    assert not told["wrong"]
    assert told["slowest"][0] < RECORD_S


VERIFIED: tuple[tuple[object, ...], ...] = (
    ("verify", ".", "--json"), ("standings", ".", "--json"), ("publish", ".", "--to", "../site"),
)  # fmt: skip
COMMANDS: tuple[tuple[object, ...], ...] = (
    ("history", "."), ("history", ".", "bob"), ("games", ".", "--json"), ("records", "."),
    ("games", ".", "--bot", "ann", "--lost"), ("explain", ".", "0", "--seconds", 1),
    ("explain", ".", "ann", "--seconds", 1), ("audit", ".", "--games", 2), ("backup", ".", ".."),
    ("export", ".", "--to", "../exported"), ("export", ".", "--to", "."), ("replay", ".", "00"),
    ("replay", ".", "00", "--as-test", "--as", 0), ("replay", ".", "--bot", "ann"),
    ("logs", ".", "ann"), ("rerun", ".", "ann"), ("faults", "."), ("faults", ".", "--as-test"),
    ("reveal", ".", "--yes"), ("verify", "."), ("verify", ".", "--replay-bots", 2),
    ("standings", ".", "--all"), ("standings", "."), ("publish", "."),
    ("publish", ".", "--with-logs"), ("season", "close", ".", "--yes"),
    ("tournament", "../tournaments/cup.toml", "-q"),
    ("tournament", "../tournaments/cup.toml", "-q", "--dry-run"), ("watch", "."),
)  # fmt: skip


def judge_stores(seed: int, count: int, folder: Path, kinds: Path) -> list[str]:
    """Run commands on mutants of folders, each in its own process, and return what is wrong."""
    told, wrong, slowest, largest = Counter[str](), list[str](), (0.0, ""), (0, "")
    sound = {kind: attempt(VERIFIED[1], kinds / kind).out for kind in sorted({*KINDS})}
    for number in range(count):
        random = Random(f"{seed} {number}")
        league, kind = folder / f"{number}", random.choice(KINDS)
        make(league, CONFIG, WEEKS[-1])
        mutant = copied(kinds / kind, league / "cup")
        (league / "results").symlink_to(".")  # so that a tournament goes on in it
        precious = league / "outside" / "precious"
        precious.parent.mkdir()
        for file in (precious, precious.with_name("other")):
            file.write_bytes(b"precious")
        changed = mutated_folders.mutate_folder(random, mutant, precious)
        ended = [attempt(words, mutant) for words in VERIFIED]
        lies = find_lies(kinds / kind, mutant, ended, sound[kind])
        ended += [attempt(words, mutant) for words in random.sample(COMMANDS, 2)]
        if {file.read_bytes() for file in precious.parent.iterdir()} != {b"precious"}:
            lies.append("something wrote outside the folder")
        for end in ended:
            words = " ".join(map(str, end.words))
            lies += [f"arena {words}: {end.doubt}"] * bool(end.doubt)
            told[f"{end.words[0]} {end.code}"] += 1
            at = f"{number}, {kind} ({changed}): arena {words}"
            slowest, largest = max(slowest, (end.cpu_s, at)), max(largest, (end.mib, at))
        wrong += [f"{number}, {kind} ({changed}): {lie}" for lie in lies]
        if not lies:
            shutil.rmtree(league)
    print(json.dumps({**told, "slowest": slowest, "MiB": largest}))
    return wrong


def find_lies(sound: Path, mutant: Path, ended: Sequence[Ended], tables: str) -> list[str]:
    """What is not true where verifying says that there is no problem: the tables are those of the
    folder that was changed, and each file that is not as it was is named as unchecked.
    """
    verified, shown = ended[:2]
    if verified.code != 0:
        return []
    lies = [] if (shown.code, shown.out) == (0, tables) else ["verify agrees with other tables"]
    subjects = [row["subject"] for row in json.loads(verified.out)["unchecked"]]
    named = {re.sub(r".* in |/$|: its version$", "", subject) for subject in subjects}
    for path in sorted(mutant.rglob("*")):
        name, was = path.relative_to(mutant), sound / path.relative_to(mutant)
        files = path.is_file() and not path.is_symlink() and was.is_file()
        same = files and filecmp.cmp(path, was, shallow=False)
        if same or path.is_dir() or name.name.startswith("arena"):
            continue
        weeks = [name.with_suffix("")] * (name.suffix == ".json")
        parts = {visible(str(part)) for part in (name, *weeks, *name.parents[:-1])}
        if not parts & named:
            lies.append(f"verify does not say that {name} is not as it was")
    return lies


@pytest.mark.parametrize("count", [3, pytest.param(200, marks=pytest.mark.long)])
def test_commands_end_in_words_on_a_mutated_folder(
    leagues: Path, tmp_path: Path, seed: int, count: int
) -> None:
    assert judge_stores(seed, count, tmp_path, leagues) == []
