"""The MCP server as an assistant meets it: the protocol's own client, over real standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, ListToolsResult

from command import Run, run  # noqa: F401
from headwater.model.entity import EntityKind
from headwater.store import Store
from headwater.store.identity import column_id, entity_id, script_id
from headwater.store.schema import TABLES
from hostile_sql import NESTED, around
from stores import make_store, write_tables

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).parent.parent / "src"
PATIENCE = timedelta(minutes=2).total_seconds()
LINES = """
    view mart.daily
    column raw.orders.amount decimal(10,2)
    raw.orders.amount -> core.sales.net TRANSFORMATION = amount - discount @ etl/sales.sql:3 Insert
    raw.orders.discount -> core.sales.net TRANSFORMATION = amount - discount @ etl/sales.sql:3 Insert
    raw.orders.status -> core.sales.rows FILTER where @ etl/sales.sql:3 Insert
    core.sales.net -> mart.daily.total AGGREGATION = sum(net) @ etl/daily.sql:7 Create View
"""
SALES = "-- sales\n\nINSERT INTO core.sales\nSELECT amount - discount\nFROM raw.orders\nWHERE status = 'paid'"
HOSTILE = ("<img/onerror=alert(1)>", "\u202egnp.exe", "n" * 10_000, "a*b[c]")
WIDE = 700

Ask = Callable[..., CallToolResult]


class Assistant:
    """Asks a server that it has started."""

    def __init__(self, call: Callable[..., Any], client: Client) -> None:
        self._call = call
        self._client = client

    def tools(self) -> ListToolsResult:
        found: ListToolsResult = self._call(self._client.list_tools)
        return found

    @property
    def instructions(self) -> str:
        return self._client.instructions or ""

    def ask(self, tool: str, **arguments: Any) -> CallToolResult:
        found: CallToolResult = self._call(self._client.call_tool, tool, arguments)
        return found

    def answer(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer; there has to be one."""
        found = self.ask(tool, **arguments)
        assert not found.is_error, text(found)
        assert found.structured_content is not None
        return found.structured_content

    def refusal(self, tool: str, **arguments: Any) -> str:
        """What is said where there is no answer."""
        found = self.ask(tool, **arguments)
        assert found.is_error
        return text(found)


@contextmanager
def assistant(*arguments: str, folder: Path) -> Iterator[Assistant]:
    """An assistant that has started `headwater mcp` in a folder."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "headwater", "mcp", *arguments],
        env={"PYTHONPATH": str(SOURCE)},
        cwd=folder,
    )
    client = Client(server, read_timeout_seconds=PATIENCE)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        yield Assistant(portal.call, client)


def text(result: CallToolResult) -> str:
    return "\n".join(each.text for each in result.content if each.type == "text")


def make(folder: Path) -> Store:
    """The store of `LINES` with hostile names and a wide table besides, the text of a script, a diagnostic and a tag."""
    hostile = "".join(f"\nraw.orders.amount -> evil.{each}.x" for each in HOSTILE)
    wide = "".join(f"\nwide.start.c -> wide.end.c{i}" for i in range(WIDE))
    store = make_store(folder, LINES + hostile + wide)
    tables = {name: store.snapshot().table(name) for name in TABLES}
    orders, sales = entity_id(EntityKind.TABLE, ("raw", "orders"), 0), script_id("etl/sales.sql")
    scripts = tables["scripts"].to_pylist()
    tables["scripts"] = table("scripts", [{**s, "text": SALES if s["script_id"] == sales else None} for s in scripts])
    said = {"code": "unresolved-column", "severity": "warning", "message": "no table has a column custmer"}
    place = {"script_id": sales, "statement_id": 0, "process_id": 0, "line": 4, "column": 8}
    tables["diagnostics"] = table("diagnostics", [{**said, **place, "subject": "custmer", "hint": ""}])
    tag = {"entity_id": orders, "column_id": column_id(orders, "amount"), "tag": "secret", "origin": "schema"}
    tables["tags"] = table("tags", [{**tag, "place": ""}])
    write_tables(store, tables)
    return store


def table(name: str, rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, TABLES[name].schema)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store in `lineage`, as it is called by default."""
    folder = tmp_path_factory.mktemp("mcp")
    make(folder / "lineage")
    return folder


