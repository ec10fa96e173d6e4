"""GoogleSQL's analyzer as WebAssembly: the module that the `zetasql` package holds, compiled once per machine, and calls into it.

The package's own client compiles the module at every start, which takes most of a minute and a gigabyte, and copies bytes one by one; so
only its module and its messages are used. This is for a process of its own: the module is not safe in threads, and may abort.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import platform
import sys
import tempfile
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_SIZE = 4
"""Bytes of a size in 32-bit WebAssembly."""
_CACHE = "XDG_CACHE_HOME"


class AnalyzerError(Exception):
    """What the analyzer answers in the place of a result; the message is its own."""


class Wasm:
    """The instantiated module."""

    def __init__(self) -> None:
        import wasmtime

        settings = wasmtime.Config()
        settings.shared_memory = True
        engine = wasmtime.Engine(settings)
        self._store: Any = wasmtime.Store(engine)
        self._store.set_wasi(_world())
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        exports: Any = linker.instantiate(self._store, _module(engine)).exports(self._store)
        self._exports = exports
        if "_initialize" in self._exports:
            self._exports["_initialize"](self._store)
        self._memory: Any = exports["memory"]

    def call(self, method: str, request: bytes) -> bytes:
        """The answer of one of the service's methods; `AnalyzerError` if it has none."""
        sent, size = self._taken(len(request)), self._taken(_SIZE)
        try:
            ctypes.memmove(self._address(sent), request, len(request))
            answer = self._run(f"ZetaSqlLocalService_{method}", sent, len(request), size)
            if not answer:
                raise AnalyzerError(self._last_error())
            content = self._bytes(answer, int.from_bytes(self._bytes(size, _SIZE), "little"))
            self._run("wasm_free", answer)
            return content
        finally:
            self._run("wasm_free", sent)
            self._run("wasm_free", size)

    def _run(self, name: str, *arguments: int) -> Any:
        return self._exports[name](self._store, *arguments)

    def _taken(self, size: int) -> int:
        place = int(self._run("wasm_malloc", size))
        if not place:
            raise MemoryError
        return place

    def _address(self, place: int) -> int:
        """Where a place in the module's memory is in ours, until the memory grows."""
        return int(ctypes.addressof(self._memory.data_ptr().contents)) + place

    def _bytes(self, place: int, size: int) -> bytes:
        return ctypes.string_at(self._address(place), size)

    def _last_error(self) -> str:
        size = self._run("wasm_get_last_error_size")
        said = self._bytes(self._run("wasm_get_last_error"), size).decode("utf-8", "replace") if size else ""
        return said.partition(", Message: ")[2] or said


def _world() -> Any:
    """What the module sees of the machine: time zones, nothing else."""
    import wasmtime

    world = wasmtime.WasiConfig()
    package = find_spec("tzdata")
    for folder in package.submodule_search_locations or () if package is not None else ():
        world.preopen_dir(os.path.join(folder, "zoneinfo"), "/usr/share/zoneinfo", False)
    return world


def _module(engine: Any) -> Any:
    """The module as machine code: from the cache, else compiled and, if the folder can be written, kept there."""
    import wasmtime
    from zetasql.wasi import get_wasm_path

    kept = compiled_path()
    with suppress(OSError, wasmtime.WasmtimeError):
        if kept is not None and kept.is_file():
            return wasmtime.Module.deserialize_file(engine, str(kept))
    module = wasmtime.Module.from_file(engine, str(get_wasm_path()))
    if kept is not None:
        _keep(module.serialize(), kept)
    return module


def compiled_path() -> Path | None:
    """Where the compiled module is kept: by the versions of the package and of the compiler, and by the processor it is for."""
    base = os.environ.get(_CACHE, "")
    with suppress(RuntimeError):
        folder = Path(base) if os.path.isabs(base) else Path.home() / ".cache"
        kind = (platform.system(), platform.machine(), platform.processor(), str(sys.maxsize))
        machine = hashlib.sha256("\n".join(kind).encode()).hexdigest()[:12]
        name = f"zetasql-{metadata.version('zetasql')}-wasmtime-{metadata.version('wasmtime')}-{machine}.cwasm"
        return folder / "headwater" / name
    return None


def _keep(code: bytes | bytearray, path: Path) -> None:
    """Write a file that is whole or not there; whoever cannot write does without."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(code)
            os.replace(name, path)
        except OSError:
            with suppress(OSError):
                os.unlink(name)
            raise
