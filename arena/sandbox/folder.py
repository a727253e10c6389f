"""The package that a bot's folder is: `import helper` and `from . import helper` are one module.

In `sys.modules` it has its plain name, which pickles and messages show, and that of a module of the
package `this_bot`, by which relative imports find it. The package itself is empty: a folder's own
`__init__.py` is not run, since the bot is `bot.py`. Imports the standard library alone.
"""

import os
import sys
from collections.abc import Callable
from functools import partial
from importlib.machinery import FileFinder, ModuleSpec, NamespaceLoader, PathFinder
from importlib.util import module_from_spec
from pkgutil import get_importer
from types import ModuleType
from typing import Any, NamedTuple

PACKAGE = "this_bot"


def load(file: str, source: bytes, is_folder: bool) -> ModuleType:
    """Execute a bot's main file as the module `bot`. Raises whatever the bot raises."""
    if is_folder:
        folder = os.path.dirname(file)
        package = ModuleSpec(PACKAGE, _without_code(PACKAGE, [folder]))
        package.submodule_search_locations = [folder]
        sys.modules[PACKAGE] = module_from_spec(package)
        sys.meta_path.insert(0, _OwnFinder(folder))
    name = f"{PACKAGE}.bot" if is_folder else "bot"
    module = module_from_spec(ModuleSpec(name, None))
    module.__name__, module.__file__ = "bot", file
    sys.modules["bot"] = sys.modules[name] = module
    code = compile(source, file, "exec")  # the source, never a stale .pyc
    exec(code, module.__dict__)
    return module


class _OwnFinder(NamedTuple):
    """Finds the modules in a bot's folder by either name, as Python's import system asks."""

    folder: str

    def find_spec(self, name: str, paths: Any, target: Any = None) -> ModuleSpec | None:
        """`paths` are those of the package that the name is in, if any."""
        path = self.folder if paths is None else next(iter(paths), "")
        finder = get_importer(path)
        if not f"{path}/".startswith(f"{self.folder}/") or not isinstance(finder, FileFinder):
            return None
        plain = short = name.removeprefix(f"{PACKAGE}.")
        if sys.modules.get(plain, target) is not target:  # Python's own `random`, say
            short = f"{PACKAGE}.{plain}"
        spec = finder.find_spec(short, target)
        if spec and not spec.loader and paths is None:  # no `__init__.py`: what is installed first
            installed = PathFinder.find_spec(name)
            spec = None if installed and installed.loader else spec
        if spec:
            loader: Any = spec.loader or _without_code(name, spec.submodule_search_locations or [])
            spec.name, spec.loader = f"{PACKAGE}.{plain}", loader
            loader.exec_module = partial(_load, loader.exec_module, short, spec.name)
        return spec


_without_code = partial(NamespaceLoader, path_finder=lambda *_: None)


def _load(run: Callable[[ModuleType], object], plain: str, full: str, module: ModuleType) -> None:
    """Execute a module that has both names from its first line on."""
    module.__name__ = plain
    sys.modules[plain] = module
    try:
        run(module)
    except BaseException:
        sys.modules.pop(plain, None)
        raise
    sys.modules[full] = sys.modules.get(plain, module)  # a module may put another in its place


_PYTHONS = NamespaceLoader.exec_module.__code__.co_filename
_load.__code__ = _load.__code__.replace(co_filename=_PYTHONS)  # which tracebacks leave out