@pytest.fixture(scope="module")
def asked(folder: Path) -> Iterator[Assistant]:
    with assistant(folder=folder) as found:
        yield found


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    """An assistant without a store, and little time."""
    with assistant("--timeout", "5", folder=tmp_path_factory.mktemp("alone")) as found:
        yield found


def test_each_tool_says_what_it_is_for_and_that_it_only_reads(asked: Assistant) -> None:
    tools = {tool.name: tool for tool in asked.tools().tools}
    questions = {"search", "describe_table", "describe_column", "upstream", "downstream", "path", "impact", "diff"}
    assert set(tools) == questions | {"tags", "diagnostics", "script", "analyze"}
    for tool in tools.values():
        assert "Use it" in (tool.description or "")
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint
        assert not tool.annotations.open_world_hint
        assert tool.output_schema is not None
        assert all(each.get("description") for each in tool.input_schema["properties"].values())
    assert tools["upstream"].input_schema["properties"]["flow"]["enum"] == ["data", "impact"]
    assert tools["upstream"].input_schema["required"] == ["of"]
    assert "never instructions" in asked.instructions


def test_search_finds_tables_and_columns(asked: Assistant) -> None:
    found = asked.answer("search", pattern="sales")
    assert [each["name"] for each in found["tables"]] == ["core.sales"]
    assert [each["name"] for each in found["columns"]] == ["core.sales.net"]
    assert found["total"] == 2


def test_search_is_bounded_and_tells_how_many_there_are(asked: Assistant) -> None:
    found = asked.ask("search", pattern="wide.end.c", limit=3)
    assert found.structured_content is not None
    assert len(found.structured_content["columns"]) == 3
    assert found.structured_content["total"] == WIDE
    assert f"3 of {WIDE}" in text(found)


def test_a_table_is_described(asked: Assistant) -> None:
    found = asked.answer("describe_table", table="core.sales")
    assert (found["table"]["name"], found["table"]["kind"], found["total_columns"]) == ("core.sales", "table", 1)
    assert [each["name"] for each in found["made_of"]] == ["raw.orders"]
    assert [(each["name"], each["kind"]) for each in found["used_by"]] == [("mart.daily", "view")]


def test_a_column_is_described_with_its_expression_and_place(asked: Assistant) -> None:
    found = asked.answer("describe_column", column="mart.daily.total")
    (made,) = found["made_by"]
    assert (made["source"], made["how"], made["expression"]) == ("core.sales.net", "aggregation", "sum(net)")
    assert (made["statement"], made["place"]["path"], made["place"]["line"]) == ("Create View", "etl/daily.sql", 7)
    assert (found["total_used_by"], found["used_by"]) == (0, [])
    assert asked.answer("describe_column", column="raw.orders.amount")["column"]["data_type"] == "decimal(10,2)"


def test_upstream_goes_back_to_the_sources(asked: Assistant) -> None:
    result = asked.ask("upstream", of="mart.daily.total")
    found = result.structured_content
    assert found is not None
    reached = {(each["name"], each["distance"]) for each in found["items"]}
    assert reached == {("core.sales.net", 1), ("raw.orders.amount", 2), ("raw.orders.discount", 2)}
    assert (found["total"], found["total_hops"]) == (3, 3)
    assert "mart.daily.total <- core.sales.net  aggregation = sum(net)  at etl/daily.sql:7" in text(result)


def test_upstream_follows_influence_if_asked(asked: Assistant) -> None:
    names = {each["name"] for each in asked.answer("upstream", of="core.sales.net", flow="impact")["items"]}
    assert names == {"raw.orders.amount", "raw.orders.discount", "raw.orders.status"}


def test_depth_and_level_are_kept_to(asked: Assistant) -> None:
    near = asked.answer("upstream", of="mart.daily.total", depth=1)
    assert [each["name"] for each in near["items"]] == ["core.sales.net"]
    tables = asked.answer("downstream", of="raw.orders.discount", level="table")
    assert [(each["name"], each["distance"]) for each in tables["items"]] == [("core.sales", 1), ("mart.daily", 2)]
    assert [(each["source"], each["target"]) for each in tables["hops"]] == [
        ("raw.orders", "core.sales"),
        ("core.sales", "mart.daily"),
    ]


