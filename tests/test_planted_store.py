"""A store of hundreds of secrets in the dialects' own syntax: none of them is in its files, its report, its exports or its answers."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from command import Run, run  # noqa: F401
from headwater.export import MODULES
from headwater.graph.open_store import OpenStore
from headwater.mcp.analysis_tool import AnalysisTool
from headwater.mcp.lineage_tools import LineageTools
from headwater.mcp.store_tools import StoreTools
from headwater.pipeline.corpus import Corpus, build
from headwater.pipeline.read.logs import LogColumns
from headwater.store import Store
from planted_carriers import CARRIERS, capture_jobs, write_carriers
from planted_secrets import forms_shown, planted, together
from servers import LINES, asked
from stores import make_store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

FORMS = planted()
PICTURES = {"mermaid", "png", "svg"}
"""Formats that are too small for all of it: what one table is made of is written."""
FILE_FORMATS = sorted(set(MODULES) - {"delta", "iceberg", "rdbms", "png"})
FOCUS = ("--focus", "o", "--direction", "upstream", "--depth", "1")


@pytest.fixture(scope="module")
def store(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One build of all forms in all carriers."""
    here = tmp_path_factory.mktemp("planted")
    before = Path.cwd()
    os.chdir(here)
    try:
        write_carriers()
        assert capture_jobs(spark, here / "captured") > 50
        build(Corpus(CARRIERS, manifest="scripts.csv", log=LogColumns(dialect="dialect")), "lineage")
    finally:
        os.chdir(before)
    return here / "lineage"


def decoded(file: Path) -> str:
    """All that is in a file: of Parquet the values, and the binary ones as text."""
    if file.suffix == ".arrow":
        with pa.memory_map(str(file)) as mapped:
            return json.dumps(pa.ipc.open_file(mapped).read_all().to_pylist(), default=_text, ensure_ascii=False)
    if file.suffix != ".parquet":
        return file.read_bytes().decode("utf-8", "replace")
    return json.dumps(pq.read_table(file).to_pylist(), default=_text, ensure_ascii=False)


def _text(value: Any) -> str:
    if not isinstance(value, bytes):
        return str(value)
    try:
        with pa.ipc.open_stream(value) as packed:  # a chunk of what the next build needs to know
            return json.dumps(packed.read_all().to_pylist(), default=_text, ensure_ascii=False)
    except pa.ArrowInvalid:
        return value.decode("utf-8", "replace")


def test_no_file_of_a_store_has_one(store: Path) -> None:
    files = [file for file in store.rglob("*") if file.is_file()]
    assert len(files) > 20
    found = {str(file.relative_to(store)): forms_shown(decoded(file)) for file in files}
    assert {file: names for file, names in found.items() if names} == {}
    scripts = "".join(decoded(file) for file in files if "scripts" in str(file))
    assert scripts.count("***") >= 2 * len(FORMS)  # that is where they would be


def test_every_carrier_was_read(store: Path) -> None:
    """Or the tests would look for what never went in."""
    rows = Store(str(store)).snapshot().table("scripts").to_pylist()
    kinds = Counter(row["kind"] for row in rows)
    assert {"sql", "log", "notebook", "python", "databricks", "openlineage", "captured"} <= {*kinds}
    assert len([row for row in rows if "shop/models" in row["path"]]) > 50, kinds
    assert min(kinds["sql"], kinds["log"], kinds["openlineage"]) > len(FORMS) * 0.9
    assert kinds["captured"] > 20, kinds  # jobs whose text differs in nothing but the secret are one


@pytest.mark.parametrize("format", FILE_FORMATS)
def test_no_export_has_one(run: Run, store: Path, tmp_path: Path, format: str) -> None:  # noqa: F811
    done = run("export", store, "--format", format, "-o", tmp_path / "out", *(FOCUS if format in PICTURES else ()))
    assert done.code == 0, done.err
    written = [done.out, done.err, *(decoded(file) for file in tmp_path.rglob("*") if file.is_file())]
    assert len("".join(written)) > 1000
    assert forms_shown("".join(written)) == []


@pytest.mark.parametrize("format", ["delta", "iceberg"])
def test_no_table_of_a_lake_has_one(run: Run, store: Path, tmp_path: Path, format: str) -> None:  # noqa: F811
    done = run("export", store, "--format", format, "-o", tmp_path / "lake")
    assert done.code == 0, done.err
    written = [done.out, done.err, *(decoded(file) for file in tmp_path.rglob("*") if file.is_file())]
    assert "".join(written).count("***") > len(FORMS)
    assert forms_shown("".join(written)) == []


