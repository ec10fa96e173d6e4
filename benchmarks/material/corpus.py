"""What every source gives: scripts, each with its dialect, over one schema or none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from headwater.sql.dialect import UnknownDialect, dialect

Schema = dict[str, Any]

RELATIVES = {
    "impala": "hive",
    "materialize": "postgres",
    "mssql": "tsql",
    "pyspark": "spark",
    "risingwave": "postgres",
    "singlestoredb": "mysql",
    "spark2": "spark",
    "unity": "databricks",
}
"""Dialects that the analyser does not know by that name, and the one whose grammar theirs follows."""


@dataclass(frozen=True, slots=True)
class Sql:
    """One script: where it stands in its corpus, its dialect (several: the first that parses), its text."""

    name: str
    dialect: str
    text: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """Scripts of one origin. `connected`: they run one after the other and build on each other."""

    name: str
    origin: str
    scripts: tuple[Sql, ...]
    schema: Schema | None = field(default=None, repr=False)
    connected: bool = False


def known_dialect(name: str) -> str | None:
    """The analyser's name of a dialect, its nearest relative's, or None."""
    try:
        return dialect(RELATIVES.get(name.lower(), name)).name
    except UnknownDialect:
        return None


def distinct(scripts: Iterable[Sql]) -> tuple[Sql, ...]:
    """The scripts without those whose dialect and text came before."""
    found: dict[tuple[str, str], Sql] = {}
    for script in scripts:
        if script.text.strip():
            found.setdefault((script.dialect, script.text.strip()), script)
    return tuple(found.values())
