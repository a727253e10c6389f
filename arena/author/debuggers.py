"""Debuggers that a bot can be looked at with: pdb, whatever is built on it, or an editor's."""

import bdb
import importlib
import importlib.util
import pdb
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partialmethod
from types import CodeType, TracebackType
from typing import Any

from arena.errors import UsageError

HOST = "127.0.0.1"


@contextmanager
def _no_rc_file() -> Iterator[None]:
    """Have no `.pdbrc` of the home or the folder run, not by pdb's command `debug` either: it makes
    a debugger of its own.
    """
    made = pdb.Pdb.__init__
    setattr(pdb.Pdb, "__init__", partialmethod(made, readrc=False))  # noqa: B010
    try:
        yield
    finally:
        setattr(pdb.Pdb, "__init__", made)  # noqa: B010


class Pdb:
    """Python's own debugger, or a class that is built on it."""

    def __init__(self, kind: type[pdb.Pdb]) -> None:
        self.name = "pdb" if kind is pdb.Pdb else kind.__qualname__
        self._kind = kind

    @_no_rc_file()
    def post_mortem(self, trace: TracebackType) -> None:
        """Look at where an exception came from."""
        debugger = self._kind()
        debugger.reset()
        debugger.interaction(None, trace)

    @_no_rc_file()
    def call(self, function: Callable[..., Any], *given: Any) -> Any:
        """Return what the function does, having stopped at its first line. Raises BdbQuit where
        the user leaves.
        """
        debugger = self._new()
        reply = debugger.runcall(function, *given)
        self._check(debugger)
        return reply

    @_no_rc_file()
    def run(self, code: CodeType, names: dict[str, Any]) -> None:
        """Execute a module's code, having stopped at its first line. Raises BdbQuit likewise."""
        debugger = self._new()
        debugger.run(code, names)
        self._check(debugger)

    def _new(self) -> Any:
        """Return a debugger that notes whether the user leaves: it keeps its BdbQuit to itself."""

        class Noting(self._kind):  # type: ignore[misc, name-defined]
            left = False

            def set_quit(self) -> None:
                self.left = True
                super().set_quit()

        return Noting()

    def _check(self, debugger: Any) -> None:
        if debugger.left:
            raise bdb.BdbQuit


class Editor:
    """An editor's debugger, which has attached itself by debugpy."""

    name = "the editor"

    def __init__(self, debugpy: Any) -> None:
        self._debugpy = debugpy

    def call(self, function: Callable[..., Any], *given: Any) -> Any:
        """Return what the function does, having stopped before it: one step in."""
        self._debugpy.breakpoint()
        return function(*given)

    def run(self, code: CodeType, names: dict[str, Any]) -> None:
        """Execute a module's code, having stopped before it: one step in."""
        self._debugpy.breakpoint()
        exec(code, names)


Debugger = Pdb | Editor


def pdb_of(given: str | None) -> Pdb:
    """Return Python's debugger, or the class that `MODULE:CLASS` names. Raises UsageError."""
    if given is None:
        return Pdb(pdb.Pdb)
    module, _, name = given.partition(":")
    if not module or not name:
        raise UsageError(f"--pdbcls: found {given!r}; it takes MODULE:CLASS, such as pdb:Pdb")
    try:
        found: Any = importlib.import_module(module)
    except ImportError as error:
        raise UsageError(f"--pdbcls: {module} cannot be imported ({error}); install it") from None
    for part in name.split("."):
        found = getattr(found, part, None)
    if not (isinstance(found, type) and issubclass(found, pdb.Pdb)):
        raise UsageError(
            f"--pdbcls: {module} has no debugger {name}; it takes a class like pdb.Pdb"
        )
    return Pdb(found)


def check_editor() -> None:
    """Raise UsageError where debugpy is not installed."""
    if importlib.util.find_spec("debugpy") is None:
        raise UsageError(
            "--debugpy: debugpy is not installed; `pip install debugpy`, or leave the "
            "option out for pdb"
        )


def editor_on(port: int, waits: Callable[[str], None]) -> Editor:
    """Return an editor's debugger, once it has attached itself to a port of this machine; `waits`
    is told where it is awaited. debugpy is installed. Raises UsageError where nobody may listen.
    """
    debugpy: Any = importlib.import_module("debugpy")
    try:
        debugpy.listen((HOST, port))
    except (OSError, OverflowError, RuntimeError) as error:
        raise UsageError(f"--listen: {HOST}:{port}: {error}; take another port") from None
    waits(f"{HOST}:{port}")
    debugpy.wait_for_client()
    return Editor(debugpy)
