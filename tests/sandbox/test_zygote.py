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
IDENTITY = ids.Identity(POOL, 1, Limits(), "walls", False)

DECIDE = "\ndef decide(view): return view.legal[0]\n"
FLAGS = "print([fcntl.fcntl(fd, fcntl.F_GETFL) for fd in range(5)])\n"
TURNED = (
    "for fd in range(5):\n"
    "    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) ^ 0o6000)\n"
)  # O_NONBLOCK, O_APPEND

reads_all = pytest.mark.skipif(
    os.getuid() != 0, reason="only root reads a confined process's memory; hostile bots read theirs"
)


@pytest.fixture
def zygote(monkeypatch: pytest.MonkeyPatch) -> Iterator[ZygoteClient]:
    monkeypatch.setenv(SURROUNDINGS, SURROUNDINGS)
    made = ZygoteClient()
    yield made
    made.close()


def source_of(name: str) -> Source:
    """Return a bot of that name: it draws numbers, and differs from the others in a comment."""
    comment = f"# {name[::-1]}\n"
    return Source((("bot.py", (comment + source("chance")).encode()),))


@reads_all
@pytest.mark.whole
def test_no_process_has_a_secret_or_a_trace_of_another_bot_in_its_memory(
    zygote: ZygoteClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two sessions from one zygote: each process is searched whole when its last game is over."""
    sources = {name: source_of(name) for name in NAMES}
    bots = [Bot(name, hash_source(sources[name])) for name in sorted(NAMES)]
    entry = Entry(POOL, tuple(bots), 1, 3, False)
    games = tuple(Schedule(entry, IDENTITY))
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
            memory = b"\n".join(memory_of(process.pid))
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
    assert sorted(searched) == sorted(2 * NAMES)


Printed = Callable[[str], str]


@pytest.fixture
def printed(tmp_path: Path) -> Iterator[Printed]:
    """What a fresh child prints while it loads a bot of that source.

    Without walls, so that what the kernel shares shows itself, whatever they refuse beside it.
    """
    zygote = ZygoteClient(confined=False)

    def printed(source: str) -> str:
        (tmp_path / "bot.py").write_text(source + DECIDE)
        process = zygote.start(tmp_path, Limits())
        assert process.load() is None
        process.end()
        return process.printed

    yield printed
    zygote.close()


def test_flags_that_a_child_sets_on_its_descriptors_are_no_other_s(printed: Printed) -> None:
    before = printed("import fcntl\n" + FLAGS)
    turned = printed("import fcntl\n" + TURNED + FLAGS)
    assert turned != before  # they can be set
    assert printed("import fcntl\n" + FLAGS) == before


def test_a_child_starts_with_six_descriptors_and_maps_the_word(printed: Printed) -> None:
    """The sixth is the word's, which the harness closes once it is mapped."""
    fds = printed("import os\nprint(sorted(map(int, os.listdir('/proc/self/fd'))))")
    assert fds == f"loading: {[0, 1, 2, 3, 4, 5]}\n"  # 5 is that of the listing itself


def test_the_one_writable_mapping_that_a_child_shares_is_its_own_word(printed: Printed) -> None:
    source = (
        "for line in open('/proc/self/maps'):\n"
        "    _, mode, _, _, inode, *name = line.split()\n"
        "    if 'w' in mode and 's' in mode: print(inode, *name)\n"
    )
    shared = [printed(source), printed(source)]
    assert all(each.count("\n") == 1 and "/memfd:word" in each for each in shared)
    assert shared[0] != shared[1]
