"""Statements that mean something else in DuckDB than where they come from, or something else each time, and so prove nothing there."""

from __future__ import annotations

from sqlglot import exp

from headwater.sql.dialect import Dialect


def difference_in_duckdb(tree: exp.Expression, spoken: Dialect) -> str:
    """Why DuckDB would give something else; nothing if it would not."""
    if tree.find(exp.TableSample, exp.Rand, exp.Uuid):
        return "its result is a matter of chance"
    if spoken.name == "duckdb":
        return ""
    if tree.find(exp.Star) and any(_merges(join) for join in tree.find_all(exp.Join)):
        return "DuckDB has the columns of * over USING in another order"
    if _case_matters(tree, spoken):
        return "it has names that differ by case alone, which are one to DuckDB"
    if spoken.alias_first and _hides(tree):
        return "its aliases hide columns, which they do not in DuckDB"
    return ""


def _case_matters(tree: exp.Expression, spoken: Dialect) -> bool:
    names = {spoken.fold_column(each.this, bool(each.args.get("quoted"))) for each in tree.find_all(exp.Identifier)}
    return len({name.lower() for name in names}) < len(names)


def _hides(tree: exp.Expression) -> bool:
    """Whether an alias has the name of a column that is read as well."""
    aliases = {each.alias.lower() for each in tree.find_all(exp.Alias)}
    return any(column.name.lower() in aliases for column in tree.find_all(exp.Column))


def _merges(join: exp.Join) -> bool:
    return bool(join.args.get("using")) or join.args.get("method") == "NATURAL"