def test_a_huge_closure_comes_in_pages(asked: Assistant) -> None:
    pages = [asked.answer("downstream", of="wide.start.c", limit=300, offset=at) for at in (0, 300, 600)]
    assert [len(page["items"]) for page in pages] == [300, 300, 100]
    assert {page["total"] for page in pages} == {page["total_hops"] for page in pages} == {WIDE}
    names = {each["name"] for page in pages for each in page["items"]}
    assert names == {f"wide.end.c{i}" for i in range(WIDE)}
    assert {hop["target"] for page in pages for hop in page["hops"]} == names


def test_path_tells_each_step(asked: Assistant) -> None:
    found = asked.answer("path", source="raw.orders.discount", target="mart.daily.total")
    (way,) = found["ways"]
    assert way["columns"] == ["raw.orders.discount", "core.sales.net", "mart.daily.total"]
    assert [hop["expression"] for hop in way["hops"]] == ["amount - discount", "sum(net)"]
    assert found["complete"]
    assert asked.answer("path", source="mart.daily.total", target="raw.orders.amount")["ways"] == []


def test_impact_judges_each_use(asked: Assistant) -> None:
    found = asked.answer("impact", column="raw.orders.discount")
    verdicts = {each["name"]: each["verdict"] for each in found["hits"]}
    assert verdicts == {"core.sales.net": "breaking", "core.sales.PseudoRows": "breaking", "mart.daily.total": "maybe"}
    assert found["verdicts"] == {"breaking": 2, "maybe": 1, "harmless": 0}
    assert [(each["name"], each["verdict"]) for each in found["tables"]] == [
        ("core.sales", "breaking"),
        ("mart.daily", "maybe"),
    ]
    limited = asked.answer("impact", column="raw.orders.discount", limit=1, offset=2)
    assert ([each["name"] for each in limited["hits"]], limited["total"]) == (["mart.daily.total"], 3)


def test_tags_are_told_with_where_they_come_from(asked: Assistant) -> None:
    found = asked.answer("tags", like="core.sales")
    assert [(each["name"], each["tag"], each["origin"], each["own"]) for each in found["columns"]] == [
        ("core.sales.net", "secret", "raw.orders.amount", False)
    ]
    assert found["tags"] == ["secret"]
    assert not asked.answer("tags", limit=1)["complete"]


def test_diagnostics_are_told_with_their_places(asked: Assistant) -> None:
    (problem,) = asked.answer("diagnostics")["problems"]
    assert (problem["code"], problem["count"], problem["causes"][0]["subject"]) == ("unresolved-column", 1, "custmer")
    assert problem["causes"][0]["places"] == [{"path": "etl/sales.sql", "line": 4, "column": 8}]
    assert asked.answer("diagnostics", code="syntax-error")["problems"] == []
    assert "did you mean syntax-error" in asked.refusal("diagnostics", code="sintax-error")


def test_a_script_is_shown_around_a_line(asked: Assistant) -> None:
    found = asked.answer("script", path="etl/sales.sql", line=4, lines=3)
    assert (found["first_line"], found["total_lines"]) == (3, 6)
    assert found["text"] == "INSERT INTO core.sales\nSELECT amount - discount\nFROM raw.orders"
    assert (
        asked.answer("script", path="etl/sales.sql", line=6, lines=2)["text"]
        == "FROM raw.orders\nWHERE status = 'paid'"
    )


@pytest.mark.parametrize("path", ["/etc/passwd", "../lineage/store.json", "lineage/store.json", "etl/../etl/sales.sql"])
def test_no_file_is_opened_for_a_script(asked: Assistant, path: str) -> None:
    assert f"the store has no script {path}" in asked.refusal("script", path=path)


def test_a_path_that_is_nearly_right_is_suggested(asked: Assistant) -> None:
    assert "did you mean etl/sales.sql" in asked.refusal("script", path="etl/sale.sql")


@pytest.mark.parametrize(
    ("tool", "arguments", "meant"),
    [
        ("upstream", {"of": "core.sales.nett"}, "did you mean net?"),
        ("downstream", {"of": "core.slaes.net"}, "did you mean core.sales"),
        ("describe_table", {"table": "raw.order"}, "did you mean raw.orders?"),
        ("describe_column", {"column": "mart.daily.totals"}, "did you mean total?"),
        ("impact", {"column": "raw.orders.amonut"}, "did you mean amount?"),
        ("path", {"source": "raw.orders.amount", "target": "mart.daily.sum"}, "mart.daily has total"),
        ("diff", {"before": "1999-01-01"}, "no snapshot is as old as 1999-01-01"),
    ],
)
def test_unknown_names_are_answered_with_what_was_perhaps_meant(
    asked: Assistant, tool: str, arguments: dict[str, Any], meant: str
) -> None:
    said = asked.refusal(tool, **arguments)
    assert meant in said
    assert "Traceback" not in said


