"""Input that is nested more deeply than Python's calls may be: each ends with an answer, or with a diagnostic that says why not."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path
from typing import Any

import pytest
from sqlglot import parse_one

from command import Run
from headwater import analyze
from headwater.catalog import Catalog
from headwater.catalog.source import read_catalog
from headwater.model.diagnostic import Code
from headwater.project.read import read_project
from headwater.project.sqlmesh.config_program import Oversized, config_of
from headwater.resolve import Session
from headwater.sql.dialect import dialect
from headwater.storage.disk import Disk
from headwater.verify.hints import hints_of
from headwater.verify.tables import UnmadeTable, needed_tables

SPARK = dialect("spark")
DEEP = 3_000


def columns(catalog: Catalog, name: str) -> list[str]:
    return list(catalog.find((name,), SPARK.spelled_table, SPARK.spelled_column) or {})


def test_a_folder_of_many_catalogs(tmp_path: Path) -> None:
    for number in range(DEEP):
        (tmp_path / f"{number:04}.json").write_text(f'{{"t{number}": ["c{number}"]}}', encoding="utf-8")
    catalog = read_catalog(tmp_path, SPARK)
    assert columns(catalog, "t0") == ["c0"]
    assert columns(catalog, f"t{DEEP - 1}") == [f"c{DEEP - 1}"]
    assert columns(catalog, "other") == []
    for other in (
        pickle.loads(pickle.dumps(catalog)),
        catalog.in_dialect("spark"),
        catalog.over(Catalog({"other": ["a"]})),
    ):
        assert columns(other, "t0") == ["c0"]
        assert len(dict(other.tables(SPARK.spelled_table, SPARK.spelled_column))) >= DEEP
        assert other.means(("t0",), SPARK.spelled_table) == ("t0",)
    found = catalog.tables_of(None, "t2999", SPARK.spelled_table, SPARK.spelled_column)
    assert dict(found) == {("t2999",): {"c2999": ""}}


def test_layers_keep_their_order_when_they_are_laid_over_others() -> None:
    top = Catalog({"t": ["a"]}).over(Catalog({"t": ["b"], "u": ["b"]}))
    whole = top.over(Catalog({"t": ["c"], "u": ["c"], "v": ["c"]}))
    assert [columns(whole, name) for name in "tuv"] == [["a"], ["b"], ["c"]]
    assert [columns(pickle.loads(pickle.dumps(whole)), name) for name in "tuv"] == [["a"], ["b"], ["c"]]


@pytest.mark.parametrize(
    "text",
    [
        f"vars = {'[' * DEEP}{']' * DEEP}",
        f"vars = {'{a = ' * DEEP}1{'}' * DEEP}",
        f"[vars]\nx{'.a' * DEEP} = 1",
    ],
    ids=["arrays", "tables", "keys"],
)
def test_settings(text: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("headwater.toml").write_text(text, encoding="utf-8")
    Path("q.sql").write_text("SELECT a FROM t", encoding="utf-8")
    for command in (["config"], ["analyze", "q.sql"]):
        code, out, err = run(*command)
        assert (code, out) == (2, "")
        assert "headwater.toml: this is not TOML: it is nested more than 200 deep" in err


@pytest.mark.parametrize(
    ("word", "end"), [("IF TRUE THEN\n", "END IF;\n"), ("LOOP\n", "END LOOP;\n")], ids=["choices", "loops"]
)
def test_blocks_inside_of_blocks(word: str, end: str) -> None:
    sql = f"CREATE TEMP TABLE x AS SELECT a FROM t;\n{word * 700}INSERT INTO o SELECT a FROM x;\n{end * 700}"
    edges = analyze(sql, "bigquery").column_edges(end_to_end=True, collapse_temp=True)
    assert {(edge.source.table, edge.target.table) for edge in edges if edge.target.column == "a"} == {("t", "o")}


def test_variables_of_sqlmesh(tmp_path: Path) -> None:
    nested = "x0 = [1]\n" + "".join(f"x{n} = [x{n - 1}]\n" for n in range(1, DEEP))
    with pytest.raises(Oversized, match="nested more than 200 deep"):
        config_of(nested, {})
    doubled = "x0 = [1]\n" + "".join(f"x{n} = [x{n - 1}, x{n - 1}]\n" for n in range(1, 60))
    with pytest.raises(Oversized, match="more than 100,000 parts"):
        config_of(doubled, {})
    with pytest.raises(Oversized, match="nested more than 200 deep"):
        config_of("x = {'a': 1}\nx['b'] = x", {})
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.sql").write_text("MODEL (name m.a); SELECT 1 AS x", encoding="utf-8")
    (tmp_path / "config.py").write_text(nested, encoding="utf-8")
    project = read_project(tmp_path)
    assert any("config.py cannot be read: a value is nested more than 200 deep" in str(r) for r in project.remarks)
    assert len(project.models) == 1


def test_models_of_dbt_whose_columns_are_asked_for(tmp_path: Path) -> None:
    models = tmp_path / "models"
    models.mkdir()
    (tmp_path / "dbt_project.yml").write_text("name: p\nprofile: p\nversion: '1'\n", encoding="utf-8")
    profile = "p: {target: d, outputs: {d: {type: duckdb, path: x.db}}}"
    (tmp_path / "profiles.yml").write_text(profile, encoding="utf-8")
    (models / "m0.sql").write_text("select 1 as a0", encoding="utf-8")
    for number in range(1, 300):
        (models / f"m{number}.sql").write_text(f"select * from {{{{ ref('m{number - 1}') }}}}", encoding="utf-8")
    asking = "{% for c in adapter.get_columns_in_relation(ref('m299')) %}{{ c.name }}{% endfor %}"
    (models / "z.sql").write_text(f"select {asking} from {{{{ ref('m299') }}}}", encoding="utf-8")
    project = read_project(tmp_path)
    assert not [each for each in project.remarks if each[0].code is Code.UNREAD_MODEL]
    (sql,) = (model.sql for model in project.models if model.name.endswith("z"))
    assert sql.split()[:2] == ["select", "a0"]


def test_folders_of_a_store(tmp_path: Path) -> None:
    disk = Disk(tmp_path / ("d/" * 1_050))
    disk.write("x", b"1")
    assert [file.key for file in disk.files("")] == ["x"]
    subprocess.run(["rm", "-r", str(tmp_path / "d")], check=True)  # what removes the folders of tests calls itself


def test_constants_that_data_is_made_of() -> None:
    tree = parse_one("SELECT a FROM t WHERE a = " + " + ".join(["1"] * DEEP))
    assert list(hints_of(tree).values["a"]) == [DEEP]


@pytest.mark.parametrize(
    "kind",
    [f"{'STRUCT(x ' * 400}INT{')' * 400}", f"INT{'[]' * 40}", f"INT{'[]' * 2000}"],
    ids=["structs", "arrays", "many"],
)
def test_types_that_data_is_made_for(kind: str) -> None:
    (statement,) = analyze("SELECT a FROM t", "duckdb", {"t": {"a": kind}}).statements
    session = Session(Catalog({"t": {"a": kind}}))
    with pytest.raises(UnmadeTable, match="nested more than 16 deep"):
        needed_tables(statement.resolution, session, dialect("duckdb"))


def test_types_that_spark_describes(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    from headwater.spark.session_catalog import _Session

    told: dict[str, Any] = {"name": "int"}
    for _ in range(DEEP):
        told = {"name": "array", "element_type": told}
    types = {"deep": told, "flat": {"name": "int"}}
    monkeypatch.setattr(
        _Session,
        "_said",
        lambda self, name: {"columns": [{"name": "a", "type": types[name.split(".")[-1].strip("`")]}]},
    )
    deep, flat = _Session(None).described(("s",), {"deep": "table", "flat": "table"}, True)  # type: ignore[arg-type]
    assert deep.problem == "the type of a column is nested too deeply"
    assert [column.type for column in flat.columns] == ["int"]
