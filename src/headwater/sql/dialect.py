"""What each SQL dialect does with names: how it folds them, who may see an alias, what it calls unnamed columns.

Grammar is sqlglot's business; this module holds the facts of name resolution that a grammar does not tell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from sqlglot.dialects.dialect import Dialect as Grammar

Fold = Callable[[str, bool], str]
"""Folds a name, given whether it was quoted."""


def insensitive(name: str, quoted: bool = False) -> str:
    """Case never matters, quoted or not."""
    return name.lower()


def unquoted_lower(name: str, quoted: bool = False) -> str:
    """Unquoted names are lower case, quoted ones keep theirs."""
    return name if quoted else name.lower()


def unquoted_upper(name: str, quoted: bool = False) -> str:
    """Unquoted names are upper case, quoted ones keep theirs."""
    return name if quoted else name.upper()


def sensitive(name: str, quoted: bool = False) -> str:
    """Names are taken as they are."""
    return name


@dataclass(frozen=True)
class Dialect:
    """The name-resolution rules of one dialect."""

    name: str
    grammar_name: str
    fold_column: Fold = unquoted_lower
    fold_table: Fold | None = None
    lateral_alias: bool = False
    """A select item may use the alias of an earlier one."""
    alias_in_where: bool = False
    alias_in_group_by: bool = True
    alias_in_having: bool = False
    row_value_of_alias: bool = False
    """A table alias used as a column is the whole row."""
    dotted_fields: bool = False
    """`a.b` may be a field of the struct column a."""
    alias_in_order_expression: bool = True
    """ORDER BY sees select aliases inside expressions, not only as bare names."""
    lambdas: bool = True
    """`x -> x + 1` is a function; otherwise the arrow reads JSON."""
    using_first: bool = True
    """`*` over a join with USING begins with the merged columns."""
    alias_first_in_group_by: bool = False
    pseudo_columns: frozenset[str] = frozenset()
    """Columns that every table has without declaring them."""
    short_column_list: bool = False
    """A view's column list may name only the first columns."""
    implicit_recursion: bool = False
    """A CTE may refer to itself without RECURSIVE."""
    values_column: Callable[[int], str] = field(default=lambda n: f"column{n + 1}")
    batch_separator: str | None = None
    optional_semicolons: bool = False
    temporary_marks: bool = False
    """Temporary tables are called `#t`, `##t`."""

    @cached_property
    def grammar(self) -> Grammar:
        """Sqlglot's side of this dialect."""
        return Grammar.get_or_raise(self.grammar_name)

    def spelled_column(self, name: str) -> str:
        """The folded form of a column name as a schema spells it; quotes around it keep its case."""
        bare, quoted = _unquoted(name)
        return self.fold_column(bare, quoted)

    def spelled_table(self, name: str) -> str:
        """The folded form of a table's name as a schema spells it, dotted or not."""
        fold = self.fold_table or self.fold_column
        if name.isidentifier() or not any(mark in name for mark in '"`['):
            return fold(name, False)
        return ".".join(fold(*_unquoted(part)) for part in name.split("."))

    @cached_property
    def column(self) -> Callable[[Any], str]:
        """Gives the folded name of a column or alias identifier."""
        return _folder(self.fold_column, self.temporary_marks)

    @cached_property
    def table(self) -> Callable[[Any], str]:
        """Gives the folded name of an identifier that is part of a table's name."""
        return _folder(self.fold_table or self.fold_column, self.temporary_marks)


def _folder(fold: Fold, temporary_marks: bool) -> Callable[[Any], str]:
    """A function from identifier nodes to folded names; the common rule has a fast one of its own."""
    if temporary_marks:
        return lambda identifier: fold(_marked(identifier.args), bool(identifier.args.get("quoted")))
    if fold is insensitive:
        return _insensitive_identifier
    return lambda identifier: fold(str(identifier.name), bool(identifier.args.get("quoted")))


def _insensitive_identifier(identifier: Any) -> str:
    name = identifier.args.get("this")
    return name.lower() if name.__class__ is str else str(identifier.name).lower()


def _marked(args: dict[str, Any]) -> str:
    """A name with the `#` or `##` that the parser takes off T-SQL's temporary tables."""
    if args.get("temporary"):
        return f"#{args['this']}"
    name = args.get("this") or "?"
    name = name if isinstance(name, str) else name.name
    return f"##{name}" if args.get("global_") else str(name)


def _unquoted(name: str) -> tuple[str, bool]:
    if len(name) > 1 and (name[0], name[-1]) in {('"', '"'), ("`", "`"), ("[", "]")}:
        return name[1:-1], True
    return name, False


def _hive_values(n: int) -> str:
    return f"col{n + 1}"


