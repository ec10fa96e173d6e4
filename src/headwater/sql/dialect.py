"""What each SQL dialect does with names: how it folds them, who may see an alias, what it calls unnamed columns.

Grammar is sqlglot's business. `Dialect` says which facts of name resolution there are that a grammar does not tell; `dialect_facts` has
them for each dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from sqlglot.dialects.dialect import Dialect as Grammar

from headwater.model.suggestion import did_you_mean
from headwater.sql.extended_grammar import GRAMMARS
from headwater.sql.folding import Fold, folder, unquoted_lower
from headwater.sql.spelled_name import split_name, unquoted


@dataclass(frozen=True, eq=False)
class Dialect:
    """The name-resolution rules of one dialect."""

    name: str
    grammar_name: str

    # Case: of columns and aliases, and of tables where that is another.
    fold_column: Fold = unquoted_lower
    fold_table: Fold | None = None

    parent: str = ""
    """The dialect that this one descends from, and whose readers, phrases and habits it shares: Greenplum's is postgres."""
    wider_grammar: str = ""
    """The dialect whose grammar is tried where this one's refuses a statement."""

    # Who sees a select alias.
    lateral_alias: bool = False
    """A select item may use the alias of an earlier one."""
    alias_first: bool = False
    """A select alias hides the column of its name, and earlier items may use it as well."""
    alias_in_where: bool = False
    local_aliases: bool = False
    """`LOCAL.x` is the select alias x, everywhere."""
    alias_in_group_by: bool = True
    alias_first_in_group_by: bool = False
    alias_in_having: bool = False
    alias_in_order_expression: bool = True
    """ORDER BY sees select aliases inside expressions, not only as bare names."""

    # What a name in an expression may be besides a column of FROM.
    all_is_name: bool = False
    """A column may be called `all`."""
    dotted_fields: bool = False
    """`a.b` may be a field of the struct column a."""
    row_value_of_alias: bool = False
    """A table alias used as a column is the whole row."""
    row_value_first: bool = False
    """So it is even where a column has the alias' name."""
    pseudo_columns: frozenset[str] = frozenset()
    """Columns that every table has without declaring them."""
    pseudo_types: Mapping[str, str] = field(default_factory=dict)
    """The types of pseudo columns that have fields."""
    niladic: frozenset[str] = frozenset()
    """Names that are calls without brackets, not columns: `SYSDATE`."""
    sequences: bool = False
    """`s.NEXTVAL` is the next number of the sequence s."""
    pipeline_schema: str = ""
    """The schema that means the pipeline itself: `LIVE.t` is the table t that another statement of it defines."""
    is_pipeline: bool = False
    """So it is even where nothing before defines the table: the order of a pipeline's statements means nothing."""
    regex_columns: bool = False
    """A quoted name in a select list may be a regular expression over the names of columns."""
    quoted_may_be_string: bool = False
    """A quoted name that is no column is a string."""
    lambdas: bool = True
    """`x -> x + 1` is a function; otherwise the arrow reads JSON."""
    json_arrows: bool = False
    """The arrow reads JSON too: `j -> 'a'` is a path, and no function to a constant."""
    dictionaries: bool = False
    """`dictGet('d', 'a', key)` reads the column a of the dictionary d."""
    lookup_schema: str = ""
    """The schema of the tables of keys and values, k and v, that `LOOKUP(key, 'name')` reads."""
    aggregate_any: bool = False
    """`any(x)` is an aggregate."""
    script_transforms: bool = False
    """A select list may be `TRANSFORM (a, b) USING 'script'`."""
    time_windows: bool = False
    """`GROUP BY window(at, '1 day')` makes a column of the name `window`."""
    lateral_fields: bool = False
    """A select item may use the name of an earlier one that is a struct's field, as if it were an alias."""
    columns_before_calls: bool = False
    """`current_user` is a column where a table has one of that name, else a call without brackets."""
    session_variables: bool = False
    """`session.v` and `system.session.v` are the variable v that the session declares."""
    bars_are_pipes: bool = False
    """A pipe operator may stand behind `|` as well as behind `|>`, and the values of SET see those before them."""
    identifier_clause: bool = False
    """`IDENTIFIER('d.t')` is a name, wherever one may stand."""
    column_sets: bool = False
    """`COLUMNS('n_.*')` stands for several columns."""
    aggregate_filter: bool = True
    """`SUM(a) FILTER (WHERE b)` takes some rows only."""
    money_signs: bool = False
    """`$19.99` is a number."""
    underscored_numbers: bool = False
    """`1_000` is a number, and the grammar's tokeniser does not read it as one."""
    empty_binary: bool = False
    """`0x` is a binary string without bytes."""
    streams: bool = False
    """Sources deliver rows and sinks send them out: `CREATE SOURCE`, `CREATE SINK`."""
    calls_move_rows: bool = False
    """Functions move rows between tables that their texts name: `SELECT COPY_TABLE('a', 'b')`."""
    defaults_read: bool = False
    """A column's default may read other columns and tables."""
    tables_are_types: bool = False
    """A column may be of a table's type, and then holds a row of it."""
    defines_objects: bool = False
    """`DEFINE TABLE t (a INT)` creates a table."""
    own_operators: bool = False
    """Extensions define operators: any run of their characters is one."""

    # Tables, and the columns that they show.
    first_schema: str | None = None
    """The schema that `db..t` leaves out."""
    paths_are_whole: bool = False
    """A name with a dot is whole: the schema in use comes before bare names only, however many parts it has."""
    databases_of_schemas: bool = False
    """`USE d` names a database, whose first schema is then the default."""
    implicit_lateral: bool = False
    """A derived table may see the FROM items before it without LATERAL."""
    join_marks: bool = False
    """`a.id = b.id (+)` in WHERE is an outer join."""
    temporary_without_schema: bool = False
    """Temporary tables and views belong to the session, whatever schema is in use."""
    temporary_marks: bool = False
    """Temporary tables are called `#t`, `##t`."""
    states_in_names: bool = False
    """`s.t.branch_audit` may be a branch of the table `s.t`."""
    one_row_tables: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    """Tables that only stand where the grammar wants one, `DUAL`, with the name of their one column."""
    implicit_from: bool = False
    """A table that qualifies a column need not stand in FROM."""
    in_table: bool = False
    """`a IN b` without brackets reads the table b."""
    using_first: bool = True
    """`*` over a join with USING begins with the merged columns."""
    using_first_of_item: bool = False
    """So does `t.*`, with those of t."""
    using_leaves_item: bool = False
    """`t.*` lacks the merged columns: they belong to no item any more."""
    values_column: Callable[[int], str] = field(default=lambda n: f"column{n + 1}")
    row_member: Callable[[int], str] | None = None
    """What a struct calls a member without a name, by its position, even if it is a column."""
    numbered_fields: bool = False
    """A number in brackets chooses a field of a struct, `s[1]`."""
    unnest_gives_fields: bool = False
    """UNNEST in FROM has one column per field of an array's rows."""
    arrays_in_from: bool = False
    """`FROM t, t.arr` has a row per element of the column arr."""
    element_name: str | None = None
    """What its elements are called: Impala's `item`. A map then has `key` and `value`, and both have `pos`."""
    numbers_elements: bool = False
    """`explode(a) AS (p, v)` gives the position of an element before the element."""
    unnest_takes_structs: bool = False
    """`unnest(s)` in a select list stands for the fields of the struct s."""
    implicit_recursion: bool = False
    """A CTE may refer to itself without RECURSIVE."""

    # Statements.
    short_column_list: bool = False
    """A view's column list may name only the first columns."""
    ctas_by_name: bool = False
    """`CREATE TABLE t (a INT) SELECT b, a …`: columns find each other by name, further ones are added."""
    names_reorder: bool = False
    """So do those of a list without types, `CREATE TABLE t (b, a) AS SELECT a, b …`; otherwise these go by position."""
    into_variables: bool = False
    """`SELECT … INTO x` fills variables, it makes no table."""
    identity_is_left_out: bool = False
    """An INSERT without a column list has no value for a column that the database counts: `id int IDENTITY`."""
    insert_sees_row: bool = False
    """A value of INSERT may use the columns before it: `INSERT INTO t (a, b) VALUES (1, a + 1)`."""
    assigns_in_order: bool = False
    """`UPDATE t SET a = b, c = a`: c takes the new a."""
    partitions_have_names: bool = False
    """`INSERT INTO t PARTITION (p)` names a partition, not a column."""

    # Scripts.
    loops_spread: bool = False
    """The columns that a FOR loop goes through are known inside without the loop's name."""
    declares_before_block: bool = False
    """Variables are declared between DECLARE and BEGIN, not one by one."""
    blocks_scope_variables: bool = True
    """What a block declares is known in that block only."""
    values_are_queries: bool = False
    """A value may have a FROM: `v := max(a) FROM t WHERE b = 1`."""
    session_marks: str = ""
    """What variables of the session begin with: routines see them, too."""
    variables_first: bool = False
    """A variable hides a column of its name."""
    batch_separator: str | None = None
    """A word that alone on its line ends a statement: `GO`."""
    optional_semicolons: bool = False
    guards_one_statement: bool = False
    """IF and WHILE guard one statement, or what stands between BEGIN and END: there is no THEN, no LOOP and no END IF."""
    marks_variables: bool = False
    """Variables are called `@v`: parameters need no brackets, `SELECT @v = a` assigns, EXEC calls with `@p = @v`."""
    changed_tables: tuple[str, ...] = ()
    """The names under which a trigger sees the changed rows as tables; without any it sees them row by row."""
    alters_routines: bool = False
    """`ALTER PROCEDURE p AS …` has a body."""
    nested_routines: bool = False
    """A block may create routines."""

    @cached_property
    def family(self) -> str:
        """The dialect that decides what is not a fact of this one alone: its parent, else itself."""
        return self.parent or self.name

    @cached_property
    def grammar(self) -> Grammar:
        """Sqlglot's side of this dialect."""
        extended = GRAMMARS.get(self.grammar_name)
        return extended() if extended is not None else Grammar.get_or_raise(self.grammar_name)

    @property
    def name_quotes(self) -> dict[str, str]:
        """The quotes around names: what opens them, and what closes them."""
        return dict(self.grammar.tokenizer_class._IDENTIFIERS)

    def spelled_column(self, name: str) -> str:
        """The folded form of a column name as a schema spells it; quotes around it keep its case."""
        bare, quoted = unquoted(name)
        return self.fold_column(bare, quoted)

    def spelled_table(self, name: str) -> str:
        """The folded form of a table's name as a schema spells it, dotted or not."""
        fold = self.fold_table or self.fold_column
        if name.isidentifier() or not any(mark in name for mark in '"`['):
            return fold(name, False)
        return ".".join(fold(*unquoted(part)) for part in split_name(name))

    def __reduce__(self) -> tuple[Callable[[str], Dialect], tuple[str]]:
        """A dialect travels by its name."""
        return dialect, (self.name,)

    @cached_property
    def column(self) -> Callable[[Any], str]:
        """Gives the folded name of a column or alias identifier."""
        return folder(self.fold_column, self.temporary_marks)

    @cached_property
    def wider(self) -> Dialect | None:
        """The dialect whose grammar reads all that this one's does, and more."""
        return dialect(self.wider_grammar) if self.wider_grammar else None

    @cached_property
    def table(self) -> Callable[[Any], str]:
        """Gives the folded name of an identifier that is part of a table's name."""
        return folder(self.fold_table or self.fold_column, self.temporary_marks)


