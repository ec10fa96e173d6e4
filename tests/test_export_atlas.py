"""Lineage for Apache Atlas, held against Atlas's own type definitions; and sent to a server that is strict about them."""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from atlas_stand_in import MODELS, Refused, StandIn, serving
from export_samples import feed_of, sample_feed, small_store_feed
from hand_made_feed import HOSTILE, HandMadeFeed
from headwater.export.atlas import send, server, write
from headwater.export.feed import Feed
from headwater.export.format import Choices, ExportError, Output

SHARED = Path(os.environ.get("HEADWATER_SHARED", Path(__file__).parent.parent.parent / "shared"))
SPECS = SHARED / "specs" / "atlas"


@pytest.fixture(scope="module")
def specs() -> Path:
    if not all((SPECS / model).is_file() for model in MODELS):
        pytest.skip("Atlas's own types, ../shared/specs/atlas, are not there")
    return SPECS


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "BACKOFF", 0.001)
    monkeypatch.delenv("ATLAS_USER", raising=False)
    monkeypatch.delenv("ATLAS_PASSWORD", raising=False)


@pytest.fixture(scope="module")
def warehouse() -> Feed:
    return sample_feed()


def written(feed: Feed, **choices: Any) -> tuple[dict[str, Any], Output, bytes]:
    stream = io.BytesIO()
    output = Output(stream)
    write(feed, output, Choices(**choices))
    return json.loads(stream.getvalue()), output, stream.getvalue()


def by_type(document: dict[str, Any]) -> Counter[str]:
    return Counter(entity["typeName"] for entity in document["entities"]["entities"])


VIEW = "CREATE VIEW db.v AS SELECT md5(a) AS b FROM db.t WHERE c > 1"


def test_a_view_its_process_and_its_column_lineage() -> None:
    document, _, _ = written(feed_of(VIEW), cluster="east")
    assert (document["format"], document["version"], document["cluster"]) == ("headwater-atlas", "1", "east")
    entities = {entity["guid"]: entity for entity in document["entities"]["entities"]}
    names = {guid: entity["attributes"]["qualifiedName"] for guid, entity in entities.items()}
    (view,) = (e for e in entities.values() if e["typeName"] == "sqlflow_view")
    assert view["attributes"]["qualifiedName"] == "db.v@east"
    assert view["attributes"]["ddl"] == VIEW
    assert names[view["relationshipAttributes"]["database"]["guid"]] == "db@east"
    (process,) = (e for e in entities.values() if e["typeName"] == "sqlflow_process")
    hash_ = view["attributes"]["ddlHashId"]
    assert process["attributes"]["qualifiedName"] == f"default.batchQueries.{hash_}@east"
    assert [names[end["guid"]] for end in process["attributes"]["inputs"]] == ["db.t@east"]
    assert [names[end["guid"]] for end in process["attributes"]["outputs"]] == ["db.v@east"]
    lineages = [e for e in entities.values() if e["typeName"] == "sqlflow_column_lineage"]
    told = {
        (
            *(names[end["guid"]] for end in e["attributes"]["inputs"]),
            *(names[end["guid"]] for end in e["attributes"]["outputs"]),
            *(e["attributes"].get(name) for name in ("relationType", "subtype", "clauseType", "masking", "expression")),
        )
        for e in lineages
    }
    assert ("db.t.a@east", "db.v.b@east", "fdd", "TRANSFORMATION", "select", True, "md5(a)") in told
    assert ("db.t.c@east", "db.v.PseudoRows@east", "fdr", "FILTER", "where", False, None) in told
    assert all(names[e["relationshipAttributes"]["process"]["guid"]].startswith("default.batchQ") for e in lineages)


def test_the_document_is_what_a_server_takes(specs: Path, warehouse: Feed) -> None:
    document, _, content = written(warehouse)
    state = StandIn(specs)
    state.types.add(document["typedefs"])
    state.answer("POST", "/api/atlas/v2/entity/bulk", None, document["entities"])
    assert len(state.entities) == len(document["entities"]["entities"])
    assert written(warehouse)[2] == content


