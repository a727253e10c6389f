"""seccomp: which system calls a bot's process may make, as the kernel's own little programs.

The policy, in instructions of `arena.sandbox.bpf`. One filter is an allow-list with checked
arguments. Another, the gate, holds the calls that only loading needs: opening files, mapping and
looking at them, measuring the machine. Each such call waits until the parent says that it may go on
(`arena.process.pipe`); once the parent has closed its end they fail with ENOSYS, whatever the
process does. The third is a courtesy that the process does itself after loading: these calls then
fail with EPERM, an error that Python and its libraries can handle. A bot that gets around it gets
ENOSYS. It is the only filter that a bot's process can add, since another could have the kernel log
each call: it is kept in a page that the allow-list keeps from any change.

A call that is not allowed fails with EPERM, so that libraries may try and find out; one that is
never made by accident kills the process. Imports the standard library and `arena.sandbox.bpf`.
"""

import ctypes
import errno
import mmap
import os
import struct
from collections.abc import Iterable

from arena.sandbox import bpf
from arena.sandbox.bpf import all_of, answer_calls, argument, check_call, none_of, one_of, refuse
from arena.sandbox.refused import Refused

ALLOWED = """
    read write poll ppoll readv writev pread64 lseek close fstat newfstatat stat lstat statx
    access faccessat faccessat2 readlink readlinkat getcwd getdents64 brk set_robust_list rseq
    sigaltstack rt_sigaction rt_sigprocmask rt_sigreturn restart_syscall select pselect6 pipe2 dup
    dup2 dup3 getrandom nanosleep gettimeofday time times getrlimit getpid getppid gettid getuid
    geteuid getgid getegid getresuid getresgid getgroups getpgrp uname sched_yield umask arch_prctl
    exit exit_group
""".split()

KILLED = """
    ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp bpf perf_event_open userfaultfd
    io_uring_setup io_uring_enter io_uring_register keyctl add_key request_key mount umount2
    move_mount fsopen fsconfig fsmount fspick open_tree mount_setattr pivot_root unshare setns
    kexec_load kexec_file_load init_module finit_module delete_module open_by_handle_at reboot
    swapon swapoff
""".split()

GATED = """
    open openat openat2 stat lstat fstat newfstatat statx access faccessat faccessat2 readlink
    readlinkat getdents getdents64 getcwd ioctl sched_getaffinity prlimit64 getrlimit times uname
    pipe2 dup dup2 dup3 fcntl
""".split()

READS = "readv read pread64"
"""Gated too, but for reading questions: a file that is read shows it by its access time, to whoever
loads next."""

QUESTIONS, ANSWERS = 3, 4  # the descriptors of both, `arena.sandbox.wire.IN_FD` and `OUT_FD`
IOCTLS = (0x5401, 0x5421, 0x541B, 0x5450, 0x5451)  # TCGETS FIONBIO FIONREAD FIONCLEX FIOCLEX
FCNTLS = (0, 1, 2, 3, 1030)  # DUPFD GETFD SETFD GETFL DUPFD_CLOEXEC
KEPT_AT, KEPT_BYTES = 1 << 20, 1 << 16  # below whatever else is mapped; one page on any machine
PRCTLS = (3, 15, 16, 0x53564D41)  # GET_DUMPABLE SET_NAME GET_NAME SET_VMA (names of memory)
ADVICES = (0, 4, 14, 15, 16, 17)  # NORMAL DONTNEED HUGEPAGE NOHUGEPAGE DONTDUMP DODUMP
"""Of madvise: nothing that moves pages of a file, merges pages of processes, or leaves it to the
machine's need of memory when a page is lost. The others fail as on a kernel that has not got them.
"""
POOLS = 1 << 18 | 1 << 3  # HUGETLB DROPPABLE: flags for memory that all processes draw from
SHARED, FIXED, ANONYMOUS = 1 << 0, 1 << 4, 1 << 5  # flags too: with others; just there; of no file
MREMAP_FIXED = 1 << 1
O_PATH = 0o10000000
O_CHANGES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | 0o20000000  # TMPFILE
FUTEXES = (128, 129, 137, 138, 393)  # private: WAIT WAKE WAIT_BITSET (also by REALTIME) WAKE_BITSET
STOPS = (19, 20, 21, 22)  # SIGSTOP SIGTSTP SIGTTIN SIGTTOU: others do that to it
CLOCKS = 16  # ids from there on are other processes' clocks
SET_MODE_FILTER, NEW_LISTENER = 1, 1 << 3

_UNTAGGED = 0x00FFFFFF  # of the high half of an address: the kernel ignores a tag in the rest
_NOREPLACE = 1 << 20  # MAP_FIXED_NOREPLACE
_PROGRAM = struct.Struct("@HP")  # struct sock_fprog: instructions, where they are

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long
_LIBC.mmap.restype = ctypes.c_void_p
_LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]


