"""Landlock: the files a process may read; it may do nothing else to any.

The kernel's three system calls by number (they are the same on every machine), and the rights of
each version of its interface (ABI), from `linux/landlock.h`.
"""

import ctypes
import errno
import os
import struct
from collections.abc import Mapping

from arena.sandbox.refused import Refused

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_CALLS = {_CREATE: "create_ruleset", _ADD_RULE: "add_rule", _RESTRICT: "restrict_self"}
_VERSION = 1  # flag of _CREATE: say the ABI
_PATH_BENEATH = 1
_UNLOGGED = 1 << 0  # flag of _RESTRICT: LANDLOCK_RESTRICT_SELF_LOG_SAME_EXEC_OFF

WRITE_FILE, READ_FILE, READ_DIR = 1 << 1, 1 << 2, 1 << 3
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_FIRST_RIGHTS = (1 << 13) - 1  # of ABI 1: execute, read, write, and making and removing anything
_TCP = 0b11  # bind and connect, from ABI 4
_SCOPES = 0b11  # abstract sockets and signals stay inside, from ABI 6

MISSING = {
    errno.ENOSYS: "this kernel has no Landlock; use Linux 5.13 or newer with Landlock built in",
    errno.EOPNOTSUPP: "Landlock is disabled; boot the kernel with lsm=landlock,...",
    errno.EPERM: "the container's seccomp profile blocks Landlock; use a container "
    "runtime from 2022 or later",
}

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long


def abi() -> int:
    """The version of the kernel's Landlock, 1 or more. Raises OSError if there is none."""
    return _call(_CREATE, None, 0, _VERSION)


def ruleset(version: int, grants: Mapping[str, int]) -> int:
    """Make rules that grant these rights by path, to a file or all beneath a folder, and nothing
    else; return their descriptor. Raises OSError.

    Paths that are not there are left out: Python looks for libraries in more places than exist.
    """
    every = _FIRST_RIGHTS
    for since, right in ((2, REFER), (3, TRUNCATE), (5, IOCTL_DEV)):
        if version >= since:
            every |= right
    attributes = struct.pack("<Q", every)
    if version >= 4:
        attributes += struct.pack("<Q", _TCP)
    if version >= 6:
        attributes += struct.pack("<Q", _SCOPES)
    rules = _call(_CREATE, attributes, len(attributes), 0)
    for path, rights in grants.items():
        try:
            beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except (FileNotFoundError, NotADirectoryError):
            continue
        if not os.path.isdir(path):
            rights &= ~READ_DIR
        given = struct.pack("<Qi", rights & every, beneath)
        _call(_ADD_RULE, rules, _PATH_BENEATH, given, 0)
        os.close(beneath)
    return rules


def restrict(rules: int, version: int) -> None:
    """Put this process under the rules, for ever. Needs no_new_privs. Raises OSError.

    What they deny is not logged: before ABI 7 nothing is, from there on unless one says so.
    """
    _call(_RESTRICT, rules, _UNLOGGED if version >= 7 else 0)


def _call(number: int, *arguments: object) -> int:
    given = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = int(_LIBC.syscall(ctypes.c_long(number), *given))
    if result < 0:
        error = ctypes.get_errno()
        raise Refused(f"landlock_{_CALLS[number]}", error, MISSING.get(error, ""))
    return result
