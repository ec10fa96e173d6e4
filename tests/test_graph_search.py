"""Ranked search: what comes first, by hand; and that it finds what a plain search over whole names finds."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import headwater
from headwater.graph import Graph, UnknownName
from stores import make_store

SHOP = """
    column sales.orders.id
    column sales.orders.amount
    column sales.orders.customer_id
    column sales.order_items.order_id
    column sales.order_items.quantity
    column web.orders.session
    column orders.archive.note
    column reports.big_orders.amount_net
    column reports.reorders.gross_amount
    temporary tmp.orders
    column tmp.orders.amount
    view reports.amount
    column reports.amount.value
"""


def graph_of(folder: Path, lines: str) -> Graph:
    return headwater.open(make_store(folder / "lineage", lines).path)


@pytest.fixture
def shop(tmp_path: Path) -> Graph:
    return graph_of(tmp_path, SHOP)


def found(graph: Graph, text: str, **options: object) -> list[str]:
    return [str(each) for each in graph.find(text, limit=100, **options).items]  # type: ignore[arg-type]


def test_a_tables_own_name_comes_first_then_beginnings_then_words_then_parts(shop: Graph) -> None:
    assert found(shop, "orders", what="table") == [
        "web.orders",  # the last part, the shortest first
        "sales.orders",
        "tmp.orders",  # what does not last behind what does
        "orders.archive",  # the whole name begins with it
        "reports.big_orders",  # a word of it does
        "reports.reorders",  # it is somewhere in it
    ]


def test_a_columns_own_name_comes_first_too(shop: Graph) -> None:
    assert found(shop, "amount", what="column") == [
        "sales.orders.amount",
        "tmp.orders.amount",
        "reports.big_orders.amount_net",  # begins with it
        "reports.reorders.gross_amount",  # a word of it does
        "reports.amount.value",  # only its table's name has it
    ]


def test_a_table_comes_before_a_column_that_fits_as_well(shop: Graph) -> None:
    assert found(shop, "amount")[:3] == ["reports.amount", "sales.orders.amount", "tmp.orders.amount"]


def test_the_whole_name_comes_before_everything(shop: Graph) -> None:
    assert found(shop, "sales.orders")[0] == "sales.orders"
    assert found(shop, "SALES.Orders.AMOUNT") == ["sales.orders.amount"]


def test_a_name_is_cut_at_its_dots(shop: Graph) -> None:
    in_all = ["sales.orders.amount", "tmp.orders.amount", "reports.big_orders.amount_net"]
    assert found(shop, "orders.amount") == in_all
    assert found(shop, "orders.am") == in_all
    assert found(shop, "s.orders.id") == ["sales.orders.id"]


def test_a_dot_at_the_end_lists_the_columns_of_the_table(shop: Graph) -> None:
    first = found(shop, "sales.orders.")[:3]
    assert first == ["sales.orders.id", "sales.orders.amount", "sales.orders.customer_id"]


def test_a_part_of_the_last_names_comes_before_whole_beginnings(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "column a.b.orders.x\ncolumn b.ord.y\ncolumn z.q.b.ordinary.x")
    assert found(graph, "b.ord", what="table") == ["b.ord", "a.b.orders", "z.q.b.ordinary"]


def test_several_words_must_all_be_there(shop: Graph) -> None:
    assert found(shop, "orders amount") == [
        "sales.orders.amount",
        "tmp.orders.amount",
        "reports.big_orders.amount_net",
        "reports.reorders.gross_amount",
    ]
    assert found(shop, "amount  sales") == ["sales.orders.amount"]
    assert found(shop, "orders nothing") == []


def test_kinds_choose(shop: Graph) -> None:
    assert found(shop, "amount", kinds=["view"]) == ["reports.amount", "reports.amount.value"]
    assert found(shop, "amount", kinds=["path"]) == []
    assert found(shop, "a", kinds=["view"], what="table") == ["reports.amount"]


def test_patterns_are_compared_with_the_whole_name(shop: Graph) -> None:
    assert found(shop, "sales.*.*id") == ["sales.orders.id", "sales.orders.customer_id", "sales.order_items.order_id"]
    assert found(shop, "*.[vq]alue") == ["reports.amount.value"]


def test_pages_follow_each_other_and_the_total_is_of_all(shop: Graph) -> None:
    whole = found(shop, "o")
    pages = [shop.find("o", limit=4, offset=first) for first in range(0, 40, 4)]
    assert [str(each) for page in pages for each in page.items] == whole
    assert {(page.total, page.exact) for page in pages} == {(len(whole), True)}


def test_nothing_finds_nothing(shop: Graph) -> None:
    assert [shop.find(text).items for text in ("", "   ", "zebra", "..", ". .")] == [()] * 5


def test_an_empty_store_is_searched_too(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "")
    assert graph.find("a").total == graph.find("a b").total == graph.find("*").total == 0


HOSTILE = [
    "<img/src=x/onerror=alert(1)>",
    "x" * 10_000,
    "\u202eevil\u202c",
    "ümläut_ß",
    "a'b\"c`d",
    "percent%_under",
    "back\\slash",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_found_as_they_are(tmp_path: Path, name: str) -> None:
    graph = graph_of(tmp_path, f"column db.t.{name}\ncolumn db.other.x")
    assert [str(each) for each in graph.find(name).items] == [f"db.t.{name}"]
    assert str(graph.column(f"db.t.{name}")) == f"db.t.{name}"


@pytest.mark.parametrize("name", ["a." * 9_000, "id:" + "9" * 9_000, "id:-", "." * 9_000])
def test_odd_names_are_soon_unknown(shop: Graph, name: str) -> None:
    for question in (shop.column, shop.table, shop.meant):
        with pytest.raises(UnknownName):
            question(name)


NAMES = st.lists(st.text("aAb._", min_size=1, max_size=5).map(lambda t: f"d.t{t}.c{t[::-1]}"), min_size=1, max_size=6)


@given(NAMES, st.text("abtcd._", min_size=1, max_size=4))
def test_one_word_finds_what_has_it_in_the_whole_name(names: list[str], word: str) -> None:
    names = [name for name in names if ".." not in name and not name.endswith(".")]
    with TemporaryDirectory() as folder:
        graph = graph_of(Path(folder), "\n".join(f"column {name}" for name in names))
        columns = {str(each) for each in graph.find(word, what="column", limit=100).items}
        tables = {str(each) for each in graph.find(word, what="table", limit=100).items}
        assert columns == {name for name in names if word in name.lower()}
        assert tables == {t for name in names if word in (t := name.rpartition(".")[0]).lower()}
        assert graph.find(word).total == len(columns) + len(tables)


def test_in_a_large_store_the_first_page_is_the_same_and_not_all_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is large is set to be very small."""
    lines = "\n".join(f"column db.t{i}.{'ab'[i % 2]}{i % 7}" for i in range(40))
    small = graph_of(tmp_path, lines)
    expected = {text: small.find(text, limit=6) for text in ("t", "a", "b1", "db", "t1 b", "3", "t1.b")}
    monkeypatch.setattr("headwater.graph.find._MANY", 5)
    for text, wanted in expected.items():
        page = headwater.open(tmp_path / "lineage").find(text, limit=6)
        assert page.items == wanted.items
        assert len(page.items) <= page.total <= wanted.total
        assert not page.exact or page.total == wanted.total
