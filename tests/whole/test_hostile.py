"""Every way to misbehave that we know of, played among honest bots through the arena's own walls.

Each bot in `tests/hostile` says in its docstring what it tries, and in the last line of it what
that must come to: a kind of fault, or `play on` where its tries are refused and it then plays the
stand-in's decisions. What gets through a wall shows it, by an answer that is no decision. Bots
named `seats_...` play with a copy of themselves as partner, and try to confer.
"""

import json
import os
import py_compile
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from arena import ids
from arena.faults.kinds import KINDS
from arena.faults.reasons import in_full
from arena.league.bots import BotPath, find_bots
from arena.league.files import hash_source, read_bot, write_snapshot
from arena.model import Bot, Entry, Limits, Played, Pool, Reason
from arena.process.zygote_client import ZygoteClient
from arena.records.record import judge_record
from arena.schedule.order import Schedule
from arena.session.session import Job, Session
from tests.places import HOSTILE, source, with_rows
from tests.processes import children_of
from tests.sessions import CHANCE, FIRST, line_of

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time

BOTS = find_bots(HOSTILE, ["*"])
ALONE, WITH_ITSELF = Pool("no_thanks", 3, "{}", ""), Pool("sixteen", 4, "{}", "same")
LIMITS = Limits(cpu_ms=200, load_ms=1000, memory_mib=128, max_output_kib=16, max_restarts=1)
FILLS_MEMORY = LIMITS._replace(cpu_ms=2000)
"""For bots that must come to the limit of memory: to fill 128 MiB takes the kernel 50 ms of the
bot's CPU, and several times that where other programs compete for memory."""

HONEST = {"ann": CHANCE, "bob": source("counts"), "cid": source("many")}


class Playing(NamedTuple):
    """What became of a few games between the honest bots and one other, `eve`."""

    records: dict[str, bytes]  # by id
    own: dict[str, Played]  # those of eve
    faults: list[tuple[str, str]]  # (bot, kind)
    printed: str  # by eve


class League:
    """Plays eve against the honest bots as a tournament would."""

    def __init__(self, zygote: ZygoteClient, folder: Path) -> None:
        self.zygote, self.folder = zygote, folder
        self.family = children_of(os.getpid())
        self.honest = {name: self.snapshot(name, source) for name, source in HONEST.items()}
        first = self.snapshot("first", FIRST)
        self.sound = {pool: self.play(first, pool) for pool in (ALONE, WITH_ITSELF)}

    def snapshot(self, name: str, source: str) -> str:
        file = self.folder / f"{name}.py"
        file.write_text(source)
        return self.snapshot_of(BotPath(name, file))

    def snapshot_of(self, bot: BotPath) -> str:
        source = read_bot(bot)
        hash = hash_source(source)
        return str(write_snapshot(self.folder / "snapshots", source, hash))

    def play(self, eve: str, pool: Pool, limits: Limits = LIMITS) -> Playing:
        paths = {**self.honest, "eve": eve}
        bots = tuple(Bot(name, "0") for name in sorted(paths))
        entry = Entry(pool, bots, 1, pool.entrants, False)
        identity = ids.Identity(pool, 1, LIMITS, "walls", False)
        fixtures = tuple(Schedule(entry, identity))
        job = Job(pool, limits, False, fixtures, b"secret" * 3, self.unloaded(eve))
        played: list[Played] = []
        tallies = Session(job, paths, self.zygote, played.append, lambda: None).play()
        names = {game.fixture.id: league_of(game) for game in played}
        return Playing(
            {game.fixture.id: line_of(pool, game) for game in played},
            {game.fixture.id: game for game in played if "eve" in names[game.fixture.id]},
            [
                (names[game.fixture.id][fault.seat], fault.reason.kind)
                for game in played
                for fault in game.faults
            ],
            next(tally.printed for tally in tallies if tally.bot == "eve"),
        )

    def unloaded(self, eve: str) -> dict[str, Reason]:
        """Return eve if it does not load: why."""
        process = self.zygote.start(Path(eve), LIMITS)
        reason = process.load()
        process.end()
        return {"eve": reason} if reason else {}


