"""The import lines: who may know whom. Held by reading the source, so that no path escapes."""

import ast
import re
import sys
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from tests.architecture import draw_wings, imported, modules, name_of, sources
from tests.places import ROOT

WORDS = {"check_games", "model", "errors", "ids", "progress", "values", "words", "typed_json"}


class Wing(NamedTuple):
    """What a wing may import of arena beside itself and the words, by wing or by module."""

    imports: set[str]
    pure: set[str] | bool = False  # modules that touch nothing of the world, or whether all are
    words: bool = True


WINGS = {
    "faults": Wing(set(), pure=True),
    "sandbox": Wing(set(), words=False),
    "process": Wing({"faults", "sandbox", "system"}),
    "session": Wing({"faults", "process", "sandbox.wire", "records"}),
    "records": Wing({"faults"}, pure=True),
    "rating": Wing(set(), pure=True),
    "sequential": Wing({"rating"}, pure=True),
    "schedule": Wing({"sequential"}, pure=True),
    "system": Wing({"sandbox.walls"}),
    "league": Wing({"system"}),
    "plan": Wing({"league", "schedule", "sequential", "process", "system", "sandbox.walls"}),
    "store": Wing({"faults", "records", "schedule", "sequential", "system"}),
    "tables": Wing(
        {"faults", "store", "rating", "sequential", "schedule", "system",
         "league.author", "league.bots"},
        pure={"columns", "document", "formats", "history", "layout", "match", "notes",
              "overview", "page", "pool_table", "standings", "terminal"},
    ),
    "runner": Wing(
        {"faults", "plan", "session", "process", "league", "store", "schedule", "rating",
         "sequential", "tables", "system", "sandbox.walls"},
    ),
    "cluster": Wing(
        {"runner", "plan", "session", "league", "store", "system", "sandbox.walls",
         "audit.game_check"},
    ),
    "audit": Wing(
        {"faults", "plan", "session", "process", "league", "store", "schedule", "tables", "system",
         "sandbox.walls", "records", "rating", "export"},
        pure={"differences", "leaks", "collusion"},
    ),
    "export": Wing({"tables", "store", "schedule", "system"}),
    "site": Wing(
        {"faults", "tables", "store", "records", "schedule", "rating", "sequential", "system",
         "insight.report"},
        pure={"games_to_watch", "histograms", "replay_encoder", "sentence", "shares",
              "stats_pool", "stories"},
    ),
    "insight": Wing(
        {"faults", "session", "process", "store", "records", "schedule", "rating", "league",
         "system", "sandbox.walls"},
        pure={"rules", "rule_code", "search", "report"},
    ),
    "playground": Wing({"league", "records", "sandbox", "site", "store", "tables"}),
    "tuning": Wing({"insight.worlds", "tables.cache", "league", "process", "faults"}),
    "author": Wing(
        {"faults", "plan", "session", "process", "league", "store", "schedule", "tables", "system",
         "sandbox", "records", "audit", "rating"},
        pure={"check_report"},
    ),
}  # fmt: skip
WINGS["cli"] = Wing(set(WINGS), pure={"choices"})
"""One line a wing: the architecture. `arena/README.md` has its picture."""

THE_WORLD = {
    "os", "time", "datetime", "subprocess", "socket", "signal", "sqlite3", "multiprocess",
    "multiprocessing", "threading", "tempfile", "shutil", "pathlib", "secrets", "io", "sys",
}  # fmt: skip
FACES = {"testing": {"author", "errors"}}
"""What others import of arena by name, and what it may import: it only hands on."""

HARMLESS = {"faults.remedies": {"sys"}, "tables.formats": {"io"}}
"""The version of Python and the names of its modules; io.StringIO, for CSV."""


IN_WINGS = [file for file in sources("arena") if file.parent != ROOT / "arena"]
OUTSIDE = [file for file in sources("arena") if file.parent == ROOT / "arena"]


def test_every_file_lies_in_a_wing_or_is_a_word() -> None:
    assert {file.parent.name for file in IN_WINGS} == WINGS.keys()
    assert {file.stem for file in OUTSIDE} == {*WORDS, *FACES, "__init__", "__main__"}
    for name, wing in WINGS.items():
        if not isinstance(wing.pure, bool):
            assert wing.pure <= {file.stem for file in IN_WINGS if file.parent.name == name}, name


def test_wings_import_what_they_may_and_words_know_words_alone() -> None:
    allowed = {file: WORDS | {"faults.kinds"} for file in OUTSIDE if file.stem in WORDS}
    for file in IN_WINGS:  # a word may know kinds of faults: a `Reason` has one
        wing = WINGS[file.parent.name]
        allowed[file] = wing.imports | {file.parent.name} | (WORDS if wing.words else set())
    assert [
        f"{name_of(file)} imports {name}"
        for file in allowed
        for name in modules(file)
        if not {name, name.split(".")[0]} & allowed[file]
    ] == []


def test_a_face_only_hands_on_and_is_for_others_alone() -> None:
    for file in (file for file in OUTSIDE if file.stem in FACES):
        docstring, *rest = ast.parse(file.read_text()).body
        assert isinstance(docstring, ast.Expr)
        for node in rest:
            assert isinstance(node, ast.ImportFrom)
            assert (node.module or "").split(".")[1] in FACES[file.stem]
            assert all(alias.asname == alias.name for alias in node.names)  # exported
    assert [file for file in sources("arena") if modules(file) & FACES.keys()] == []