def test_types_are_below_those_of_atlas(specs: Path) -> None:
    document, _, _ = written(feed_of("SELECT 1"))
    state = StandIn(specs)
    state.types.add(document["typedefs"])
    for definition in document["typedefs"]["entityDefs"]:
        assert definition["name"].startswith("sqlflow_")
        assert {"DataSet", "Process"} & set(state.types.lines_of(definition["name"]))
    hive = state.types.ends("hive_column_lineage").keys() & {"inputs", "outputs"}
    assert hive == state.types.ends("sqlflow_column_lineage").keys() & {"inputs", "outputs"}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda types: types["entityDefs"][0].update(superTypes=["Nothing"]),
        lambda types: types["entityDefs"][1]["attributeDefs"][0].update(name="qualifiedName"),
        lambda types: types["relationshipDefs"][1]["endDef2"].update(cardinality="SET"),
        lambda types: types["relationshipDefs"][0]["endDef2"].update(isContainer=False),
        lambda types: types["relationshipDefs"][0]["endDef2"].update(type="sqlflow_nothing"),
    ],
)
def test_the_stand_in_refuses_wrong_types(specs: Path, spoil: Any) -> None:
    """Otherwise the other tests would show little."""
    types = written(feed_of("SELECT 1"))[0]["typedefs"]
    spoil(types)
    with pytest.raises(Refused):
        StandIn(specs).types.add(types)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda entity: entity.update(typeName="sqlflow_nothing"),
        lambda entity: entity["attributes"].update(nothing="x"),
        lambda entity: entity["attributes"].pop("name"),
        lambda entity: entity["attributes"].update(relationType=1),
        lambda entity: entity["attributes"].update(inputs=[{"guid": "-1", "typeName": "sqlflow_column"}]),
        lambda entity: entity["relationshipAttributes"].update(table={"guid": "-1", "typeName": "sqlflow_table"}),
    ],
)
def test_the_stand_in_refuses_wrong_entities(specs: Path, spoil: Any) -> None:
    document, _, _ = written(feed_of(VIEW))
    state = StandIn(specs)
    state.types.add(document["typedefs"])
    spoil(document["entities"]["entities"][-1])
    with pytest.raises(Refused):
        state.answer("POST", "/api/atlas/v2/entity/bulk", None, document["entities"])


def test_the_warehouse_sent_twice_counts_once(specs: Path, warehouse: Feed) -> None:
    state = StandIn(specs, failing=4)
    with serving(state) as url:
        said = send(warehouse, url, Choices())
        first = dict(state.entities)
        assert send(warehouse, url, Choices()) == said
    document, _, _ = written(warehouse)
    assert len(first) == len(document["entities"]["entities"])
    assert state.entities.keys() == first.keys()
    assert f"has {len(first)} entities of cluster sparksql" in said
    assert Counter(type_ for type_, _ in first) == by_type(document)
    assert state.largest <= server.BATCH
    assert sum(request.startswith("POST /api/atlas/v2/types") for request in state.requests) == 1
    assert not any(request.startswith("PUT") for request in state.requests)


