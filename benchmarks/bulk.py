"""A corpus through the analyser: what was understood, what was said, how long it took.

In comes a `Corpus`, out comes a `Measurement`: counts, and one `Remark` per diagnostic for whoever wants to read them. A script that
raises or does not end is counted as a crash, and the others go on.
"""

from __future__ import annotations

import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from headwater import Catalog, Diagnostic, Lineage, analyze
from headwater.analysis import Script, analyze_scripts
from headwater.lineage.lineage import StatementLineage
from headwater.model.diagnostic import Code, Severity
from headwater.sql.text import Text
from material.corpus import Corpus, Sql

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))
from validator import violations

_UNREAD = (Code.SYNTAX_ERROR, Code.TOO_DEEP)
DEADLINE = 60.0
"""Seconds after which a script counts as one that does not end."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A diagnostic, a violation or a crash, with the statement it is about."""

    script: str
    dialect: str
    code: str
    subject: str
    message: str
    statement: str


@dataclass(slots=True)
class Measurement:
    """The figures of one corpus."""

    name: str
    origin: str
    scripts: int = 0
    statements: int = 0
    parsed: int = 0
    clean: int = 0
    """Statements without any diagnostic."""
    outputs: int = 0
    explained: int = 0
    """Outputs with a source or a stated reason."""
    crashes: int = 0
    violations: int = 0
    codes: dict[str, int] = field(default_factory=dict)
    """Statements with at least one diagnostic of the code."""
    seconds: float = 0.0
    remarks: list[Remark] = field(default_factory=list, repr=False)

    def figures(self) -> dict[str, float]:
        """Everything countable, by the name under which it is shown."""
        plain = ("scripts", "statements", "parsed", "clean", "outputs", "explained", "crashes", "violations")
        return {name: getattr(self, name) for name in plain} | dict(sorted(self.codes.items()))


class TookTooLong(BaseException):
    """Not an `Exception`: the analyser must not take it for a fault of its own."""


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise `TookTooLong` if the block does not end in time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def measure(corpus: Corpus) -> Measurement:
    """Analyse a whole corpus; the seconds are those of `analyze` and `column_edges`, the checks are outside the clock."""
    found = Measurement(corpus.name, corpus.origin)
    lineages = _one_after_the_other(corpus) if corpus.connected else _each_alone(corpus)
    started = time.process_time()
    checking = 0.0
    for script, lineage in lineages:
        found.scripts += 1
        before = time.process_time()
        try:
            with deadline(DEADLINE):
                _count(found, script, _present(lineage))
        except (Exception, TookTooLong) as error:  # noqa: BLE001 - a crash is a figure of the table
            found.crashes += 1
            where = traceback.extract_tb(error.__traceback__)[-1]
            message = (
                f"{type(error).__name__} in {where.name}, line {where.lineno} of {Path(where.filename).name}: {error}"
            )
            found.remarks.append(Remark(script.name, script.dialect, "crash", where.name, message, script.text))
        checking += time.process_time() - before
    found.seconds = time.process_time() - started - checking
    return found


def _present(lineage: Lineage | BaseException) -> Lineage:
    if isinstance(lineage, BaseException):
        raise lineage
    return lineage


def _each_alone(corpus: Corpus) -> Iterator[tuple[Sql, Lineage | BaseException]]:
    catalog = Catalog(corpus.schema) if corpus.schema else None
    for script in corpus.scripts:
        try:
            with deadline(DEADLINE):
                lineage = analyze(script.text, script.dialect, catalog)
                lineage.column_edges()
            yield script, lineage
        except (Exception, TookTooLong) as error:  # noqa: BLE001 - a crash is a figure of the table
            yield script, error


def _one_after_the_other(corpus: Corpus) -> Iterator[tuple[Sql, Lineage | BaseException]]:
    scripts = [Script(Path(s.name), Text(s.text, "utf-8")) for s in corpus.scripts]
    lineages = analyze_scripts(scripts, corpus.scripts[0].dialect, corpus.schema)
    for script, lineage in zip(corpus.scripts, lineages, strict=True):
        lineage.column_edges()
        yield script, lineage


def _count(found: Measurement, script: Sql, lineage: Lineage) -> None:
    for statement in lineage.statements:
        diagnostics = statement.diagnostics
        codes = {d.code for d in diagnostics}
        found.statements += 1
        found.parsed += not codes.intersection(_UNREAD)
        found.clean += not codes
        found.crashes += Code.INTERNAL_ERROR in codes
        for code in codes:
            found.codes[code.value] = found.codes.get(code.value, 0) + 1
        found.remarks.extend(_remarks(script, statement, diagnostics))
        broken = violations(statement)
        unexplained = sum(v.endswith("has no relation") for v in broken)
        outputs = len(statement.outputs)
        found.outputs += outputs
        found.explained += outputs - unexplained
        found.violations += len(broken)
        found.remarks.extend(Remark(script.name, statement.dialect, "violation", "", v, statement.sql) for v in broken)


def _remarks(script: Sql, statement: StatementLineage, diagnostics: Iterable[Diagnostic]) -> Iterator[Remark]:
    for d in diagnostics:
        yield Remark(script.name, statement.dialect, d.code.value, d.subject, d.message, statement.sql)


def worst(measurement: Measurement) -> Counter[tuple[str, str]]:
    """How often each diagnostic code came with each subject, the most frequent first."""
    return Counter((r.code, r.subject) for r in measurement.remarks)


def is_error(code: str) -> bool:
    """Whether a diagnostic code means that lineage is missing."""
    return Diagnostic(Code(code), "").severity is Severity.ERROR
