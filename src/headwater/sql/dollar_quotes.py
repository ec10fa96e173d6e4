"""Grammars in which a dollar sign means more: `$$ … $$` is a string in Spark and Databricks, `$name` a parameter in SQLite.

Such strings are bodies of functions in Python and metric views in YAML. Two quotes inside a string are one, as Spark has it since 4.0;
before, they ended one string and began the next.
"""

from __future__ import annotations

from typing import ClassVar

from sqlglot.dialects.databricks import Databricks
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.dialects.spark import Spark
from sqlglot.dialects.sqlite import SQLite
from sqlglot.tokenizer_core import TokenType


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


GRAMMARS: dict[str, type[Grammar]] = {
    "spark": DollarQuotedSpark,
    "databricks": DollarQuotedDatabricks,
    "sqlite": DollarParameterSQLite,
}
"""By sqlglot's name of the grammar that each extends."""
