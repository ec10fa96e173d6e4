"""Tables that an engine's own parser finds in a statement, and whether the lineage has them.

    python benchmarks/parsed_tables.py postgres FOLDER --out differences.jsonl   # src/test/regress/sql of postgres/postgres
    python benchmarks/parsed_tables.py duckdb FOLDER --limit 6000                # test/sql of duckdb/duckdb

The folders are not part of this repository. PostgreSQL's parser is the package `pglast`, which is not among the requirements. Each
statement that the engine takes is analysed alone. The exit status is 1 if a table is lost without a diagnostic, or an analysis fails.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import headwater
from headwater.model.diagnostic import Code

_REFUSED = {Code.SYNTAX_ERROR, Code.UNSUPPORTED_STATEMENT}
_FAILED = {Code.INTERNAL_ERROR, Code.TOO_DEEP, Code.TIMEOUT}


class Parsed(NamedTuple):
    """A statement that the engine's parser takes, and the tables that it names."""

    sql: str
    tables: set[str]


def of_postgres(folder: Path) -> Iterator[Parsed]:
    """The queries and changes of data of PostgreSQL's regression tests."""
    from pglast.parser import ParseError, parse_sql_json, split

    moving = {"SelectStmt", "InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt", "CreateTableAsStmt", "ViewStmt"}
    for path in sorted(folder.glob("*.sql")):
        text = _without_psql(path.read_text(encoding="utf-8", errors="replace"))
        try:
            statements = split(text, with_parser=False)
        except ParseError:  # one string that is not closed costs the whole file
            statements = text.split(";\n")
        for sql in statements:
            try:
                parsed = json.loads(parse_sql_json(sql))["stmts"]
            except ParseError:
                continue
            if len(parsed) == 1 and parsed[0]["stmt"].keys() <= moving:
                nodes = list(_nodes(parsed))
                ctes = {node["CommonTableExpr"]["ctename"].lower() for node in nodes if "CommonTableExpr" in node}
                names = {node["relname"].lower() for node in nodes if "relname" in node}
                yield Parsed(sql.strip(), names - ctes)


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """All objects of a document."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            yield node
            pending.extend(value for key, value in node.items() if key != "lockedRels")
        elif isinstance(node, list):
            pending.extend(node)


def _without_psql(text: str) -> str:
    """A script of psql without its commands, and without the rows behind COPY … FROM stdin."""
    text = re.sub(r"(?ims)^(\s*copy\b[^\n]*from\s+stdin[^\n]*\n).*?^\\\.$", r"\1", text)
    lines = (line for line in text.split("\n") if not line.startswith("\\"))
    return "\n".join(re.sub(r"\\g(set|exec|desc|x)?\b.*$", ";", line).replace("\\;", ";") for line in lines)


def of_duckdb(folder: Path) -> Iterator[Parsed]:
    """The statements of DuckDB's tests that it takes; it tells the tables of queries only."""
    import duckdb

    connection = duckdb.connect()
    moving = {"SELECT", "INSERT", "CREATE", "UPDATE", "DELETE", "MERGE_INTO", "COPY"}
    paths = sorted(folder.rglob("*.test"))
    random.Random(1).shuffle(paths)
    for path in paths:
        for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8", errors="replace")):
            found = re.match(r"(?:\s*#[^\n]*\n)*(?:statement ok|query)[^\n]*\n(.*?)(?:\n----|\Z)", block, re.DOTALL)
            if found is None or "${" in found[1] or _SHOWN.match(found[1]):
                continue
            try:
                (statement,) = connection.extract_statements(found[1])
                tables = connection.get_table_names(found[1]) if statement.type.name == "SELECT" else set()
            except (duckdb.Error, ValueError):
                continue
            if statement.type.name in moving:
                yield Parsed(found[1].strip(), {name.split(".")[-1].strip('"').lower() for name in tables})


_SHOWN = re.compile(r"\s*(show|desc|describe|summarize)\b", re.IGNORECASE)
"""Statements about a table that move none of its data; DuckDB takes them for queries."""

ENGINES: dict[str, Callable[[Path], Iterator[Parsed]]] = {"postgres": of_postgres, "duckdb": of_duckdb}


def judged(parsed: Parsed, dialect: str) -> tuple[str, str]:
    """What became of a statement, and the reason."""
    lineage = headwater.analyze(parsed.sql, dialect=dialect)
    codes = {diagnostic.code: diagnostic.message for diagnostic in lineage.diagnostics}
    for outcome, those in (("refused", _REFUSED), ("failed", _FAILED)):
        reason = next((message for code, message in codes.items() if code in those), None)
        if reason is not None:
            return outcome, reason
    ours = {str(table).split(".")[-1].strip('"').lower() for table in (*lineage.sources, *lineage.targets)}
    lost = ", ".join(sorted(parsed.tables - ours))
    if not lost:
        return "same", ""
    return ("named", lost) if codes else ("lost", lost)


def main() -> int:
    """Compare, print the counts, and write what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=sys.maxsize, help="statements to try")
    parser.add_argument("--out", type=Path, help="a file for the statements that differ, one JSON object per line")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    different: list[str] = []
    for number, parsed in enumerate(ENGINES[options.engine](options.folder)):
        if number >= options.limit:
            break
        outcome, why = judged(parsed, options.engine)
        counts[outcome] += 1
        if outcome != "same":
            different.append(json.dumps({"outcome": outcome, "why": why, "sql": parsed.sql}))
    if options.out is not None:
        options.out.write_text("\n".join(different) + "\n", encoding="utf-8")
    print(f"{counts.total()} statements: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common()))
    return int(bool(counts["lost"] or counts["failed"]))


if __name__ == "__main__":
    sys.exit(main())
