"""What an exercise brings into the box beside its code: files in `data/`, and modules to import from `provided`.

They are put in place before a module is loaded. Each load puts them there again, so that nothing that an earlier module
did to them lasts; a submission has its box to itself.
"""

import os
import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

from graders.inside.values import know_dtypes

HOME = "/box"  # the working folder
PACKAGE = "provided"
_provided: set[str] = set()  # names of modules that were provided in this process


def put_in_place(data: dict[str, Any], provided: dict[str, str]) -> None:
    """`data`: bytes as arrays, by path below the working folder. `provided`: sources, by the modules' names."""
    finder = _Provided(provided)
    _forget(finder.sources)
    if provided:
        sys.meta_path.insert(0, finder)
    if data:
        os.chdir(HOME)
        if os.path.lexists("data"):
            import shutil  # most boxes do not need it: see COMMON in zygote.py

            shutil.rmtree("data", ignore_errors=True)
        for path, content in data.items():
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444), "wb") as file:  # read-only
                file.write(content.tobytes())


def _forget(names: Iterable[str]) -> None:
    """Take away what was provided before, and whatever else has one of these `names`.

    By name: a look through `sys.modules` changes the reference count of each of a framework's two thousand names, and
    so copies the pages in which they lie.
    """
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Provided)]
    _provided.update(names)
    for name in _provided:
        sys.modules.pop(name, None)


class _Provided:
    """Imports `provided.tree` from its source. No file is needed, nor a folder from which anything is imported.

    A finder and a loader of Python's import system, without the base classes in `importlib.abc`: see COMMON
    in zygote.py.
    """

    def __init__(self, sources: dict[str, str]) -> None:
        self.sources = {PACKAGE: "", **{f"{PACKAGE}.{name}": source for name, source in sources.items()}}

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname not in self.sources:
            return None
        made: Any = self  # it has a loader's methods, not its base class
        return ModuleSpec(fullname, made, origin=self._origin(fullname), is_package=self.is_package(fullname))

    def create_module(self, spec: ModuleSpec) -> None:
        """An ordinary module will do."""

    def exec_module(self, module: ModuleType) -> None:
        know_dtypes(self.sources[module.__name__])
        exec(self.get_code(module.__name__), module.__dict__)

    def is_package(self, fullname: str) -> bool:
        return fullname == PACKAGE

    def get_source(self, fullname: str) -> str:
        return self.sources[fullname]

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.sources[fullname], self._origin(fullname), "exec", dont_inherit=True)

    def _origin(self, fullname: str) -> str:
        return f"{fullname.replace('.', '/')}.py"