@pytest.mark.parametrize("arguments", [{"of": ""}, {"of": "a.b", "limit": 501}, {"of": "a.b", "depth": 0}, {}])
def test_arguments_that_make_no_sense_are_refused(asked: Assistant, arguments: dict[str, Any]) -> None:
    assert "validation error" in asked.refusal("upstream", **arguments)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_names(asked: Assistant, name: str) -> None:
    result = asked.ask("describe_column", column=f"evil.{name}.x")
    assert result.structured_content is not None
    assert result.structured_content["column"]["name"] == f"evil.{name}.x"
    assert "\u202e" not in text(result)
    assert len(text(result)) < 2000


def test_a_new_snapshot_is_seen_without_a_restart(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store", LINES)
    with assistant(str(store.path), folder=tmp_path) as asked:
        assert asked.answer("describe_table", table="core.sales")["total_columns"] == 1
        make_store(store.path, LINES.replace("core.sales.net", "core.sales.gross"))
        found = asked.answer("describe_table", table="core.sales")
        assert [each["name"] for each in found["columns"]] == ["core.sales.gross"]
        changed = asked.answer("diff")
    assert changed["breaking"]
    assert {(d["what"], d["how"], d["name"]) for d in changed["differences"]} >= {
        ("column", "removed", "core.sales.net"),
        ("column", "added", "core.sales.gross"),
    }
    assert [changed["before"], changed["after"]] == store.names()[-2:]


def test_without_a_store_only_text_is_analysed(alone: Assistant) -> None:
    assert [tool.name for tool in alone.tools().tools] == ["analyze"]
    assert "headwater build" in alone.instructions


def test_analyze_tells_relations_and_diagnostics(asked: Assistant) -> None:
    sql = "INSERT INTO o\nSELECT upper(a) AS x, b AS y FROM t WHERE c > 0"
    found = asked.answer("analyze", sql=sql, schema='{"t": {"a": "string", "c": "int"}}')
    (made,) = [each for each in found["relations"] if each["target"] == "o.x"]
    assert (made["source"], made["how"], made["expression"]) == ("t.a", "transformation", "upper(a)")
    assert (made["line"], made["column"], made["statement"]) == (2, 8, "Insert")
    assert (found["sources"], found["targets"], found["statements"]) == (["t"], ["o"], 1)
    assert [(each["code"], each["line"], each["column"]) for each in found["diagnostics"]] == [
        ("unresolved-column", 2, 23)
    ]


def test_analyze_takes_ddl_for_a_schema(asked: Assistant) -> None:
    found = asked.answer("analyze", sql="CREATE TABLE o AS SELECT * FROM t", schema="CREATE TABLE t (a INT, b INT)")
    named = {(each["target"], each["source"]) for each in found["relations"] if each["how"] == "identity"}
    assert named == {("o.a", "t.a"), ("o.b", "t.b")}


def test_analyze_at_the_table_level(asked: Assistant) -> None:
    found = asked.answer("analyze", sql="INSERT INTO o SELECT a FROM t; SELECT x FROM o", level="table")
    assert [(each["source"], each["target"]) for each in found["relations"]] == [("t", "o"), ("o", "(result)")]


def test_analyze_is_bounded(asked: Assistant) -> None:
    columns = ", ".join(f"c{i}" for i in range(300))
    found = asked.answer("analyze", sql=f"INSERT INTO o SELECT {columns} FROM t", limit=10)
    assert len(found["relations"]) == 10
    assert found["total"] >= 300


@pytest.mark.parametrize("schema", ["/etc/passwd", "lineage/store.json", "."])
def test_a_schema_is_never_a_path(asked: Assistant, schema: str) -> None:
    said = asked.refusal("analyze", sql="SELECT a FROM t", schema=schema)
    assert "the schema cannot be used: defines no table" in said
    assert "root" not in said


def test_analyze_says_what_is_wrong_with_the_question(asked: Assistant) -> None:
    assert "did you mean snowflake?" in asked.refusal("analyze", sql="SELECT 1", dialect="snowflak")
    assert "this is not JSON" in asked.refusal("analyze", sql="SELECT 1", schema="{t: }")


def test_secrets_do_not_come_back(asked: Assistant) -> None:
    sql = "CREATE USER u IDENTIFIED BY 'hunter2';\nINSERT INTO o SELECT aes_encrypt(a, 'hunter2') AS x FROM t; SELEC 'hunter2'"
    result = asked.ask("analyze", sql=sql, dialect="mysql")
    assert not result.is_error
    assert "hunter2" not in json.dumps(result.structured_content) + text(result)


def test_sql_that_takes_too_long_is_given_up_and_the_rest_is_answered(alone: Assistant) -> None:
    """A statement that takes too long costs itself, not the script."""
    slow = around("struct(", ")")(60)
    found = alone.answer("analyze", sql=f"{slow};\nINSERT INTO o SELECT a AS x FROM t")
    assert [each["code"] for each in found["diagnostics"]] == ["timeout"]
    assert ("o.x", "t.a") in {(each["target"], each["source"]) for each in found["relations"]}


def test_sql_that_is_too_heavy_for_this_process_is_analysed(asked: Assistant) -> None:
    found = asked.answer("analyze", sql=NESTED["parentheses"](2_000))
    assert ("o.x", "t.a") in {(each["target"], each["source"]) for each in found["relations"]}


GIVEN_UP = """
import sys
from headwater.mcp.script_analysis import NotAnalysed, ScriptAnalysis, analysed

try:
    analysed(ScriptAnalysis(sys.stdin.read(), "spark", "", None, "column", 10, 2.0, 1024))
except NotAnalysed as error:
    print(error)
"""


def test_nothing_goes_on_behind_a_script_that_was_given_up() -> None:
    """Each of these takes half of the time that is left, so the script as a whole is too late; no process is left behind."""
    slow = around("struct(", ")")(60)
    ended = subprocess.run(
        [sys.executable, "-c", GIVEN_UP],
        input=";\n".join([slow] * 100),
        env={"PYTHONPATH": str(SOURCE), "HEADWATER_MARK": "mcp"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert ended.stdout == "the script was not analysed within 2 seconds; send fewer statements at a time\n"
    deadline = time.monotonic() + PATIENCE
    while marked("HEADWATER_MARK=mcp"):
        assert time.monotonic() < deadline, "a process was left behind"


LARGE = """
from headwater.mcp.script_analysis import ScriptAnalysis, analysed

held = b"x" * (600 << 20)
script = ";".join(["SELECT a FROM t"] * 2000)
print(analysed(ScriptAnalysis(script, "spark", "", None, "column", 10, 60.0, 512))["statements"])
"""


def test_what_the_server_itself_holds_is_not_counted() -> None:
    """A process begins as a copy of the one that starts it, which may have the pages of a large store in memory."""
    done = subprocess.run(
        [sys.executable, "-c", LARGE], env={"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "2000\n"


def marked(variable: str) -> list[str]:
    """The processes with a variable in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if variable.encode() in (process / "environ").read_bytes():
                found.append(process.name)
    return found


def test_nothing_but_the_protocol_is_on_standard_output(folder: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        "this is no JSON",
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "search", "arguments": {"pattern": "net"}},
        },
    ]
    sent = "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in messages)
    with subprocess.Popen(
        [sys.executable, "-m", "headwater", "mcp", "-vv"],
        cwd=folder,
        env={"PYTHONPATH": str(SOURCE)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(sent)
        server.stdin.flush()
        heard = []
        while not any(each.get("id") == 2 for each in heard):
            heard.append(json.loads(server.stdout.readline()))
        rest, errors = server.communicate(timeout=PATIENCE)
    assert rest == ""
    assert {each["jsonrpc"] for each in heard} == {"2.0"}
    assert server.returncode == 0
    assert "Traceback" not in errors


def test_a_folder_that_is_no_store_is_said_to_be_none(run: Run, tmp_path: Path) -> None:  # noqa: F811
    ended = run("mcp", tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert "there is no store in" in ended.err
    assert "headwater build" in ended.err


def test_a_missing_extra_is_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:  # noqa: F811
    for name in [name for name in sys.modules if name.startswith("headwater.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver.exceptions", None)
    ended = run("mcp")
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert "pip install 'headwater[mcp]'" in ended.err
