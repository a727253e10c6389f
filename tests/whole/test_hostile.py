"""Every way to misbehave that we know of, played among honest bots through the arena's own walls.

Each bot of `tests/hostile` must earn its fault, or `play on`: its tries are refused and it plays
the stand-in's decisions. What gets through a wall shows it, by an answer that is no decision. Bots
named `seats_...` play with a copy of themselves as partner, and try to confer.
"""

import json
import os
import py_compile
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pytest

from arena import ids
from arena.faults.kinds import KINDS
from arena.faults.reasons import in_full
from arena.league.bots import BotPath
from arena.league.files import Source, hash_source, read_bot, write_snapshot
from arena.model import Bot, Entry, Limits, Played, Pool, Reason
from arena.process.zygote_client import ZygoteClient
from arena.records.record import judge_record
from arena.schedule.order import Schedule
from arena.session.session import Job, Session
from tests.places import HOSTILE, source
from tests.processes import children_of
from tests.sessions import CHANCE, FIRST, line_of
from tests.wrong_bots import WrongBot, read_bots

pytestmark = pytest.mark.xdist_group("cpu")  # one worker measures it at a time

ALONE, WITH_ITSELF = Pool("no_thanks", 3, "{}", ""), Pool("sixteen", 4, "{}", "same")
LIMITS = Limits(cpu_ms=200, load_ms=1000, memory_mib=128, max_output_kib=16, max_restarts=1)
CPU_MS = {"cpu": 50, "memory": 2000}
"""By file, where it is not 200: to fill 128 MiB takes the kernel 50 ms of the bot's CPU, several
times that where others compete for memory."""

HONEST = {"ann": CHANCE, "bob": source("counts"), "cid": source("many")}


class Group(NamedTuple):
    bots: Mapping[str, WrongBot]  # that play in one session, by their names there
    pool: Pool
    limits: Limits


def group_bots() -> Iterator[Group]:
    for file in sorted(HOSTILE.glob("*.py")):
        limits = LIMITS._replace(cpu_ms=CPU_MS.get(file.stem, 200))
        for confer, bots in groupby(read_bots(file), lambda bot: bot.name.startswith("seats_")):
            named = {f"eve{number}": bot for number, bot in enumerate(bots)}
            yield Group(named, WITH_ITSELF if confer else ALONE, limits)


GROUPS = [*group_bots()]
BOTS = [(group, eve) for group in GROUPS for eve in group.bots]


class Playing(NamedTuple):
    """What became of a few games between the honest bots and one other."""

    records: dict[str, bytes]  # by id
    own: dict[str, Played]  # those of the other
    faults: list[tuple[str, str]]  # (bot, kind)
    printed: str  # by the other


