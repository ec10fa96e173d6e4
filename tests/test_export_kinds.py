"""Entities of every kind in every format: whatever outlives its statement is told as completely as a table is."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

import pytest
from lxml import etree
from sqlalchemy import create_engine, text

import headwater
from hand_made_feed import HandMadeFeed
from headwater.export import BINARY, MODULES, format_named
from headwater.export.feed import Feed, Level, Scope
from headwater.export.format import Choices, Output
from headwater.export.kinds import WORDS, words
from headwater.export.numbers import NewNumbers
from headwater.feeds import StoreFeed
from headwater.graph import open_graph
from headwater.model.entity import PERSISTENT, EntityKind
from headwater.openlineage.dataset_names import dataset_name, entity_name
from headwater.report import gather, markdown_page, page_of
from sqlflow_readers import read_json, read_xml
from stores import make_store

XSD = etree.XMLSchema(etree.parse(str(Path(headwater.__file__).parent / "export" / "sqlflow" / "dlineage.xsd")))


class Later(StrEnum):
    """Kinds of a semantic layer, whether the model has them or not, and one that nobody has thought of."""

    MODEL = "model"
    DIMENSION = "dimension"
    METRIC = "metric"
    INSIGHT = "insight"
    INPUT = "input"
    CHART = "chart"
    DASHBOARD = "dashboard"
    EXPOSURE = "exposure"
    UNHEARD_OF = "unheardOf"


KNOWN = sorted(PERSISTENT - {EntityKind.ORPHAN})
"""Kinds of the model, whichever it has; columns that nobody owns outlive no statement."""
KINDS = [*KNOWN, *(cast(EntityKind, later) for later in Later if later.value not in set(EntityKind))]
WRITTEN = [name for name in MODULES if format_named(name).write is not None]
LEVELS: tuple[Level, ...] = ("column", "table")


def feed_of(kind: EntityKind, level: Level = "column") -> Feed:
    """A table flows into a thing of that kind, that into a table, of the same name where both can have it, and that into another one."""
    return HandMadeFeed(["raw", name_of(kind), namesake(kind), "out"], Scope(level), kinds={1: kind})


def name_of(kind: EntityKind) -> str:
    return "@thing" if kind is EntityKind.STAGE else "thing"


def namesake(kind: EntityKind) -> str:
    """A table beside a thing of that kind."""
    return "other" if kind in (EntityKind.TABLE, EntityKind.VIEW) else "thing"


def written(format: str, feed: Feed) -> tuple[bytes, list[str]]:
    write = format_named(format).write
    assert write is not None
    stream = io.BytesIO()
    output = Output(stream)
    write(feed, output, Choices(safe_cells=False))
    return stream.getvalue(), list(output.left_out())


def levels_of(format: str) -> list[Level]:
    return [level for level in LEVELS if level in format_named(format).levels]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("format", WRITTEN)
def test_nothing_is_left_out_that_a_table_would_have(format: str, kind: EntityKind) -> None:
    for level in levels_of(format):
        content, left_out = written(format, feed_of(kind, level))
        assert left_out == written(format, feed_of(EntityKind.TABLE, level))[1]
        assert format in BINARY or b"thing" in content


@pytest.mark.parametrize("format", WRITTEN)
def test_columns_that_nobody_owns_do_no_harm(format: str) -> None:
    for level in levels_of(format):
        feed = HandMadeFeed(["thing", "out", "more"], Scope(level), kinds={0: EntityKind.ORPHAN})
        assert format in BINARY or b"out" in written(format, feed)[0]


@pytest.mark.parametrize("kind", KINDS)
def test_sqlflow_has_an_element_for_it(kind: EntityKind) -> None:
    content, _ = written("sqlflow-xml", feed_of(kind))
    XSD.assertValid(etree.fromstring(content))
    from_xml, from_json = read_xml(content.decode()), read_json(written("sqlflow-json", feed_of(kind))[0].decode())
    assert from_json == from_xml
    assert (len(from_xml.entities), len(from_xml.columns), len(from_xml.edges)) == (4, 4, 3)


@pytest.mark.parametrize(
    ("kind", "element", "type_", "sub_type"),
    [
        (EntityKind.TABLE, "table", "table", None),
        (EntityKind.VIEW, "view", "view", None),
        (EntityKind.ORPHAN, "table", "pseudoTable", None),
        (Later.MODEL, "view", "view", "model"),
        (Later.METRIC, "table", "table", "metric"),
        (Later.DASHBOARD, "table", "table", "dashboard"),
        (Later.UNHEARD_OF, "table", "table", "unheardOf"),
    ],
)
def test_sqlflow_says_what_its_list_has_no_word_for(kind: Any, element: str, type_: str, sub_type: str | None) -> None:
    document = etree.fromstring(written("sqlflow-xml", feed_of(kind))[0])
    (found,) = document.xpath("//*[@id='1001']")
    assert (found.tag, found.get("type"), found.get("subType")) == (element, type_, sub_type)


@pytest.mark.parametrize("kind", KINDS)
def test_openlineage_has_a_data_set_of_its_own_for_it(kind: EntityKind) -> None:
    events = [json.loads(line) for line in written("openlineage", feed_of(kind))[0].splitlines()]
    named = [(event["inputs"][0], event["outputs"][0]) for event in events]
    chain = [(source["namespace"], source["name"], target["namespace"], target["name"]) for source, target in named]
    assert [each[2:] for each in chain[:-1]] == [each[:2] for each in chain[1:]]
    assert len({end for each in chain for end in (each[:2], each[2:])}) == 4
    (told,) = {json.dumps(each["facets"]["datasetType"]["datasetType"]) for each in (named[0][1], named[1][0])}
    assert json.loads(told) == words(kind).dataset


@pytest.mark.parametrize("kind", [kind for kind in KNOWN if kind is not EntityKind.VIEW])
def test_the_name_of_a_data_set_is_read_again(kind: EntityKind) -> None:
    name = {EntityKind.PATH: ("s3://lake/x",), EntityKind.STAGE: ("@stage",)}.get(kind, ("shop", "a.b"))
    assert entity_name(*dataset_name(kind, name, "spark")) == (kind, name)


@pytest.mark.parametrize("kind", KINDS)
def test_a_database_has_an_object_for_it(kind: EntityKind, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'lineage.db'}"
    send = format_named("rdbms").send
    assert send is not None
    send(feed_of(kind), url, Choices())
    with create_engine(url).connect() as connection:
        found = connection.execute(text("SELECT object_type FROM sqlflow_dbobjects WHERE parent_id <> '1'")).scalars()
        types = Counter(each for each in found if each not in ("cluster", "database", "process"))
        names = connection.execute(text("SELECT qualified_name FROM sqlflow_columns")).scalars().all()
        relations = connection.execute(text("SELECT count(*) FROM headwater_relations")).scalar()
    assert types == Counter([*["table"] * 3, words(kind).catalog])
    assert relations == 3
    assert len(names) == len(set(names)) == 4


@pytest.mark.parametrize("kind", KINDS)
def test_atlas_has_an_entity_for_it(kind: EntityKind) -> None:
    document = json.loads(written("atlas", feed_of(kind))[0])
    entities = document["entities"]["entities"]
    types = Counter(entity["typeName"] for entity in entities)
    assert types[f"sqlflow_{words(kind).catalog}"] >= 1
    assert types["sqlflow_column_lineage"] == 3
    assert types["sqlflow_column"] == 4
    assert len({entity["guid"] for entity in entities}) == len(entities)
    if kind in KNOWN:
        assert types.keys() <= {each["name"] for each in document["typedefs"]["entityDefs"]}


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_have_a_colour_for_it(kind: EntityKind) -> None:
    colour = words(kind).fill
    assert f".fill.k-{kind.value} {{ fill: {colour}; }}" in written("html", feed_of(kind))[0].decode()
    assert f"classDef {kind.value} fill:{colour}" in written("mermaid", feed_of(kind))[0].decode()
    assert f'bgcolor="{colour}"' in written("dot", feed_of(kind))[0].decode()


@pytest.mark.parametrize("kind", KINDS)
def test_graphs_say_what_it_is(kind: EntityKind) -> None:
    graph = etree.fromstring(written("graphml", feed_of(kind))[0])
    assert kind.value in {each.text for each in graph.iter("{*}data")}
    rows = list(csv.DictReader(io.StringIO(written("edges", feed_of(kind))[0].decode())))
    assert [(row["source_table"], row["target_table"]) for row in rows] == [
        ("raw", name_of(kind)),
        (name_of(kind), namesake(kind)),
        (namesake(kind), "out"),
    ]
    assert len({row[side] for row in rows for side in ("source_id", "target_id")}) == 4


@pytest.mark.parametrize("kind", KNOWN)
def test_a_store_is_told_in_every_format(kind: EntityKind, tmp_path: Path) -> None:
    name = {EntityKind.STAGE: "@thing", EntityKind.PATH: "/lake/thing"}.get(kind, "shop.thing")
    lines = f"{kind.value} {name}\nshop.raw.a -> {name}.a @ x.sql:1 Insert\n{name}.a -> shop.out.a @ x.sql:2 Insert"
    feed = StoreFeed(open_graph(make_store(tmp_path / "store", lines).path))
    assert [entity.kind for entity in feed.entities() if entity.name == name] == [kind]
    for format in WRITTEN:
        for level in levels_of(format):
            content, _ = written(format, feed.scoped(Scope(level)))
            assert format in BINARY or b"thing" in content, (format, level)
    page = markdown_page(page_of(gather(feed.graph)))
    assert f"| {kind.value} |" in page


@pytest.mark.parametrize("kind", KINDS)
def test_two_things_have_one_number_if_they_have_one_name(kind: EntityKind) -> None:
    numbers = NewNumbers()
    table, thing = (numbers.table(each, ("shop", "thing"), None) for each in (EntityKind.TABLE, kind))
    assert (table == thing) == (kind in (EntityKind.TABLE, EntityKind.VIEW))


def test_every_kind_of_the_model_has_words() -> None:
    """One that has none is told by its own word; but somebody should have thought of it."""
    assert set(EntityKind) <= WORDS.keys()
