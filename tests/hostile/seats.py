"""What a bot could tell its partner, or find out: of its partner, of Arena, of the cards."""

import ctypes
import errno
import fcntl
import gc
import mmap
import os
import re
import resource
import select
import signal
import sys

from arena.sandbox import seccomp

libc = ctypes.CDLL(None, use_errno=True)
#< attempts.py

#: seats_access (play on) Reads a file it kept open, so that its partner, who kept it too, sees the
# access. Has the harness skip what it does after loading, so that the gate alone refuses.
seccomp.install_kept = lambda: None
DATA = os.path.join(os.path.dirname(__file__), "data")
kept = os.open(DATA, os.O_RDONLY)
refusals = OSError
in_play = (
    lambda: os.read(kept, 1),
    lambda: os.fstat(kept).st_atime_ns,
    lambda: os.stat(DATA).st_atime_ns,
    lambda: os.fstatvfs(kept),
    lambda: os.pipe(),
)
#> data
a bit

#: seats_descriptors (play on) Opens and closes descriptors, whose number /proc tells who loads.
kept = [os.open(__file__, os.O_RDONLY) for _ in range(3)]
in_play = (
    lambda: os.dup(0),
    lambda: os.dup2(0, 20),
    lambda: os.dup2(0, 20, inheritable=False),
    lambda: fcntl.fcntl(0, fcntl.F_DUPFD, 20),
    lambda: fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 20),
    lambda: os.close(kept[0]),
    lambda: os.close(0),
)

#: seats_epoll (play on) Watches descriptors, since watches are limited by user.
attempt(select.epoll)

#: seats_flags (play on) Tells its partner by the flags of its descriptors.
for fd in range(5):
    flags = fcntl.fcntl(fd, fcntl.F_GETFL)
    attempt(lambda: fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_APPEND))

#: seats_free_memory (play on) Takes memory, so that its partner sees less of it free.
kept = []
at_load = libc.sysinfo(ctypes.create_string_buffer(256))

def decide(view):
    if not kept:
        kept.append(bytearray(32 << 20))
    if 0 in (at_load, libc.sysinfo(ctypes.create_string_buffer(256))):
        return "GOT the machine's memory"
    return view.legal[0]

#: seats_free_room (play on) Measures while it loads what room on disks others leave free.
for path in ("/", os.path.dirname(__file__), 1):
    attempt(lambda: os.statvfs(path))

#: seats_futex (play on) Wakes waiters at a file that its partner has mapped; has the kernel log.
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
FUTEX = {"x86_64": 202, "aarch64": 98}[os.uname().machine]
WAKE, WAKE_OP, PRIVATE = 1, 5, 128
SHIFTED_TOO_FAR = 0x8000_0000 | 99 << 12
file = os.open(__file__, os.O_RDONLY)
shared = libc.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, file, 0)
own = ctypes.c_uint32(0)
at = ctypes.c_void_p(ctypes.addressof(own))

def decide(view):
    if libc.syscall(FUTEX, ctypes.c_void_p(shared), WAKE, 1, None, None, 0) >= 0:
        return "GOT a way to wake others"
    if libc.syscall(FUTEX, at, WAKE_OP | PRIVATE, 1, None, at, SHIFTED_TOO_FAR) >= 0:
        return "GOT a line in the kernel's log"
    return view.legal[0]

#: seats_inodes (play on) Moves the number of the next file without a name, by memory that it
# shares. A bot that loads later on this core can ask for the number of its own output.
in_play = (
    lambda: mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS).close(),
)

#: seats_keys (forbidden) Asks for a key of its user's, whose number is limited by user.
ADD_KEY = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
USER_KEYRING = -4
in_play = (lambda: libc.syscall(ADD_KEY, b"user", b"arena-partners", b"x", 1, USER_KEYRING),)

