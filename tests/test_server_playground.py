"""The playground: what a script's diagram says, and what hostile scripts do to the server, which is nothing."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from build_process import tree
from headwater.analysis import analyze
from headwater.budget.process import Worker
from headwater.export.feed import Scope
from headwater.export.script_feed import ScriptFeed
from headwater.server.diagrams.of_feed import Most, diagram_of
from headwater.server.playground.analysts import Analysts, Busy
from headwater.server.playground.limits import Limits
from headwater.server.playground.question import Question
from headwater.server.settings import Settings
from hostile_sql import NESTED, STUBBORN
from servers import LINES, Running, analysed, asked, running
from stores import make_store

pytestmark = pytest.mark.slow

ENDLESS = STUBBORN["structs"](5000)
"""Takes the parser longer than anybody waits."""


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with asked() as client:
        yield client


class Seen:
    """A diagram, as a person reads it off the screen."""

    def __init__(self, diagram: dict[str, Any], sql: str) -> None:
        self.diagram = diagram
        self._lines = sql.split("\n")
        self._columns = {
            column["id"]: f"{entity['name']}.{column['name']}"
            for entity in diagram["entities"]
            for column in entity["columns"]
        }
        self._entities = {entity["id"]: entity["name"] for entity in diagram["entities"]}

    def relations(self, *types: str) -> set[tuple[str, str, str]]:
        """Source, target and what stands where the source stands."""
        return {
            (self._end(each, "source"), self._end(each, "target"), self.marked(each["source_place"]))
            for each in self.diagram["relations"]
            if each["type"] in types
        }

    def expressions(self) -> set[tuple[str, str, str]]:
        """Source, target and what stands where the target is made."""
        return {
            (self._end(each, "source"), self._end(each, "target"), self.marked(each["place"]))
            for each in self.diagram["relations"]
            if each["type"] == "fdd"
        }

    def _end(self, relation: dict[str, Any], side: str) -> str:
        column = relation[side]
        return self._columns[column] if column else self._entities[relation[f"{side}_entity"]]

    def marked(self, place: dict[str, Any] | None) -> str:
        """The characters of a place that stays in its line."""
        if place is None:
            return ""
        start, end = place["start"], place["end"]
        assert (start["line"], place["script"]) == (end["line"], "0")
        return self._lines[start["line"] - 1][start["column"] - 1 : end["column"] - 1]


SQL = "INSERT INTO o (x, y)\nSELECT a + b AS s, a\nFROM t\nWHERE c > 1"


def test_the_complete_level_marks_each_source_where_it_stands(client: TestClient) -> None:
    seen = Seen(analysed(client, SQL)["diagram"], SQL)
    assert seen.relations("fdd") >= {
        ("t.a", "INSERT-SELECT-1.s", "a"),
        ("t.b", "INSERT-SELECT-1.s", "b"),
        ("t.a", "INSERT-SELECT-1.a", "a"),
    }
    assert ("t.c", "c") in {(source, mark) for source, _, mark in seen.relations("fdr")}
    places = {
        (relation["source_place"]["start"]["line"], relation["source_place"]["start"]["column"])
        for relation in seen.diagram["relations"]
        if seen.marked(relation["source_place"]) == "a"
    }
    assert places == {(2, 8), (2, 20)}  # the a of the sum, and the a alone


def test_the_column_level_marks_what_makes_the_target(client: TestClient) -> None:
    seen = Seen(analysed(client, SQL, level="column")["diagram"], SQL)
    assert seen.expressions() == {("t.a", "o.x", "a + b"), ("t.b", "o.x", "a + b"), ("t.a", "o.y", "a")}
    assert {entity["name"] for entity in seen.diagram["entities"]} == {"t", "o"}


def test_the_table_level_tells_flow_from_influence(client: TestClient) -> None:
    sql = "INSERT INTO o SELECT t.a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = t.k)"
    answer = analysed(client, sql, level="table")
    names = {entity["id"]: entity["name"] for entity in answer["diagram"]["entities"]}
    relations = {
        (names[r["source_entity"]], names[r["target_entity"]], r["type"]) for r in answer["diagram"]["relations"]
    }
    assert relations == {("t", "o", "fdd"), ("u", "o", "fdr")}
    assert answer["tables"] == answer["diagram"]
    assert all(entity["columns"] == [] for entity in answer["tables"]["entities"])


def test_code_points_are_counted(client: TestClient) -> None:
    sql = "INSERT INTO o SELECT '😀é' AS face, a\r\nFROM t"
    seen = Seen(analysed(client, sql, level="column")["diagram"], sql)
    assert seen.expressions() == {("t.a", "o.a", "a")}


def test_functions_and_result_sets_are_left_out_as_asked(client: TestClient) -> None:
    sql = "INSERT INTO o SELECT upper(a) AS x FROM t"

    def kinds(**settings: bool) -> set[str]:
        return {entity["kind"] for entity in analysed(client, sql, **settings)["diagram"]["entities"]}

    assert kinds() == {"table", "function", "resultset"}
    assert kinds(functions=False) == {"table", "resultset"}
    assert kinds(intermediate=False) == {"table"}


@pytest.mark.parametrize("schema", ['{"t": ["a", "b"]}', "CREATE TABLE t (a INT, b STRING)"])
def test_a_schema_as_json_or_as_ddl(client: TestClient, schema: str) -> None:
    answer = analysed(client, "INSERT INTO o SELECT * FROM t", sources=schema, level="column")
    assert Seen(answer["diagram"], "INSERT INTO o SELECT * FROM t").expressions() == {
        ("t.a", "o.a", "*"),
        ("t.b", "o.b", "*"),
    }
    assert [each["star"] for each in answer["diagram"]["relations"] if each["type"] == "fdd"] == [True, True]


def test_a_schema_is_never_taken_for_a_path(client: TestClient, tmp_path: Path) -> None:
    file = tmp_path / "schema.json"
    file.write_text('{"t": ["from_the_file"]}')
    for name in (str(file), f"file://{file}"):
        answer = client.post("/api/v1/analyze", json={"sql": "INSERT INTO o SELECT * FROM t", "sources": name})
        assert "from_the_file" not in answer.text
        assert answer.status_code == 400


@pytest.mark.parametrize(
    ("asked_for", "said"),
    [
        ({"dialect": "sparkk"}, "did you mean spark?"),
        ({"dialect": "klingon"}, "known are ansi,"),
        ({"sources": "{"}, "the schema cannot be used: this is not JSON"),
        ({"sources": '{"t": 1}'}, "the schema cannot be used"),
        ({"sources": "[" * 100_000}, "the schema cannot be used"),
        ({"sources": "SELECT 1"}, "defines no table that spark understands"),
    ],
)
def test_a_question_that_makes_no_sense(client: TestClient, asked_for: dict[str, str], said: str) -> None:
    answer = client.post("/api/v1/analyze", json={"sql": "SELECT 1", **asked_for})
    assert answer.status_code == 400
    assert said in answer.json()["message"]


def test_diagnostics_have_their_places(client: TestClient) -> None:
    sql = "SELECT 1;\nSELEC a FROM t"
    answer = analysed(client, sql)
    (said,) = answer["diagnostics"]
    assert said["severity"] == "error"
    assert said["place"]["start"] == {"line": 2, "column": 1}


def test_export_as_text(client: TestClient) -> None:
    sql = "INSERT INTO o SELECT a FROM t"

    def exported(**more: str) -> httpx.Response:
        return client.post("/api/v1/analyze/export", json={"sql": sql, **more})

    assert exported(format="csv").json()["text"].splitlines()[1] == "t,a,a,a,o,"
    assert '<relation id="' in exported(format="sqlflow-xml").json()["text"]
    assert exported(format="mermaid", level="table").json()["text"].splitlines()[1] == "flowchart LR"
    for format, said in (("png", "no text"), ("rdbms", "--to URL"), ("nothing", "known are")):
        refused = exported(format=format)
        assert refused.status_code == 400
        assert said in refused.json()["message"]
    assert "has the level column" in exported(format="csv", level="complete").json()["message"]


def test_what_is_too_much_to_draw_is_told_by_table() -> None:
    lineage = analyze("INSERT INTO o SELECT a + b + c AS x FROM t; INSERT INTO p SELECT x FROM o")
    feed = ScriptFeed([lineage], Scope("column"))
    whole = diagram_of(feed)
    assert (whole.level, whole.note) == ("column", "")
    tables = diagram_of(feed, Most(relations=3))
    assert tables.level == "table"
    assert tables.note == "The column level has too much to draw; this is the table level."
    assert len(tables.relations) == 2
    cut = diagram_of(feed, Most(relations=3, entities=2))
    assert len(cut.entities) == 2
    assert cut.note.endswith("Only the first 2 of 3 tables are shown.")


def test_a_long_expression_is_told_once_for_each_source_but_not_all_of_it(client: TestClient) -> None:
    sql = f"SELECT {' + '.join(f'c{i}' for i in range(3000))} AS x FROM t"
    answer = client.post("/api/v1/analyze", json={"sql": sql, "level": "column"})
    assert len(answer.json()["diagram"]["relations"]) == 3001  # and its rows
    assert len(answer.content) < 6_000_000


@pytest.mark.parametrize("shape", ["parentheses", "case", "derived tables"])
def test_five_thousand_levels(client: TestClient, shape: str) -> None:
    answer = analysed(client, NESTED[shape](5000), level="column")
    assert Seen(answer["diagram"], "").diagram["relations"][0]["type"] == "fdd"


def test_zeros_and_hostile_names_are_text(client: TestClient) -> None:
    name = "<img src=x onerror=alert(1)>" + "\u202e" + "n" * 10_000
    answer = analysed(client, f"SELECT `{name}` FROM `t\0`", dialect="spark")
    assert name in {column["name"] for entity in answer["diagram"]["entities"] for column in entity["columns"]}


@pytest.mark.parametrize("path", ["/api/v1/analyze", "/api/v1/analyze/export"])
def test_secrets_come_back_in_no_answer(client: TestClient, path: str) -> None:
    sql = """
        CREATE USER u IDENTIFIED BY 'hunter2';
        INSERT INTO o SELECT aes_encrypt(a, 'hunter2') AS x FROM t;
        CREATE TABLE x USING jdbc OPTIONS (url 'jdbc:mysql://u:hunter2@h/db', password 'hunter2') AS SELECT a FROM t;
        SELECT a FROM t WHERE token = 'hunter2' AND (
    """
    for format in ("json", "sqlflow-xml", "html", "openlineage"):
        answer = client.post(
            path, json={"sql": sql, "dialect": "spark", "format": format} if "export" in path else {"sql": sql}
        )
        assert answer.status_code == 200
        assert "hunter2" not in answer.text


def test_a_statement_that_takes_too_long_costs_itself() -> None:
    limits = Limits(workers=1, timeout=10)
    with asked(settings=Settings(playground=limits)) as client:
        answer = analysed(client, f"{ENDLESS};\nINSERT INTO p SELECT q FROM r", level="column")
    assert [each["code"] for each in answer["diagnostics"]] == ["timeout"]
    names = {entity["id"]: entity["name"] for entity in answer["tables"]["entities"]}
    assert ("r", "p") in {(names[r["source_entity"]], names[r["target_entity"]]) for r in answer["tables"]["relations"]}


def _question(sql: str, limits: Limits) -> Question:
    return Question(sql, "spark", "", None, "first", "column", True, True, limits.timeout, limits.memory)


def test_the_queue_is_bounded_in_length_and_in_time() -> None:
    limits = Limits(workers=1, timeout=6, queue=1, patience=0.3)

    async def crowd() -> list[Any]:
        analysts = Analysts(limits)
        try:
            await analysts.ask(_question("SELECT 1", limits))  # it has begun
            first = asyncio.create_task(analysts.ask(_question(ENDLESS, limits)))
            await asyncio.sleep(0)
            others = [asyncio.create_task(analysts.ask(_question("SELECT 1", limits))) for _ in range(2)]
            start = time.monotonic()
            refused = await asyncio.gather(*others, return_exceptions=True)
            waited = time.monotonic() - start
            await asyncio.wait([first])
            return [*refused, waited]
        finally:
            await analysts.stop()

    one, other, waited = asyncio.run(crowd())
    assert isinstance(one, Busy)
    assert isinstance(other, Busy)
    assert waited < 3


def test_who_goes_away_leaves_the_queue_and_frees_the_process() -> None:
    limits = Limits(workers=1, timeout=60)

    async def impatient() -> tuple[int, int, int, float]:
        analysts = Analysts(limits)
        try:
            await analysts.ask(_question("SELECT 1", limits))
            running = asyncio.create_task(analysts.ask(_question(ENDLESS, limits)))
            waiting = asyncio.create_task(analysts.ask(_question("SELECT 1", limits)))
            while not (analysts.busy and analysts.waiting):
                await asyncio.sleep(0.01)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            left = analysts.waiting
            running.cancel()
            start = time.monotonic()
            await analysts.ask(_question("SELECT 1", limits))
            return left, analysts.waiting, analysts.ended["crashed"], time.monotonic() - start
        finally:
            await analysts.stop()

    left, waiting, killed, seconds = asyncio.run(impatient())
    assert (left, waiting, killed) == (0, 0, 1)
    assert seconds < 25  # far from the minute that the script would have had


def test_a_process_that_is_killed_takes_its_own_along() -> None:
    limits = Limits(timeout=60)
    worker = Worker()
    worker.run(_question("SELECT 1", limits))

    async def killed() -> dict[int, str]:
        loop = asyncio.get_running_loop()
        run = loop.run_in_executor(None, worker.run, _question(ENDLESS, limits))
        own: dict[int, str] = {}
        while len(own) < 2:
            own = tree(worker.pid)
            await asyncio.sleep(0.05)
        worker.kill()
        await asyncio.gather(run, return_exceptions=True)
        return own

    own = asyncio.run(killed())
    deadline = time.monotonic() + 20
    while any(_is_alive(id) for id in own) and time.monotonic() < deadline:
        pass
    assert [id for id in own if _is_alive(id)] == []


def _is_alive(process: int) -> bool:
    """Whether a process is there, and not only its number that nobody has asked for."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    store = make_store(tmp_path_factory.mktemp("hostile") / "shop", LINES)
    with running(store.path, "--workers", "2", "--timeout", "2") as server:
        httpx.get(f"{server.address}api/v1/about", timeout=60)
        yield server


@pytest.mark.slow
def test_fifty_hostile_scripts_at_once_do_not_stop_the_others(server: Running) -> None:
    hostile = [ENDLESS, "(" * 100_000, "select 1;" * 100_000, NESTED["case"](5000), STUBBORN["dates"](5000)]

    async def attack() -> tuple[list[int], list[float], dict[str, Any]]:
        limits = httpx.Limits(max_connections=100)
        async with httpx.AsyncClient(base_url=server.address, timeout=120, limits=limits) as client:
            attacks = [
                asyncio.create_task(client.post("api/v1/analyze", json={"sql": hostile[i % len(hostile)]}))
                for i in range(50)
            ]
            waits: list[float] = []
            while not all(each.done() for each in attacks):
                for path in ("healthz", "api/v1/about"):
                    start = time.monotonic()
                    assert (await client.get(path)).status_code == 200
                    waits.append(time.monotonic() - start)
                await asyncio.sleep(0.05)
            codes = [each.result().status_code for each in attacks]
            after = await _answered(client, "SELECT a FROM t")
            return codes, sorted(waits), after

    codes, waits, after = asyncio.run(attack())
    assert len(codes) == 50
    assert set(codes) <= {200, 503}
    assert codes.count(503) >= 50 - 2 - 32 - 2  # beyond the queue it is said at once
    assert waits[len(waits) * 9 // 10] < 0.5
    assert waits[-1] < 10  # where other processes want the processor, too
    assert after["diagram"]["relations"]


async def _answered(client: httpx.AsyncClient, sql: str) -> dict[str, Any]:
    """The answer to a script, asked for until there is a process for it: new ones may have to start first."""
    for _ in range(60):
        answer = await client.post("api/v1/analyze", json={"sql": sql})
        if answer.status_code == 200:
            break
        await asyncio.sleep(0.5)
    found: dict[str, Any] = answer.json()
    return found


def test_who_types_on_is_not_kept_waiting_by_what_was_typed_before(server: Running) -> None:
    """Eight questions are given up as soon as they are asked; the ninth does not wait for their deadlines."""

    async def type_on() -> float:
        async with httpx.AsyncClient(base_url=server.address, timeout=60) as client:
            for i in range(8):
                asking = asyncio.create_task(client.post("api/v1/analyze", json={"sql": f"{ENDLESS} -- {i}"}))
                await asyncio.sleep(0.02)
                asking.cancel()
                await asyncio.gather(asking, return_exceptions=True)
            start = time.monotonic()
            assert (await client.post("api/v1/analyze", json={"sql": "SELECT a FROM t"})).status_code == 200
            return time.monotonic() - start

    assert asyncio.run(type_on()) < 8


def test_answers_are_json_of_their_shape(client: TestClient) -> None:
    answer = client.post("/api/v1/analyze", json={"sql": "SELECT a FROM t"})
    assert set(json.loads(answer.content)) == {"diagram", "tables", "diagnostics", "milliseconds"}
