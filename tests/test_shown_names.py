"""Names in the text for people: as the script spells them first, quotes included; identities stay folded."""

from __future__ import annotations

import click

import headwater
from headwater.cli.text import column_lines, table_lines

DEFINED = """CREATE TABLE [Fact].[Sale] ([City Key] int, [Total] money)
GO
INSERT INTO fact.sale ([city key]) SELECT s.[CityID] FROM [Sales].[Invoices] AS s
GO
SELECT [CITY KEY] AS [The Key] FROM FACT.SALE
"""


def shown(sql: str, dialect: str) -> list[str]:
    lineage = headwater.analyze(sql, dialect)
    lines = (*column_lines(lineage, lineage.column_edges(rows="none")), *table_lines(lineage))
    return [" ".join(click.unstyle(line).split()) for line in lines]


def test_names_are_shown_as_they_were_defined() -> None:
    lines = shown(DEFINED, "tsql")
    assert "<- [Sales].[Invoices].[CityID] identity" in lines
    assert "<- [Fact].[Sale].[City Key] identity" in lines
    assert any(line.startswith("[Fact].[Sale].[City Key] = s.[CityID]") for line in lines)
    assert any(line.startswith("[The Key] = [CITY KEY]") for line in lines)
    assert any(line.startswith("[Fact].[Sale] <- [Sales].[Invoices]") for line in lines)


def test_identities_stay_folded() -> None:
    edges = headwater.analyze(DEFINED, "tsql").column_edges(rows="none")
    assert {str(edge.source) for edge in edges} == {"sales.invoices.cityid", "fact.sale.city key"}


def test_the_first_place_decides_where_nothing_is_defined() -> None:
    lines = shown('SELECT T.Id FROM "Db".T;\nSELECT t.ID FROM "Db".t', "postgres")
    assert lines.count('<- "Db".T.Id identity') == 2


def test_a_default_schema_is_shown_as_it_was_given() -> None:
    lineage = headwater.analyze("SELECT A FROM [T]", "tsql", default_schema="dbo")
    assert any("<- dbo.[T].A" in line for line in column_lines(lineage, lineage.column_edges()))


def test_a_path_is_shown_as_it_is() -> None:
    lines = shown("COPY INTO t FROM 's3://b/x.csv'", "snowflake")
    assert any("s3://b/x.csv" in line for line in lines)