class League:
    """Plays others against the honest bots as a tournament would."""

    def __init__(self, zygote: ZygoteClient, folder: Path) -> None:
        self.zygote, self.folder = zygote, folder
        self.family = children_of(os.getpid())
        texts = {**HONEST, "first": FIRST}
        paths = {name: self.write(Source((("bot.py", texts[name].encode()),))) for name in texts}
        self.honest = {name: paths[name] for name in HONEST}
        self.played: dict[int, dict[str, Playing]] = {}
        self.sound: dict[Pool, dict[str, Playing]] = {}
        # 4 line-ups of 3 of the 4 bots, 3 of them with eve, 3 seats; 6 of 2, 3 with eve, 2 seatings
        for pool, own in ((ALONE, 9), (WITH_ITSELF, 6)):
            eves = {eve: paths["first"] for group, eve in BOTS if group.pool == pool}
            self.sound[pool] = self.play(eves, pool)
            for playing in self.sound[pool].values():
                assert (len(playing.records), len(playing.own), playing.faults) == (12, own, [])

    def write(self, source: Source) -> str:
        return str(write_snapshot(self.folder, source, hash_source(source)))

    def outcome(self, group: Group, eve: str) -> Playing:
        """Return what became of a bot's games; its group plays once."""
        if id(group) not in self.played:
            paths = {name: self.write(bot.source) for name, bot in group.bots.items()}
            broken = [name for name, bot in group.bots.items() if bot.fault == "load"]
            unloaded = {name: reason for name in broken if (reason := self.load(paths[name]))}
            played = self.play(paths, group.pool, group.limits, unloaded)
            self.played[id(group)] = played
            assert not children_of(os.getpid()) - self.family
        return self.played[id(group)][eve]

    def load(self, path: str) -> Reason | None:
        process = self.zygote.start(Path(path), LIMITS._replace(load_ms=500))
        reason = process.load()
        process.end()
        return reason

    def play(
        self,
        others: Mapping[str, str],
        pool: Pool,
        limits: Limits = LIMITS,
        unloaded: Mapping[str, Reason] | None = None,
    ) -> dict[str, Playing]:
        fixtures = {}
        for other in others:
            bots = tuple(Bot(name, "0") for name in sorted({*self.honest, other}))
            entry = Entry(pool, bots, 1, pool.entrants, False)
            fixtures[other] = [*Schedule(entry, ids.Identity(pool, 1, LIMITS, "walls", False))]
        every = {fixture.id: fixture for games in fixtures.values() for fixture in games}
        job = Job(pool, limits, False, [*every.values()], b"secret" * 3, dict(unloaded or {}))
        played: list[Played] = []
        paths = {**self.honest, **others}
        tallies = Session(job, paths, self.zygote, played.append, lambda: None).play()
        games = {game.fixture.id: game for game in played}
        assert len(games) == len(played) == len(every)
        found = {t.bot: Playing({}, {}, [], t.printed) for t in tallies if t.bot in others}
        for other, game in ((o, games[fixture.id]) for o in others for fixture in fixtures[o]):
            id, line_up, seating, _ = game.fixture
            names = [line_up[place].name for place in seating]
            found[other].records[id] = line_of(pool, game)
            found[other].own.update({id: game} if other in names else {})
            faults = [(names[fault.seat], fault.reason.kind) for fault in game.faults]
            found[other].faults.extend(faults)
        return found


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    zygote = ZygoteClient()
    yield League(zygote, tmp_path_factory.mktemp("hostile"))
    zygote.close()


@pytest.mark.parametrize(("group", "eve"), BOTS, ids=[group.bots[eve].name for group, eve in BOTS])
def test_a_hostile_bot_gets_what_it_must_and_costs_nobody_else_a_byte(
    hosts: League, group: Group, eve: str
) -> None:
    must = group.bots[eve].fault
    played, sound = hosts.outcome(group, eve), hosts.sound[group.pool][eve]
    assert {name for name, _ in played.faults} <= {eve}
    details = {in_full(fault.reason) for game in played.own.values() for fault in game.faults}
    kinds = {kind for _, kind in played.faults}
    if must == "play on":
        assert kinds == set(), details
        assert played.records == sound.records
    else:
        assert kinds - ({"strikes"} - {must}) == {must}, details
        for game in played.own.values():
            assert judge_record(json.loads(line_of(group.pool, game)))
    others = sound.records.keys() - sound.own.keys()
    assert {id: played.records[id] for id in others} == {id: sound.records[id] for id in others}


def test_every_fault_is_earned_by_a_hostile_bot() -> None:
    assert len(BOTS) >= 178
    assert {group.bots[eve].fault for group, eve in BOTS} == {*KINDS, "play on"}


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
    stale = hosts.write(read_bot(BotPath("stale", bot)))
    played = hosts.play({"eve0": stale}, ALONE)["eve0"]
    assert played.records == hosts.sound[ALONE]["eve0"].records


def test_prints_of_a_flood_are_kept_to_their_limit(hosts: League) -> None:
    (flood,) = (place for place in BOTS if place[0].bots[place[1]].name == "output_flood")
    assert 8 << 10 < len(hosts.outcome(*flood).printed) <= 16 << 10  # max_output_kib=16
