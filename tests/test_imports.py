"""The import lines: who may know whom. Held by reading the source, so that no path escapes."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

IN_A_BOT_S_PROCESS = {
    "sandbox/wire", "sandbox/capture", "sandbox/randomness", "sandbox/harness", "sandbox/walls",
    "sandbox/landlock", "sandbox/seccomp", "sandbox/zygote",
}  # fmt: skip

"""What is loaded there of arena: what confines a bot and answers, and nothing else."""

PURE = {
    "plan/changes", "rating/tallies", "schedule/sampling", "rating/draw_margin", "escape",
    "rating/fit", "audit/leaks", "rating/intervals", "records/judge", "tables/layout",
    "audit/collusion", "schedule/line_ups", "model", "rating/gaussian", "audit/text_diff",
    "rating/outcomes", "rating/comparisons", "rating/rate", "records/format", "tables/formats",
    "schedule/order", "schedule/seatings", "rating/sequential", "schedule/stages",
    "schedule/deck_sharing", "records/replay", "tables/standings", "rating/student_t",
    "rating/update",
}  # fmt: skip
THE_WORLD = {
    "os", "time", "datetime", "subprocess", "socket", "signal", "sqlite3", "multiprocess",
    "multiprocessing", "threading", "tempfile", "shutil", "pathlib", "secrets", "io", "sys",
}  # fmt: skip


def imported(file: Path) -> set[str]:
    """Return the dotted names a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def modules(names: set[str]) -> set[str]:
    """Return those of the dotted names that are modules of arena."""
    return {
        name
        for name in names
        if (ROOT / (name.replace(".", "/") + ".py")).is_file() and name.startswith("arena.")
    }


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("file", sources("games"), ids=lambda file: file.stem)
def test_games_import_the_standard_library_alone(file: Path) -> None:
    tops = {name.partition(".")[0] for name in imported(file)}
    assert tops - {"games"} <= sys.stdlib_module_names


@pytest.mark.parametrize("file", sources("arena") + sources("games"), ids=lambda file: file.stem)
def test_nothing_imports_the_bots(file: Path) -> None:
    assert not {name for name in imported(file) if name.partition(".")[0] == "bots"}


@pytest.mark.parametrize("name", sorted(IN_A_BOT_S_PROCESS))
def test_a_bot_s_process_imports_what_confines_it_and_answers(name: str) -> None:
    names = imported(ROOT / "arena" / f"{name}.py")
    ours = {one.removeprefix("arena.").replace(".", "/") for one in modules(names)}
    assert ours <= IN_A_BOT_S_PROCESS
    tops = {one.partition(".")[0] for one in names} - {"arena", "games", "msgspec"}
    assert tops <= sys.stdlib_module_names


@pytest.mark.parametrize("name", sorted(PURE))
def test_pure_code_touches_no_process_clock_disk_or_database(name: str) -> None:
    names = {one.partition(".")[0] for one in imported(ROOT / "arena" / f"{name}.py")}
    assert not names & THE_WORLD - (
        {"io"} if name == "tables/formats" else set()
    )  # StringIO, for CSV
    ours = modules(imported(ROOT / "arena" / f"{name}.py"))
    assert {one.removeprefix("arena.").replace(".", "/") for one in ours} <= PURE | {
        "errors",
        "ids",
    }


def test_only_the_command_line_knows_everything() -> None:
    for file in sources("arena"):
        assert file.stem in ("cli", "__main__") or "arena.cli.app" not in imported(file), file


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nsys.argv = ['arena', '--help']\n"
        "from arena.cli.app import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'jinja2', 'matplotlib', 'pydantic', 'tabulate', 'trueskill', 'sqlite3',"
        " 'multiprocess', 'msgspec'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert "tournament" in done.stdout
