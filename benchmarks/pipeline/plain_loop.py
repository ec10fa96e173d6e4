"""The corpus without Spark: `python benchmarks/pipeline/plain_loop.py corpus`.

One script after the other, in an order in which definitions come first, then the log; the edges are compared with the truth.
That shows whether the generator and the core agree. What is printed as speed is the core alone, parsing included, up to the
column edges, per cpu second; with `--speed` that is all there is, without the scripts that only repeat, and without comparison.
The exit status is 1 if anything disagrees. 200,000 statements take some minutes; the log is read with pyarrow.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from headwater.budget import Budget, resolved
from headwater.lineage.lineage import Lineage, StatementLineage
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import ColumnRef
from headwater.resolve import Session
from headwater.sql.dialect import dialect
from headwater.sql.script import Script
from pipeline.compare import compare
from pipeline.edge import QUERY, Edge
from pipeline.repeats import REPEATED
from pipeline.scribe import Corpus
from pipeline.tables import TEMPORARY
from pipeline.truth import documents, read

_SPARK = [dialect("spark")]
_BUDGET = Budget(60, 2048)
BROKEN = (Code.SYNTAX_ERROR, Code.UNSUPPORTED_STATEMENT)
"""What is said of a statement that cannot be read."""


@dataclass(frozen=True, slots=True)
class Text:
    """A script, or one statement of the log, and the schema in which it ran."""

    path: str
    sql: str
    database: str = ""


def texts(folder: Path) -> Iterator[Text]:
    """All texts of a corpus in a folder, in an order in which definitions come first."""
    for document in documents(folder / "truth"):
        if document.kind == "script":
            yield Text(document.path, (folder / document.path).read_text(encoding="utf-8"))
        else:
            yield from _log(folder, document.path)


def _log(folder: Path, path: str) -> Iterator[Text]:
    import pyarrow.parquet

    columns = pyarrow.parquet.read_table(folder / path).to_pydict()
    for sql, database in zip(columns["query_text"], columns["database"], strict=True):
        yield Text(path, sql, database)


def texts_of(corpus: Corpus) -> Iterator[Text]:
    """All texts of a corpus that was just made."""
    for path, sql in corpus.scripts.items():
        yield Text(path, sql)
    for path, entries in corpus.logs.items():
        for entry in entries:
            yield Text(path, entry.text, entry.database)


@dataclass(slots=True)
class Loop:
    """Analyses texts one after the other; each knows what those before it defined."""

    statements: int = 0
    seconds: float = 0.0
    """Of cpu, for analysis and column edges."""
    said: list[tuple[str, Diagnostic]] = field(default_factory=list)
    _session: Session = field(default_factory=Session)
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def edges(self, texts: Iterable[Text]) -> Iterator[Edge]:
        """The column edges of all texts; the same statement in the same schema is analysed once, a script always."""
        for text in texts:
            if text.database and (text.database, text.sql) in self._seen:
                continue
            self._seen.add((text.database, text.sql))
            yield from self._edges(text)

    @property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """The columns of all lasting tables and views."""
        defined = self._session.defined.values()
        return {".".join(each.table): tuple(each.columns or ()) for each in defined}

    def _edges(self, text: Text) -> Iterator[Edge]:
        start = time.process_time()
        lineage = self._analysed(text)
        edges = [(each, Lineage([each], text.sql).column_edges()) for each in lineage]
        self.seconds += time.process_time() - start
        self.statements += len(lineage)
        temporary = (table for each in lineage for table in _temporary(each))
        names = {".".join(table): f"{text.path}{TEMPORARY}{table[-1]}" for table in temporary}
        for each, found in edges:
            self.said += ((text.path, d) for d in each.diagnostics)
            for edge in found:
                yield _edge(edge.target, edge.source, edge.type, edge.subtype, names, edge.process.query_hash)

    def _analysed(self, text: Text) -> list[StatementLineage]:
        session = replace(self._session, default_schema=(text.database,) if text.database else None)
        found = []
        for statement in Script(text.sql, _SPARK, postpone=True).statements():
            for each in resolved(statement, _SPARK, session, _BUDGET):
                session = session.after(each.resolution)
                found.append(StatementLineage(*each))
        for table in (name for each in found for name in _temporary(each)):
            session.defined.pop(table, None)
        return found


def _temporary(statement: StatementLineage) -> Iterator[tuple[str, ...]]:
    return (definition.table for definition in statement.resolution.defines if definition.temporary)


def _edge(
    target: ColumnRef, source: ColumnRef, type: str, subtype: str | None, names: dict[str, str], query: str
) -> Edge:
    """An edge in the words of the truth: queries by their hash, temporary views with the path of their script."""
    written = QUERY + query if target.table is None else names.get(target.table, target.table)
    read = names.get(source.table or "", source.table or "")
    return Edge(written, target.column, read, source.column, type, subtype or "")


def other_columns(loop: Loop, truth_folder: Path) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Lasting tables whose columns are not what they should be: true ones, and those that were found."""
    true: dict[str, tuple[str, ...]] = {}
    for table, name, _ in read(truth_folder, "columns"):
        true[table] = (*true.get(table, ()), name)
    found = loop.columns
    names = (name for name in {**true, **found} if TEMPORARY not in name)
    pairs = {name: (true.get(name, ()), found.get(name, ())) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def main() -> None:
    """Compare a corpus with its truth, or only measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--speed", action="store_true", help="each statement about once, without comparison")
    options = parser.parse_args()
    loop = Loop()
    agrees = _measured(loop, options.folder) if options.speed else _agrees(loop, options.folder)
    rate = loop.statements / loop.seconds
    print(f"{loop.statements} statements in {loop.seconds:.2f} cpu-s: {rate:.0f} per cpu-s")
    sys.exit(0 if agrees else 1)


def _measured(loop: Loop, folder: Path) -> bool:
    for _ in loop.edges(text for text in texts(folder) if not text.path.startswith(REPEATED)):
        pass
    return True


def _agrees(loop: Loop, folder: Path) -> bool:
    """Say what is found to differ from the truth, and whether nothing is."""
    report = compare(loop.edges(texts(folder)), folder / "truth")
    print(report)
    tables = other_columns(loop, folder / "truth")
    print(f"{len(tables)} tables and views have other columns", *list(tables.items())[:5], sep="\n  ")
    others = [(path, d) for path, d in loop.said if d.code not in BROKEN]
    print(f"{len(loop.said) - len(others)} statements were not understood; {len(others)} other diagnostics")
    for path, diagnostic in others[:20]:
        print(f"  {path}: {diagnostic.code} {diagnostic.message}")
    return report.exact and not others and not tables


if __name__ == "__main__":
    main()
