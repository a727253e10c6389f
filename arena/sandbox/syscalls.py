"""The numbers of the system calls that `arena.sandbox.seccomp` speaks of, by machine.

They are the kernel's: of `asm/unistd.h` for x86_64, of `asm-generic/unistd.h` for aarch64; a test
compares them with the headers where they are installed. Standard library alone.
"""

import platform

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
        raise LookupError(f"no system call table for {name}: there is x86_64 and aarch64")
    return ARCHITECTURES[name]


def number_of(name: str) -> int | None:
    """A system call's number here, None where there is no such call. Raises LookupError."""
    column, _ = machine()
    return NUMBERS[name][column]
