"""GraphML: networkx reads the same graph back."""

from __future__ import annotations

import io

import networkx
import pytest
from lxml import etree

from export_samples import hostile, warehouse, written
from headwater.export.feed import LEVELS, Level
from headwater.export.picture.lines import Line, graph
from headwater.export.records import Entity


def read_back(written: bytes) -> networkx.MultiDiGraph:
    return networkx.read_graphml(io.BytesIO(written), force_multigraph=True)


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_graph_is_read_back(level: Level) -> None:
    feed = warehouse(level)
    read = read_back(written("graphml", feed)[0])
    met = list(graph(feed, level))
    entities = [each for each in met if isinstance(each, Entity)]
    lines = [each for each in met if isinstance(each, Line)]
    if level == "table":
        nodes = {f"n{entity.id}": entity.name for entity in entities}
    else:
        nodes = {f"n{c.id}": f"{entity.name}.{c.name}" for entity in entities for c in entity.columns}
    assert {node: said["name"] for node, said in read.nodes(data=True)} == nodes
    expected = sorted(
        (
            f"n{line.source.column or line.source.entity}",
            f"n{line.target.column or line.target.entity}",
            line.kind.type,
            line.kind.subtype or "",
            line.kind.clause,
            line.kind.masking,
            line.expression,
            line.process,
        )
        for line in lines
    )
    assert expected == sorted(
        (
            source,
            target,
            said.get("type", ""),
            said.get("subtype", ""),
            said.get("clause", ""),
            said.get("masking", read.graph["edge_default"]["masking"]),
            said.get("expression", ""),
            said["process"],
        )
        for source, target, said in read.edges(data=True)
    )


def test_data_is_typed_and_the_version_is_stated() -> None:
    read = read_back(written("graphml", warehouse())[0])
    assert read.graph.items() >= {("format", "headwater"), ("version", "1"), ("level", "column"), ("dialect", "spark")}
    said = next(said for _, said in read.nodes(data=True) if said["name"] == "raw.orders.amount")
    assert (said["data_type"], said["entity_kind"]) == ("DECIMAL(12, 2)", "table")
    assert read.graph["node_default"] == {"row_set": False, "inferred": False, "temporary": False}
    assert isinstance(said["entity"], int)


@pytest.mark.parametrize("level", LEVELS)
def test_hostile_names_are_well_formed(level: Level) -> None:
    text, left_out = written("graphml", hostile(level))
    etree.fromstring(text)
    names = {said["name"] for _, said in read_back(text).nodes(data=True)}
    assert any("<script>alert(1)</script>" in name for name in names)
    if level == "column":
        assert left_out == ["6 characters that XML cannot hold"]
