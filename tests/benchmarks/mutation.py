"""`python -m tests.benchmarks.mutation CLONE --seed S [--draw N] [--only PREFIX] [--killers FILE]`.

Does a test notice when the code is wrong? Draws mutants of arena/ and games/, writes each into a
clean clone that has a `.venv` of its own (`make .venv/installed-dev`), and says which test fails:
the killer that FILE has for it first, then the tests of its name, those of its folder, and all but
the long where none of these noticed. A killer is one that passes without the mutant. FILE, made or
added to, has a line of JSON a mutant; of several, the last counts.
"""

import argparse
import ast
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.places import ROOT

FOLDER_S, SUITE_S = 400, 3000  # a mutant that waits for ever is noticed too

SWAPPED: dict[type[ast.AST], type[Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Add, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


class Mutant(NamedTuple):
    """One expression of a file, written otherwise."""

    file: str
    line: int
    before: str
    after: str
    start: int  # in bytes of the file
    end: int

    @property
    def name(self) -> str:
        return f"{self.file}:{self.line} (byte {self.start}): {self.before} -> {self.after}"


def draw(seed: int, count: int, only: str = "", root: Path = ROOT) -> list[Mutant]:
    """Draw mutants, each place of the code as likely as any other; those of a smaller draw come
    first.
    """
    listed = subprocess.run(
        ["git", "ls-files", "arena", "games"], cwd=root, capture_output=True, text=True, check=True
    )
    files = [name for name in listed.stdout.split() if name.endswith(".py")]
    found = [each for name in files if name.startswith(only) for each in mutants_of(name, root)]
    Random(seed).shuffle(found)
    return found[:count]


def mutants_of(name: str, root: Path = ROOT) -> Iterator[Mutant]:
    """Yield all mutants of a file, in its order."""
    source = (root / name).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _expressions(ast.parse(source)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        before = ast.unparse(node)
        for after in _otherwise(node):
            yield Mutant(name, node.lineno, before, ast.unparse(after), start, end)


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what a run evaluates: no types, and no insides of texts, whose places Python 3.11 does
    not tell.
    """
    if isinstance(node, ast.expr):
        yield node
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                    yield from _expressions(child)


def _otherwise(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=right) if type(operator) in SWAPPED:
            yield ast.Compare(left=left, ops=[SWAPPED[type(operator)]()], comparators=right)
        case ast.BoolOp(op=operator, values=values):
            yield ast.BoolOp(op=SWAPPED[type(operator)](), values=values)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in SWAPPED:
            yield ast.BinOp(left=left, op=SWAPPED[type(operator)](), right=right)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test=test, body=orelse, orelse=body)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(value=not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value=value + 1 if -2 < value < 3 else 2 * value)


def write(mutant: Mutant, clone: Path) -> None:
    """Write the mutant into a clone, in brackets: what is around it may bind closer."""
    path = clone / mutant.file
    source = path.read_bytes()
    after = f"({mutant.after})".encode()
    path.write_bytes(source[: mutant.start] + after + source[mutant.end :])


def rounds(mutant: Mutant, clone: Path, killer: str | None) -> Iterator[list[str]]:
    """Yield which tests are to be run, one call of pytest after the other."""
    if killer:
        yield [killer]
    wing, _, module = mutant.file.removesuffix(".py").rpartition("/")
    folder = Path("tests", wing.removeprefix("arena/") if wing != "arena" else "")
    if mutant.file.startswith("games/"):
        folder = Path("tests/games")
    if (clone / (own := folder / f"test_{module}.py")).exists():
        yield [str(own)]
    if folder != Path("tests") and (clone / folder).is_dir():
        yield [str(folder)]
    yield ["tests"]


def killer_of(mutant: Mutant, clone: Path, killer: str | None = None) -> str:
    """Return the first test that notices a mutant; "" if none does. The clone is as before."""
    write(mutant, clone)
    try:
        for tests in rounds(mutant, clone, killer):
            words = ["-m", "not long", "-x", "-n", "2" if tests[0] == "tests" else "0", *tests]
            limit = SUITE_S if tests == ["tests"] else FOLDER_S
            try:
                done = subprocess.run(
                    [".venv/bin/python", "-m", "pytest", "-p", "no:cacheprovider", *words],
                    cwd=clone, capture_output=True, text=True, check=False, timeout=limit,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return f"{' '.join(tests)}: not done in {limit} s"
            if found := re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", done.stdout, re.MULTILINE):
                return found[1]
            gone = (4, 5) if tests == [killer] else (5,) if tests != ["tests"] else ()
            if done.returncode not in (0, *gone):  # such a killer is no more, or no test is there
                return f"{' '.join(tests)}: pytest ended with {done.returncode}"
        return ""
    finally:
        subprocess.run(["git", "checkout", "-q", "--", mutant.file], cwd=clone, check=True)


def passes(test: str, clone: Path) -> bool:
    """Return whether a test passes in a clone as it is; True of what is no test."""
    words = [".venv/bin/python", "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", test]
    return ": " in test or subprocess.run(words, cwd=clone, capture_output=True).returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(usage=(__doc__ or "").partition("\n")[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--draw", type=int, default=30)
    parser.add_argument("--only", default="", help="the beginning of a file's path")
    parser.add_argument("--killers", type=Path, help="who killed which, from an earlier run")
    options = parser.parse_args()
    clone = options.clone.resolve()
    if not (clone / ".venv" / "bin" / "python").exists():
        parser.error(f"{clone} has no .venv: run `make .venv/installed-dev` there")
    where = [clone / ".venv/bin/python", "-P", "-c", "import arena; print(arena.__file__)"]
    if subprocess.run(["git", "status", "--porcelain"], cwd=clone, capture_output=True).stdout:
        parser.error(f"{clone} has changes, or files that git does not know; take them away")
    used = subprocess.run(where, cwd="/", capture_output=True, text=True)
    if not Path(used.stdout).is_relative_to(clone):
        parser.error(f"{clone}/.venv has another arena installed: {used.stdout or used.stderr}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the mutant is taken back
    known: dict[str, Any] = {}
    if options.killers and options.killers.exists():
        lines = options.killers.read_text().splitlines()
        known = {each["mutant"]: each["killer"] for each in map(json.loads, lines)}
    drawn = draw(options.seed, options.draw, options.only, clone)
    if not drawn:
        parser.error(f"--only {options.only}: no such code in arena/ or games/")
    print(f"seed {options.seed}, {len(drawn)} mutants")
    survivors = 0
    for number, mutant in enumerate(drawn, 1):
        killer = killer_of(mutant, clone, known.get(mutant.name))
        if not passes(killer, clone):
            parser.error(f"{killer} fails without a mutant, too: it says nothing")
        survivors += not killer
        print(f"{number}. {mutant.name}\n   {killer or 'SURVIVES'}", flush=True)
        if options.killers:
            with options.killers.open("a") as file:
                file.write(json.dumps({"mutant": mutant.name, "killer": killer}) + "\n")
    print(f"{len(drawn) - survivors} of {len(drawn)} were noticed")


if __name__ == "__main__":
    main()
