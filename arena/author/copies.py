"""Copies among bots, for an organiser's eyes alone: code that is equal but for comments,
docstrings, names and layout.

Syntax trees are compared by the digests that `tree_reader` prints of the statements at the top of
files, in any order. What Arena gives its users to begin with is left out first: house bots, new
bots and the examples of the page for authors. What is left is compared from `LEAST` parts on, since
short functions are alike by chance.
"""

import hashlib
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path, PurePosixPath
from typing import get_args

from arena.author.scaffold import BotKind, bot_files
from arena.league.bots import ENTRY_FILE, HOUSE_BOTS, find_house, find_house_bots
from arena.league.files import Source, hash_source, read_bot, write_snapshots
from arena.model import Bot, Limits
from arena.process.launch import Client, start_client
from arena.system.folders import make_cache_folder, write_atomically
from arena.words import every

READER = Path(__file__).with_name("tree_reader.py")
"""Copied, and never imported."""

AT_ONCE = 50  # bots in one process
LIMITS = Limits(load_ms=10_000, wall_ms=60_000, memory_mib=512, max_output_kib=4_096)
LEAST = 60  # parts of trees, some 30 nodes
MOST_FILES, MOST_BYTES = 100, 1 << 20  # of a bot's code
MOSTLY = 0.5  # of a bot, to be said to be what Arena wrote

_LINE = re.compile(r"(?:subject (\d+|end)|([0-9a-f]{16}) ([0-9a-f]{16}) (\d+))$", re.MULTILINE)
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

Tree = tuple[str, str, int]  # digests of a statement, with its numbers and without, and its parts
Trees = Counter[Tree]


def describe_copies(sources: Mapping[str, Source], confined: bool) -> list[str]:
    """Describe the copies among bots, and those that are mostly what Arena wrote, a line each.

    Nothing of the bots is run. A bot that cannot be parsed, or is large, is said to be left out.
    """
    theirs, same, large = dict[str, Source](), defaultdict[str, list[str]](list), list[str]()
    for name in sorted(sources):
        source = sources[name]  # only its code stays in memory
        hash = hash_source(source)
        if HOUSE_BOTS.get(name) == hash:
            continue
        code = tuple(file for file in source.files if file[0].endswith(".py"))
        if len(code) > MOST_FILES or sum(len(text) for _, text in code) > MOST_BYTES:
            large.append(name)
            continue
        theirs[name] = Source(code)
        same[hash].append(name)
    lines = [f"{every(names)}: the same files" for names in same.values() if names[1:]]
    if len(theirs) > 1:
        with closing(start_client(confined)) as client:
            ours = _read_ours(client)
            trees = _read_trees(theirs, client)
        lines += _describe_known(trees, ours)
        lines += _describe_groups(trees, ours, [*same.values()])
        large += [name for name, tree in trees.items() if not tree]
    if large:
        lines.append(f"{every(large)}: not compared: unreadable, or too large")
    return lines


def _describe_known(trees: Mapping[str, Trees], ours: Mapping[str, Trees]) -> Iterator[str]:
    for name, tree in sorted(trees.items()):
        shares = {origin: _count(_find_alike(tree, [known])) / _count(tree)
                  for origin, known in ours.items() if _count(tree) >= LEAST}  # fmt: skip
        origin = max(shares, key=shares.__getitem__, default="")
        if origin and shares[origin] >= MOSTLY:
            share = "its code" if shares[origin] == 1 else f"{shares[origin]:.0%} of its code"
            numbers = "" if tree <= ours[origin] or shares[origin] < 1 else ", but for numbers"
            yield f"{name}: {share} is {origin}{numbers}"


def _describe_groups(
    trees: Mapping[str, Trees], ours: Mapping[str, Trees], told: Collection[list[str]]
) -> Iterator[str]:
    groups = defaultdict[frozenset[tuple[Tree, int]], list[str]](list)
    for name, tree in sorted(trees.items()):
        rest = tree - _find_alike(tree, ours.values())
        if _count(rest) >= LEAST:
            groups[frozenset(rest.items())].append(name)
    for names in groups.values():
        if names[1:] and names not in told:
            yield f"{every(names)}: the same code, but for comments, docstrings, names and layout"


