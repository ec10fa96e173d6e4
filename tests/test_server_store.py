"""A store's answers over HTTP: small stores made by hand, what each question says about them, and that pages are pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from fastapi.testclient import TestClient

from headwater.server.app import application
from headwater.store.identity import column_id, entity_id, process_id, script_id
from headwater.store.schema import TABLES
from stores import LocalStore, make_store, write_tables

SHOP = """
    view shop.totals
    column shop.orders.id bigint
    column shop.orders.amount decimal(10,2)
    shop.orders.amount -> shop.clean.amount TRANSFORMATION = round(amount, 2) @ etl/clean.sql:3 Insert
    shop.orders.id -> shop.clean.id @ etl/clean.sql:3 Insert
    shop.orders.state -> shop.clean.rows FILTER @ etl/clean.sql:3 Insert
    shop.clean.amount -> shop.totals.total AGGREGATION = sum(amount) @ etl/totals.sql:1 Create View
    shop.totals.total -> board.kpi.total @ etl/board.sql:9 Create Table
"""


class Asked:
    """A server of a store; what it answers, as JSON."""

    def __init__(self, store: LocalStore) -> None:
        self.client = TestClient(application(store.path), base_url="http://127.0.0.1")

    def __call__(self, path: str, **parameters: Any) -> Any:
        answer = self.client.get(f"/api/v1{path}", params=parameters)
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.fixture
def shop(tmp_path: Path) -> Asked:
    return Asked(make_store(tmp_path / "lineage", SHOP))


def names(things: list[Any]) -> list[str]:
    return [thing["name"] for thing in things]


def test_search_gives_tables_and_columns_best_first(shop: Asked) -> None:
    found = shop("/search", q="total")
    assert names(found["items"]) == [
        "board.kpi.total",
        "shop.totals.total",
        "shop.totals",
    ]
    assert (found["total"], found["exact"]) == (3, True)
    column, _, table = found["items"]
    assert (column["what"], column["table"], column["column"]) == ("column", "board.kpi", "total")
    assert (table["what"], table["kind"], table["column"]) == ("table", "view", None)
    assert names(shop("/search", q="total", kind="view", what="table")["items"]) == ["shop.totals"]
    assert names(shop("/search", q="total", limit=1, offset=1)["items"]) == ["shop.totals.total"]


@pytest.mark.parametrize(
    "parameters", [{"q": "*" * 40}, {"q": "a " * 20}, {"q": "x", "limit": 0}, {"q": "x", "what": "schema"}]
)
def test_a_search_for_too_much_is_refused(shop: Asked, parameters: dict[str, Any]) -> None:
    assert shop.client.get("/api/v1/search", params=parameters).status_code == 422


def test_tables_are_listed_by_name_with_their_degrees(shop: Asked) -> None:
    found = shop("/tables", like="shop", limit=2)
    assert found["total"] == 3
    assert [(row["table"]["name"], row["columns"], row["upstream"], row["downstream"]) for row in found["items"]] == [
        ("shop.clean", 2, 1, 1),
        ("shop.orders", 3, 0, 1),
    ]
    assert [row["table"]["name"] for row in shop("/tables", kind="view")["items"]] == ["shop.totals"]


def test_a_tables_page_has_everything_in_one_answer(shop: Asked) -> None:
    found = shop("/table", of="shop.clean")
    assert found["table"]["name"] == "shop.clean"
    assert [(row["column"]["column"], row["upstream"], row["downstream"]) for row in found["columns"]] == [
        ("amount", 1, 1),
        ("id", 1, 0),
    ]
    assert [(s["type"], s["spot"]["path"], s["spot"]["line"]) for s in found["statements"]] == [
        ("Insert", "etl/clean.sql", 3)
    ]
    assert [s["spot"]["path"] for s in found["read_by"]] == ["etl/totals.sql"]
    assert (names(found["upstream"]), names(found["downstream"])) == (["shop.orders"], ["shop.totals"])
    assert (found["total_columns"], found["total_upstream"], found["total_downstream"]) == (2, 1, 1)
    assert len(shop("/table", of="shop.clean", limit=1, offset=1)["columns"]) == 1


def test_a_columns_page_has_the_relations_on_both_sides(shop: Asked) -> None:
    found = shop("/column", of="shop.clean.amount")
    (made,), (used,) = found["made_by"], found["used_by"]
    assert (made["source"]["name"], made["expression"], made["how"]) == (
        "shop.orders.amount",
        "round(amount, 2)",
        "transformation",
    )
    assert made["spot"]["path"] == "etl/clean.sql"
    assert made["spot"]["script"] == str(script_id("etl/clean.sql"))
    assert (used["target"]["name"], used["subtype"]) == ("shop.totals.total", "AGGREGATION")
    assert (found["total_made_by"], found["total_used_by"]) == (1, 1)
    assert found["column"]["data_type"] is None


def test_the_neighbourhood_is_a_diagram_with_the_stores_ids(shop: Asked) -> None:
    found = shop("/neighbourhood", of="shop.clean", flow="impact")
    clean = str(entity_id("table", ("shop", "clean"), 0))  # type: ignore[arg-type]
    assert found["focus"] == clean
    assert {e["name"]: e["distance"] for e in found["entities"]} == {
        "shop.clean": 0,
        "shop.orders": -1,
        "shop.totals": 1,
    }
    totals = next(e for e in found["entities"] if e["name"] == "shop.totals")
    assert (totals["kind"], totals["beyond"]) == ("view", {"upstream": 0, "downstream": 1})
    by_clause = {r["clause"]: r for r in found["relations"]}
    assert by_clause["where"]["type"] == "fdr"
    assert len({r["id"] for r in found["relations"]}) == len(found["relations"]) == 4
    ids = {c["id"] for e in found["entities"] for c in e["columns"]}
    assert {r["source"] for r in found["relations"]} | {r["target"] for r in found["relations"]} <= ids
    processes = {p["id"] for p in found["processes"]}
    assert {r["process"] for r in found["relations"]} == processes
    assert {s["id"] for s in found["scripts"]} == {p["place"]["script"] for p in found["processes"]}


def test_at_the_table_level_relations_have_no_columns(shop: Asked) -> None:
    found = shop("/neighbourhood", of="shop.clean", level="table")
    assert [(r["source"], r["target"], r["type"]) for r in found["relations"]] == [(None, None, "fdd")] * 2
    assert all(e["columns"] == [] for e in found["entities"])
    assert "expand" in found["note"]


def test_upstream_and_downstream_are_paged_and_filtered(shop: Asked) -> None:
    found = shop("/upstream", of="board.kpi.total")
    assert [(i["name"], i["distance"]) for i in found["items"]] == [
        ("shop.totals.total", 1),
        ("shop.clean.amount", 2),
        ("shop.orders.amount", 3),
    ]
    assert (found["start"], found["total"], found["depth"]) == ("board.kpi.total", 3, None)
    assert names(shop("/upstream", of="board.kpi.total", like="clean")["items"]) == ["shop.clean.amount"]
    assert names(shop("/upstream", of="board.kpi.total", limit=1, offset=1)["items"]) == ["shop.clean.amount"]
    below = shop("/downstream", of="shop.orders.state", flow="impact", level="table", depth=2)
    assert [(i["name"], i["column"], i["distance"]) for i in below["items"]] == [
        ("shop.clean", None, 1),
        ("shop.totals", None, 2),
    ]
    assert names(shop("/downstream", of="shop.orders", level="table", like="*.kpi")["items"]) == ["board.kpi"]


def test_a_path_and_its_diagram(shop: Asked) -> None:
    found = shop("/path", source="shop.orders.amount", target="board.kpi.total")
    assert [[hop["target"]["name"] for hop in path["hops"]] for path in found["paths"]] == [
        ["shop.clean.amount", "shop.totals.total", "board.kpi.total"]
    ]
    assert (found["complete"], found["columns"]) == (True, 4)
    drawn = shop("/path/diagram", source="shop.orders.amount", target="board.kpi.total")
    assert [(e["name"], [c["name"] for c in e["columns"]]) for e in drawn["entities"]] == [
        ("shop.orders", ["amount"]),
        ("board.kpi", ["total"]),
        ("shop.clean", ["amount"]),
        ("shop.totals", ["total"]),
    ]
    assert len(drawn["relations"]) == 3
    none = shop("/path/diagram", source="board.kpi.total", target="shop.orders.amount")
    assert (none["relations"], none["note"]) == ([], "No way leads from the one to the other.")


def test_a_path_over_a_row_set_has_no_gap(shop: Asked) -> None:
    drawn = shop("/path/diagram", source="shop.orders.state", target="shop.totals.total", flow="impact")
    ways = {(r["source"], r["target"]) for r in drawn["relations"]}
    assert len(ways) == 3
    assert {target for _, target in ways} & {source for source, _ in ways}


def test_impact_is_counted_by_verdict_and_paged(shop: Asked) -> None:
    found = shop("/impact", of="shop.orders.amount")
    assert found["breaking"] is True
    assert found["verdicts"] == {
        "breaking": 3,
        "maybe": 2,
        "harmless": 0,
    }  # the rows of shop.clean are not written either
    assert {t["table"]["name"]: t["verdict"] for t in found["tables"]} == {
        "shop.clean": "breaking",
        "shop.totals": "maybe",
        "board.kpi": "maybe",
    }
    assert [hit["column"]["name"] for hit in found["hits"][:2]] == ["shop.clean.amount", "shop.clean.id"]
    maybe = shop("/impact", of="shop.orders.amount", verdict="maybe", limit=1, offset=1)
    assert (maybe["total"], [hit["column"]["name"] for hit in maybe["hits"]]) == (2, ["board.kpi.total"])


def test_a_column_map_answers_for_many_and_says_what_it_does_not_know(shop: Asked) -> None:
    body = {"of": ["shop.clean", "board.kpi.total", "shop.celan"], "ends": True}
    found = shop.client.post("/api/v1/column-map", json=body).json()
    mapped = {e["column"]["name"]: names(e["others"]) for e in found["entries"]}
    assert mapped == {
        "shop.clean.amount": ["shop.orders.amount"],
        "shop.clean.id": ["shop.orders.id"],
        "board.kpi.total": ["shop.orders.amount"],
    }
    assert "did you mean" in found["unknown"]["shop.celan"]
    below = shop.client.post("/api/v1/column-map", json={"of": ["shop.clean.amount"], "direction": "downstream"}).json()
    assert names(below["entries"][0]["others"]) == ["shop.totals.total"]
    assert found["cut"] is False


def test_an_export_is_a_file(shop: Asked) -> None:
    answer = shop.client.get("/api/v1/export", params={"of": "shop.clean", "format": "csv"})
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="shop.clean.csv"'
    assert answer.headers["content-type"].startswith("text/csv")
    assert '"round(amount, 2)"' in answer.text
    graph = shop.client.get("/api/v1/export", params={"of": "shop.clean", "format": "mermaid", "level": "table"})
    assert "flowchart" in graph.text


def test_a_difference_between_snapshots(tmp_path: Path) -> None:
    make_store(tmp_path / "lineage", "d.a.x -> d.b.x\nd.a.y -> d.b.y")
    store = make_store(tmp_path / "lineage", "d.a.x -> d.b.x = x + 1\ncolumn d.b.y\nd.c.z -> d.b.x")
    before, after = store.names()
    asked = Asked(store)
    found = asked("/diff", before=before, after=after)
    assert (found["before"], found["after"], found["breaking"]) == (before, after, True)
    assert found["counts"] == {
        "column added": 1,
        "column removed": 1,
        "relation added": 1,
        "relation changed": 1,
        "relation removed": 1,
        "table added": 1,
    }
    gone = asked("/diff", before=before, after=after, what="column", how="removed")
    assert (gone["total"], [(i["name"], i["breaking"]) for i in gone["items"]]) == (1, [("d.a.y", True)])
    assert {i["name"] for i in asked("/diff", before=before, after=after, like="d.c", breaking=False)["items"]} == {
        "d.c",
        "d.c.z",
        "d.b.x <- d.c.z",
    }
    assert asked("/diff", before=before, after=before)["total"] == 0


def test_unused(shop: Asked) -> None:
    found = shop("/unused")
    assert [(row["column"]["name"], row["use"]) for row in found["items"]] == [("shop.clean.id", "none")]
    assert names(found["tables"]) == ["board.kpi"]
    assert shop("/unused", like="orders")["total"] == 0


def test_coverage_counts_columns_with_sources(shop: Asked) -> None:
    found = shop("/coverage")
    assert (found["statements"], found["understood"]) == (3, 3)
    assert (found["columns"], found["explained"]) == (4, 4)
    assert {s["name"]: s["count"] for s in found["statement_types"]} == {
        "Insert": 1,
        "Create View": 1,
        "Create Table": 1,
    }
    assert found["longest_chain"] == 3
    assert {s["schema_name"]: s["columns"] for s in found["by_schema"]} == {"shop": 3, "board": 1}


# Scripts, diagnostics and tags: written row by row

SCRIPT, LOG = script_id("etl/one.sql"), script_id("query.log")
TEXT = "\n".join(["-- first", "INSERT INTO db.t", "SELECT a + 1 AS x", "FROM db.s", "-- last"])
PROCESS = process_id("batchQueries", "h1")
ENTITY = entity_id("table", ("db", "t"), 0)  # type: ignore[arg-type]
SOURCE = entity_id("table", ("db", "s"), 0)  # type: ignore[arg-type]


def diagnostic(script: int, code: str, severity: str, message: str, at: tuple[int, int]) -> dict[str, Any]:
    said = {"script_id": script, "code": code, "severity": severity, "message": message}
    return {**said, "statement_id": 5, "process_id": 0, "line": at[0], "column": at[1], "start": at[0]}


def written(folder: Path) -> LocalStore:
    store = LocalStore(folder)
    store.create()
    start = TEXT.index("INSERT")
    own = TEXT[start : TEXT.index("\n-- last")]
    expression = own.index("a + 1")
    entity = {"kind": "table", "temporary": False, "scope_id": 0, "complete": True, "defined_by": 0}
    rows: dict[str, list[dict[str, Any]]] = {
        "scripts": [
            {"script_id": SCRIPT, "path": "etl/one.sql", "kind": "sql", "dialect": "spark", "text": TEXT, "statements": 1},
            {"script_id": LOG, "path": "query.log", "kind": "log", "dialect": "spark", "text": None, "statements": 1},
        ],
        "statements": [
            {"script_id": SCRIPT, "ordinal": 0, "start": start, "end": start + len(own), "line": 2, "column": 1, "process_id": PROCESS},
            {"script_id": LOG, "ordinal": 0, "start": 0, "end": 9, "line": 1, "column": 1, "process_id": 7},
        ],
        "processes": [
            {"process_id": PROCESS, "type": "Insert", "procedure": "batchQueries", "query_hash": "h1", "text": own},
            {"process_id": 7, "type": "Select", "procedure": "batchQueries", "query_hash": "h2", "text": "SELECT 1\nFROM d"},
        ],
        "entities": [
            {"entity_id": ENTITY, "name": "db.t", "spelling": "DB.T", "parts": ["db", "t"], **entity},
            {"entity_id": SOURCE, "name": "db.s", "spelling": "db.s", "parts": ["db", "s"], **entity},
        ],
        "columns": [
            {"column_id": column_id(ENTITY, "x"), "entity_id": ENTITY, "name": "x", "ordinal": 0},
            {"column_id": column_id(SOURCE, "a"), "entity_id": SOURCE, "name": "a", "ordinal": 0, "data_type": "int"},
        ],
        "relations": [
            {
                "relation_id": 99,
                "source_id": column_id(SOURCE, "a"),
                "target_id": column_id(ENTITY, "x"),
                "process_id": PROCESS,
                "type": "fdd",
                "subtype": "TRANSFORMATION",
                "clause": "select",
                "expression": "a + 1",
                "start": expression,
                "end": expression + 5,
            }
        ],
        "diagnostics": [
            diagnostic(SCRIPT, "unresolved-column", "warning", "nobody has <b>", (3, 8)),
            diagnostic(LOG, "syntax-error", "error", "not SQL", (1, 1)),
        ],
        "tags": [{"entity_id": SOURCE, "column_id": column_id(SOURCE, "a"), "tag": "pii", "origin": "dbt", "place": "m.yml:3"}],
    }  # fmt: skip
    write_tables(store, {name: pa.Table.from_pylist(found, TABLES[name].schema) for name, found in rows.items()})
    return store


@pytest.fixture
def told(tmp_path: Path) -> Asked:
    return Asked(written(tmp_path / "lineage"))


def test_a_relation_stands_where_its_expression_is(told: Asked) -> None:
    (relation,) = told("/neighbourhood", of="db.t")["relations"]
    assert relation["id"] == "99"
    assert relation["place"] == {
        "script": str(SCRIPT),
        "start": {"line": 3, "column": 8},
        "end": {"line": 3, "column": 13},
    }
    (process,) = told("/neighbourhood", of="db.t")["processes"]
    assert process["place"]["start"] == {"line": 2, "column": 1}
    assert process["place"]["end"] == {"line": 4, "column": 10}
    assert process["procedure"] == ""


def test_scripts_are_listed_and_shown(told: Asked) -> None:
    assert [(s["path"], s["kind"]) for s in told("/scripts")["items"]] == [("etl/one.sql", "sql"), ("query.log", "log")]
    assert [s["path"] for s in told("/scripts", like="*.sql")["items"]] == ["etl/one.sql"]
    found = told(f"/scripts/{SCRIPT}")
    assert (found["text"], found["first_line"], found["total_lines"]) == (TEXT, 1, 5)
    assert found["statements"] == [
        {
            "statement": str(PROCESS),
            "type": "Insert",
            "start": {"line": 2, "column": 1},
            "end": {"line": 4, "column": 10},
        }
    ]


def test_a_logs_entry_has_the_text_of_what_it_runs(told: Asked) -> None:
    found = told(f"/scripts/{LOG}")
    assert (found["text"], found["total_lines"]) == ("SELECT 1\nFROM d", 2)
    assert found["statements"][0]["end"] == {"line": 2, "column": 7}


def test_of_a_long_script_the_lines_around_one_are_given(told: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.server.routes.scripts.LINES", 2)
    found = told(f"/scripts/{SCRIPT}", line=5)
    assert (found["text"], found["first_line"], found["total_lines"]) == ("FROM db.s\n-- last", 4, 5)
    assert len(found["statements"]) == 1
    assert told(f"/scripts/{SCRIPT}", line=1)["statements"][0]["start"]["line"] == 2
    assert told(f"/scripts/{SCRIPT}", line=99)["first_line"] == 4


@pytest.mark.parametrize("id", ["x", "../../etc/passwd", "9" * 19, "1" * 30, "%2e%2e%2fstore.json"])
def test_no_other_file_is_a_script(told: Asked, id: str) -> None:
    assert told.client.get(f"/api/v1/scripts/{id}").status_code in (404, 422)


def test_diagnostics_are_filtered_and_counted(told: Asked) -> None:
    found = told("/diagnostics")
    assert [(i["code"], i["severity"]) for i in found["items"]] == [
        ("syntax-error", "error"),
        ("unresolved-column", "warning"),
    ]
    assert (found["codes"], found["severities"]) == (
        {"syntax-error": 1, "unresolved-column": 1},
        {"error": 1, "warning": 1},
    )
    spot = found["items"][1]["spot"]
    assert spot == {"script": str(SCRIPT), "path": "etl/one.sql", "line": 3, "column": 8}
    assert [i["message"] for i in told("/diagnostics", severity="warning")["items"]] == ["nobody has <b>"]
    assert told("/diagnostics", code=["syntax-error", "timeout"])["total"] == 1
    assert told("/diagnostics", script=str(LOG))["total"] == 1
    assert [i["code"] for i in told("/diagnostics", like="one.sql")["items"]] == ["unresolved-column"]
    assert told("/diagnostics", like="nobody")["total"] == 1
    assert told("/diagnostics", limit=1, offset=1)["items"][0]["code"] == "unresolved-column"


def test_tags_are_on_pages_and_in_diagrams(told: Asked) -> None:
    found = told("/tags")
    assert (found["total"], found["counts"]) == (2, {"pii": 2})
    assert [(i["column"]["name"], i["own"], i["distance"]) for i in found["items"]] == [
        ("db.s.a", True, 0),
        ("db.t.x", False, 1),
    ]
    assert told("/tags", own=False)["total"] == 1
    assert told("/tags", tag="other")["total"] == 0
    assert told("/tags", like="db.s")["total"] == 1
    (tag,) = told("/column", of="db.t.x")["tags"]
    assert (tag["tag"], tag["own"], tag["origin"]["name"], tag["said"]) == ("pii", False, "db.s.a", ["dbt (m.yml:3)"])
    table = told("/table", of="db.s")
    assert (table["columns"][0]["tags"], [t["tag"] for t in table["tags"]]) == (["pii"], ["pii"])
    drawn = told("/neighbourhood", of="db.t")
    assert [c["tags"] for e in drawn["entities"] for c in e["columns"]] == [["pii"], ["pii"]]
    way = told("/tags/path", of="db.t.x", tag="pii")
    assert [hop["expression"] for hop in way["path"]] == ["a + 1"]


HOSTILE = [
    "<img/src=x/onerror=alert(1)>",
    "x" * 10_000,
    "\u202egnp.exe\u202c",
    "a'b\"c",
    "naïve_名前",
    "%2e%2e",
    "id:5",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_text_all_the_way(tmp_path: Path, name: str) -> None:
    asked = Asked(make_store(tmp_path / "lineage", f"d.a.{name} -> d.b.{name} = {name} @ some.sql:1"))
    whole = f"d.b.{name}"
    assert asked("/column", of=whole)["column"]["name"] == whole
    assert whole in names(asked("/search", q=name[:900])["items"])
    (relation,) = asked("/neighbourhood", of=whole)["relations"]
    assert relation["expression"].startswith(name[:900])
    assert asked("/upstream", of=whole)["items"][0]["name"] == f"d.a.{name}"
    answer = asked.client.get("/api/v1/export", params={"of": whole, "format": "json"})
    assert answer.status_code == 200
    assert "\n" not in answer.headers["content-disposition"]


def test_an_answer_is_never_larger_than_a_page(tmp_path: Path) -> None:
    lines = [f"d.hub.k -> d.t{i}.k" for i in range(300)]
    asked = Asked(make_store(tmp_path / "lineage", "\n".join(lines)))
    assert len(asked("/downstream", of="d.hub.k", limit=7)["items"]) == 7
    assert len(asked("/neighbourhood", of="d.hub", limit=5)["entities"]) == 5
    assert asked("/neighbourhood", of="d.hub.k", limit=5)["entities"][0]["beyond"] == {"upstream": 0, "downstream": 296}
    page = asked("/column", of="d.hub.k", limit=3)
    assert (len(page["used_by"]), page["total_used_by"]) == (3, 300)
    table = asked("/table", of="d.hub")
    assert (len(table["downstream"]), len(table["read_by"]), table["total_downstream"]) == (100, 20, 300)
    assert len(asked("/tables", limit=10)["items"]) == 10
