"""The walls: their numbers, and what stands where they cannot."""

import csv
import errno
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.cli.consent import UNCONFINED
from arena.errors import Unconfinable
from arena.model import Limits
from arena.plan import plan
from arena.process import doctor
from arena.process.zygote_client import ZygoteClient
from arena.sandbox import bpf, landlock, seccomp, walls, wire
from tests.leagues import arena, main, make
from tests.places import HOSTILE, ROOT
from tests.refusals import refuse
from tests.wrong_bots import read_bots

HEADERS = {
    0: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    1: Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.mark.parametrize("column", HEADERS)
def test_the_numbers_are_the_kernel_s(column: int) -> None:
    header = HEADERS[column]
    if not header.exists():
        pytest.skip(f"{header} comes with gcc's libraries; CI has it")
    in_header = dict(re.findall(r"__NR(?:3264)?_(\w+)\s+(\d+)\b", header.read_text()))
    if column == 1:
        in_header["newfstatat"] = in_header["fstatat"]
    for name, numbers in bpf.NUMBERS.items():
        number = in_header.get(name)
        assert numbers[column] == (number and int(number)), name


def test_nothing_is_both_allowed_and_killed() -> None:
    assert not set(seccomp.ALLOWED) & set(seccomp.KILLED)
    assert (seccomp.QUESTIONS, seccomp.ANSWERS) == (wire.IN_FD, wire.OUT_FD)
    assert not set(seccomp.ALLOWED) & {"openat", "ioctl", "fcntl", "prctl", "kill", "clone", "fork"}


def test_what_landlock_denies_is_not_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel logs only where its audit is on, which is not a test's to switch."""
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(landlock, "_call", lambda *arguments: calls.append(arguments))
    for abi in (6, 7):
        landlock.restrict(17, abi)
    # landlock_restrict_self; LOG_SAME_EXEC_OFF came with ABI 7
    assert calls == [(446, 17, 0), (446, 17, 1)]


@pytest.mark.parametrize(
    ("abi", "rights"),
    [
        (1, (0x1FFF,)), (2, (0x3FFF,)), (3, (0x7FFF,)), (4, (0x7FFF, 3)), (5, (0xFFFF, 3)),
        (6, (0xFFFF, 3, 3)),
    ],
)  # fmt: skip
def test_each_landlock_is_asked_for_all_that_it_can_deny_and_no_more(
    monkeypatch: pytest.MonkeyPatch, abi: int, rights: tuple[int, ...]
) -> None:
    """linux/landlock.h; a right that it does not know would be an error."""
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(landlock, "_call", lambda *arguments: calls.append(arguments))
    landlock.ruleset(abi, {})
    attributes = struct.pack(f"<{len(rights)}Q", *rights)
    assert calls == [(444, attributes, len(attributes), 0)]


@pytest.mark.whole
def test_the_doctor_tries_every_layer_for_real() -> None:
    examined = doctor.examine()
    tried = [layer for layer in examined.layers if layer.name.startswith("a bot ")]
    assert len(tried) == 12
    assert {layer.detail for layer in tried} == {"refused"}
    done = arena("doctor", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["confinement"] == examined.confinement == "walls"


@pytest.mark.whole
@pytest.mark.parametrize(
    ("error", "words"),
    [
        (errno.ENOSYS, "Linux 5.13 or newer"),
        (errno.EOPNOTSUPP, "lsm=landlock"),
        (errno.EPERM, "container"),
    ],
)
def test_where_bots_cannot_be_confined_the_tournament_refuses_and_says_why(
    tmp_path: Path, error: int, words: str
) -> None:
    config = make(tmp_path)

    def run(*words: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "arena", *map(str, words)], capture_output=True, check=False,
            preexec_fn=lambda: refuse("landlock_create_ruleset", error),
        )  # fmt: skip

    refused = run("tournament", config)
    assert refused.returncode == 4
    assert words in refused.stderr.decode()
    assert "--unconfined" in refused.stderr.decode()
    assert not (tmp_path / "results").exists()
    if error == errno.ENOSYS:
        examined = run("doctor")
        assert examined.returncode == 4
        assert words in examined.stdout.decode()
        for times, *last in ((1, "--dry-run"), (2,)):  # before play, and after it
            played = run("tournament", config, "--unconfined", *last)
            assert played.returncode == 0, played.stderr.decode()
            assert played.stderr.decode().count("warning: --unconfined") == times


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that bots may read."""
    folder = tmp_path / "library"
    folder.mkdir()
    monkeypatch.setattr(walls, "libraries", lambda installed: (str(folder),))
    return folder


@pytest.mark.parametrize(
    ("path", "words", "leads_to"),
    [
        ("{library}/ann.py", "check {library}/ann.py", None),
        ("{library}/ann.py", "match bob {library}/ann.py --game sixteen", None),
        ("{league}/my.toml", "tournament {league}/my.toml", "cup.toml"),
        ("{league}/results", "tournament {cup} --results {league}", ""),
        ("{league}/out/arena.sqlite", "tournament {cup} --results {league}/out", "store"),
        ("{league}/out", "tournament {cup} --results {league}/out", ""),
        ("{library}/new/cup", "tournament {cup} --results {library}/new/cup", None),
        ("{library}/m", "match ann bob --game sixteen --results {library}/m", None),
    ],
)
def test_what_no_bot_may_read_does_not_lie_among_the_libraries(
    tmp_path: Path, library: Path, path: str, words: str, leads_to: str | None
) -> None:
    league = tmp_path / "league"
    cup = make(league)
    shutil.copy(cup, library)
    shutil.copy(league / "bots" / "ann.py", library)
    places = {"library": library, "league": league, "cup": cup}
    named = Path(path.format(**places))
    if leads_to is not None:
        named.parent.mkdir(exist_ok=True)
        named.symlink_to(library / leads_to)
    done = main(*words.format(**places).split(), cwd=league)
    refusal = f"{named}: lies in {library}, which every bot can read; move it"
    assert done.stderr.decode().startswith(refusal)
    assert done.returncode == 4
    assert list(library.rglob("arena.sqlite")) == []


@pytest.mark.parametrize("place", ["libs", ".local/site-packages"])
def test_bots_import_what_is_installed_where_arena_is_and_nothing_private_lies_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """As `pip install --target` does it; as `--user`, overlays and clusters' modules do."""
    packages = tmp_path / place
    if place == "libs":
        monkeypatch.setattr(msgspec, "__file__", str(packages / "msgspec" / "__init__.py"))
    else:
        monkeypatch.syspath_prepend(str(packages))
    (packages / "sorted").mkdir(parents=True)
    (packages / "sorted" / "__init__.py").write_text("from sorted import lists\n")
    (packages / "sorted" / "lists.py").touch()
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.py").write_text("import sorted\ndef decide(view): return view.legal[0]\n")
    with closing(ZygoteClient()) as zygote:
        process = zygote.start(bot, Limits())
        assert process.load() is None
        process.end()
    with pytest.raises(Unconfinable, match=f"lies in {packages}, which every bot can read"):
        plan.check_walls(packages / "league")


def test_results_do_not_lie_beside_the_rules_which_bots_import(tmp_path: Path) -> None:
    done = main("tournament", make(tmp_path), "--results", ROOT / "games" / "cup")
    assert done.returncode == 4
    assert not (ROOT / "games" / "cup").exists()


def test_the_bots_copies_do_not_lie_among_the_libraries(
    tmp_path: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(library))
    done = main("tournament", make(tmp_path / "league"))
    words = f"{library}: lies in {library}, which every bot can read; set TMPDIR to another folder"
    assert done.stderr.decode().startswith(words)
    assert list(library.iterdir()) == []


@pytest.mark.whole
@pytest.mark.parametrize("words", [["verify", "--replay-bots", 1], ["audit"]])
def test_games_are_not_played_again_from_a_store_among_the_libraries(
    league: Path, library: Path, words: list[object]
) -> None:
    store = Path(shutil.copy(league / "results" / "cup" / "arena.sqlite", library))
    done = main(words[0], store, *words[1:])
    assert done.stderr.decode().startswith(f"{store}: lies in {library}, which every bot can read")
    assert done.returncode == 4


@pytest.mark.whole
def test_unconfined_is_said_in_every_result_file(tmp_path: Path) -> None:
    config = make(tmp_path)
    done = main("tournament", config, "--unconfined")
    assert b"120 games played" in done.stderr
    assert UNCONFINED.encode() in done.stderr
    for name in ("standings.md", "standings.html", "standings.json"):
        text = (tmp_path / "results" / "cup" / name).read_text()
        assert re.search(r"confinement\W+none|sandbox: none", text), name
    rows = list(csv.DictReader((tmp_path / "results" / "cup" / "standings.csv").open()))
    assert {row["confinement"] for row in rows} == {"none"}


def test_the_libraries_a_bot_may_read_hold_no_bots_and_no_results() -> None:
    for path in map(Path, walls.libraries(walls.packages())):
        for private in ("bots", "results", "tournaments"):
            assert not (ROOT / private).resolve().is_relative_to(path.resolve()), path


def test_each_thing_that_children_could_share_is_tried_by_a_hostile_bot() -> None:
    """And each bot that confers with its partner is in that table."""
    text = (HOSTILE / "README.md").read_text()
    section = text.split("## Shared between two children")[1].split("\n## ")[0]
    rows = re.findall(r"(?m)^\| .* \| (.*)", section)
    tried = [re.findall(r"`(\w+)`", row) for row in rows[1:]]
    assert all(tried)
    named = {name for names in tried for name in names}
    bots = {bot.name for file in HOSTILE.glob("*.py") for bot in read_bots(file)}
    assert {name for name in bots if name.startswith("seats_")} <= named <= bots
