"""A script that somebody sends, to the playground or by way of an assistant: text only, with a deadline and a memory limit for all of it.

This runs in a worker process of `budget`, which is killed at the deadline. Statements that are heavy go to a process of their own all the
same, each with half of the time that is left, so that one which takes too long costs itself and not the script. What is sent is never
taken for the name of a file.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from headwater.analysis import dialects_of, first_session, script_lineage
from headwater.budget import Budget, Resolved, resolved
from headwater.catalog import Catalog, CatalogError
from headwater.catalog.source import ddl_catalog, inline_catalog
from headwater.lineage.lineage import Lineage
from headwater.resolve import Session
from headwater.sql.dialect import Dialect
from headwater.sql.statement import Statement

_STATEMENT_SHARE = 0.6
"""A script may take one and a half times as long as a statement, which then is nine tenths of all its time."""
_USUAL_RECURSION = 1000
"""Python's own limit: a worker has raised it, which would make every larger statement a heavy one."""


class SentScript(NamedTuple):
    """A script, how it is to be read, and what that may take."""

    text: str
    dialect: str
    schema: str
    """JSON or DDL."""
    default_schema: str | None
    ambiguous: str
    timeout: float
    """Seconds for all of it."""
    memory: int
    """Megabytes."""

    def lineage(self) -> Lineage:
        """Its lineage; raises `CatalogError` and `UnknownDialect`, which are `ValueError`s, where it cannot be read as is said."""
        deadline = time.monotonic() + self.timeout
        with _usual_recursion():
            dialects = dialects_of(self.dialect)
            catalog = catalog_in(self.schema, dialects[0])
            session = first_session(catalog, self.default_schema, dialects, "static", self.ambiguous)

            def resolve(statement: Statement, dialects: Sequence[Dialect], session: Session) -> Iterable[Resolved]:
                left = max((deadline - time.monotonic()) / 2, 0.1)
                return resolved(statement, dialects, session, Budget(left, self.memory))

            return script_lineage(self.text, dialects, session, None, resolve, self._budget)[0]

    @property
    def _budget(self) -> Budget:
        """What a statement may cost, so that the script as a whole ends before its process is killed."""
        return Budget(self.timeout * _STATEMENT_SHARE, self.memory)


def catalog_in(text: str, dialect: Dialect) -> Catalog:
    """The catalog in a text that begins like JSON, or else is DDL; raises `CatalogError`."""
    if not text.strip():
        return Catalog()
    try:
        if text.lstrip().startswith(("{", "[")):
            return inline_catalog(text)
        return ddl_catalog(text, dialect)
    except CatalogError as error:
        raise CatalogError(
            f"the schema cannot be used: {error}; give a JSON object or CREATE TABLE statements"
        ) from error
    except RecursionError as error:
        raise CatalogError("the schema cannot be used: it is nested too deeply") from error


@contextmanager
def _usual_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(min(before, _USUAL_RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
