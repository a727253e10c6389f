"""Writes the page and all that lies beside it: Python for browsers, the games, the bots.

Pyodide is the organiser's to bring: Arena knows the SHA-512 of the files it takes, and takes no
others. Files lie under names by their hash, so that a browser keeps them until they change.
"""

import ast
import json
import stat
import sys
import tarfile
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from gzip import GzipFile
from hashlib import sha256, sha512
from importlib.resources import files
from io import BytesIO
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from markupsafe import Markup

import games
from arena.errors import UsageError
from arena.league.bots import HOUSE_BOTS, find_house_bots
from arena.league.files import Source, hash_source, read_bot
from arena.site.build import PLAY
from arena.site.pages import Site, page
from arena.store.plans import load_plan
from arena.store.scan import read_record
from arena.store.store import Store
from arena.tables.document import Standings
from arena.tables.overview import list_tables

PYODIDE = "314.0.7"
GET_IT = f"get it with `npm pack pyodide@{PYODIDE}`, and name the file with --pyodide"
SUMS = {
    "pyodide.mjs": "67409aaa97d23ce10bf4b94f0e9b2ab2aad173ca2fbb8f84c39c06588db0b30d"
    "0ca44bbe9aa8bbcfb43075e6cb6dea6778788a8ec16f7d4bf6a133cbde82552f",
    "pyodide.asm.mjs": "1646b8101497ddedd4f2a6e38916571bf6bd6c947a41e9e0a0a7fcc972e655b0"
    "717e69b1e3edcc591d2d86a684222fe2c7aecb84bae2c49732796e48772cc191",
    "pyodide.asm.wasm": "1961935a0fdd455f7a68c871606e8a483295a3f6700df929ad564b4e1c81c526"
    "a9ee9bdc97ca5f8c6aa913e92f84738b1463b4342cc2b39e87a8637e1f5281c9",
    "python_stdlib.zip": "10b65df7a636fe249f44ffd4d5d68a9042a72f3b324e7157eeaf2c4b3d7c5199"
    "faae9124a303c763f81acd48be4e088fa54269347de5c01a5d6ac10edda971d5",
}
"""SHA-512 of the files of that version, which are all that is taken of it."""

MOST_BYTES = 1 << 26  # of all of them
SLOWER = 50  # times the league's limit of CPU time, for a decision: phones are slow
MODULES = """\
__init__ words errors typed_json model faults/__init__ faults/kinds records/__init__ records/record
records/replay records/questions site/__init__ site/replay_encoder sandbox/__init__ sandbox/harness
sandbox/wire sandbox/capture sandbox/folder sandbox/randomness sandbox/seated""".split()
"""The modules of arena that the driver imports."""


def read_pyodide(path: Path) -> dict[str, bytes]:
    """The files of `SUMS`, from the package of npm or the folder that it unpacks to. Raises
    UsageError, which says where to get it.
    """
    taken = dict[str, bytes]()
    try:
        if path.is_dir():
            for name in SUMS:
                file = path / name
                if stat.S_ISREG(file.lstat().st_mode) and file.lstat().st_size <= MOST_BYTES:
                    taken[name] = file.read_bytes()
        else:
            if not stat.S_ISREG(path.stat().st_mode):
                raise UsageError(f"--pyodide: {path}: is no ordinary file; {GET_IT}")
            with GzipFile(path) as packed:
                unpacked = packed.read(MOST_BYTES)  # the rest would not be that version
            with tarfile.open(fileobj=BytesIO(unpacked), mode="r:") as package:
                for member in package:
                    name = member.name.removeprefix("package/")
                    if name in SUMS and member.isreg() and member.size <= MOST_BYTES:
                        opened = package.extractfile(member)
                        taken[name] = opened.read() if opened else b""
    except (OSError, tarfile.TarError, EOFError, zlib.error, ValueError) as error:
        raise UsageError(f"--pyodide: {path}: {error}; {GET_IT}") from None
    for name, sum in SUMS.items():
        if name not in taken:
            raise UsageError(f"--pyodide: {path}: has no {name}; {GET_IT}")
        if sha512(taken[name]).hexdigest() != sum:
            raise UsageError(
                f"--pyodide: {path}: {name} is not that of version {PYODIDE}; {GET_IT}"
            )
    return taken


