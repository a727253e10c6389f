"""Processes, rights, the machine, and the filter of system calls."""

import ctypes
import errno
import mmap
import os
import resource
import signal
import struct
import sys
import time

from arena.sandbox import seccomp
from arena.sandbox.bpf import number_of
from arena.sandbox.seccomp import FIXED, KEPT_AT, KEPT_BYTES, MREMAP_FIXED

libc = ctypes.CDLL(None, use_errno=True)
#< attempts.py
refusals = OSError

#: procs_alarms (play on) Sets timers that would interrupt later.
def decide(view):
    signal.alarm(100)
    if 0 < signal.alarm(0) <= 100:  # refused, it returns 4294967295
        return "GOT an alarm"
    for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
        attempt(lambda: signal.setitimer(which, 100))
    if libc.timer_create(0, None, ctypes.byref(ctypes.c_void_p())) == 0:
        return "GOT a timer"
    return f"GOT {got}" if got else view.legal[0]

#: procs_clocks (play on) Reads the CPU clocks of its parent, which tell how others think.
in_play = (
    lambda: time.clock_gettime((~os.getppid() << 3) | 2),
    lambda: time.clock_gettime((~1 << 3) | 2),
    lambda: time.clock_gettime((~os.getppid() << 3) | 6),
)

#: procs_clone (play on) Makes processes by the system calls themselves, clone and clone3.
CLONE = {"x86_64": 56, "aarch64": 220}[os.uname().machine]

def decide(view):
    for result in (
        libc.syscall(CLONE, 17, 0, 0, 0, 0),
        libc.syscall(435, (ctypes.c_uint64 * 8)(0, 0, 0, 0, 17), 64),
    ):
        if result == 0:
            os._exit(0)
        if result > 0:
            return "GOT a child"
    return view.legal[0]

#: procs_forgotten_calls (play on) Tries rare system calls, from the kernel's log to queues, timers.
space = ctypes.create_string_buffer(4096)
for name, given in {
    "klogctl": (3, space, 4096),
    "chroot": (b"/",),
    "acct": (None,),
    "inotify_init": (),
    "fanotify_init": (0, 0),
    "eventfd": (0, 0),
    "memfd_create": (b"x", 0),
    "shmget": (4711, 4096, 0o1666),
    "semget": (4711, 1, 0o1666),
    "msgget": (4711, 0o1666),
    "splice": (3, None, 4, None, 1, 0),
    "tee": (3, 4, 1, 2),
    "vmsplice": (4, None, 0, 0),
    "sendfile": (4, 3, None, 1),
    "mlockall": (1,),
    "timerfd_create": (1, 0),
    "name_to_handle_at": (-100, b"/", space, space, 0),
}.items():
    if getattr(libc, name)(*given) >= 0:
        got.append(name)

#: procs_fork (play on) Forks, to think on while others play.
in_play = (lambda: os.fork() or os._exit(0), lambda: os.forkpty()[0] or os._exit(0))

#: procs_limits (play on) Looks at its parent's limits, and raises its own.
refusals = (PermissionError, ValueError)
for which in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE):
    attempt(
        lambda: resource.prlimit(os.getppid(), which),
        lambda: resource.prlimit(os.getppid(), which, (1, 1)),
        lambda: resource.setrlimit(which, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)),
    )

#: procs_machine (play on) Measures the machine once it plays: load, memory, cores, names.
def free_memory():
    if libc.sysinfo(ctypes.create_string_buffer(256)):
        raise PermissionError

in_play = (
    os.uname,
    os.getloadavg,
    lambda: os.sched_getaffinity(0),
    lambda: resource.getrusage(resource.RUSAGE_CHILDREN),
    lambda: resource.getrlimit(resource.RLIMIT_AS),
    free_memory,
)

#: procs_mount (forbidden) Mounts files where it may read them.
in_play = (lambda: libc.mount(b"/", b"/dev", None, 4096, None),)

#: procs_namespace (forbidden) Makes a world of its own, to be root in it (unshare).
in_play = (lambda: libc.unshare(0x10000000),)

#: procs_new_calls (play on) Tries every system call that is newer than the filter, and later ones.
libc.syscall.restype = ctypes.c_long
NEWER = range(443, 1024)  # the same calls on every machine

def reached():
    """Return the numbers of the calls that the kernel itself answered."""
    numbers = []
    for number in NEWER:
        ctypes.set_errno(0)
        if libc.syscall(number, 0, 0, 0, 0, 0, 0) >= 0 or ctypes.get_errno() != errno.EPERM:
            numbers.append(number)
    return numbers

got = reached()

def decide(view):
    got.extend(reached())
    return f"GOT {got}" if got else view.legal[0]

#: procs_other_numbers (forbidden) Makes calls by a set of numbers that filters forget (x32).
machine = os.uname().machine

def decide(view):
    if machine == "x86_64":
        libc.syscall(0x40000000 + 39)  # getpid, which by its usual number is allowed
    else:
        libc.ptrace(16, 1, 0, 0)  # there is no second set there
    return view.legal[0]

#: procs_priority (play on) Gets itself more of the machine, or its parent less.
refusals = PermissionError
attempt(
    lambda: os.nice(-5),
    lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
    lambda: os.sched_setaffinity(0, {0}),
    lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    lambda: os.setpgid(0, 0),
    lambda: os.setsid(),
)

#: procs_read_memory (forbidden) Reads another process's memory (process_vm_readv).
in_play = (lambda: libc.process_vm_readv(os.getppid(), None, 0, None, 0, 0),)

