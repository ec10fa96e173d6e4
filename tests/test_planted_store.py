"""A store of hundreds of secrets in the dialects' own syntax: none of them is in its files, its report, its exports or its answers."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
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
from planted_secrets import Planted, planted
from servers import asked

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

FORMS = planted()
FILE_FORMATS = sorted(set(MODULES) - {"delta", "iceberg", "rdbms", "png"})


@pytest.fixture(scope="module")
def store(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One build of all forms, each a script of its dialect; the first stands there a second time with another script around it."""
    here = tmp_path_factory.mktemp("planted")
    before = Path.cwd()
    os.chdir(here)
    try:
        with open("scripts.csv", "w", encoding="utf-8", newline="") as manifest:
            rows = csv.writer(manifest)
            rows.writerow(["path", "dialect"])
            for number, form in enumerate(FORMS):
                Path(f"s{number}.sql").write_text(f"{form.sql}\n", encoding="utf-8")
                rows.writerow([f"s{number}.sql", form.dialect])
        build(Corpus([], manifest="scripts.csv"), "lineage")
    finally:
        os.chdir(before)
    return here / "lineage"


def shown(text: str) -> list[str]:
    """The forms whose secret a text shows."""
    lowered = text.lower()
    return [form.name for form in FORMS if form.shows(lowered)]


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
    found = {str(file.relative_to(store)): shown(decoded(file)) for file in files}
    assert {file: names for file, names in found.items() if names} == {}
    scripts = "".join(decoded(file) for file in files if "scripts" in str(file))
    assert scripts.count("***") >= len(FORMS) / 2  # that is where they would be


@pytest.mark.parametrize("format", FILE_FORMATS)
def test_no_export_has_one(run: Run, store: Path, tmp_path: Path, format: str) -> None:  # noqa: F811
    done = run("export", store, "--format", format, "-o", tmp_path / "out")
    assert done.code == 0, done.err
    written = [done.out, done.err, *(decoded(file) for file in tmp_path.rglob("*") if file.is_file())]
    assert len("".join(written)) > 1000
    assert shown("".join(written)) == []


def test_no_report_and_no_check_has_one(run: Run, store: Path, tmp_path: Path) -> None:  # noqa: F811
    outputs = [run("report", store, "-o", tmp_path / "report.html")]
    outputs += [run("check", store, "--format", format) for format in ("text", "json", "github", "sarif")]
    text = "".join(each.out + each.err for each in outputs) + decoded(tmp_path / "report.html")
    assert len(text) > 10_000
    assert shown(text) == []


def test_no_answer_of_the_server_has_one(store: Path) -> None:
    with asked(store) as client:
        answers = list(_answers(client))
        assert len(answers) > len(FORMS)
        assert shown("".join(answers)) == []


def _answers(client: Any) -> Iterator[str]:
    for path in ("about", "coverage", "tags", "unused", "search?q=u", "tables?limit=500", "scripts?limit=500"):
        yield client.get(f"/api/v1/{path}").text
    yield client.get("/api/v1/diagnostics?limit=500").text
    scripts = [each["id"] for page in (0, 500) for each in _page(client, "scripts", page)]
    tables = [each for page in (0, 500) for each in _page(client, "tables", page)]
    yield from (client.get(f"/api/v1/scripts/{id}").text for id in scripts)
    for each in tables:
        yield client.get("/api/v1/table", params={"of": each["table"]["name"]}).text
        yield client.get("/api/v1/neighbourhood", params={"of": each["table"]["name"]}).text


def _page(client: Any, what: str, offset: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/api/v1/{what}", params={"limit": 500, "offset": offset}).json()["items"]
    return found


def test_no_answer_of_the_playground_has_one() -> None:
    with asked() as client:
        for form in FORMS[::7]:
            answer = client.post("/api/v1/analyze", json={"sql": form.sql, "dialect": form.dialect})
            assert answer.status_code == 200, answer.text
            echoed = json.loads(answer.text)
            echoed.pop("sql", None)
            assert not form.shows(json.dumps(echoed).lower()), form.name


def test_no_answer_to_an_assistant_has_one(store: Path) -> None:
    opened = OpenStore(store)
    tools, lineage = StoreTools(opened), LineageTools(opened)
    text = [repr(tools.diagnostics(limit=200)), repr(tools.tags()), repr(lineage.search("u", limit=100))]
    text += [repr(tools.script(f"s{number}.sql")) for number in range(len(FORMS))]
    assert shown("".join(text)) == []
    analysis = AnalysisTool(20, 1024)
    assert [form.name for form in FORMS[::11] if form.shows(_analysed(analysis, form).lower())] == []


def _analysed(tool: AnalysisTool, form: Planted) -> str:
    return repr(tool.analyze(sql=form.sql, dialect=form.dialect))
