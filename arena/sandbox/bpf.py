"""Filters for seccomp, assembled by hand: the kernel's own little programs, no library needed.

A test of an argument is a list of instructions that skips one if the call is fine and falls through
if not: so what comes next refuses it, and what comes after that allows it, or tests on. What is
allowed is decided elsewhere (`arena.sandbox.seccomp`). System calls go by name here: their numbers
are the kernel's, of `asm/unistd.h` for x86_64 and of `asm-generic/unistd.h` for aarch64; a test
compares them with the headers where they are installed. Standard library alone.
"""

import errno
import platform
import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

ALLOW, NOTIFY, ERRNO, KILL = 0x7FFF0000, 0x7FC00000, 0x00050000, 0x80000000
LOAD, EQUAL, ABOVE, ANY_BIT, MASK, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
OWN_PID = 0xFFFFFFFE  # stands for the process's own, filled in by `Program.of`

_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_X32 = 0x40000000  # x86_64 numbers from there on are the x32 calls

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, value
PASS: Instruction = (RETURN, 0, 0, ALLOW)

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine: column in the table below, and the kernel's name of it (AUDIT_ARCH)."""

# fmt: off
NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "lseek": (8, 62), "close": (3, 57), "fstat": (5, 80), "newfstatat": (262, 79),
    "stat": (4, None), "lstat": (6, None), "statx": (332, 291), "access": (21, None),
    "faccessat": (269, 48), "faccessat2": (439, 439), "readlink": (89, None),
    "readlinkat": (267, 78), "getcwd": (79, 17), "getdents64": (217, 61), "mmap": (9, 222),
    "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226), "brk": (12, 214),
    "madvise": (28, 233), "futex": (202, 98), "set_robust_list": (273, 99), "rseq": (334, 293),
    "sigaltstack": (131, 132), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139), "restart_syscall": (219, 128), "poll": (7, None),
    "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "pipe2": (293, 59),
    "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "getrandom": (318, 278), "nanosleep": (35, 101), "gettimeofday": (96, 169),
    "time": (201, None), "times": (100, 153), "getrlimit": (97, 163),
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148),
    "getresgid": (120, 150), "getgroups": (115, 158), "getpgrp": (111, None), "uname": (63, 160),
    "sched_yield": (24, 124), "sched_getaffinity": (204, 123),
    "umask": (95, 166), "arch_prctl": (158, None), "exit": (60, 93), "exit_group": (231, 94),
    "open": (2, None), "openat": (257, 56), "ioctl": (16, 29), "fcntl": (72, 25),
    "prctl": (157, 167), "prlimit64": (302, 261), "kill": (62, 129), "tgkill": (234, 131),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115),
    "seccomp": (317, 277), "clone3": (435, 435), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438),
    "kcmp": (312, 272), "bpf": (321, 280), "perf_event_open": (298, 241),
    "userfaultfd": (323, 282), "io_uring_setup": (425, 425), "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "mount": (165, 40), "umount2": (166, 39), "move_mount": (429, 429),
    "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433),
    "open_tree": (428, 428), "mount_setattr": (442, 442), "pivot_root": (155, 41),
    "unshare": (272, 97), "setns": (308, 268), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "open_by_handle_at": (304, 265), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "openat2": (437, 437), "getdents": (78, None),
}
# fmt: on
"""System call: its number on x86_64, on aarch64; None where there is no such call."""


def machine() -> tuple[int, int]:
    """This machine's column in the table, and its AUDIT_ARCH. Raises LookupError."""
    name = platform.machine()
    if name not in ARCHITECTURES:
        raise LookupError(f"no system call table for {name}; use x86_64 or aarch64")
    return ARCHITECTURES[name]


def number_of(name: str) -> int | None:
    """A system call's number here, None where there is no such call. Raises LookupError."""
    column, _ = machine()
    return NUMBERS[name][column]


class Program(NamedTuple):
    """An assembled filter."""

    code: bytes  # struct sock_filter after struct sock_filter
    pids: tuple[int, ...]  # where in it the process's own pid goes

    def of(self, pid: int) -> bytearray:
        """The code for the process with that pid."""
        code = bytearray(self.code)
        for at in self.pids:
            struct.pack_into("<I", code, at, pid)
        return code


def assemble(body: Sequence[Instruction]) -> Program:
    """Assemble a filter: only calls of our machine's architecture reach the body."""
    column, arch = machine()
    head: list[Instruction] = [
        (LOAD, 0, 0, _ARCH),
        (EQUAL, 1, 0, arch),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, _NUMBER),
    ]
    if column == 0:
        head += [(ABOVE, 0, 1, _X32), (RETURN, 0, 0, KILL)]
    whole = [*head, *body]
    code = b"".join(struct.pack("<HBBI", *instruction) for instruction in whole)
    pids = tuple(8 * at + 4 for at, (*_, value) in enumerate(whole) if value == OWN_PID)
    return Program(code, pids)


def answer_calls(names: Iterable[str], result: int) -> Iterable[Instruction]:
    """The instructions that answer the calls of these names with `result`."""
    for name in names:
        number = number_of(name)
        if number is not None:
            yield from ((EQUAL, 0, 1, number), (RETURN, 0, 0, result))


def check_call(
    names: str, test: Sequence[Instruction], refusal: int | None = None
) -> Iterable[Instruction]:
    """The instructions that answer calls by their arguments.

    `test` skips one instruction if the call is fine and falls through if not; with no `refusal` it
    holds its own.
    """
    block = [*test, *(refuse(refusal) if refusal is not None else ()), PASS]
    for name in names.split():
        number = number_of(name)
        if number is not None:
            yield from ((EQUAL, 0, len(block), number), *block)


def argument(index: int) -> list[Instruction]:
    """Load the low half of an argument: all that the kernel reads."""
    return [(LOAD, 0, 0, _ARGUMENTS + 8 * index)]


def high(index: int) -> list[Instruction]:
    """Load the high half of an argument, which the kernel reads of addresses."""
    return [(LOAD, 0, 0, _ARGUMENTS + 8 * index + 4)]


def one_of(index: int, values: Sequence[int]) -> list[Instruction]:
    """Test that an argument is one of the values."""
    tests = [(EQUAL, len(values) - at, 0, value) for at, value in enumerate(values)]
    return [*argument(index), *tests]


def none_of(index: int, values: Sequence[int]) -> list[Instruction]:
    """Test that an argument is none of the values."""
    last = len(values) - 1
    tests = [(EQUAL, last - at, int(at == last), value) for at, value in enumerate(values)]
    return [*argument(index), *tests]


def is_word(index: int, value: int) -> list[Instruction]:
    """Test that an argument is this value in all its 64 bits, as the kernel reads addresses."""
    return [*all_of(one_of(index, [value])), *high(index), (EQUAL, 1, 0, 0)]


def no_bit(index: int, bits: int) -> list[Instruction]:
    """Test that an argument has none of the bits."""
    return [*argument(index), (ANY_BIT, 0, 1, bits)]


def below(index: int, bound: int) -> list[Instruction]:
    """Test that an argument is less than the bound."""
    return [*argument(index), (ABOVE, 0, 1, bound)]


def all_of(*tests: Sequence[Instruction]) -> list[Instruction]:
    """Join tests one after another, each with its refusal."""
    return [instruction for test in tests for instruction in (*test, *refuse(errno.EPERM))]


def refuse(error: int) -> list[Instruction]:
    """Make a call fail with an error."""
    return [(RETURN, 0, 0, ERRNO | error)]