#: seats_lock (play on) Tells its partner by locks on the file that both have.
kept = open(__file__)
in_play = (
    lambda: fcntl.flock(kept, fcntl.LOCK_SH | fcntl.LOCK_NB),
    lambda: fcntl.lockf(kept, fcntl.LOCK_SH | fcntl.LOCK_NB),
    lambda: fcntl.fcntl(kept, fcntl.F_GETLK, bytes(32)),
    lambda: fcntl.fcntl(kept, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    lambda: fcntl.fcntl(kept, fcntl.F_NOTIFY, fcntl.DN_ACCESS),
    lambda: fcntl.fcntl(kept, fcntl.F_SETOWN, 1),
)

#: seats_numbers (play on) Looks for its partner among the processes, to signal it and to read it.
refusals = (PermissionError, FileNotFoundError)
for near in range(os.getpid() - 8, os.getpid() + 8):
    if near != os.getpid():
        attempt(lambda: os.kill(near, 0))
    attempt(lambda: open(f"/proc/{near}/statm").read())

#: seats_page_cache (play on) Moves pages of a library between disk and memory, and counts them.
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.madvise.argtypes = libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
PAGE, READ, PRIVATE, ANONYMOUS = mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_PRIVATE, mmap.MAP_ANONYMOUS
ADVICES = {
    "RANDOM": 1, "SEQUENTIAL": 2, "WILLNEED": 3, "FREE": 8, "REMOVE": 9, "MERGEABLE": 12,
    "COLD": 20, "PAGEOUT": 21, "POPULATE_READ": 22, "POPULATE_WRITE": 23, "COLLAPSE": 25,
}  # fmt: skip
POOLS = {"MAP_HUGETLB": 1 << 18, "MAP_DROPPABLE": 1 << 3}  # what all processes draw from
NUMBERS = {"process_madvise": 440, "cachestat": 451}  # on every machine
if os.uname().machine == "x86_64":
    NUMBERS |= {"preadv2": 327, "readahead": 187}

kept = os.open(os.__file__, os.O_RDONLY)
mapped = libc.mmap(None, PAGE, READ, PRIVATE, kept, 0)
own = libc.mmap(None, PAGE, READ | mmap.PROT_WRITE, PRIVATE | ANONYMOUS, -1, 0)
space = ctypes.create_string_buffer(4096)

def look():
    """Note the name of each way that is open."""
    attempt(
        lambda: os.posix_fadvise(kept, 0, 0, os.POSIX_FADV_DONTNEED),
        lambda: resource.getrusage(resource.RUSAGE_SELF),
        lambda: resource.getrusage(resource.RUSAGE_CHILDREN),
    )
    for place in (mapped, own):
        for name, advice in ADVICES.items():
            if libc.madvise(place, PAGE, advice) == 0:
                got.append(f"madvise {name}")
    if libc.mincore(mapped, PAGE, ctypes.addressof(space)) == 0:
        got.append("mincore")
    for name, flag in POOLS.items():
        ctypes.set_errno(0)
        kind = ANONYMOUS | (PRIVATE if flag != 1 << 3 else 0) | flag
        libc.mmap(None, 2 << 20, READ, kind, -1, 0)
        if ctypes.get_errno() != errno.EPERM:  # what no kernel answers by itself
            got.append(name)
    for name, number in NUMBERS.items():
        if libc.syscall(number, kept, space, 1, 0, 0, 8) >= 0:
            got.append(name)

look()

def decide(view):
    if libc.mmap(None, PAGE, READ, PRIVATE, kept, 0) != ctypes.c_void_p(-1).value:
        got.append("a mapping of a file")
    look()
    return f"GOT {got}" if got else view.legal[0]

#: seats_pipes (play on) Makes pipes while it loads, whose pages are counted by user; gets one.
made = []
try:
    while len(made) < 9:
        made.append(os.pipe())
except OSError:
    pass
if len(made) > 1:
    got.append(f"{len(made)} pipes")

#: seats_shared_memory (play on) Shares memory and semaphores with its partner, by name and number.
from multiprocessing import shared_memory

attempt(lambda: shared_memory.SharedMemory("arena-partners", create=True, size=64))
if libc.shmget(4711, 4096, 0o1666) >= 0:
    got.append("memory by number")
if libc.shm_open(b"/arena-partners", 0o102, 0o600) >= 0:
    got.append("memory by path")
if libc.semget(4711, 1, 0o1666) >= 0:
    got.append("semaphores")
if libc.msgget(4711, 0o1666) >= 0:
    got.append("messages")
if libc.mq_open(b"/arena-partners", 0o102, 0o600, None) >= 0:
    got.append("a queue")

#: seats_signals (play on) Queues signals to itself until its user, and partner, may queue no more.
TGKILL = {"x86_64": 234, "aarch64": 131}[os.uname().machine]
signal.pthread_sigmask(signal.SIG_BLOCK, range(signal.SIGRTMIN, signal.SIGRTMAX))

def decide(view):
    queued = 0
    while queued < 9 and libc.syscall(TGKILL, os.getpid(), os.getpid(), signal.SIGRTMIN) == 0:
        queued += 1
    return f"GOT {queued} queued" if queued else view.legal[0]

#: seats_times (play on) Reads a file that it kept open, so that one that loads next sees its time.
kept = os.open(__file__, os.O_RDONLY)
in_play = (
    lambda: os.dup2(kept, 3),  # where questions come from, and may be read
    lambda: os.dup(kept),
    lambda: fcntl.fcntl(kept, fcntl.F_DUPFD, 3),
    lambda: os.read(kept, 1),
    lambda: os.pread(kept, 1, 0),
    lambda: os.readv(kept, [bytearray(1)]),
    lambda: os.preadv(kept, [bytearray(1)], 0),
    lambda: os.sendfile(4, kept, 0, 1),
    lambda: os.copy_file_range(kept, 4, 1),
    lambda: os.splice(kept, 4, 1),
    lambda: os.stat(__file__).st_atime,
    lambda: os.utime(kept),
)

#: seats_watch (play on) Watches the file that both have for its partner's reading.
for mark in (libc.inotify_init(), libc.fanotify_init(0, os.O_RDONLY)):
    if mark >= 0:
        got.append(mark)

#: secrets_decks (play on) Looks through all of Python's objects for a deck; must find none.
CARDS = set(range(3, 36))

def decide(view):
    for thing in gc.get_objects():
        if type(thing) in (list, tuple) and 24 <= len(thing) <= 33:
            if all(type(card) is int for card in thing) and len(CARDS.intersection(thing)) >= 24:
                return f"GOT {thing}"
    return view.legal[0]

#: secrets_descriptors (play on) Looks for open descriptors other than its five; must find none.
for first in range(5, 4096, 60):  # no more can be polled at once than may be open
    poll = select.poll()
    for fd in range(first, first + 60):
        poll.register(fd)
    closed = {fd for fd, event in poll.poll(0) if event & select.POLLNVAL}
    got.extend(set(range(first, first + 60)) - closed)

#: secrets_environment (play on) Looks for anything of ours in its environment and arguments.
HARMLESS = {
    "PYTHONHASHSEED", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "LC_ALL",
}  # fmt: skip
got = [name for name in os.environ if name not in HARMLESS]
if sys.argv + sys.orig_argv != [os.path.dirname(__file__)] * 2:
    got.append(str(sys.argv))

#: secrets_frames (play on) Searches frames for other bots' paths and a way to call the zygote.
OWN = os.path.dirname(__file__)
ALL = os.path.dirname(OWN)
asked = False

def decide(view):
    global asked
    frame = None if asked else sys._getframe(1)
    asked = True
    while frame:
        for name, value in [*frame.f_locals.items(), *frame.f_globals.items()]:
            text = repr(value) if type(value) in (str, bytes, list, tuple, dict) else ""
            if ALL in text.replace(OWN, ""):
                return f"GOT {name}"
            for speak in ("send", "recv", "sendmsg"):
                if type(value).__name__ == "socket" and name == "control":
                    try:
                        return f"GOT {getattr(value, speak)(1 if speak == 'recv' else [b'!'])}"
                    except (OSError, TypeError):
                        pass
        frame = frame.f_back
    return view.legal[0]

#: secrets_memory (play on) Reads its memory past Python, page by page where a pipe shows that it
# may, for the secret and for other bots' paths.
PAGE, GAP = 4096, 1024  # pages without memory that end a search: libraries lie closer
ALL, OWN = map(os.fsencode, os.path.split(os.path.dirname(__file__)))
OTHERS = re.compile(ALL + b"/(?!" + OWN + b")[0-9a-f]{8}")
SECRET = re.compile(b"(?:secre[t]){3}")  # the tests': does not match its own text
libc.sbrk.restype = ctypes.c_void_p
libc.write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
read, write = os.pipe()
held = 0  # bytes in the pipe
seen = set()
got = None

def can_be_read(page):
    global held
    if held == 1 << 15:
        os.read(read, held)
        held = 0
    if libc.write(write, page, 1) != 1:
        return False
    held += 1
    return True

def search(page, step):
    """Look at all that can be read from one page on, or before it, until nothing comes for long."""
    global got
    empty = 0
    while empty < GAP and page > 0 and page not in seen:
        if can_be_read(page):
            empty = 0
            seen.add(page)
            data = ctypes.string_at(page, PAGE)
            if ALL in data or b"secret" in data:
                got = got or OTHERS.search(data) or SECRET.search(data)
        else:
            empty += 1
        page += step * PAGE

for near in (  # in the heap, among the libraries, on the stack
    libc.sbrk(0) - 1,
    id(got),
    id(search),
    ctypes.cast(libc.write, ctypes.c_void_p).value,
    ctypes.c_void_p.in_dll(libc, "environ").value,
):
    page = near // PAGE * PAGE
    search(page, -1)
    search(page + PAGE, 1)

def decide(view):
    if len(seen) < 2000:
        return f"GOT no further than {len(seen)} pages"
    return f"GOT {got}" if got else view.legal[0]

#: secrets_objects (play on) Looks through all objects for what only Arena's processes have.
OURS = {
    "Job", "Session", "Player", "LiveGame", "ZygoteClient", "BotProcess", "Fixture", "Setup",
    "State",
}  # fmt: skip

def decide(view):
    for thing in gc.get_objects():
        if type(thing).__name__ in OURS and type(thing) is not type:
            return f"GOT a {type(thing).__name__}"
    return view.legal[0]
