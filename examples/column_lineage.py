"""Column lineage of a BigQuery script: for each written or shown column its terminal parents, the base tables' columns that it is made of.

CTEs, subqueries, unnested arrays and struct fields in between are followed to their ends.

Usage: `python examples/column_lineage.py [SCRIPT] [--engine zetasql] [--format json]`
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import headwater

PROJECT = Path(__file__).parent / "myproject"


def column_lineage(lineage: headwater.Lineage) -> list[dict[str, Any]]:
    """A record for each column of each statement: what flows into it, not what only decides over rows."""
    parents: dict[Any, set[str]] = {}
    for edge in lineage.column_edges(rows="none"):
        if edge.type == "fdd":
            parents.setdefault((edge.process.span, edge.target), set()).add(str(edge.source))
    return [
        {
            "statement_type": statement.resolution.process.type,
            "target": str(target),
            "parents": sorted(parents.get((statement.resolution.process.span, target), ())),
        }
        for statement in lineage.statements
        for target in statement.outputs
    ]


def text(records: list[dict[str, Any]]) -> str:
    """The records for people."""
    return "\n".join(f"{record['target']} <- {', '.join(record['parents']) or '(no column)'}" for record in records)


def main() -> None:
    """Print the column lineage of a script."""
    parser = argparse.ArgumentParser(description="Column lineage of a BigQuery script.")
    parser.add_argument("script", nargs="?", type=Path, default=PROJECT / "orders.sql")
    parser.add_argument("--engine", choices=("static", "zetasql"), default="static")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    options = parser.parse_args()
    sql = options.script.read_text(encoding="utf-8")
    lineage = headwater.analyze(sql, "bigquery", PROJECT / "schema.json", engine=options.engine)
    records = column_lineage(lineage)
    print(json.dumps(records, indent=2) if options.format == "json" else text(records))


if __name__ == "__main__":
    main()
