"""Nothing is silently lost: every column that a statement of the cases names is the place of an edge, or stands where none is needed.

The test knows nothing of the resolver: it walks the syntax tree, and asks of each column whether some edge has its place. `POSITIONS`
lists where a column's name may stand without being a source, each with its reason; a new construct that forgets a part of its syntax
fails here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from sqlglot import exp

from case_file import Case, case_files
from headwater.analysis import catalog_of
from headwater.model.span import Span
from headwater.resolve import Session, resolve
from headwater.sql.dialect import dialect
from headwater.sql.script import Script

pytestmark = pytest.mark.no_cover  # counting takes as long as running, and the cases have counted it

PARTS = (
    *(exp.Dot, exp.JSONExtract, exp.JSONExtractScalar, exp.Bracket, exp.StructExtract, exp.GetExtract),
    *(exp.Paren, exp.Unnest, exp.Explode),
)
"""What an edge may have as its place for all columns in it: paths below a column, and calls that are one value."""

Step = tuple[Any, str | None, Any]
"""A node, the argument of its parent that it stands in, and the parent."""
Rule = Callable[[list[Step]], bool]
"""Whether a column needs no edge: the steps from it outwards."""


def _in(*parents: type, argument: str = "") -> Rule:
    """The column stands below one of these nodes, however deep, in an argument if one is named."""
    return lambda steps: any(isinstance(p, parents) and argument in ("", a) for _, a, p in steps)


def _assigned(steps: list[Step]) -> bool:
    targets = [p.parent for _, a, p in steps[:2] if a == "this" and isinstance(p, exp.EQ)]
    kept = [t for t in targets if isinstance(t, exp.EQ) and isinstance(t.this, exp.Parameter)]
    listed = [a for _, a, p in steps[:3] if isinstance(p, exp.Insert)]
    return bool(kept) or any(isinstance(t, (exp.Update, exp.OnConflict)) for t in targets) or listed == ["this"]


def _assigned_before(steps: list[Step]) -> bool:
    """A column that an assignment further left in the same UPDATE has set."""
    for node, argument, update in steps:
        if isinstance(update, exp.Update) and argument == "expressions":
            earlier = update.expressions[: node.index]
            return steps[0][0].name in [each.this.name for each in earlier if isinstance(each, exp.EQ)]
    return False


def _only_sorted(steps: list[Step]) -> bool:
    return any(
        a in ("order", "sort", "cluster", "distribute") and not (p.args.get("limit") or p.args.get("offset"))
        for _, a, p in steps
        if isinstance(p, exp.Query)
    )


def _option(steps: list[Step]) -> bool:
    """`f(x, header = true)` in FROM, `INSERT … SETTINGS a = 1`."""
    column, argument, comparison = steps[0]
    called = isinstance(steps[1][2], (exp.Func, exp.Union)) if len(steps) > 1 else False
    return isinstance(comparison, exp.EQ) and argument == "this" and called and not column.args.get("table")


def _name_in_from(steps: list[Step]) -> bool:
    """`OPENQUERY(srv, …)`, `remote('h', db.t)`, `f(TABLE(t))`, `DESCRIPTOR(a)`, Oracle's `VALUE(row)`, `f(DEFAULT)`: no value."""
    column, _, call = steps[0]
    named = isinstance(call, exp.Anonymous) and call.name.upper() in (
        "OPENQUERY",
        "FOREIGN_TABLE",
        "REMOTE",
        "CLUSTER",
        "TABLE",
        "DESCRIPTOR",
        "DICTIONARY",
        "S3",
        "VALUE",
        "REF",
        "MODEL",
        "EXA_IMPORTED",
        "TUMBLE",
        "HOP",
    )
    return named or (isinstance(call, exp.Anonymous) and column.name.upper() == "DEFAULT")


def _unused_window(steps: list[Step]) -> bool:
    return any(a == "windows" for _, a, _ in steps)


def _other_element(steps: list[Step]) -> bool:
    return isinstance(steps[0][2], exp.Tuple) and isinstance(steps[1][2], exp.Dot)


