"""What the shell completes, asked as a shell asks and typed in real ones; and what is asked before
bots run without walls.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from arena.cli import consent
from arena.cli.options import PLAIN
from arena.league import trust
from arena.league.bots import find_bot, find_house_bots
from arena.league.files import hash_source, read_bot
from arena.model import Bot
from tests.keyboards import Keyboard
from tests.leagues import main, make
from tests.places import ROOT
from tests.sessions import FIRST


def completed(words: str, cwd: Path) -> list[str]:
    asked = {"_ARENA_COMPLETE": "complete_bash", "COMP_CWORD": str(words.count(" "))}
    done = main(cwd=cwd, environment={"COMP_WORDS": words, **asked})
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode().split()


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league with two bots, and the tables of an earlier one that was gone since."""
    make(tmp_path, bots=dict.fromkeys(("ann", "bob"), FIRST))
    for name in ("bots/cid/bot.py", "bots/_notes.py", "bots/test_ann.py", "results/`id`/it"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "results" / "old").mkdir()
    (tmp_path / "results" / "old" / "standings.csv").write_text("table,bot\n17,zoe\n17,$(id)\n")
    return tmp_path


def test_tab_waits_for_no_pipe(league: Path) -> None:
    tables = league / "results" / "old" / "standings.csv"
    tables.unlink()
    os.mkfifo(tables)
    assert completed("arena faults old ", league) == ["ann", "bob", "cid"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("arena rules ", "diciassette no_thanks sixteen"), ("arena play six", "sixteen"),
        ("arena play sixteen ", "ann bob cid"), ("arena match ann --game d", "diciassette"),
        ("arena match ann b", "bob"), ("arena check --seed -3 a", "ann"),
        ("arena standings ", "old"), ("arena standings old --format l", "latex"),
        ("arena faults old ", "zoe"), ("arena games old --bot ", "zoe"),
        ("arena faults nowhere ", "ann bob cid"), ("arena tournament ", "tournaments/cup.toml"),
        ("arena schema sta", "standings"), ("arena season cl", "close"), ("arena new ", ""),
    ],
)  # fmt: skip
def test_names_are_completed(words: str, expected: str, league: Path) -> None:
    def found() -> dict[Path, tuple[int, int]]:
        stats = {path: path.stat() for path in league.rglob("*")}
        return {path: (stat.st_mtime_ns, stat.st_size) for path, stat in stats.items()}

    before = found()
    assert completed(words, league) == expected.split()
    assert found() == before


@pytest.mark.parametrize("name", ["$(id)", "`id`", "a b", "a;b", "a'b", 'a"b', "a\nb", "-a", "*"])
def test_nothing_that_a_shell_would_expand_is_completed(name: str) -> None:
    assert not PLAIN.fullmatch(name)


@pytest.mark.whole
@pytest.mark.parametrize("name", ["arena", "botarena"])
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_tab_completes_in_a_shell(shell: str, name: str, league: Path) -> None:
    """zsh has a completion of its own for a browser called `arena`."""
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    program = league / "bin" / name
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nfrom arena.__main__ import main\nmain()\n")
    program.chmod(0o755)
    path = f"{program.parent}:{os.environ['PATH']}"
    home = {"HOME": str(league), "ZDOTDIR": str(league)}
    environment = {"PATH": path, "PYTHONPATH": str(ROOT), **home}
    install = [str(program), "--install-completion", shell]
    for _ in range(2):
        subprocess.run(install, env=environment, check=True, stdout=subprocess.DEVNULL)
    assert (league / ".zshrc").exists() == (shell == "zsh")
    by_path = {"_ARENA_COMPLETE": "complete_bash", "_BOTARENA_COMPLETE": "complete_bash"}
    by_path |= {"COMP_WORDS": f"{program} rules no", "COMP_CWORD": "2", "PYTHONPATH": str(ROOT)}
    assert subprocess.check_output([program], env=by_path, cwd=league) == b"no_thanks\n"
    with Keyboard(
        "-i", cwd=league, environment=environment, program=["setsid", "--ctty", "--wait", shell]
    ) as keys:
        keys.type(f"{name} rules no\t")
        keys.until("no_thanks")
        keys.type(f"\x15{name} faults ol\t z\t")
        keys.until("zoe")


def test_without_walls_a_bot_of_others_is_asked_about_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path, bots={name: f"{FIRST}# {name}\n" for name in ("ann", "bob", "cid")})
    league, asked = tmp_path, list[str]()
    monkeypatch.chdir(league)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for module in (consent, trust):
        monkeypatch.setattr(module, "HAS_WALLS", False)

    def runs(*names: str, agreed: bool = False, theirs: bool = False) -> bool:
        """True if bots run, and whether anything was asked is noted."""

        def confirm(warning: list[str], *words: str) -> None:
            asked.append(warning[-1].rpartition(": ")[2])
            if not agreed:
                raise typer.Exit(1)

        monkeypatch.setattr(consent, "confirm", confirm)
        monkeypatch.setattr(typer, "confirm", lambda *words, err: not theirs)
        bots = [find_bot(league, name) for name in names]
        try:
            consent.allow_unconfined(Bot(b.name, hash_source(read_bot(b))) for b in bots)
        except typer.Exit:
            return False
        return True

    house = find_house_bots()[0]
    assert runs(str(house.path))
    assert not runs("ann", "bob")
    assert runs("ann", "bob", agreed=True, theirs=True)
    assert runs("ann", "bob")
    assert runs("cid", agreed=True)
    assert asked == ["ann, bob", "ann, bob", "cid"]
    for name in ("ann", "cid"):
        with (league / "bots" / f"{name}.py").open("a") as file:
            file.write("# changed\n")
    assert runs("cid")  # one's own
    assert not runs("ann", "cid")
    assert asked[3:] == ["ann"]
    consent.choose_unconfined(True)
    assert runs("ann")
    consent.choose_unconfined(False)
    assert not runs("ann")
    trust.trust(str(league / "bots" / "ann.py"))  # as `arena new` does
    assert runs("ann")
