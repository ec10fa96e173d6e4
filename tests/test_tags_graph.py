"""How far tags go, what stops them, and what a policy says: on small stores, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.graph import Graph, open_graph
from headwater.graph.tags import Tags
from headwater.store import Store
from headwater.store.build_folder import begin
from headwater.store.schema import TAGS
from headwater.tags.governance import ANY, Forbidden, Governance, Handling, Rule, Treatment
from stores import make_store

LINES = """
    raw.people.email -> crm.people.email @ load.sql:2 Insert
    raw.people.email -> crm.people.email_hash TRANSFORMATION masked = sha2(email, 256) @ load.sql:2 Insert
    raw.people.email -> crm.people.rows FILTER where @ load.sql:2 Insert
    raw.people.email -> crm.people.is_gmail CONDITIONAL = CASE WHEN email LIKE '%@gmail.com' THEN 1 END @ load.sql:2 Insert
    raw.people.name -> crm.people.name TRANSFORMATION = upper(name) @ load.sql:2 Insert
    view crm.contacts
    crm.people.email -> crm.contacts.address TRANSFORMATION = lower(email) @ views.sql:1 Create View
    crm.people.email_hash -> crm.contacts.key @ views.sql:1 Create View
    temporary scratch
    crm.contacts.address -> scratch.address @ mart.sql:1 Create Table
    scratch.address -> mart.mails.address @ mart.sql:3 Insert
    crm.contacts.address -> mart.mails.domains AGGREGATION = max(domain(address)) @ mart.sql:3 Insert
    crm.contacts.address -> mart.mails.number AGGREGATION masked = count(address) @ mart.sql:3 Insert
    crm.contacts.key -> mart.mails.key @ mart.sql:3 Insert
    raw.people.email -> mart.joined.rows JOIN @ mart.sql:9 Insert
    raw.orders.total -> mart.joined.total @ mart.sql:9 Insert
    dashboard shop.dashboard.main
    mart.mails.address -> shop.dashboard.main.mails @ project.yml:7 Create View
    mart.mails.number -> shop.dashboard.main.count @ project.yml:8 Create View
    mart.joined.total -> shop.dashboard.main.total @ project.yml:9 Create View