def find_players(store: Store, doc: Standings) -> tuple[dict[str, Source], list[str]]:
    """The bots that may play in browsers, by name, those of the table first in its order; and lines
    that say which of them cannot, and why. They are house bots, and those that the config's
    `show_code` names.
    """
    plan, remarks = load_plan(store), list[str]()
    entered = {bot.name: bot for bot in plan.bots}
    house = {bot.name: bot for bot in find_house_bots()}
    ranked = [row.bot for row in list_tables(doc)[0].ranked]
    players = dict[str, Source]()
    for name in dict.fromkeys([*ranked, *sorted(entered), *house]):
        if name in house and (name not in entered or entered[name].hash == HOUSE_BOTS[name]):
            players[name] = read_bot(house[name])
        elif (
            name in entered and name in plan.show_code and (code := store.source_of(entered[name]))
        ):
            players[name] = Source(code)
    for name, source in [*players.items()]:
        if foreign := sorted(find_foreign(source)):
            remarks.append(f"{name}: not on {PLAY}: imports {', '.join(foreign)}")
            del players[name]
    return players, remarks


def find_foreign(source: Source) -> set[str]:
    """The packages that a bot imports, and that are no part of Python, Arena or itself."""
    modules = {PurePosixPath(path).parts[0].removesuffix(".py") for path, _ in source.files}
    known = {*sys.stdlib_module_names, "games", "arena", *modules}
    imported = set[str]()
    for path, code in source.files:
        if path.endswith(".py"):
            try:
                tree = ast.parse(code)
            except (SyntaxError, ValueError, RecursionError):
                continue  # it forfeits, as in the league
            for node in ast.walk(tree):
                if isinstance(node, ast.Import):
                    imported |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and not node.level:
                    imported.add(node.module or "")
    return {name.split(".")[0] for name in imported} - known


def make_files(
    site: Site, doc: Standings, store: Store, players: Mapping[str, Source],
    pyodide: Mapping[str, bytes], watched: Iterable[str],
) -> Iterator[tuple[str, bytes]]:  # fmt: skip
    """All files of the page, and the record of each game that is `watched`: (path, content)."""
    here = files(__package__)
    content = {
        **pyodide,
        "arena.zip": make_zip(players),
        "worker.js": (here / "worker.js").read_bytes(),
        "frame.html": make_frame((here / "frame.js").read_text("utf-8")),
    }
    names = {name: f"play/{sha256(data).hexdigest()[:16]}-{name}" for name, data in content.items()}
    yield from ((names[name], data) for name, data in content.items())
    offered = dict[tuple[str, str], object]()
    for pool in doc.pools:
        rules = games.load(pool.game)
        changed = json.loads(pool.options)
        options = games.parse_options(rules.Options, changed)
        variant = "".join(f", {key} = {value}" for key, value in changed.items())
        offered.setdefault((pool.game, pool.options), {
            "game": pool.game, "title": games.title(pool.game) + variant, "options": changed,
            "counts": [*rules.seat_counts(options)],
        })  # fmt: skip
    about = {
        "games": [*offered.values()],
        "bots": [*players],
        "strangers": [
            name for name, source in players.items() if hash_source(source) != HOUSE_BOTS.get(name)
        ],
        "files": names,
        "bytes": sum(map(len, content.values())),
        "decide_ms": SLOWER * load_plan(store).limits.cpu_ms,
    }
    text = json.dumps(about).replace("<", "\\u003c")
    yield PLAY, page(PLAY, site=site, here=PLAY, replay="", about=Markup(text)).encode()
    rows = {row.id: row for row in store.find_all([*watched])}
    for id, row in rows.items():
        yield f"games/{id}.json", json.dumps(read_record(store.path, row)).encode()


def make_frame(script: str) -> bytes:
    """The frame: no address is in its policy, so that nothing in it or its workers reaches one."""
    sum = b64encode(sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{sum}' blob: 'wasm-unsafe-eval'; worker-src blob:"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>Bots</title>\n<script>{script}</script>\n</html>\n"
    ).encode()


def make_zip(players: Mapping[str, Source]) -> bytes:
    """The driver, the games, what they import of Arena, and the bots, each a folder of `bots/`."""
    root, content = files("arena"), dict[str, bytes]()
    for module in MODULES:
        content[f"arena/{module}.py"] = root.joinpath(f"{module}.py").read_bytes()
    for name in ("driver.py", "msgspec.py"):
        content[name] = files(__package__).joinpath(name).read_bytes()
    games_folder = Path(games.__file__).parent
    for file in games_folder.rglob("*.py"):
        content[f"games/{file.relative_to(games_folder).as_posix()}"] = file.read_bytes()
    for name, source in players.items():
        content |= {f"bots/{name}/{path}": code for path, code in source.files}
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as package:
        for name, data in sorted(content.items()):
            package.writestr(ZipInfo(name), data, ZIP_DEFLATED)  # of 1980: the same bytes each time
    return packed.getvalue()
