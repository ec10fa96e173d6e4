"""Grammars of Spark and Databricks in which `$$ … $$` is a string: bodies of functions in Python, metric views in YAML.

Two quotes inside a string are one, as Spark has it since 4.0; before, they ended one string and began the next.
"""

from __future__ import annotations

from typing import ClassVar

from sqlglot.dialects.databricks import Databricks
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.dialects.spark import Spark


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


GRAMMARS: dict[str, type[Grammar]] = {"spark": DollarQuotedSpark, "databricks": DollarQuotedDatabricks}
"""By sqlglot's name of the grammar that each extends."""
