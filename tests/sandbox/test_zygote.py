"""The zygote: what comes down from it to bots' processes by fork, and what they share."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena import ids
from arena.league.files import Source, hash_source, write_snapshots
from arena.model import Bot, Entry, Limits, Played, Pool
from arena.process.bot_process import BotProcess
from arena.process.zygote_client import ZygoteClient
from arena.sandbox.requests import Reply
from arena.schedule.order import Schedule
from arena.session.session import Job, Session
from tests.places import source
from tests.processes import memory_of

NAMES = "quagga_bot", "zorilla_bot", "okapi_bot", "dhole_bot"
SECRET = b"the-one-that-all-deals-come-from"
SURROUNDINGS = "ARENA_TEST_OF_ITS_OWN_ENVIRONMENT"
POOL = Pool("no_thanks", 3, "{}", "")


@pytest.mark.skipif(
    os.getuid() != 0, reason="only root reads a confined process's memory; hostile bots read theirs"
)
@pytest.mark.whole
def test_no_process_has_a_secret_or_a_trace_of_another_bot_in_its_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two sessions from one zygote: each process is searched whole when its last game is over."""
    texts = {name: f"# {name[::-1]}\n{source('chance')}" for name in NAMES}  # each draws numbers
    monkeypatch.setenv(SURROUNDINGS, SURROUNDINGS)
    zygote = ZygoteClient()
    sources = {name: Source((("bot.py", text.encode()),)) for name, text in texts.items()}
    bots = [Bot(name, hash_source(sources[name])) for name in sorted(NAMES)]
    entry = Entry(POOL, tuple(bots), 1, 3, False)
    games = tuple(Schedule(entry, ids.Identity(POOL, 1, Limits(), "walls", False)))
    own_seeds: dict[str, set[bytes]] = {name: set() for name in NAMES}
    for game in games:
        _, numbers = ids.draw_seat_numbers(ids.bots_key(SECRET), game.id, POOL.players)
        for place, seed in zip(game.seating, numbers, strict=True):
            own_seeds[game.line_up[place].name].add(seed)
    all_seeds = set().union(*own_seeds.values())

    searched, replies = [], []
    with write_snapshots(sources, bots) as paths:
        names = {Path(path).name: name for name, path in paths.items()}
        end, reading = BotProcess.end, Reply.from_buffer_copy

        def told(message: bytes) -> Reply:
            replies.append(message[Reply.usage.offset :][:40])  # its times, and its memory
            return reading(message)

        def search_and_end(process: BotProcess) -> None:
            memory = b"\n".join(memory_of(process.body.pid))
            (folder,) = {folder for folder in names if folder.encode() in memory}
            name = names[folder]
            searched.append(name)
            needles = {
                SECRET, ids.bots_key(SECRET), ids.bots_key(SECRET).hex().encode(),
                SURROUNDINGS.encode(),
                *(bot.name.encode() for bot in bots),
                *(bot.hash.encode() for bot in bots),
                *(bytes.fromhex(bot.hash) for bot in bots),
                *(game.id.encode() for game in games),
                *(reply for reply in replies if any(reply)),
                *(all_seeds - own_seeds[name]),
            }  # fmt: skip
            assert any(seed in memory for seed in own_seeds[name]), "the search finds nothing"
            assert {needle for needle in needles if needle in memory} == set()
            end(process)

        monkeypatch.setattr(Reply, "from_buffer_copy", told)
        monkeypatch.setattr(BotProcess, "end", search_and_end)
        for _ in range(2):
            played: list[Played] = []
            job = Job(POOL, Limits(), False, games, SECRET, {})
            Session(job, paths, zygote, played.append, lambda: None).play()
            assert len(played) == len(games)
            assert not any(game.faults for game in played)
    zygote.close()
    assert sorted(searched) == sorted(2 * NAMES)


Printed = Callable[[str], str]


@pytest.fixture
def printed(tmp_path: Path) -> Iterator[Printed]:
    """What a fresh child without walls prints while it loads a bot of that source."""
    zygote = ZygoteClient(confined=False)

    def printed(source: str) -> str:
        (tmp_path / "bot.py").write_text(f"{source}\ndef decide(view): return view.legal[0]\n")
        process = zygote.start(tmp_path, Limits())
        assert process.load() is None
        process.end()
        return process.printed

    yield printed
    zygote.close()


def test_flags_that_a_child_sets_on_its_descriptors_are_no_other_s(printed: Printed) -> None:
    flags = "print([fcntl.fcntl(fd, fcntl.F_GETFL) for fd in range(5)])\n"
    set_flags = "fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) ^ 0o6000)"
    turn = f"for fd in range(5): {set_flags}\n"  # O_NONBLOCK, O_APPEND
    before = printed(f"import fcntl\n{flags}")
    assert printed(f"import fcntl\n{turn}{flags}") != before  # they can be set
    assert printed(f"import fcntl\n{flags}") == before


def test_the_one_writable_mapping_that_a_child_shares_is_its_own_word(printed: Printed) -> None:
    fds = printed("import os\nprint(sorted(map(int, os.listdir('/proc/self/fd'))))")
    assert fds == f"loading: {[0, 1, 2, 3, 4, 5]}\n"  # 5 is that of the listing itself
    source = (
        "for line in open('/proc/self/maps'):\n"
        "    _, mode, _, _, inode, *name = line.split()\n"
        "    if 'w' in mode and 's' in mode: print(inode, *name)\n"
    )
    shared = [printed(source), printed(source)]
    assert all(each.count("\n") == 1 and "/memfd:word" in each for each in shared)
    assert shared[0] != shared[1]


def test_a_child_has_no_right_and_regains_none_by_running_a_program(printed: Printed) -> None:
    said = printed("print(open('/proc/self/status').read())").replace("loading: ", "")
    status = {key: value for key, _, value in (line.partition(":\t") for line in said.split("\n"))}
    assert status["NoNewPrivs"] == "1"
    names = ("CapInh", "CapPrm", "CapEff", "CapAmb", *["CapBnd"] * (os.getuid() == 0))
    assert {name: int(status[name], 16) for name in names} == dict.fromkeys(names, 0)