"""
EMAIL = Governance(columns=(Rule("pii", "raw.people.email", "tags.yml:2"),))


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    return open_graph(make_store(tmp_path / "lineage", LINES).path)


def carried(tags: Tags, *wanted: str) -> dict[str, str]:
    """Columns with the tag that each carries."""
    return {str(each.column): each.tag for each in tags.columns(tags=wanted)}


def way(tags: Tags, column: str) -> list[str]:
    """The way that proves the tag of a column."""
    (found,) = tags.columns(column)
    return [str(found.origin), *(str(hop.target) for hop in tags.path(found))]


# How far a tag goes


def test_a_tag_goes_with_the_data_through_views_and_temporary_tables(graph: Graph) -> None:
    assert carried(graph.tags(EMAIL)) == {
        "crm.contacts.address": "pii",
        "crm.contacts.key": "pii:masked",
        "crm.people.email": "pii",
        "crm.people.email_hash": "pii:masked",
        "mart.mails.address": "pii",
        "mart.mails.domains": "pii",
        "mart.mails.key": "pii:masked",
        "mart.mails.number": "pii:masked",
        "raw.people.email": "pii",
        "scratch.address": "pii",
        "shop.dashboard.main.count": "pii:masked",
        "shop.dashboard.main.mails": "pii",
    }


def test_conditions_filters_and_joins_carry_nothing(graph: Graph) -> None:
    found = carried(graph.tags(EMAIL))
    assert not {"crm.people.is_gmail", "mart.joined.total", "crm.people.PseudoRows"} & found.keys()


def test_the_way_proves_it(graph: Graph) -> None:
    tags = graph.tags(EMAIL)
    assert way(tags, "shop.dashboard.main.mails") == [
        "raw.people.email",
        "crm.people.email",
        "crm.contacts.address",
        "scratch.address",
        "mart.mails.address",
        "shop.dashboard.main.mails",
    ]
    (found,) = tags.columns("crm.contacts.address")
    assert (found.distance, found.own, str(found.origin)) == (2, False, "raw.people.email")
    assert [(each.origin, each.place) for each in found.said] == [("tags", "tags.yml:2")]
    assert [(hop.expression, str(hop.place)) for hop in tags.path(found)] == [
        ("email", "load.sql:2"),
        ("lower(email)", "views.sql:1"),
    ]


def test_an_own_tag_has_no_way(graph: Graph) -> None:
    tags = graph.tags(EMAIL)
    (found,) = tags.columns("raw.people.email")
    assert (found.own, found.origin, tags.path(found)) == (True, found.column, ())


@pytest.mark.parametrize(
    ("handling", "number", "key", "domains"),
    [
        (Handling(), "pii:masked", "pii:masked", "pii"),
        (Handling(masked=Treatment.STOP), None, None, "pii"),
        (Handling(masked=Treatment.KEEP), "pii", "pii", "pii"),
        (Handling(aggregated=Treatment.STOP), None, "pii:masked", None),
        (Handling(aggregated=Treatment.DOWNGRADE), "pii:masked", "pii:masked", "pii:masked"),
        (Handling(Treatment.KEEP, Treatment.DOWNGRADE), "pii:masked", "pii", "pii:masked"),
    ],
)
@pytest.mark.parametrize("tag", ["pii", ANY])
def test_handling(
    graph: Graph, tag: str, handling: Handling, number: str | None, key: str | None, domains: str | None
) -> None:
    found = carried(graph.tags(EMAIL.and_(Governance(handling={tag: handling}))))
    assert [found.get(f"mart.mails.{name}") for name in ("number", "key", "domains")] == [number, key, domains]


def test_handling_of_one_tag_is_not_that_of_another(graph: Graph) -> None:
    other = Governance(handling={"secret": Handling(masked=Treatment.STOP)})
    assert carried(graph.tags(EMAIL.and_(other)))["mart.mails.key"] == "pii:masked"


def test_a_tag_ends_where_it_is_cleared(graph: Graph) -> None:
    ended = Governance(cleared=(Rule("pii", "crm.contacts.*", "tags.yml:9"), Rule("other", "*", "tags.yml:10")))
    assert carried(graph.tags(EMAIL.and_(ended))) == {
        "crm.people.email": "pii",
        "crm.people.email_hash": "pii:masked",
        "raw.people.email": "pii",
    }


def test_a_column_that_is_declared_masked_begins_so(graph: Graph) -> None:
    tags = graph.tags(Governance(columns=(Rule("pii:masked", "crm.contacts.address", "t:1"),)))
    assert set(carried(tags).values()) == {"pii:masked"}
    assert "mart.mails.address" in carried(tags)


def test_clear_hides_masked_however_near_it_is(tmp_path: Path) -> None:
    lines = """
        a.t.x -> a.u.x TRANSFORMATION masked = md5(x)
        a.t.x -> a.v.x
        a.v.x -> a.u.x
        a.u.x -> a.w.x
    """
    tags = open_graph(make_store(tmp_path / "s", lines).path).tags(Governance(columns=(Rule("k", "a.t.x", "t:1"),)))
    assert carried(tags) == {"a.t.x": "k", "a.u.x": "k", "a.v.x": "k", "a.w.x": "k"}
    assert way(tags, "a.w.x") == ["a.t.x", "a.v.x", "a.u.x", "a.w.x"]


def test_circles_end_and_the_nearest_origin_counts(tmp_path: Path) -> None:
    lines = """
        a.t.x -> a.u.x
        a.u.x -> a.t.x
        a.u.x -> a.u.x TRANSFORMATION = x + 1
        a.u.x -> a.w.x
        a.far.x -> a.t.x
    """
    both = Governance(columns=(Rule("k", "a.far.x", "t:1"), Rule("k", "a.t.x", "t:2")))
    tags = open_graph(make_store(tmp_path / "s", lines).path).tags(both)
    assert way(tags, "a.w.x") == ["a.t.x", "a.u.x", "a.w.x"]
    assert way(tags, "a.t.x") == ["a.t.x"]


def test_of_ways_of_one_length_the_first_by_name_counts(tmp_path: Path) -> None:
    lines = [f"a.t.x -> a.m{i}.x\na.m{i}.x -> a.end.x" for i in range(9)]
    rule = Governance(columns=(Rule("k", "a.t.x", "t:1"),))
    ways = [
        way(open_graph(make_store(tmp_path / str(n), "\n".join(order)).path).tags(rule), "a.end.x")
        for n, order in enumerate((lines, lines[::-1], lines[4:] + lines[:4]))
    ]
    assert ways == [["a.t.x", "a.m0.x", "a.end.x"]] * 3


# Who has a tag


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("raw.people.email", {"raw.people.email"}),
        ("RAW.People.EMAIL", {"raw.people.email"}),
        ("people.name", {"crm.people.name", "raw.people.name"}),
        ("raw.people", {"raw.people.email", "raw.people.name"}),
        ("raw.*", {"raw.people.email", "raw.people.name", "raw.orders.total"}),
        ("*.people.email*", {"raw.people.email", "crm.people.email", "crm.people.email_hash"}),
        ("*.tota?", {"raw.orders.total", "mart.joined.total", "shop.dashboard.main.total"}),
        ("ople.name", set()),
        ("raw.people.emai", set()),
    ],
)
def test_patterns(graph: Graph, pattern: str, expected: set[str]) -> None:
    tags = graph.tags(Governance(columns=(Rule("t", pattern, "tags.yml:1"),)))
    assert {str(each.column) for each in tags.columns() if each.own} == expected
    assert [rule.pattern for rule in tags.unmatched] == ([] if expected else [pattern])


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("email", {"raw.people.email", "crm.people.email"}),
        ("EMAIL*", {"raw.people.email", "crm.people.email", "crm.people.email_hash"}),
        ("/^(name|key)$/", {"raw.people.name", "crm.people.name", "crm.contacts.key", "mart.mails.key"}),
        ("/HASH/", {"crm.people.email_hash"}),
        ("mail", set()),
    ],
)
def test_names(graph: Graph, pattern: str, expected: set[str]) -> None:
    tags = graph.tags(Governance(names=(Rule("t", pattern, "tags.yml:1"),)))
    own = [each for each in tags.columns() if each.own]
    assert {str(each.column) for each in own} == expected
    assert {said.origin for each in own for said in each.said} <= {"name rule"}
    assert tags.unmatched == ()


def test_a_table_without_columns_of_that_name_is_no_match_for_a_pattern(graph: Graph) -> None:
    """`*.people` means columns called people, and not the columns of tables that are called so."""
    assert carried(graph.tags(Governance(columns=(Rule("t", "*.people", "t:1"),)))) == {}


def stored(store: Store, *rows: tuple[str, str | None, str, str, str]) -> Graph:
    """The graph of a store whose build was told of these tags."""
    import pyarrow as pa

    from stores import write_tables

    snapshot = store.snapshot()
    entities = {row["name"]: row["entity_id"] for row in snapshot.table("entities").to_pylist()}
    columns = {(row["entity_id"], row["name"]): row["column_id"] for row in snapshot.table("columns").to_pylist()}
    made = [
        {
            "entity_id": entities[table],
            "column_id": columns[entities[table], column] if column else None,
            "tag": tag,
            "origin": origin,
            "place": place,
        }
        for table, column, tag, origin, place in rows
    ]
    names = ("scripts", "statements", "processes", "entities", "columns", "relations", "diagnostics")
    write_tables(
        store,
        {**{name: snapshot.table(name) for name in names}, "tags": pa.Table.from_pylist(made, TAGS.schema)},
    )
    return open_graph(store.path)


def test_tags_of_the_store_count_for_a_column_or_a_whole_table(tmp_path: Path) -> None:
    store = make_store(tmp_path / "lineage", LINES)
    graph = stored(
        store,
        ("raw.people", "name", "pii", "dbt", "models/sources.yml:4"),
        ("raw.orders", None, "finance", "dbt", "models/sources.yml:9"),
    )
    assert carried(graph.tags()) == {
        "crm.people.name": "pii",
        "mart.joined.total": "finance",
        "raw.orders.total": "finance",
        "raw.people.name": "pii",
        "shop.dashboard.main.total": "finance",
    }
    (found,) = graph.tags().columns("crm.people.name")
    assert [(each.origin, each.place) for each in found.said] == [("dbt", "models/sources.yml:4")]
    assert carried(graph.tags(), "finance").keys() == {
        "mart.joined.total",
        "raw.orders.total",
        "shop.dashboard.main.total",
    }


def test_a_snapshot_without_the_table_has_no_tags(tmp_path: Path) -> None:
    store = make_store(tmp_path / "lineage", LINES)
    before = store.snapshot()
    with begin(store) as build:
        build.publish({name: files for name, files in before.manifest.tables.items() if name != "tags"}, {})
    assert carried(open_graph(store.path).tags()) == {}
    assert store.snapshot().digest() == before.digest()


def test_an_empty_store(tmp_path: Path) -> None:
    tags = open_graph(make_store(tmp_path / "lineage", "").path).tags(EMAIL)
    assert (list(tags.columns()), list(tags.violations()), len(tags.unmatched)) == ([], [], 1)


# Policies


def forbid(*kinds: str, patterns: tuple[str, ...] = (), excepted: tuple[str, ...] = (), tag: str = "pii") -> Governance:
    made = (tuple(Rule("", each, "p:1") for each in listed) for listed in (patterns, excepted))
    return EMAIL.and_(Governance(forbidden=(Forbidden((tag,), kinds, *made, "", "policy.yml:1"),)))


def violated(graph: Graph, governance: Governance) -> list[str]:
    return [str(each.found.column) for each in graph.tags(governance).violations()]


def test_what_must_not_be_reached(graph: Graph) -> None:
    assert violated(graph, forbid("dashboard")) == ["shop.dashboard.main.mails"]
    assert violated(graph, forbid("chart", "exposure")) == []
    assert violated(graph, forbid("dashboard", tag="pii:masked")) == ["shop.dashboard.main.count"]
    assert violated(graph, forbid("dashboard", tag="other")) == []
    assert violated(graph, forbid(patterns=("mart.*",))) == ["mart.mails.address", "mart.mails.domains"]
    assert violated(graph, forbid(patterns=("mart.*",), excepted=("mart.mails.d*",))) == ["mart.mails.address"]
    assert violated(graph, forbid("dashboard", excepted=("shop.dashboard.main",))) == []
    assert violated(graph, forbid("view")) == ["crm.contacts.address"]
    assert violated(graph, forbid(patterns=("raw.people",))) == ["raw.people.email"]


def test_a_violation_has_its_way(graph: Graph) -> None:
    (found,) = graph.tags(forbid("dashboard")).violations()
    assert found.message == "pii of raw.people.email reaches dashboard shop.dashboard.main.mails"
    assert [str(hop.place) for hop in found.path] == [
        "load.sql:2",
        "views.sql:1",
        "mart.sql:1",
        "mart.sql:3",
        "project.yml:7",
    ]
    assert found.hop is not None
    assert str(found.hop.place) == "project.yml:7"