def test_only_the_entry_knows_the_command_line() -> None:
    (entry,) = (file for file in OUTSIDE if file.stem == "__main__")
    assert modules(entry) == {
        "cli.app", "system.abilities", "system.signals", "errors", "check_games", "words",
    }  # fmt: skip
    for file in sources("arena"):
        if file != entry and file.parent.name != "cli":
            assert not any(name.startswith("cli.") for name in modules(file)), file


def floors(modules_of: dict[str, set[str]]) -> list[set[str]]:
    """Return names in floors, the lowest first: each imports lower floors alone, in no circle."""
    rest, out = dict(modules_of), list[set[str]]()
    while rest:
        known = set(chain.from_iterable(out))
        floor = {name for name, uses in rest.items() if uses - {name} <= known}
        assert floor, f"a circle among {sorted(rest)}"
        out.append(floor)
        rest = {name: uses for name, uses in rest.items() if name not in floor}
    return out


def test_modules_import_in_no_circle() -> None:
    floors({name_of(file): modules(file) for file in sources("arena") if file.stem != "__init__"})
    games = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for file in sources("games")
    }
    floors({name: imported(file) & games.keys() for name, file in games.items()})


def test_the_kept_picture_of_the_wings_has_nine_floors_at_most(
    check_kept: Callable[[str, Path], None],
) -> None:
    wings: dict[str, set[str]] = {wing: set() for wing in WINGS}
    for file in IN_WINGS:
        for name in modules(file) - WORDS:
            # `sandbox.walls` is one of arena's eyes on the sandbox, not a floor below it
            wings[file.parent.name] |= {name.split(".")[0]} - {file.parent.name}
    lowest_first = floors(wings)  # and there is no circle
    assert len(lowest_first) <= 9, [sorted(floor) for floor in lowest_first]
    page = ROOT / "arena" / "README.md"
    head, _, tail = re.split(r"(```mermaid\n.*?```\n)", page.read_text(), flags=re.DOTALL)
    check_kept(head + draw_wings(wings) + tail, page)


def is_pure(name: str) -> bool:
    wing, _, stem = name.partition(".")
    pure = WINGS[wing].pure
    return stem != "__init__" and (pure if isinstance(pure, bool) else stem in pure)


def test_pure_code_touches_no_process_clock_disk_or_database() -> None:
    wrong = []
    for file in IN_WINGS:
        if is_pure(place := name_of(file)):
            tops = {name.partition(".")[0] for name in imported(file)}
            of_the_world = tops & THE_WORLD - HARMLESS.get(place, set())
            wrong += [f"{place} imports {name}" for name in of_the_world]
            others = modules(file) - WORDS
            wrong += [f"{place} imports {name}" for name in others if not is_pure(name)]
    assert wrong == []


def test_the_clock_is_read_in_one_place() -> None:
    readers = {
        name_of(file)
        for file in sources("arena")
        if re.search(r"\.(now|utcnow|today|time|localtime|gmtime|ctime)\(", file.read_text())
    }
    assert readers == {"system.machine"}
    using = {name_of(file) for file in sources("arena") if "read_clock" in file.read_text()}
    assert {name.partition(".")[0] for name in using} == {"cli", "system"}


def test_what_is_imported_from_outside_is_where_it_belongs() -> None:
    tops = {
        file: {name.partition(".")[0] for name in imported(file)}
        for file in sources("arena") + sources("games")
    }
    fit = [name_of(file) for file, names in tops.items() if "trueskill" in names]
    assert fit == ["rating.fit"]  # which silences what Python says of its source
    assert [file for file, names in tops.items() if "bots" in names] == []
    in_a_bot_s_process = {"arena", "games", "msgspec", *sys.stdlib_module_names}
    assert set().union(*(tops[file] for file in sources("arena/sandbox"))) <= in_a_bot_s_process
    of_games = set().union(*(tops[file] for file in sources("games")))
    assert of_games <= {"games", *sys.stdlib_module_names}


def test_only_the_store_speaks_sql() -> None:
    for file in sources("arena"):
        if file.parent.name != "store":
            text = file.read_text()
            assert not re.search(r"\b(SELECT|INSERT|UPDATE|DELETE|PRAGMA)\b|\.db\.", text), file


def test_a_wing_s_init_is_its_docstring_and_says_what_it_imports() -> None:
    for wing in WINGS:
        (docstring,) = ast.parse((ROOT / "arena" / wing / "__init__.py").read_text()).body
        assert isinstance(docstring, ast.Expr)
        text = ast.literal_eval(docstring.value)
        if wing != "cli":  # which says "everything"
            named = {name.partition(".")[0] for name in WINGS[wing].imports}
            assert {name for name in named if not re.search(rf"\b{name}\b", text)} == set()
        first = text.split("Begin with `")[1].split("`")[0]
        assert (ROOT / "arena" / wing / f"{first}.py").is_file(), first


def test_the_life_of_a_game_names_every_wing_and_word_and_files_that_are_there() -> None:
    text = (ROOT / "arena" / "README.md").read_text()
    listed = re.findall(r"^\| `([\w.]+/?)` \|", text.split("## The wings")[1], re.MULTILINE)
    there = {f"{wing}/" for wing in WINGS} | {f"{word}.py" for word in WORDS | FACES.keys()}
    assert sorted(listed) == sorted(there)
    for name in re.findall(r"`((?:\w+/)?\w+\.py)`", text):
        assert (ROOT / "arena" / name).is_file() or (ROOT / name).is_file(), name
