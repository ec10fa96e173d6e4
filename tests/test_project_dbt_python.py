"""dbt's models in Python: what they read, and what of their DataFrames can be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.model.diagnostic import Code
from headwater.project.dbt import read_dbt
from headwater.project.lineage import ProjectLineage, project_lineage

SOURCES = "sources:\n  - name: raw\n    tables: [{name: orders}]\n"
BASE = "select 1 as id, 2 as amount, 'x' as kind"


def lineage_of(folder: Path, body: str, **files: str) -> ProjectLineage:
    """The lineage of a project whose model m has this body."""
    program = "import pandas as pd\n\ndef model(dbt, session):\n    dbt.config(materialized='table')\n" + body
    given = {
        "dbt_project.yml": "name: shop\n",
        "models/s.yml": SOURCES,
        "models/base.sql": BASE,
        "models/m.py": program,
        **files,
    }
    for name, content in given.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    return project_lineage(read_dbt(folder, dialect="duckdb", environment={}))


def tables(made: ProjectLineage, target: str = "shop.m") -> set[str]:
    return {str(edge.source) for edge in made.lineage.table_edges() if str(edge.target) == target}


def edges(made: ProjectLineage) -> set[str]:
    found = made.lineage.column_edges(rows="none")
    return {
        f"{edge.target} <- {edge.source}".replace("shop.", "")
        for edge in found
        if str(edge.target).startswith("shop.m")
    }


def codes(made: ProjectLineage) -> set[Code]:
    return {each.code for each, _ in made.diagnostics()} - {Code.TEMPLATE}


READS = {
    "ref": ("    return score(dbt.ref('base'))\n", {"shop.base"}),
    "source": ("    return score(dbt.source('raw', 'orders'))\n", {"raw.orders"}),
    "both": ("    return score(dbt.ref('base'), dbt.source('raw', 'orders'))\n", {"shop.base", "raw.orders"}),
    "a model that is not there": ("    return score(dbt.ref('gone'))\n", {"shop.gone"}),
    "a package": ("    return score(dbt.ref('shop', 'base'))\n", {"shop.base"}),
    "in a branch": (
        "    if dbt.is_incremental:\n        return dbt.ref('base')\n    return pd.DataFrame()\n",
        {"shop.base"},
    ),
    "SQL of the session": ("    return score(session.sql('select id from lake.events'))\n", {"lake.events"}),
    "SQL of Spark": ("    return score(spark.sql('''select id\nfrom lake.events;'''))\n", {"lake.events"}),
    "SQL of dbt's session": (
        "    return score(dbt.session.sql('with x as (select 1 as a) select * from x, lake.e'))\n",
        {"lake.e"},
    ),
    "a table of the session": ("    return score(session.table('lake.events'))\n", {"lake.events"}),
    "a table of Spark": ("    return score(spark.read.table('lake.events'))\n", {"lake.events"}),
}


@pytest.mark.parametrize("what", READS)
def test_what_a_program_reads_is_the_model_s_table_lineage(tmp_path: Path, what: str) -> None:
    body, sources = READS[what]
    made = lineage_of(tmp_path, body, **{"models/after.sql": "select score from {{ ref('m') }}"})
    assert tables(made) == sources
    assert tables(made, "shop.after") == {"shop.m"}
    assert codes(made) == {Code.UNSUPPORTED_CONSTRUCT}


def test_a_column_that_is_asked_for_is_made_of_all_that_is_read(tmp_path: Path) -> None:
    made = lineage_of(tmp_path, READS["ref"][0], **{"models/after.sql": "select score from {{ ref('m') }}"})
    assert {"m.score <- base.id", "m.score <- base.amount", "m.score <- base.kind"} <= edges(made)


ALL = {"m.id <- base.id", "m.amount <- base.amount", "m.kind <- base.kind"}
FRAMES = {
    "as it is": ("    return dbt.ref('base')\n", ALL),
    "by a name": ("    df = dbt.ref('base')\n    other = df.toPandas()\n    return other\n", ALL),
    "columns": ("    return dbt.ref('base').select('id', 'kind')\n", {"m.id <- base.id", "m.kind <- base.kind"}),
    "columns of pandas": ("    return dbt.ref('base').df()[['id']]\n", {"m.id <- base.id"}),
    "a list of columns": ("    return dbt.ref('base').select(['id'])\n", {"m.id <- base.id"}),
    "functions": (
        "    return dbt.ref('base').select(col('id'), F.col('kind').alias('k'))\n",
        {"m.id <- base.id", "m.k <- base.kind"},
    ),
    "items": (
        "    d = dbt.ref('base')\n    return d.select(d['id'], d.kind.alias('k'))\n",
        {"m.id <- base.id", "m.k <- base.kind"},
    ),
    "expressions": (
        "    return dbt.ref('base').selectExpr('id', 'amount + 1 as a')\n",
        {"m.id <- base.id", "m.a <- base.amount"},
    ),
    "a projection": (
        "    return dbt.ref('base').project('id, amount + 1 as a')\n",
        {"m.id <- base.id", "m.a <- base.amount"},
    ),
    "a condition": ("    return dbt.ref('base').filter('amount > 0').limit(3)\n", ALL),
    "distinct": ("    return dbt.ref('base').distinct()\n", ALL),
    "a union": (
        "    b = dbt.ref('base')\n    return b.select('id').union(b.select('amount'))\n",
        {"m.id <- base.id", "m.id <- base.amount"},
    ),
    "a join": (
        "    o = session.table('lake.o').select('id', 'paid')\n    return dbt.ref('base').select('id').join(o, on='id', how='left')\n",
        {"m.id <- base.id", "m.paid <- lake.o.paid"},
    ),
    "SQL": ("    return session.sql('select id as i from lake.events')\n", {"m.i <- lake.events.id"}),
}


@pytest.mark.parametrize("what", FRAMES)
def test_a_simple_data_frame_is_read_as_a_query(tmp_path: Path, what: str) -> None:
    body, expected = FRAMES[what]
    made = lineage_of(tmp_path, body)
    assert edges(made) == expected
    assert codes(made) == set()


def test_a_condition_in_python_decides_over_the_rows(tmp_path: Path) -> None:
    made = lineage_of(
        tmp_path, "    d = dbt.ref('base')\n    return d.filter((d.amount > 0) & (col('kind') == 'x')).select('id')\n"
    )
    found = {f"{edge.target} <~ {edge.source}" for edge in made.lineage.column_edges() if edge.type == "fdr"}
    assert {"shop.m.PseudoRows <~ shop.base.amount", "shop.m.PseudoRows <~ shop.base.kind"} <= found


NOT_SIMPLE = {
    "an unknown method": "    return dbt.ref('base').melt('id')\n",
    "a loop": "    d = dbt.ref('base')\n    for c in 'ab':\n        d = d.select(c)\n    return d\n",
    "an item that is set": "    d = dbt.ref('base').df()\n    d['x'] = d.id + 1\n    return d\n",
    "a column that is computed": "    return dbt.ref('base').select(col('id') + 1)\n",
    "a text that is computed": "    return session.sql('select ' + name()).union(dbt.ref('base'))\n",
}


@pytest.mark.parametrize("what", NOT_SIMPLE)
def test_what_is_not_simple_is_made_of_all_that_it_reads(tmp_path: Path, what: str) -> None:
    made = lineage_of(tmp_path, NOT_SIMPLE[what])
    assert tables(made) == {"shop.base"}
    assert codes(made) == {Code.UNSUPPORTED_CONSTRUCT}


@pytest.mark.parametrize(
    "program", ["def model(dbt, session):\n  return", "this is no program (", "\0", "(" * 500 + ")" * 500]
)
def test_a_program_that_reads_nothing_is_said(tmp_path: Path, program: str) -> None:
    made = lineage_of(tmp_path, "", **{"models/m.py": program})
    assert tables(made) == set()
    assert codes(made) == {Code.UNSUPPORTED_CONSTRUCT}