@pytest.mark.parametrize("batch", [1, 2, 7])
def test_batches_make_no_difference(specs: Path, monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    feed = feed_of("INSERT INTO db.u SELECT a, b FROM db.t; INSERT INTO db.w SELECT a FROM db.u; SELECT * FROM db.w")
    monkeypatch.setattr(server, "BATCH", batch)
    state = StandIn(specs)
    with serving(state) as url:
        send(feed, url, Choices())
    assert Counter(type_ for type_, _ in state.entities) == by_type(written(feed)[0])


def test_a_lost_answer_is_not_an_error(specs: Path) -> None:
    state = StandIn(specs)
    with serving(state) as url:
        state.lose_next_answer = True
        send(feed_of(VIEW), url, Choices())
        state.types.entities = {n: t for n, t in state.types.entities.items() if not n.startswith("sqlflow_")}
        relationships = state.types.relationships
        state.types.relationships = {n: t for n, t in relationships.items() if not n.startswith("sqlflow_")}
        answer = state.answer

        def lost(method: str, path: str, *rest: Any) -> Any:
            state.lose_next_answer = method == "POST" and path.startswith("/api/atlas/v2/types")
            return answer(method, path, *rest)

        state.answer = lost  # type: ignore[method-assign]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(server, "TRIES", 1)
            send(feed_of(VIEW), url, Choices())
    assert ("sqlflow_view", "db.v@primary") in state.entities


def test_older_types_are_updated(specs: Path) -> None:
    state = StandIn(specs)
    with serving(state) as url:
        send(feed_of(VIEW), url, Choices())
        state.types.entities["sqlflow_view"]["typeVersion"] = "0.9"
        send(feed_of(VIEW), url, Choices())
    assert state.types.entities["sqlflow_view"]["typeVersion"] == "1.0"
    assert sum(request.startswith("PUT /api/atlas/v2/types") for request in state.requests) == 1


@pytest.mark.parametrize("given", ["url", "environment"])
def test_user_and_password_are_taken_and_never_shown(specs: Path, monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    state = StandIn(specs, user=("ann", "s3cr3t/pw"))
    with serving(state) as url:
        if given == "url":
            address = url.replace("//", "//ann:s3cr3t%2Fpw@")
        else:
            monkeypatch.setenv("ATLAS_USER", "ann")
            monkeypatch.setenv("ATLAS_PASSWORD", "s3cr3t/pw")
            address = url
        said = send(feed_of(VIEW), address, Choices())
        assert "s3cr3t" not in said
        wrong = url.replace("//", "//ann:0th3r@")
        with pytest.raises(ExportError, match=r"answers 401: .*ATLAS_PASSWORD") as caught:
            send(feed_of(VIEW), wrong, Choices())
    assert "0th3r" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("no url", "not the URL"),
        ("ftp://u:s3cr3t@h/", "not the URL"),
        ("http://u:s3cr3t@h:port/", "not the URL"),
        ("http://u:s3cr3t@127.0.0.1:1", "cannot be reached"),
    ],
)
def test_what_cannot_be_reached_is_said_in_one_line(url: str, words: str) -> None:
    with pytest.raises(ExportError, match=words) as caught:
        send(feed_of(VIEW), url, Choices())
    assert "s3cr3t" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_server_that_stays_away_is_given_up(specs: Path) -> None:
    state = StandIn(specs, failing=1)
    with serving(state) as url, pytest.raises(ExportError, match="answers 503: busy"):
        send(feed_of(VIEW), url, Choices())
    assert len(state.requests) == server.TRIES + 1


def test_a_gateways_path_is_kept(specs: Path) -> None:
    state = StandIn(specs)
    answer = state.answer
    asked = []

    def behind_gateway(method: str, path: str, *rest: Any) -> Any:
        asked.append(path)
        return answer(method, path.removeprefix("/gateway/atlas"), *rest)

    state.answer = behind_gateway  # type: ignore[method-assign]
    with serving(state) as url:
        send(feed_of(VIEW), f"{url}/gateway/atlas/", Choices())
    assert all(path.startswith("/gateway/atlas/api/atlas/v2/") for path in asked)


def test_hostile_names_arrive(specs: Path) -> None:
    state = StandIn(specs)
    feed = HandMadeFeed(HOSTILE)
    with serving(state) as url:
        send(feed, url, Choices())
    shown = {e["attributes"]["name"] for (type_, _), e in state.entities.items() if type_ == "sqlflow_table"}
    assert shown == {name.replace("\0", "\ufffd").replace("\udcff", "\ufffd") for name in HOSTILE}
    document, _, content = written(feed)
    assert len(document["entities"]["entities"]) == len(state.entities)
    assert content.decode("utf-8")


def test_a_store_is_sent_as_its_scripts_are(tmp_path: Path, specs: Path) -> None:
    feed = small_store_feed(tmp_path / "store")
    state = StandIn(specs)
    with serving(state) as url:
        send(feed, url, Choices(cluster="east"))
    types = Counter(type_ for type_, _ in state.entities)
    assert (types["sqlflow_process"], types["sqlflow_column_lineage"], types["sqlflow_view"]) == (3, 4, 1)


def test_the_table_level_has_no_columns(specs: Path) -> None:
    document, _, _ = written(feed_of(VIEW, level="table"))
    assert by_type(document) == {"sqlflow_database": 1, "sqlflow_table": 1, "sqlflow_view": 1, "sqlflow_process": 1}


def test_what_is_no_flow_is_said_to_be_left_out() -> None:
    sql = "CREATE TABLE db.t (a int, FOREIGN KEY (a) REFERENCES db.k (a)); SELECT 1"
    _, output, _ = written(feed_of(sql, "postgres"))
    assert list(output.left_out()) == [
        "1 foreign keys and joins, along which no data flows",
        "1 results of queries without sources",
    ]