def _find_alike(tree: Trees, known: Iterable[Trees]) -> Trees:
    """The parts of a tree that some others have, be it with other numbers."""
    shapes = {shape for trees in known for _, shape, _ in trees}
    return Counter({part: count for part, count in tree.items() if part[1] in shapes})


def _count(trees: Trees) -> int:
    return sum(parts * count for (_, _, parts), count in trees.items())


def _read_ours(client: Client) -> dict[str, Trees]:
    """Read the trees of what Arena gives, or what is kept of that in the user's cache."""
    ours = dict(_find_ours())
    versions = [sys.version, hashlib.sha256(READER.read_bytes()).hexdigest()]
    hashes = [*versions, *map(hash_source, ours.values())]
    name = f"trees-{hashlib.sha256(' '.join(hashes).encode()).hexdigest()[:16]}.json"
    folder = make_cache_folder()
    with suppress(OSError, ValueError):
        text = (folder / name).read_text("utf-8") if folder else ""
        return {
            origin: Counter({(*digests, parts): count for *digests, parts, count in rows})
            for origin, rows in json.loads(text).items()
        }
    trees = _read_trees(ours, client)
    with suppress(OSError):
        if folder:
            rows = {
                origin: [(*part, n) for part, n in tree.items()] for origin, tree in trees.items()
            }
            with write_atomically(folder, name) as file:
                file.write(json.dumps(rows).encode())
    return trees


def _find_ours() -> Iterator[tuple[str, Source]]:
    """Yield what Arena gives its users to begin with."""
    for bot in find_house_bots():
        yield f"the house bot {bot.name}'s", read_bot(bot)
    for kind in get_args(BotKind):
        files = bot_files("bot", kind)
        option = "" if kind == "decide" else f" --{kind}"
        yield f"what `arena new NAME{option}` writes", Source(tuple(sorted(files.items())))
    page = (find_house() / "README.md").read_text("utf-8")
    for number, text in enumerate(_BLOCK.findall(page), 1):
        source = Source(((ENTRY_FILE, text.encode()),))
        yield f"example {number} of bots/README.md", source


def _read_trees(sources: Mapping[str, Source], client: Client) -> dict[str, Trees]:
    """Read the trees of many bots at once; where one of them breaks the reader, each alone."""
    every_name, trees = [*sources], dict[str, Trees]()
    for at in range(0, len(every_name), AT_ONCE):
        names = every_name[at : at + AT_ONCE]
        some = _read_some([sources[name] for name in names], client)
        for number, name in enumerate(names):
            alone = [] if some else _read_some([sources[name]], client)
            trees[name] = some[number] if some else (alone or [Counter()])[0]
    return trees


def _read_some(sources: Sequence[Source], client: Client) -> list[Trees] | None:
    """The trees of some bots, None if the reader did not come to its end."""
    code = [(ENTRY_FILE, READER.read_bytes())]
    for number, source in enumerate(sources):
        code.append((f"subjects/{number}/-", b""))
        for at, (path, text) in enumerate(source.files):  # a stranger's path would have its limits
            name = PurePosixPath(path).stem
            known = name[:40] if name.isascii() and name.isidentifier() else ""
            code.append((f"subjects/{number}/{at:03}-{known}", text))
    reader = Source(tuple(sorted(code)), is_folder=True)
    bot = Bot("reader", hash_source(reader))
    with write_snapshots({bot.name: reader}, [bot]) as paths:
        process = client.start(Path(paths[bot.name]), LIMITS)
        process.load()
        process.end()
    trees = list[Trees]()
    for subject, digest, shape, parts in _LINE.findall(process.printed):
        if subject == "end":
            return trees
        if subject:
            trees.append(Counter())
        else:
            trees[-1][digest, shape, int(parts)] += 1
    return None
