"""macOS and Windows, simulated in a child on Linux: what they lack is gone before arena is loaded.

typeshed, which mypy brings along, says by `sys.platform` which names exist where. Packages are
loaded before: they have code of their own for it. `os.name`, the separators and the line ends stay.
"""

import ast
import builtins
import ctypes
import errno
import fcntl
import importlib
import io
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import mypy

from tests.places import ROOT

MACOS, WINDOWS = "darwin", "win32"  # as `sys.platform` has them

STUBS = Path(mypy.__file__).parent / "typeshed" / "stdlib"
MODULES = (
    "curses", "fcntl", "grp", "mmap", "os", "pty", "pwd", "readline", "resource", "select",
    "signal", "socket", "syslog", "termios", "time", "tty",
)  # fmt: skip
NOT_IN_STUBS: dict[str, dict[str, list[str]]] = {MACOS: {}, WINDOWS: {"curses": []}}
"""What typeshed does not say (https://docs.python.org/3/howto/curses.html)."""

SYMBOLS = ("capget", "capset", "prctl")  # of Linux's C library, and not of macOS's

PACKAGES = (
    "concurrent.futures.process", "importlib.metadata", "importlib.resources", "jinja2.debug",
    "msgspec", "multiprocess.connection", "multiprocess.heap", "multiprocess.popen_spawn_posix",
    "multiprocess.sharedctypes", "multiprocessing.connection",
    "multiprocessing.popen_spawn_posix", "multiprocessing.resource_tracker", "numpy",
    "pyarrow.parquet", "pydantic", "rich.live", "rich.markdown", "sqlite3", "subprocess",
    "sysconfig", "tabulate", "tempfile", "trueskill", "typer.main", "typer.rich_utils",
)  # fmt: skip


def names_in(module: str, system: str) -> set[str]:
    """Return the public names that a module of the standard library has on a system."""
    seen = {"sys": SimpleNamespace(platform=system, version_info=sys.version_info)}

    def names(body: Sequence[ast.stmt]) -> Iterator[str]:
        for node in body:
            match node:
                case ast.If():
                    is_met = eval(ast.unparse(node.test), seen)
                    yield from names(node.body if is_met else node.orelse)
                case ast.FunctionDef(name) | ast.ClassDef(name):
                    yield name
                case ast.AnnAssign(ast.Name(name)) | ast.Assign([ast.Name(name)]):
                    yield name
                case ast.ImportFrom(source, [ast.alias("*")]):
                    yield from names_in(source or "", system)
                case ast.ImportFrom():
                    yield from (alias.asname for alias in node.names if alias.asname)

    file = STUBS / f"{module}.pyi"
    text = (file if file.exists() else STUBS / module / "__init__.pyi").read_text("utf-8")
    return {name for name in names(ast.parse(text).body) if not name.startswith("_")}


def lacking(system: str) -> dict[str, list[str]]:
    """Return by module which names a system lacks; none of a module that it lacks as a whole."""
    gone: dict[str, list[str]] = {**NOT_IN_STUBS[system]}
    for module in MODULES:
        here, there = names_in(module, "linux"), names_in(module, system)
        if here - there:
            gone[module] = sorted(here - there) if there else []
    return gone


class Run(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str  # a traceback too, where the command line let an exception through


def run(system: str, commands: Sequence[Sequence[str]], cwd: Path) -> list[Run]:
    """Run commands one after the other, in a child that takes this machine for another system."""
    child = "from tests.other_systems import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", child], input=json.dumps([system, lacking(system), commands]),
        capture_output=True, check=False, cwd=cwd, text=True,
        env={**os.environ, "COLUMNS": "80", "PYTHONPATH": str(ROOT),
             "HOME": str(cwd.parent / ".home"),
             # copies of bots that nothing locks, as on Windows, others would take for abandoned
             "TMPDIR": str(cwd.parent)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [Run(*each) for each in json.loads(done.stdout)]


def main() -> None:
    """Run the commands that stdin has, and print what they did."""
    system, gone, commands = json.load(sys.stdin)
    for package in PACKAGES:
        importlib.import_module(package)
    for tracker in ("multiprocess.resource_tracker", "multiprocessing.resource_tracker"):
        importlib.import_module(tracker).ensure_running()  # by what Windows lacks
    sysconfig.get_config_vars()  # from a file that is named after the system
    become(system, gone)
    print(json.dumps([told(words, system) for words in commands]), file=sys.__stdout__)


def become(system: str, gone: Mapping[str, Sequence[str]]) -> None:
    """Take from this process what a system lacks."""
    socket.socketpair = partial(socket.socketpair, socket.AF_UNIX)
    for loaded in [loaded for name, loaded in sys.modules.items() if name.startswith("multiproc")]:
        for used in {"os", "signal"} & vars(loaded).keys():
            setattr(loaded, used, SimpleNamespace(**vars(sys.modules[used])))  # as it is here
    for module, names in gone.items():
        if not names:
            sys.modules[module] = None  # type: ignore[assignment]
        for name in names:
            vars(importlib.import_module(module)).pop(name, None)
    sys.platform = system
    platform.system = lambda: {MACOS: "Darwin", WINDOWS: "Windows"}[system]
    for opens in (builtins, io, os):
        opens.open = _without_kernel_files(opens.open, system)  # type: ignore[attr-defined]
    ctypes.CDLL = _without_symbols(system)  # type: ignore[misc]
    tempfile._O_TMPFILE_WORKS = False  # type: ignore[attr-defined]
    if system == WINDOWS:
        shutil._use_fd_functions = False  # type: ignore[attr-defined]
        flock, alone = fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB
        locks = SimpleNamespace(LK_NBLCK=2, locking=lambda fd, mode, size: flock(fd, alone))
        sys.modules["msvcrt"] = locks  # type: ignore[assignment]


def _without_kernel_files(really: Callable[..., Any], system: str) -> Callable[..., Any]:
    def opened(path: Any, *given: Any, **named: Any) -> Any:
        text = path if isinstance(path, int) else os.fspath(path)
        if isinstance(text, str) and text.startswith(("/proc/", "/sys/")):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), text)
        is_path = not isinstance(text, int) and not named.get("opener")  # tempfile opens another
        if system == WINDOWS and is_path and os.path.isdir(text):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), text)
        return really(path, *given, **named)

    return opened


def _without_symbols(system: str) -> type[ctypes.CDLL]:
    class Library(ctypes.CDLL):
        def __init__(self, name: str | None, *given: Any, **named: Any) -> None:
            if system == WINDOWS and name is None:
                raise TypeError("LoadLibrary() argument 1 must be str, not None")
            super().__init__(name, *given, **named)

        def __getattr__(self, name: str) -> Any:
            if name in SYMBOLS:
                raise AttributeError(f"dlsym(RTLD_DEFAULT, {name}): symbol not found")
            return super().__getattr__(name)

    return Library


def told(words: Sequence[str], system: str) -> Run:
    """Run a command in this process."""
    encoding = "cp1252" if system == WINDOWS else "utf-8"  # of what goes through a pipe
    out = io.TextIOWrapper(io.BytesIO(), encoding, write_through=True)
    err = io.TextIOWrapper(io.BytesIO(), encoding, "backslashreplace", write_through=True)
    sys.argv, sys.stdin = ["arena", *words], io.TextIOWrapper(io.BytesIO())
    sys.stdout, sys.stderr = out, err
    code = 0
    try:
        from arena.__main__ import main as arena

        arena()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        code = 1
        traceback.print_exc()
    finally:
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    return Run(code, *(stream.detach().getvalue().decode() for stream in (out, err)))
