"""The cache of live catalogs: a folder with one file for each database, which names it by place and holds no credentials.

A file is written aside and put in its place at once, so that whoever reads has the old one or the new one. Writers wait for each
other, and add to what the others have written. A file that is damaged, or of another version, is taken for none.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from headwater.catalog.known import Known

DEFAULT = Path(".headwater") / "catalog"
"""Where the cache is, below the project's folder."""
TTL = 3600.0
"""Seconds for which what was read is not asked for again."""

_log = logging.getLogger(__name__)
_ENDING = ".json"
_LEFT = (_ENDING, ".lock", ".aside")
"""Endings of everything that the cache writes."""


class Kept(NamedTuple):
    """A database in the cache."""

    key: str
    known: Known
    size: int


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of what is known of databases."""

    folder: Path

    def read(self, key: str) -> Known | None:
        """What is known of a database, if anything is."""
        try:
            told = json.loads((self.folder / f"{key}{_ENDING}").read_bytes())
            return Known.of_json(told)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            _log.info("a file of the catalog cache is not used: %s", type(error).__name__)
            return None

    def add(self, key: str, known: Known) -> str:
        """Keep what is known besides what is kept; gives the reason why it cannot be kept, or nothing."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            _hide_from_git(self.folder)
            with _locked(self.folder / f"{key}.lock"):
                before = self.read(key)
                self._write(key, known if before is None else before.merged(known))
        except OSError as error:
            return f"the catalog cache in {self.folder} cannot be written: {error.strerror or type(error).__name__}"
        return ""

    def replace(self, key: str, known: Known) -> str:
        """Keep what is known, and nothing else of that database."""
        with suppress(OSError):
            (self.folder / f"{key}{_ENDING}").unlink()
        return self.add(key, known)

    def _write(self, key: str, known: Known) -> None:
        aside = self.folder / f"{key}.{uuid4().hex}.aside"
        try:
            aside.write_text(json.dumps(known.as_json()), encoding="utf-8")
            os.replace(aside, self.folder / f"{key}{_ENDING}")
        finally:
            aside.unlink(missing_ok=True)

    def entries(self) -> Iterator[Kept]:
        """Every database that is in the cache."""
        for file in sorted(self.folder.glob(f"*{_ENDING}")):
            known = self.read(file.stem)
            if known is not None:
                yield Kept(file.stem, known, file.stat().st_size)

    def clear(self) -> int:
        """Throw everything away; gives how many databases there were."""
        found = sorted(file for file in self.folder.glob("*") if file.suffix in _LEFT)
        for file in found:
            file.unlink(missing_ok=True)
        return sum(file.suffix == _ENDING for file in found)


def _hide_from_git(folder: Path) -> None:
    """A cache is nobody else's business: git is told to leave it out."""
    rule = folder / ".gitignore"
    if not rule.exists():
        rule.write_text("*\n", encoding="utf-8")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Wait until no other process writes; where the system has no such lock, the last writer wins."""
    with path.open("a") as file:
        try:
            import fcntl
        except ImportError:
            yield
            return
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