def league_of(game: Played) -> list[str]:
    """Return the names of who sat there, by seat."""
    _, line_up, seating, _ = game.fixture
    return [line_up[place].name for place in seating]


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    zygote = ZygoteClient()
    yield League(zygote, tmp_path_factory.mktemp("hostile"))
    zygote.close()


def file_of(bot: BotPath) -> Path:
    return bot.path / "bot.py" if bot.path.is_dir() else bot.path


def expected(bot: BotPath) -> str:
    """Return what a bot's docstring says that it must come to."""
    file = file_of(bot)
    found = re.findall(rb"^Must: (.+)$", file.read_bytes(), re.MULTILINE)
    assert len(found) == 1, f"{file.name}: one line 'Must: ...' in its docstring"
    must: str = found[0].decode()
    assert must in (*KINDS, "play on"), must
    return must


def attack_of(bot: BotPath) -> str:
    """Return the first paragraph of a bot's docstring, in one line."""
    text = file_of(bot).read_text("utf-8", "replace").split('"""')[1]
    return " ".join(text.split("\n\n")[0].split())


@pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)
def test_a_hostile_bot_gets_what_it_must_and_costs_nobody_else_a_byte(
    hosts: League, bot: BotPath
) -> None:
    must = expected(bot)
    pool = WITH_ITSELF if bot.name.startswith("seats_") else ALONE
    limits = FILLS_MEMORY if must == "memory" else LIMITS
    played, sound = hosts.play(hosts.snapshot_of(bot), pool, limits), hosts.sound[pool]
    assert not children_of(os.getpid()) - hosts.family
    assert {name for name, _ in played.faults} <= {"eve"}
    details = {in_full(fault.reason) for game in played.own.values() for fault in game.faults}
    kinds = {kind for _, kind in played.faults}
    if must == "play on":
        assert kinds == set(), details
        assert played.records == sound.records
    else:
        assert kinds - ({"strikes"} - {must}) == {must}, details
    others = sound.records.keys() - sound.own.keys()
    assert {id: played.records[id] for id in others} == {id: sound.records[id] for id in others}
    for game in played.own.values():
        assert judge_record(json.loads(line_of(pool, game)))


def test_the_honest_bots_play_games_of_their_own_and_games_with_the_hostile(hosts: League) -> None:
    for playing, games, own in (
        (hosts.sound[ALONE], 12, 9),  # 4 line-ups of 3 of the 4 bots, 3 of them with eve, 3 seats
        (hosts.sound[WITH_ITSELF], 12, 6),  # 6 line-ups of 2 of the 4, 3 with eve, 2 seatings
    ):
        assert (len(playing.records), len(playing.own), playing.faults) == (games, own, [])


def test_there_are_at_least_eighty_hostile_bots_and_every_fault_is_earned_by_some() -> None:
    musts = [expected(bot) for bot in BOTS]
    assert len(musts) >= 80
    assert set(musts) == {*KINDS, "play on"}


def test_the_index_of_attacks_is_kept_with_a_row_for_each_bot(
    check_kept: Callable[[str, Path], None],
) -> None:
    page = HOSTILE / "README.md"
    rows = [f"| `{bot.name}` | {attack_of(bot)} | {expected(bot)} |" for bot in BOTS]
    check_kept(with_rows(page, "| bot | what it tries | must |", rows), page)


def test_bytecode_of_another_source_is_never_run(hosts: League, tmp_path: Path) -> None:
    """A helper whose stale bytecode, which Python itself would believe, answers something else."""
    bot = tmp_path / "stale"
    bot.mkdir()
    (bot / "bot.py").write_text("import helper\ndef decide(view): return helper.answer(view)\n")
    helper = bot / "helper.py"
    helper.write_text("def answer(view): return 'GOT'\n")
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    assert py_compile.compile(str(helper), invalidation_mode=unchecked) is not None
    helper.write_text("def answer(view): return view.legal[0]\n")
    played = hosts.play(hosts.snapshot_of(BotPath("stale", bot)), ALONE)
    assert played.records == hosts.sound[ALONE].records


def test_prints_of_a_flood_are_kept_to_their_limit(hosts: League) -> None:
    flood = hosts.snapshot_of(BotPath("eve", HOSTILE / "output_flood.py"))
    assert len(hosts.play(flood, ALONE).printed) <= 16 << 10  # max_output_kib=16