def allow_list(abi: int) -> bpf.Program:
    """The filter of the calls that a bot may ever make, for Landlock of that ABI.

    Before ABI 3 Landlock lets a file be truncated: then files are opened for reading only. Raises
    LookupError on machines other than x86_64 and aarch64.
    """
    opening = O_PATH if abi >= 3 else O_PATH | O_CHANGES
    own_pid = one_of(0, [bpf.OWN_PID])
    own_filter = all_of(one_of(0, [SET_MODE_FILTER]), one_of(1, [0]), bpf.is_word(2, KEPT_AT))
    own_limits = all_of(one_of(0, [0, bpf.OWN_PID]), bpf.is_word(2, 0))  # and no new ones
    clocks = "clock_gettime clock_getres clock_nanosleep"
    return bpf.assemble(
        [
            *answer_calls(ALLOWED, bpf.ALLOW),
            *check_call("openat", bpf.no_bit(2, opening), errno.EACCES),
            *check_call("open", bpf.no_bit(1, opening), errno.EACCES),
            *check_call("ioctl", one_of(1, IOCTLS), errno.ENOTTY),
            *check_call("fcntl", one_of(1, FCNTLS), errno.EPERM),
            *check_call("futex", one_of(1, FUTEXES), errno.EPERM),  # others' wait at files too
            *check_call("mmap", all_of(_of_its_own(), _fixed_above(0, 3, FIXED))),
            *check_call("munmap mprotect", _above(0), errno.EPERM),
            *check_call("mremap", all_of(_above(0), _fixed_above(4, 3, MREMAP_FIXED))),
            *check_call("madvise", [*all_of(_above(0)), *one_of(2, ADVICES)], errno.EINVAL),
            *check_call("prctl", one_of(0, PRCTLS), errno.EPERM),
            *check_call("kill", all_of(own_pid, none_of(1, STOPS))),
            *check_call("tgkill", all_of(own_pid, none_of(2, STOPS))),
            *check_call("sched_getaffinity", one_of(0, [0, bpf.OWN_PID]), errno.EPERM),
            *check_call("seccomp", own_filter),
            *check_call("prlimit64", own_limits),
            *check_call(clocks, bpf.below(0, CLOCKS), errno.EINVAL),
            *answer_calls(["clone3"], bpf.ERRNO | errno.ENOSYS),  # libc then tries clone: refused
            *answer_calls(KILLED, bpf.KILL),
            *refuse(errno.EPERM),
        ]
    )


def gate() -> bpf.Program:
    """The filter of the calls for loading alone. Raises LookupError likewise."""
    return bpf.assemble([*_for_loading(bpf.NOTIFY), bpf.PASS])


def courtesy() -> bpf.Program:
    """The filter under which the calls for loading fail with EPERM. Raises LookupError likewise."""
    refusal = bpf.ERRNO | errno.EPERM
    return bpf.assemble([*_for_loading(refusal), *answer_calls(["seccomp"], refusal), bpf.PASS])


def install(code: bytes | bytearray, flags: int = 0) -> int:
    """Put this process under a filter, for ever. With NEW_LISTENER return the descriptor of its
    listener.

    Needs no_new_privs. Raises OSError: EBUSY where a filter further up has a listener already.
    """
    held = (ctypes.c_char * len(code)).from_buffer_copy(code)
    return _load(_PROGRAM.pack(len(code) // 8, ctypes.addressof(held)), flags)


def keep(code: bytes) -> None:
    """Lay a filter where this process and its children find it, and where no process behind the
    allow-list can change it. Raises OSError.

    The address is lower than whatever else is mapped, so a call that reaches it begins there or
    below: that is all the allow-list need look at.
    """
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NOREPLACE
    at = _LIBC.mmap(KEPT_AT, KEPT_BYTES, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
    if at != KEPT_AT:
        raise Refused("mmap", ctypes.get_errno(), f"memory at {KEPT_AT:#x} cannot be had")
    program = _PROGRAM.pack(len(code) // 8, KEPT_AT + _PROGRAM.size) + code
    ctypes.memmove(KEPT_AT, program, len(program))
    if _LIBC.mprotect(ctypes.c_void_p(KEPT_AT), KEPT_BYTES, mmap.PROT_READ) != 0:
        raise Refused("mprotect", ctypes.get_errno())


def install_kept() -> None:
    """Put this process under the kept filter, for ever. Raises OSError."""
    _load(ctypes.c_void_p(KEPT_AT), 0)


def _load(program: bytes | ctypes.c_void_p, flags: int) -> int:
    number = ctypes.c_long(bpf.number_of("seccomp") or 0)
    result = int(_LIBC.syscall(number, SET_MODE_FILTER, flags, program))
    if result < 0:
        raise Refused("seccomp", ctypes.get_errno())
    return result


def _for_loading(result: int) -> Iterable[bpf.Instruction]:
    """Answer with `result` the calls that only loading needs.

    The number of a process's descriptors is visible to others in /proc: so that too is settled by
    then.
    """
    refusal: bpf.Instruction = (bpf.RETURN, 0, 0, result)
    # first, for a message takes one: with its check it costs 70 ns more
    yield from check_call(READS, [*one_of(0, [QUESTIONS]), refusal])
    yield from answer_calls(GATED, result)
    yield from check_call("mmap", [*argument(3), (bpf.ANY_BIT, 1, 0, ANONYMOUS), refusal])
    yield from check_call("close", [*one_of(0, [QUESTIONS, ANSWERS]), refusal])


def _of_its_own() -> list[bpf.Instruction]:
    """Test mmap: refuse pools, and memory that is shared and belongs to no file, which takes the
    machine's next inode number.
    """
    return [
        *argument(3),
        (bpf.ANY_BIT, 2, 0, POOLS),
        (bpf.ANY_BIT, 0, 2, ANONYMOUS),
        (bpf.ANY_BIT, 0, 1, SHARED),
    ]


def _above(index: int) -> list[bpf.Instruction]:
    return [
        *bpf.high(index),
        (bpf.MASK, 0, 0, _UNTAGGED),
        (bpf.EQUAL, 0, 3, 0),
        *argument(index),
        (bpf.ABOVE, 1, 0, KEPT_AT + KEPT_BYTES),
    ]


def _fixed_above(index: int, flags: int, fixed: int) -> list[bpf.Instruction]:
    """Test that an address is above the kept filter, where the flags make the address binding."""
    test = _above(index)
    return [*argument(flags), (bpf.ANY_BIT, 0, len(test) + 1, fixed), *test]
