"""The texts that fuzzing begins with: queries made by grammar, the literate cases, and real SQL where it can be had."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from headwater.sql.dialect import dialect_names
from material.corpus import Sql
from material.package_index import Unavailable
from material.sources import SOURCES

sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "tests"))
import sql_generator
from case_file import all_cases

_LONGEST = 4000
"""Characters; longer texts make fewer tries in the same time, and findings that nobody can read."""


def texts(cache: Path, seed: int) -> list[Sql]:
    """All texts, in an order that depends on nothing but the seed and what is installed."""
    found = [*_generated(seed), *_cases(), *_real(cache)]
    return [s for s in found if len(s.text) <= _LONGEST]


def _generated(seed: int, count: int = 300) -> list[Sql]:
    found: list[Sql] = []

    @seeded(seed)
    @settings(
        max_examples=count,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2).flatmap(lambda depth: sql_generator.statements(dialect="duckdb", depth=depth)))
    def collect(statement: sql_generator.Statement) -> None:
        found.append(Sql("generated", "duckdb", sql_generator.text(statement)))

    collect()
    return found


def _cases() -> list[Sql]:
    known = set(dialect_names())
    blocks = ((case, case.blocks["sql"].attributes.get("dialect", "spark")) for case in all_cases())
    return [Sql(case.id, dialect, case.sql) for case, dialect in blocks if dialect in known]


def _real(cache: Path) -> list[Sql]:
    found: list[Sql] = []
    for name, source in SOURCES.items():
        try:
            found.extend(source(cache).scripts)
        except Unavailable as error:
            print(f"{name}: left out, {error}", file=sys.stderr)
    return [Sql(s.name, s.dialect.partition(",")[0], s.text) for s in found]