POSITIONS: dict[str, Rule] = {
    "a column that is assigned, or that MERGE's INSERT lists, is a target": _assigned,
    "MySQL assigns from left to right: a column that was assigned before is what it was assigned": _assigned_before,
    "a name after a star's EXCEPT is taken out": _in(exp.Star, argument="except_"),
    "a name after a star's RENAME is only told by the new name": _in(exp.Star, argument="rename"),
    "a pattern behind a star is about names": lambda steps: isinstance(steps[0][0].this, exp.Star),
    "names that UNPIVOT makes are targets": _in(exp.UnpivotColumns),
    "the values of PIVOT's FOR column, written as names": lambda s: (
        isinstance(s[0][2], exp.In) and isinstance(s[1][2], exp.Pivot)
    ),
    "what a fold with a last lambda is given has the places of the parameters that stand for it": lambda s: any(
        isinstance(p, exp.Reduce) and p.args.get("finish") and a in ("this", "initial") for _, a, p in s
    ),
    "the members of a tuple of which another one is asked for": lambda s: (
        isinstance(s[0][2], exp.Tuple) and s[1][2].name.lower() == "tupleelement"
    ),
    "an order decides over no row unless something counts them": _only_sorted,
    "the order of the columns that PIVOT makes": _in(exp.PivotAny),
    "the columns of a set operation BY NAME are names": _in(exp.SetOperation, argument="on"),
    "a partition that is written or emptied is a target": _in(exp.Partition, exp.AddPartition),
    "names of settings and variables": _in(exp.SetItem, exp.Pragma),
    "variables that SELECT … INTO fills": _in(exp.Into),
    "options of a function in FROM": _option,
    "names of servers, tables and columns as arguments of a function in FROM": _name_in_from,
    "names that TRANSFORM gives to what the script puts out": lambda s: any(
        isinstance(p, exp.Select) and p.find(exp.QueryTransform) for _, _, p in s[:1]
    ),
    "where an added column comes, what is dropped or renamed, what a check or an index is about": _in(
        exp.Alter, exp.Index, exp.IndexColumnConstraint, exp.Comment
    ),
    "how a table is stored": _in(exp.Properties),
    "an index that a table's hint names": _in(exp.WithTableHint),
    "a table that a hint names": _in(exp.Hint),
    "columns that statistics are about": _in(exp.Analyze),
    "a statement that is only explained": _in(exp.Describe),
    "a collation is no column": lambda steps: isinstance(steps[0][2], exp.Collate) and steps[0][1] == "expression",
    "nor is that of a column's definition": _in(exp.CollateColumnConstraint),
    "the form of NORMALIZE is a word": _in(exp.Normalize, argument="form"),
    "a function of a schema, which the grammar takes for a column": lambda steps: isinstance(
        steps[0][0].this, exp.Func
    ),
    "a window that nobody uses": _unused_window,
    "an element of a tuple that is not the one asked for": _other_element,
    "the type that a JSON aggregate returns": _in(exp.JSONArrayAgg, exp.JSONObjectAgg, argument="return_type"),
    "a unit of time, which the grammar takes for a column": lambda steps: (
        steps[0][2].name.upper() == "DATE_BUCKET" and steps[0][0] is steps[0][2].expressions[0]
    ),
}


def _lost(case: Case) -> Iterator[str]:
    attributes = case.blocks["sql"].attributes
    dialects = [dialect(name) for name in attributes["dialect"].split(",")]
    session = Session(catalog_of(case.schema, dialects[0]))
    for statement in Script(case.sql, dialects).statements():
        resolution = resolve(statement, session)
        session = session.after(resolution)
        if not isinstance(statement.tree, exp.Expr) or any(
            d.code.value.startswith("unsupported") for d in resolution.diagnostics
        ):
            continue
        span = resolution.locate
        nodes = [place for *_, place in resolution.edges if place is not None]
        exact = {span(place) for place in nodes}
        wider = [span(place) for place in nodes if isinstance(place, PARTS)]
        for column in statement.tree.find_all(exp.Column):
            where = span(column)
            if where is None or where in exact or any(w and _holds(w, where) for w in wider):
                continue
            steps = [*_steps(column)]
            if not any(rule(steps) for rule in POSITIONS.values()):
                yield f"{column.sql()} in {' < '.join(type(parent).__name__ for _, _, parent in steps[:5])}"


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _steps(node: Any) -> Iterator[Step]:
    while node.parent is not None:
        yield node, node.arg_key, node.parent
        node = node.parent


@pytest.mark.slow
@pytest.mark.parametrize("cases", case_files().values(), ids=case_files())
def test_every_column_is_somewhere(cases: Sequence[Case]) -> None:
    found = {case.id: [*_lost(case)] for case in cases if "notimpl" not in case.blocks}
    assert {case: lost for case, lost in found.items() if lost} == {}