#: procs_rights (play on) Becomes another user, traceable, and free of its parent's death.
refusals = PermissionError
attempt(
    lambda: os.setuid(os.getuid()),
    lambda: os.setgid(os.getgid()),
    lambda: os.setgroups([]),
)
if libc.prctl(1, 0, 0, 0, 0) == 0:
    got.append("no death with the parent")
if libc.prctl(4, 1, 0, 0, 0) == 0 or libc.prctl(3, 0, 0, 0, 0) != 0:
    got.append("dumpable")
if libc.personality(0x0040000) >= 0:
    got.append("memory in known places")

#: procs_ring (forbidden) Asks the kernel to do forbidden calls for it (io_uring).
in_play = (lambda: libc.syscall(425, 4, bytes(120)),)  # io_uring_setup, on every machine

#: procs_run (play on) Runs programs: by subprocess, exec, spawn and the shell.
import subprocess

refusals = PermissionError
attempt(
    lambda: subprocess.run([sys.executable, "-c", "pass"], check=True),
    lambda: subprocess.check_output("true", shell=True),
    lambda: os.execv(sys.executable, ["python", "-c", "pass"]),
    lambda: os.posix_spawn(sys.executable, ["python"], {}),
)
if os.system("true") == 0:
    got.append("system")

#: procs_signal_others (play on) Sends harmless signals to its parent, its group and all processes.
refusals = PermissionError

def queue():
    if libc.sigqueue(os.getppid(), 0, None):
        raise PermissionError

in_play = (
    lambda: os.kill(os.getppid(), 0),
    lambda: os.kill(-os.getppid(), 0),
    lambda: os.kill(0, 0),
    lambda: os.kill(-1, 0),
    lambda: os.kill(1, 0),
    queue,
    lambda: signal.pidfd_send_signal(os.pidfd_open(os.getppid()), 0),
)

#: procs_take_descriptor (forbidden) Takes a descriptor out of another process (pidfd_getfd).
in_play = (lambda: libc.syscall(438, 3, 3, 0),)  # the number on every machine

#: procs_threads (play on) Starts threads, to think on while others play.
import threading
from concurrent.futures import ThreadPoolExecutor

refusals = RuntimeError
number = ctypes.c_ulong()

def start_in_c():
    if libc.pthread_create(ctypes.byref(number), None, libc.getpid, None):
        raise RuntimeError

in_play = (
    lambda: threading.Thread(target=int).start(),
    lambda: ThreadPoolExecutor().submit(int),
    lambda: threading.Timer(9, int).start(),
    start_in_c,
)

#: procs_trace (forbidden) Attaches to its parent as a debugger would (ptrace).
in_play = (lambda: libc.ptrace(16, os.getppid(), 0, 0),)

#: seal_listener (play on) Asks for a listener of its own, to answer its calls itself.
attempt(lambda: seccomp.install(seccomp.gate().code, seccomp.NEW_LISTENER))
held = []
for fd in range(64):
    try:
        os.fstat(fd)
        held.append(fd)
    except OSError:
        pass
if max(held) > 4:
    got.append(held)

#: seal_replaced (play on) Sets its filters first: one that disables the harness's, one that logs.
LIE = (
    (0x20, 0, 0, 0), (0x15, 0, 1, number_of("seccomp")),
    (0x06, 0, 0, 0x00050000), (0x06, 0, 0, 0x7FFF0000),
)  # fmt: skip
LOG = ((0x06, 0, 0, 0x7FFC0000),)
for filter in (LIE, LOG):
    attempt(lambda: seccomp.install(b"".join(struct.pack("<HBBI", *each) for each in filter)))
in_play = (lambda: os.open(__file__, os.O_RDONLY), lambda: os.stat("/"), os.uname)

#: seal_rewritten (play on) Writes a filter of its own where the one that it may install lies.
BOTH, OWN = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
MOVES, DROPS = 1, 4  # MREMAP_MAYMOVE, MADV_DONTNEED

def call(name, *given):
    return libc.syscall(number_of(name), *map(ctypes.c_void_p, given))

own = mmap.mmap(-1, 2 * KEPT_BYTES, OWN)
beside = ctypes.addressof(ctypes.c_char.from_buffer(own))
before = ctypes.string_at(KEPT_AT, KEPT_BYTES)
tagged = KEPT_AT | 1 << 57
got = [
    (at, name)
    for at in (KEPT_AT, KEPT_AT - 4096, 0, tagged)
    for name, given in (
        ("mprotect", (at, KEPT_BYTES, BOTH)),
        ("munmap", (at, KEPT_AT + KEPT_BYTES)),
        ("madvise", (at, KEPT_BYTES, DROPS)),
        ("mmap", (at, KEPT_AT + KEPT_BYTES, BOTH, OWN | FIXED, -1, 0)),
        ("mremap", (at, KEPT_BYTES, 2 * KEPT_BYTES, MOVES)),
        ("mremap", (beside, KEPT_BYTES, 2 * KEPT_BYTES, MOVES | MREMAP_FIXED, at)),
    )
    if call(name, *given) != -1
]
own_filter = (ctypes.c_char * 16)()
for arguments in ((1, 0, ctypes.addressof(own_filter)), (1, 0, tagged), (1, 2, KEPT_AT)):
    if call("seccomp", *arguments) != -1:
        got.append(arguments)

def decide(view):
    if got or ctypes.string_at(KEPT_AT, KEPT_BYTES) != before:
        return f"GOT {got}"
    return view.legal[0]

#: seal_skipped (play on) Has the harness skip what it does after loading, and goes on opening.
seccomp.install_kept = lambda: None
in_play = (lambda: os.open(__file__, os.O_RDONLY), lambda: os.stat("/"), os.uname)