_ALIASES = {
    "": "ansi",
    "sql": "ansi",
    "sparksql": "spark",
    "sqlserver": "tsql",
    "mssql": "tsql",
    "postgresql": "postgres",
    "mariadb": "mysql",
    "ibmdb2": "db2",
    "prestosql": "presto",
    "plsql": "oracle",
    "memsql": "singlestore",
    "lakeflow": "dlt",
}


class UnknownDialect(ValueError):
    """The caller named a dialect that does not exist."""


def _facts() -> dict[str, Dialect]:
    """All dialects by name; they are imported late, because the module of facts needs this one."""
    from headwater.sql.dialect_facts import DIALECTS

    return DIALECTS


@cache
def dialect(name: str) -> Dialect:
    """The dialect of that name, or `UnknownDialect` with the names there are."""
    key = name.strip().lower()
    found = _facts().get(_ALIASES.get(key, key))
    if found is None:
        hint = did_you_mean(key, [*_facts(), *_ALIASES]) or f"known are {', '.join(sorted(_facts()))}"
        raise UnknownDialect(f"unknown dialect {name!r}; {hint}")
    return found


def dialect_names() -> list[str]:
    """All dialect names, sorted."""
    return sorted(_facts())


def other_names(name: str) -> list[str]:
    """The other names that a dialect goes by, sorted."""
    return sorted(alias for alias, meant in _ALIASES.items() if meant == name and alias)
