"""Filters for seccomp, assembled by hand: the kernel's own little programs, no library needed.

A test of an argument is a list of instructions that skips one if the call is fine and falls through
if not: so what comes next refuses it, and what comes after that allows it, or tests on. What is
allowed is decided elsewhere (`arena.sandbox.seccomp`). Imports the standard library and
`arena.sandbox.syscalls`.
"""

import errno
import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.sandbox.syscalls import machine, number_of

ALLOW, NOTIFY, ERRNO, KILL = 0x7FFF0000, 0x7FC00000, 0x00050000, 0x80000000
LOAD, EQUAL, ABOVE, ANY_BIT, MASK, RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
OWN_PID = 0xFFFFFFFE  # stands for the process's own, filled in by `Program.of`

_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_X32 = 0x40000000  # x86_64 numbers from there on are the x32 calls

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, value


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


def assembled(body: Sequence[Instruction]) -> Program:
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
    pids = tuple(8 * at + 4 for at, each in enumerate(whole) if each[3] == OWN_PID)
    return Program(code, pids)


def calls(names: Iterable[str], result: int) -> Iterable[Instruction]:
    """The instructions that answer the calls of these names with `result`."""
    for name in names:
        number = number_of(name)
        if number is not None:
            yield from ((EQUAL, 0, 1, number), (RETURN, 0, 0, result))


def checked(
    name: str, test: Sequence[Instruction], refusal: int | None = None
) -> Iterable[Instruction]:
    """The instructions that answer one call by its arguments.

    `test` skips one instruction if the call is fine and falls through if not; with no `refusal` it
    holds its own.
    """
    number = number_of(name)
    if number is None:
        return
    block = [*test, *(refuse(refusal) if refusal is not None else ()), (RETURN, 0, 0, ALLOW)]
    yield (EQUAL, 0, len(block), number)
    yield from block


def argument(index: int) -> list[Instruction]:
    """Load the low half of an argument: all that the kernel reads."""
    return [(LOAD, 0, 0, _ARGUMENTS + 8 * index)]


def high(index: int) -> list[Instruction]:
    """Load the high half of an argument, which the kernel reads of addresses."""
    return [(LOAD, 0, 0, _ARGUMENTS + 8 * index + 4)]


def one_of(index: int, values: Sequence[int]) -> list[Instruction]:
    """Test that an argument is one of the values."""
    last = len(values)
    tests: list[Instruction] = [(EQUAL, last - at, 0, value) for at, value in enumerate(values)]
    return [*argument(index), *tests]


def none_of(index: int, values: Sequence[int]) -> list[Instruction]:
    """Test that an argument is none of the values."""
    last = len(values) - 1
    tests: list[Instruction] = [
        (EQUAL, last - at, int(at == last), value) for at, value in enumerate(values)
    ]
    return [*argument(index), *tests]


def below(index: int, bound: int) -> list[Instruction]:
    """Test that an argument is less than the bound."""
    return [*argument(index), (ABOVE, 0, 1, bound)]


def each_of(*tests: Sequence[Instruction]) -> list[Instruction]:
    """Join tests one after another, each with its refusal."""
    return [each for test in tests for each in (*test, *refuse(errno.EPERM))]


def refuse(error: int) -> list[Instruction]:
    """Make a call fail with an error."""
    return [(RETURN, 0, 0, ERRNO | error)]
