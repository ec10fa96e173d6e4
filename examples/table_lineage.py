"""Table lineage of a BigQuery script: for each statement its type, the table that it writes and the tables that it reads.

Usage: `python examples/table_lineage.py [SCRIPT] [--engine zetasql] [--format json]`
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import headwater

PROJECT = Path(__file__).parent / "myproject"


def table_lineage(lineage: headwater.Lineage) -> list[dict[str, Any]]:
    """A record for each statement that reads or writes a table; a query that is not written has no target."""
    found: dict[Any, dict[str, Any]] = {}
    for edge in lineage.table_edges():
        record = found.setdefault(
            (edge.process.span, edge.target),
            {"statement_type": edge.process.type, "target_table": edge.target, "source_tables": []},
        )
        record["source_tables"] = sorted({*record["source_tables"], edge.source})
    return list(found.values())


def text(records: list[dict[str, Any]]) -> str:
    """The records for people."""
    lines = []
    for record in records:
        lines.append(f"{record['statement_type']} {record['target_table'] or '(result)'}")
        lines += [f"  <- {source}" for source in record["source_tables"]]
    return "\n".join(lines)


def main() -> None:
    """Print the table lineage of a script."""
    parser = argparse.ArgumentParser(description="Table lineage of a BigQuery script.")
    parser.add_argument("script", nargs="?", type=Path, default=PROJECT / "orders.sql")
    parser.add_argument("--engine", choices=("static", "zetasql"), default="static")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    options = parser.parse_args()
    sql = options.script.read_text(encoding="utf-8")
    lineage = headwater.analyze(sql, "bigquery", PROJECT / "schema.json", engine=options.engine)
    records = table_lineage(lineage)
    print(json.dumps(records, indent=2) if options.format == "json" else text(records))


if __name__ == "__main__":
    main()
