"""Grammars whose tokens are not exactly those of sqlglot.

`$$ … $$` is a string in Spark and Databricks: bodies of functions in Python, metric views in YAML. Two quotes inside a string are one, as
Spark has it since 4.0; before, they ended one string and began the next. `$name` is a parameter in SQLite, `(+)` marks an outer join in
Exasol. Flink, which sqlglot does not know, has the standard's grammar with backticks around names; its class registers itself with sqlglot
under the name `flink`.
"""

from __future__ import annotations

from typing import ClassVar

from sqlglot.dialects.databricks import Databricks
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.dialects.exasol import Exasol
from sqlglot.dialects.spark import Spark
from sqlglot.dialects.sqlite import SQLite
from sqlglot.tokenizer_core import TokenType
from sqlglot.tokens import Tokenizer as Tokens


class DollarQuotedSpark(Spark):
    """Spark's grammar."""

    class Tokenizer(Spark.Tokenizer):
        """Its tokens."""

        RAW_STRINGS: ClassVar = [*Spark.Tokenizer.RAW_STRINGS, "$$"]
        STRING_ESCAPES: ClassVar = [*Spark.Tokenizer.STRING_ESCAPES, "'", '"']


class DollarQuotedDatabricks(Databricks):
    """Databricks' grammar."""

    class Tokenizer(Databricks.Tokenizer):
        """Its tokens."""

        RAW_STRINGS: ClassVar = [*Databricks.Tokenizer.RAW_STRINGS, "$$"]
        STRING_ESCAPES: ClassVar = [*Databricks.Tokenizer.STRING_ESCAPES, "'", '"']


class DollarParameterSQLite(SQLite):
    """SQLite's grammar."""

    class Tokenizer(SQLite.Tokenizer):
        """Its tokens; a dollar sign inside of a name is part of it."""

        SINGLE_TOKENS: ClassVar = {**SQLite.Tokenizer.SINGLE_TOKENS, "$": TokenType.PARAMETER}
        VAR_SINGLE_TOKENS: ClassVar = {"$"}


class MarkedExasol(Exasol):
    """Exasol's grammar."""

    class Tokenizer(Exasol.Tokenizer):
        """Its tokens; `(+)` marks the optional side of a join."""

        KEYWORDS: ClassVar = {**Exasol.Tokenizer.KEYWORDS, "(+)": TokenType.JOIN_MARKER}


class Flink(Grammar):
    """The grammar of Flink SQL."""

    class Tokenizer(Tokens):
        """Its tokens; the type of a struct is `ROW<a INT>`."""

        IDENTIFIERS: ClassVar = ["`"]
        KEYWORDS: ClassVar = {
            **Tokens.KEYWORDS,
            "MATCH_RECOGNIZE": TokenType.MATCH_RECOGNIZE,
            "ROW": TokenType.STRUCT,
        }


GRAMMARS: dict[str, type[Grammar]] = {
    "spark": DollarQuotedSpark,
    "databricks": DollarQuotedDatabricks,
    "sqlite": DollarParameterSQLite,
    "exasol": MarkedExasol,
    "flink": Flink,
}
"""By sqlglot's name of the grammar that each extends."""
