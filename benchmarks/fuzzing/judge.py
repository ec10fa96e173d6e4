"""One text through everything the analyser offers, in a child process that may die or hang without harm.

`Court` keeps a child, asks it about one text at a time and replaces it when it does not answer. A child reports what it
found, and how much memory it holds.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import re
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from headwater import Lineage
from material.corpus import Sql

_RECYCLED = 20_000
"""Texts after which a child is replaced; long enough to see memory grow."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What one text brought to light: `crash`, `internal-error`, `violation`, `silent`, `death`, `hang`; and where or what."""

    kind: str
    message: str

    @property
    def signature(self) -> str:
        """What two texts with the same fault have in common."""
        return f"{self.kind}: {re.sub(r'(?<=^output ).*(?= has no relation)|^.*(?= is not in the complete)', '…', self.message)}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The faults of one text, and the child's resident megabytes after it (0 if it is gone)."""

    faults: tuple[Fault, ...]
    megabytes: float


class Court:
    """Tries texts in a child process, with a deadline for each."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._context = multiprocessing.get_context("spawn")
        self._child: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None
        self._tried = 0

    def __enter__(self) -> Court:
        return self

    def __exit__(self, *_: object) -> None:
        self._dismiss()

    def judge(self, sql: Sql) -> Verdict:
        """Try one text."""
        pipe = self._ready()
        self._tried += 1
        try:
            pipe.send((sql.dialect, sql.text))
            if pipe.poll(self._deadline):
                faults, megabytes = pipe.recv()
                return Verdict(tuple(faults), megabytes)
            self._dismiss()
            return Verdict((Fault("hang", f"no answer within {self._deadline:g} s"),), 0.0)
        except (EOFError, OSError):
            child = self._child
            if child is not None:
                child.join(5)
            code = child.exitcode if child is not None else None
            self._dismiss()
            return Verdict((Fault("death", f"the process ended with status {code}"),), 0.0)

    def _ready(self) -> Connection:
        if self._tried >= _RECYCLED:
            self._dismiss()
        if self._pipe is None:
            self._pipe, theirs = self._context.Pipe()
            self._child = self._context.Process(target=_serve, args=(theirs,), daemon=True)
            self._child.start()
            theirs.close()
            self._tried = 0
        return self._pipe

    def _dismiss(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.join()
        if self._pipe is not None:
            self._pipe.close()
        self._child = self._pipe = None
        self._tried = 0


def _serve(pipe: Connection) -> None:
    sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "tests"))
    while True:
        try:
            dialect, text = pipe.recv()
        except EOFError:
            return
        pipe.send((list(_faults(dialect, text)), _resident()))


def _resident() -> float:
    """Resident megabytes of this process; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _faults(dialect: str, text: str) -> Iterator[Fault]:
    from sql_generator import SCHEMA

    for schema in (None, SCHEMA):
        try:
            yield from _asked_for_everything(dialect, text, schema)
        except Exception as error:  # noqa: BLE001 - this is what is looked for
            where = traceback.extract_tb(error.__traceback__)[-1]
            yield Fault(
                "crash", f"{type(error).__name__} in {where.name}, line {where.lineno} of {Path(where.filename).name}"
            )


_FORMATS = ("csv", "json", "sqlflow-xml", "sqlflow-json", "sqlflow-csv", "edges", "graphml", "dot")


def _asked_for_everything(dialect: str, text: str, schema: dict[str, dict[str, str]] | None) -> Iterator[Fault]:
    """Every level, every option, every format; then what the results say about themselves."""
    from headwater import analyze
    from headwater.export.json_format import to_json
    from headwater.lineage.lineage import ROWS
    from headwater.model.diagnostic import Code
    from validator import violations

    lineage = analyze(text, dialect, schema)
    for rows, literals, temporary, ends in itertools.product(ROWS, (False, True), (False, True), (False, True)):
        lineage.column_edges(rows, literals, temporary, ends)
    for temporary in (False, True):
        lineage.table_edges(temporary)
    for relation in lineage.relations:
        hash(relation.expression)
    for level in ("complete", "column", "table"):
        to_json(lineage, level)
    for format in _FORMATS:
        lineage.to(format)
    _ = (lineage.sources, lineage.targets)
    for diagnostic in lineage.diagnostics:
        lineage.position(diagnostic.span)
        if diagnostic.code is Code.INTERNAL_ERROR:
            yield Fault("internal-error", diagnostic.message)
    yield from _silent(lineage)
    for statement in lineage.statements:
        for output in statement.outputs:
            statement.functions_behind(output)
        yield from (Fault("violation", v) for v in violations(statement))


_READS = re.compile(
    r"\s*(?P<word>WITH|SELECT|INSERT|MERGE|UPDATE|CREATE\s+(?:TABLE|VIEW)\s+\w+\s+AS)\b.*\bFROM\s+[a-z_]",
    re.IGNORECASE | re.DOTALL,
)
"""How statements begin that read something."""


def _silent(lineage: Lineage) -> Iterator[Fault]:
    """Statements that read something, and end without a relation and without a word."""
    if lineage.diagnostics:
        return
    for statement in lineage.statements:
        reads = _READS.match(statement.sql)
        if reads is not None and not statement.resolution.edges:
            yield Fault("silent", f"{reads['word'].upper()} without relations and diagnostics")
