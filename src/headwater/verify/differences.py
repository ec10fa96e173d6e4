"""Statements that are not run: in DuckDB they would mean something else than where they come from, in Spark they would reach out of it.

Or they mean something else each time.
"""

from __future__ import annotations

from collections.abc import Container

from sqlglot import exp

from headwater.sql.dialect import Dialect

_CHANCE = "its result is a matter of chance"
_HARMFUL = ("reflect", "java_method", "try_reflect", "read_files", "http_request", "ai_query", "input_file_name")
_NILADIC = (exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp, exp.CurrentUser)
_QUERYING = (exp.Query, exp.Insert, exp.Create)


def difference_in_duckdb(tree: exp.Expression, spoken: Dialect) -> str:
    """Why DuckDB would give something else; nothing if it would not."""
    if tree.find(exp.TableSample, exp.Rand, exp.Uuid):
        return _CHANCE
    if any(column.name.lower() == "rowid" for column in tree.find_all(exp.Column)):
        return "rowid tells where rows lie, not what they hold"
    if spoken.name == "duckdb":
        return ""
    if tree.find(exp.Star) and any(_merges(join) for join in tree.find_all(exp.Join)):
        return "DuckDB has the columns of * over USING in another order"
    if spoken.ctas_by_name and isinstance(tree, exp.Create) and isinstance(tree.this, exp.Schema):
        return "its columns find each other by name, and by position in DuckDB"
    if _case_matters(tree, spoken):
        return "it has names that differ by case alone, which are one to DuckDB"
    if spoken.alias_first and _hides(tree):
        return "its aliases hide columns, which they do not in DuckDB"
    return ""


def unfit_for_spark(tree: exp.Expression) -> str:
    """Why a statement is not run in Spark; nothing if it is."""
    if tree.find(exp.TableSample, exp.Rand, exp.Uuid):
        return _CHANCE
    if not isinstance(tree, _QUERYING):
        return f"Spark does not change plain tables by {tree.key.upper()}"
    if isinstance(tree, exp.Create) and not isinstance(tree.expression, exp.Query):
        return "there is no query in it"
    if tree.find(exp.QueryTransform, exp.Directory) or any(
        each.name.lower() in _HARMFUL for each in tree.find_all(exp.Anonymous)
    ):
        return "it would reach out of Spark"
    if any(table.catalog for table in tree.find_all(exp.Table)):
        return "there is one catalog here"
    return ""


def calls_column(tree: exp.Expression, columns: Container[str]) -> bool:
    """Whether a call without arguments, `current_date()`, has the name of a column: written without brackets, it would be the column."""
    return any(each.sql_name().lower() in columns for each in tree.find_all(*_NILADIC))


def _case_matters(tree: exp.Expression, spoken: Dialect) -> bool:
    columns = {spoken.fold_column(each.this, bool(each.args.get("quoted"))) for each in tree.find_all(exp.Identifier)}
    fold = spoken.fold_table or spoken.fold_column
    parts = [part for table in tree.find_all(exp.Table) for part in table.parts if isinstance(part, exp.Identifier)]
    tables = {fold(part.this, bool(part.args.get("quoted"))) for part in parts}
    return any(len({name.lower() for name in names}) < len(names) for names in (columns, tables))


def _hides(tree: exp.Expression) -> bool:
    """Whether an alias has the name of a column that is read as well."""
    aliases = {each.alias.lower() for each in tree.find_all(exp.Alias)}
    return any(column.name.lower() in aliases for column in tree.find_all(exp.Column))


def _merges(join: exp.Join) -> bool:
    return bool(join.args.get("using")) or join.args.get("method") == "NATURAL"