_DIALECTS = {
    d.name: d
    for d in (
        Dialect("ansi", "", unquoted_upper),
        Dialect(
            "spark",
            "spark",
            insensitive,
            dotted_fields=True,
            pseudo_columns=frozenset({"_metadata", "input__file__name"}),
            lateral_alias=True,
            alias_in_having=True,
            values_column=_hive_values,
        ),
        Dialect(
            "databricks",
            "databricks",
            insensitive,
            dotted_fields=True,
            pseudo_columns=frozenset({"_metadata", "input__file__name"}),
            lateral_alias=True,
            alias_in_having=True,
            values_column=_hive_values,
        ),
        Dialect(
            "hive",
            "hive",
            insensitive,
            dotted_fields=True,
            pseudo_columns=frozenset({"input__file__name", "block__offset__inside__file"}),
            alias_in_having=True,
            values_column=_hive_values,
        ),
        Dialect(
            "bigquery",
            "bigquery",
            insensitive,
            sensitive,
            dotted_fields=True,
            alias_first_in_group_by=True,
            pseudo_columns=frozenset({"_partitiontime", "_partitiondate", "_table_suffix", "_file_name"}),
            alias_in_having=True,
            row_value_of_alias=True,
        ),
        Dialect(
            "snowflake",
            "snowflake",
            unquoted_upper,
            lateral_alias=True,
            alias_in_where=True,
            alias_in_having=True,
            implicit_recursion=True,
            pseudo_columns=frozenset(
                {"METADATA$FILENAME", "METADATA$FILE_ROW_NUMBER", "METADATA$ACTION", "METADATA$ISUPDATE"}
            ),
            values_column=lambda n: f"COLUMN{n + 1}",
        ),
        Dialect(
            "postgres",
            "postgres",
            unquoted_lower,
            row_value_of_alias=True,
            alias_in_order_expression=False,
            short_column_list=True,
            lambdas=False,
            pseudo_columns=frozenset({"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "oid"}),
        ),
        Dialect(
            "tsql",
            "tsql",
            insensitive,
            alias_in_group_by=False,
            alias_in_order_expression=False,
            implicit_recursion=True,
            batch_separator="GO",
            optional_semicolons=True,
            temporary_marks=True,
        ),
        Dialect(
            "duckdb",
            "duckdb",
            insensitive,
            dotted_fields=True,
            using_first=False,
            pseudo_columns=frozenset({"rowid", "filename"}),
            lateral_alias=True,
            alias_in_where=True,
            alias_in_having=True,
            row_value_of_alias=True,
            values_column=lambda n: f"col{n}",
        ),
        Dialect("redshift", "redshift", insensitive, lateral_alias=True, alias_in_where=True, alias_in_having=True),
        Dialect("mysql", "mysql", insensitive, alias_in_having=True, values_column=lambda n: f"column_{n}"),
        Dialect("oracle", "oracle", unquoted_upper, alias_in_group_by=False, implicit_recursion=True),
        Dialect(
            "teradata",
            "teradata",
            insensitive,
            lateral_alias=True,
            alias_in_where=True,
            alias_in_having=True,
        ),
        Dialect(
            "trino",
            "trino",
            insensitive,
            dotted_fields=True,
            alias_in_group_by=False,
            values_column=lambda n: f"_col{n}",
        ),
        Dialect(
            "presto",
            "presto",
            insensitive,
            dotted_fields=True,
            alias_in_group_by=False,
            values_column=lambda n: f"_col{n}",
        ),
        Dialect(
            "athena",
            "athena",
            insensitive,
            dotted_fields=True,
            alias_in_group_by=False,
            values_column=lambda n: f"_col{n}",
        ),
        Dialect(
            "clickhouse",
            "clickhouse",
            sensitive,
            lateral_alias=True,
            alias_in_where=True,
            alias_in_having=True,
            values_column=lambda n: f"c{n + 1}",
        ),
        Dialect("sqlite", "sqlite", insensitive, alias_in_where=True, alias_in_having=True),
    )
}
_ALIASES = {
    "": "ansi",
    "sql": "ansi",
    "sparksql": "spark",
    "sqlserver": "tsql",
    "mssql": "tsql",
    "postgresql": "postgres",
    "mariadb": "mysql",
}


class UnknownDialect(ValueError):
    """The caller named a dialect that does not exist."""


@cache
def dialect(name: str) -> Dialect:
    """The dialect of that name, or `UnknownDialect` with the names there are."""
    key = name.strip().lower()
    found = _DIALECTS.get(_ALIASES.get(key, key))
    if found is None:
        raise UnknownDialect(f"unknown dialect {name!r}; known are {', '.join(sorted(_DIALECTS))}")
    return found


def dialect_names() -> list[str]:
    """All dialect names, sorted."""
    return sorted(_DIALECTS)
