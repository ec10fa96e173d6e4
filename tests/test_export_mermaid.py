"""Mermaid flowcharts: what GitHub draws in Markdown."""

from __future__ import annotations

import re

import pytest

from export_samples import HOSTILE, hostile, text, warehouse, written
from headwater.export.feed import LEVELS, Level
from headwater.export.format import ExportError

LINE = re.compile(
    r"%% headwater mermaid 1, \w+ level|flowchart LR|  end"
    r'|  subgraph t\d+\["[^"\n]*"\]|  class t\d+ \w+|    c\d+\["[^"\n]*"\]:::\w+|  t\d+\["[^"\n]*"\]:::\w+'
    r'|  c\d+ (-->|-\.->|-\.-) c\d+|  t\d+ -->\|"[\w, ]*"\| t\d+|  classDef \w+ [\w:#,-]+'
)
"""The lines of which our flowcharts consist."""


def test_tables_are_boxes_and_columns_stand_in_them() -> None:
    chart = text("mermaid", warehouse())
    names = dict(re.findall(r'(\w+)\["([^"]*)"\]', chart))
    arrows = {(names[a], arrow, names[b]) for a, arrow, b in re.findall(r"(c\d+) (\S+) (c\d+)", chart)}
    assert ("amount", "-->", "revenue") in arrows
    assert ("status", "-.->", "rows") in arrows
    assert "mart.sales" in names.values()


def test_a_line_stands_for_all_relations_of_the_same_ends() -> None:
    arrows = re.findall(r"c\d+ \S+ c\d+", text("mermaid", warehouse()))
    assert len(arrows) == len(set(arrows))


def test_the_table_level_names_the_statements() -> None:
    chart = text("mermaid", warehouse("table"))
    names = {name: id for id, name in re.findall(r'(t\d+)\["([^"]*)"\]', chart)}
    assert f'{names["staging.customers"]} -->|"Create Table, Insert"| {names["mart.sales"]}' in chart


def test_joins_have_no_arrow() -> None:
    assert re.search(r"c\d+ -\.- c\d+", text("mermaid", warehouse("complete")))


@pytest.mark.parametrize("level", LEVELS)
def test_every_line_is_one_that_mermaid_knows(level: Level) -> None:
    for feed in (warehouse(level), hostile(level)):
        for line in text("mermaid", feed).splitlines():
            assert LINE.fullmatch(line), line


def test_hostile_names_are_entity_codes() -> None:
    chart = text("mermaid", hostile())
    assert '["#60;script#62;alert(1)#60;/script#62;"]' in chart
    assert '["a#quot;b"]' in chart
    assert '["x␊y"]' in chart
    assert max(map(len, chart.splitlines())) < 1000
    assert len(HOSTILE) <= chart.count(":::column")


def wide(columns: int, tables: int = 1) -> str:
    names = ", ".join(f"c{n}" for n in range(columns))
    return ";".join(f"CREATE TABLE o{n} AS SELECT {names} FROM t{n}" for n in range(tables))


def test_what_is_too_large_is_drawn_as_tables_and_said() -> None:
    chart, left_out = written("mermaid", warehouse(sql=wide(250)))
    assert b"table level" in chart
    assert left_out == [
        "251 relations of columns, which pass 150 tables, 400 columns and 500 lines: tables are drawn instead"
    ]


def test_what_is_too_large_as_tables_is_refused() -> None:
    with pytest.raises(ExportError, match="too large for a picture"):
        written("mermaid", warehouse(sql=wide(3, 100)))
