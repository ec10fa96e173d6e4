"""The lineage of one column of a store: found in the graph's arrays, it is what the walk over the whole feed finds."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from export_samples import text
from headwater.export.feed import Feed, Scope
from headwater.export.focus import DIRECTIONS, Focus, FocusFeed
from headwater.export.format import ExportError
from headwater.feeds import StoreFeed, store_focus
from headwater.graph import open_graph
from random_stores import random_store
from stores import make_store

pytestmark = pytest.mark.slow

LINES = """
raw.o.amount -> st.o.amount @ a.sql:1 Insert
raw.o.status -> st.o.rows FILTER where @ a.sql:1 Insert
raw.o.rows -> st.o.rows rows @ a.sql:1 Insert
st.o.amount -> mart.s.revenue AGGREGATION = sum(amount) @ b.sql:3 Create Table
st.o.rows -> mart.s.rows rows @ b.sql:3 Create Table
mart.s.revenue -> mart.t.place WINDOW = rank() @ b.sql:9 Insert
raw.x.a -> st.x.a @ c.sql:1 Insert
"""


@pytest.fixture(scope="module")
def feed(tmp_path_factory: pytest.TempPathFactory) -> StoreFeed:
    folder = tmp_path_factory.mktemp("stores") / "store"
    make_store(folder, LINES)
    return StoreFeed(open_graph(folder))


def records(feed: Feed) -> list[object]:
    statements = [(process.id, relations) for process, relations in feed.statements()]
    found = [list(feed.entities()), list(feed.relations()), list(feed.processes()), list(feed.table_relations())]
    return [*found, statements, list(feed.remarks())]


def test_a_picture_of_one_column_of_a_store(feed: StoreFeed) -> None:
    chart = text("mermaid", store_focus(feed, Focus("mart.s.revenue", "upstream")))
    assert all(name in chart for name in ("raw.o", "status", "amount", "mart.s"))
    assert not any(name in chart for name in ("raw.x", "mart.t", "place"))


def test_names_are_those_of_the_store(feed: StoreFeed) -> None:
    with pytest.raises(ExportError, match=r"there is no column mart\.s\.revenu; mart\.s has .*did you mean revenue\?"):
        store_focus(feed, Focus("mart.s.revenu"))


@pytest.mark.parametrize("scope", [Scope(), Scope(impact=False), Scope("table")], ids=["column", "data", "table"])
def test_arrays_and_the_walk_find_the_same(tmp_path: Path, scope: Scope) -> None:
    random_store(tmp_path / "store", 7, graphs=4)
    feed = StoreFeed(open_graph(tmp_path / "store"), scope)
    columns = [column.id for entity in feed.entities() for column in entity.columns]
    ids = feed.graph.arrays.node_id
    for column in islice(columns, 0, None, max(1, len(columns) // 6)):
        for direction in DIRECTIONS:
            for depth in (1, None):
                by_walk = FocusFeed(feed, Focus(f"id:{column}", direction, depth))
                store_id = ids[column - feed.records.first_column]
                by_arrays = store_focus(feed, Focus(f"id:{store_id}", direction, depth))
                assert records(by_arrays) == records(by_walk)
