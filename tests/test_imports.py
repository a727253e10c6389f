"""The import lines: who may know whom. Held by reading the source, so that no path escapes."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

IN_A_BOT_S_PROCESS = {
    "wire", "captured", "chance", "harness", "confine", "landlock", "seccomp", "zygote"
}  # fmt: skip

"""What is loaded there of arena: what confines a bot and answers, and nothing else."""

PURE = {
    "changes", "counts", "drawing", "draws", "escape", "fit", "hidden", "intervals", "judge",
    "layout", "leans", "line_ups", "model", "normal", "numbers", "outcomes", "places", "rating",
    "records", "report", "schedule", "seatings", "sequential", "settle", "sharing", "show",
    "standings", "student", "update",
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
    ours = {one.split(".")[1] for one in names if one.startswith("arena.")}
    assert ours <= IN_A_BOT_S_PROCESS
    tops = {one.partition(".")[0] for one in names} - {"arena", "games", "msgspec"}
    assert tops <= sys.stdlib_module_names


@pytest.mark.parametrize("name", sorted(PURE))
def test_pure_code_touches_no_process_clock_disk_or_database(name: str) -> None:
    names = {one.partition(".")[0] for one in imported(ROOT / "arena" / f"{name}.py")}
    assert not names & THE_WORLD - ({"io"} if name == "report" else set())  # StringIO, for CSV
    ours = {one.split(".")[1] for one in imported(ROOT / "arena" / f"{name}.py")
            if one.startswith("arena.")}  # fmt: skip
    assert ours <= PURE | {"errors", "seeds"}


def test_only_the_command_line_knows_everything() -> None:
    for file in sources("arena"):
        assert file.stem in ("cli", "__main__") or "arena.cli" not in imported(file), file


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nsys.argv = ['arena', '--help']\n"
        "from arena.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "heavy = {'numpy', 'jinja2', 'matplotlib', 'pydantic', 'tabulate', 'trueskill', 'sqlite3',"
        " 'multiprocess', 'msgspec'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert "tournament" in done.stdout
