"""Queries beside their fully qualified forms: `python benchmarks/qualified.py`; see README.md.

The fixtures of sqlglot's optimiser hold queries, and what they are after every name was qualified and every star written out. Both must
have the same sources, output by output, when the fixtures' schema is given. A merged column of USING or NATURAL is written there as
COALESCE of both sides; here it is one side's (see the model), so of such queries the sources need only be among those of the other.
The exit status is 1 if any differ but those in `EXPLAINED`.
"""

from __future__ import annotations

import argparse
import ast
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import headwater
from headwater.model.entity import PERSISTENT
from headwater.model.kind import FDD, KINDS
from headwater.model.resolution import Resolution
from material.corpus import known_dialect
from material.package_index import Unavailable, unpacked
from material.python_strings import python_tree

CACHE = Path(tempfile.gettempdir()) / "headwater-corpora"
FILES = (
    *("qualify_columns", "pushdown_cte_alias_columns", "pushdown_predicates", "pushdown_projections"),
    *("merge_subqueries", "eliminate_subqueries", "eliminate_ctes", "eliminate_joins", "optimize_joins", "optimizer"),
    "unnest_subqueries",
)
SPOKEN = "duckdb"
"""The fixtures' own dialect lets aliases be used early and folds names to lower case, as DuckDB does."""
WARNED = ("unresolved-column", "ambiguous-column", "missing-schema", "syntax-error", "unknown-table-function")

EXPLAINED = {
    "qualify_columns.sql:137": "a column list over the star of an unknown table is taken there to name the table's own columns",
    "qualify_columns.sql:138": "the same",
    "optimizer.sql:36": "the same, and the list is taken to be all",
    "optimizer.sql:37": "the same",
    "optimizer.sql:38": "the same",
    "optimizer.sql:39": "the same",
    "optimizer.sql:40": "the same",
    "unnest_subqueries.sql:2": "the star is not written out before the rewriting, which adds a table",
}
"""Pairs that may differ, and why."""

Schema = dict[str, Any]


class Pair(NamedTuple):
    """A query and its qualified form."""

    name: str
    dialect: str
    schema: Schema
    query: str
    qualified: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the sources of every output of every pair."""
    parser = argparse.ArgumentParser(description="Compare queries with their qualified forms.")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where downloads are kept (%(default)s)")
    options = parser.parse_args(arguments)
    try:
        pairs = [*_pairs(unpacked("sqlglot", options.cache) / "tests")]
    except Unavailable as error:
        print(f"skipped, {error}")
        return 0
    compared = differing = unclear = explained = 0
    for pair in pairs:
        one, other = (_sources(text, pair) for text in (pair.query, pair.qualified))
        if one is None or other is None:
            unclear += 1
        elif _agree(one, other, _merges(pair)):
            compared += 1
        elif pair.name in EXPLAINED:
            explained += 1
        else:
            differing += 1
            print(f"{pair.name} ({pair.dialect})\n  {pair.query}\n    {one}\n  {pair.qualified}\n    {other}")
    print(f"{len(pairs)} pairs: {compared} agree, {unclear} with a diagnostic on either side, ", end="")
    print(f"{explained} differ for a known reason, {differing} differ")
    return 1 if differing else 0


def _merges(pair: Pair) -> bool:
    """Whether the qualified form has a COALESCE that nobody wrote."""
    return pair.qualified.upper().count("COALESCE(") > pair.query.upper().count("COALESCE(")


def _agree(outputs: list[set[str]], qualified: list[set[str]], merged: bool) -> bool:
    """Whether the outputs' sources are the same, or among the others' where columns were merged."""
    if len(outputs) != len(qualified):
        return False
    return all(a == b or (merged and a < b) for a, b in zip(outputs, qualified, strict=True))


def _pairs(tests: Path) -> Iterator[Pair]:
    usual = _schema(tests / "test_optimizer.py")
    for file in FILES:
        lines = (tests / "fixtures" / "optimizer" / f"{file}.sql").read_text(encoding="utf-8").splitlines()
        pieces = "\n".join(line for line in lines if not line.startswith("--")).split(";\n")
        for number in range(0, len(pieces) - 1, 2):
            remarks = dict(_remark(line) for line in pieces[number].splitlines() if line.startswith("#"))
            query, qualified = (_statement(pieces[number + i]) for i in (0, 1))
            spoken = known_dialect(remarks.get("dialect", SPOKEN).partition(",")[0])
            schema = json.loads(remarks["schema"]) if "schema" in remarks else usual[file == "optimizer"]
            if spoken and qualified:
                yield Pair(f"{file}.sql:{number // 2}", spoken, schema, query, qualified)


def _remark(line: str) -> tuple[str, str]:
    name, _, value = line.lstrip("# ").partition(":")
    return name.strip(), value.strip()


def _statement(piece: str) -> str:
    return "\n".join(line for line in piece.splitlines() if not line.startswith("#")).strip()


def _schema(path: Path) -> tuple[Schema, Schema]:
    """The schema of most fixtures, and that of the optimiser's own."""
    found: list[Schema] = []
    tree = python_tree(path)
    for node in ast.walk(tree) if tree else ():
        named = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("self.schema", "schema")
        if isinstance(node, ast.Assign) and named and isinstance(node.value, ast.Dict):
            found.append(_literal(node.value))
    return next(s for s in found if "unpivotable" in s), next(s for s in found if set(s) == {"x", "y", "z", "u"})


def _literal(node: ast.AST) -> Any:
    if isinstance(node, ast.Dict):
        return {ast.literal_eval(k): _literal(v) for k, v in zip(node.keys, node.values, strict=True) if k is not None}
    return node.value if isinstance(node, ast.Constant) else "INT"


def _sources(text: str, pair: Pair) -> list[set[str]] | None:
    """The columns that each output's value comes from, in order; None if something is not clear."""
    lineage = headwater.analyze(text, dialect=pair.dialect, schema=pair.schema)
    if len(lineage.statements) != 1 or any(d.code.value in WARNED for d in lineage.diagnostics):
        return None
    resolution = lineage.statements[0].resolution
    return [_behind(resolution, column) for column in resolution.outputs]


def _behind(resolution: Resolution, output: int) -> set[str]:
    below: dict[int, list[int]] = {}
    for target, source, kind, _ in resolution.edges:
        if KINDS[kind].type == FDD:
            below.setdefault(target, []).append(source)
    pending, seen, found = [output], {output}, set()
    while pending:
        entity, name, _ = resolution.columns[column := pending.pop()]
        if resolution.entities[entity].kind in PERSISTENT:
            found.add(".".join((*(resolution.entities[entity].table or ()), name)).lower())
            continue
        fresh = [s for s in below.get(column, ()) if s not in seen]
        seen.update(fresh)
        pending += fresh
    return found


if __name__ == "__main__":
    raise SystemExit(main())