def test_no_database_has_one(run: Run, store: Path, tmp_path: Path) -> None:  # noqa: F811
    done = run("export", store, "--format", "rdbms", "--to", f"sqlite:///{tmp_path}/lineage.db")
    assert done.code == 0, done.err
    with closing(sqlite3.connect(tmp_path / "lineage.db")) as database:
        content = "".join(database.iterdump())
    assert "***" in content
    assert forms_shown(content + done.out + done.err + decoded(tmp_path / "lineage.db")) == []


def test_no_picture_has_one(run: Run, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    """The text of a PNG's letters is what Graphviz is given."""
    import pygraphviz

    given: list[str] = []

    class Recording(pygraphviz.AGraph):  # type: ignore[misc]
        def __init__(self, *arguments: Any, string: str = "", **options: Any) -> None:
            given.append(string)
            super().__init__(*arguments, string=string, **options)

    monkeypatch.setattr(pygraphviz, "AGraph", Recording)
    assert run("export", store, "--format", "png", "-o", tmp_path / "out.png", *FOCUS).code == 0
    assert len(given[0]) > 1000
    assert forms_shown(given[0] + decoded(tmp_path / "out.png")) == []


QUESTIONS = (
    *(
        ["upstream", "o", "--impact"],
        ["upstream", "main.m1"],
        ["downstream", "t", "--impact"],
        ["downstream", "u", "--impact"],
    ),
    *(
        ["impact", "t.a"],
        ["impact", "u.password"],
        ["path", "t.a", "o.a", "--impact"],
        ["search", "*", "--limit", "5000"],
    ),
    *(["unused"], ["unused", "--log"], ["diagnostics", "--limit", "9000"], ["coverage"], ["tags"]),
)


def test_no_answer_on_the_command_line_has_one(run: Run, store: Path, tmp_path: Path) -> None:  # noqa: F811
    make_store(tmp_path / "before", LINES)
    for question in (*QUESTIONS, ["diff", tmp_path / "before", store]):
        place = [] if question[0] == "diff" else ["--store", store]
        for format in ("text", "json", "csv"):
            done = run(*question, *place, "--format", format)
            assert done.code in (0, 1), (question, done.err)
            assert forms_shown(done.out + done.err) == [], question


def test_no_report_and_no_check_has_one(run: Run, store: Path, tmp_path: Path) -> None:  # noqa: F811
    outputs = [run("report", store, "-o", tmp_path / "report.html")]
    outputs += [run("check", store, "--format", format) for format in ("text", "json", "github", "sarif")]
    text = "".join(each.out + each.err for each in outputs) + decoded(tmp_path / "report.html")
    assert len(text) > 10_000
    assert forms_shown(text) == []


def test_no_answer_of_the_server_has_one(store: Path) -> None:
    with asked(store) as client:
        answers = list(_answers(client))
        assert len(answers) > len(FORMS)
        assert forms_shown("".join(answers)) == []


def _answers(client: Any) -> Iterator[str]:
    for path in ("about", "coverage", "tags", "unused", "search?q=u", "tables?limit=500", "scripts?limit=500"):
        yield client.get(f"/api/v1/{path}").text
    yield client.get("/api/v1/diagnostics?limit=500").text
    scripts = [each["id"] for each in _all(client, "scripts")]
    tables = _all(client, "tables")
    yield from (client.get(f"/api/v1/scripts/{id}").text for id in scripts)
    for each in tables:
        yield client.get("/api/v1/table", params={"of": each["table"]["name"]}).text
        yield client.get("/api/v1/neighbourhood", params={"of": each["table"]["name"]}).text


def _all(client: Any, what: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while page := client.get(f"/api/v1/{what}", params={"limit": 500, "offset": len(found)}).json()["items"]:
        found += page
    return found


def test_no_answer_of_the_playground_has_one() -> None:
    with asked() as client:
        for dialect, sql in together(FORMS):
            answer = client.post("/api/v1/analyze", json={"sql": sql, "dialect": dialect})
            assert answer.status_code == 200, answer.text
            echoed = json.loads(answer.text)
            echoed.pop("sql", None)
            assert forms_shown(json.dumps(echoed)) == []


def test_no_answer_to_an_assistant_has_one(store: Path) -> None:
    opened = OpenStore(store)
    tools, lineage = StoreTools(opened), LineageTools(opened)
    text = [repr(tools.diagnostics(limit=200)), repr(tools.tags()), repr(lineage.search("u", limit=100))]
    text += [repr(tools.script(f"s{number}.sql")) for number in range(len(FORMS))]
    assert forms_shown("".join(text)) == []


def test_no_analysis_for_an_assistant_has_one() -> None:
    tool = AnalysisTool(20, 1024)
    assert forms_shown("".join(repr(tool.analyze(sql=sql, dialect=dialect)) for dialect, sql in together(FORMS))) == []
