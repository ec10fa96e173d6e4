"""SQLMesh projects: what their files give, with lineage that was derived by hand; and the same by SQLMesh's own loader, if there is one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest

from command import Run
from headwater.project.lineage import ProjectLineage, project_lineage
from headwater.project.objects import Project
from headwater.project.read import project_file, read_project
from headwater.project.sqlmesh.config_program import config_of
from headwater.project.sqlmesh.loader import SQLMESH_PYTHON

EXAMPLE = Path(__file__).parent.parent / "examples" / "sqlmesh"
CONFIG = "project: shop\nmodel_defaults:\n  dialect: duckdb\nvariables:\n  schema: raw\n  limit: 3\n  names: [a, b]\n"


def _project(folder: Path, files: dict[str, str], config: str = CONFIG) -> Project:
    (folder / "config.yaml").write_text(config)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return read_project(folder)


def _model(folder: Path, text: str, name: str = "m.x", more: str = "") -> str:
    """The SQL of one model, on one line."""
    project = _project(folder, {"models/x.sql": f"MODEL (name {name}{more});\n{text}"})
    assert project.remarks == ()
    return " ".join(project.models[0].sql.split())


def _edges(made: ProjectLineage, table: str) -> set[str]:
    """What flows into the columns of a table, and what decides over its rows."""
    return {
        f"{edge.target.column} {'<-' if edge.type == 'fdd' else '<~'} {edge.source.table}.{edge.source.column}"
        for edge in made.lineage.column_edges()
        if edge.target.table == table and edge.source.column != "PseudoRows"
    }


def _codes(project: Project) -> list[str]:
    return [said.code.value for said, _ in project.remarks]


def test_the_example_gives_the_lineage_of_its_sql() -> None:
    made = project_lineage(read_project(EXAMPLE, {}))
    assert [said.subject for said, _ in made.diagnostics()] == ["marts.churn_scores"]
    orders = "raw.orders"
    assert _edges(made, "staging.orders") == {
        f"order_id <- {orders}.order_id",
        f"customer_id <- {orders}.customer_id",
        f"country <- {orders}.country",
        f"status <- {orders}.status",
        f"net <- {orders}.amount",
        f"net <- {orders}.discount",
        f"gross <- {orders}.amount",
        f"gross <- {orders}.discount",
        f"ordered_on <- {orders}.ordered_at",
        f"PseudoRows <~ {orders}.ordered_at",
    }
    assert _edges(made, "staging.customers") == {
        *(f"{name} <- raw.customers.{name}" for name in ("customer_id", "email", "plan", "updated_at")),
        "valid_from <- raw.customers.updated_at",
        "valid_to <- raw.customers.updated_at",
        "valid_to <- raw.customers.customer_id",
    }
    status = "marts.orders_by_status"
    by_status = _edges(made, status)
    assert {
        "gross_paid <- staging.orders.gross",
        "gross_paid <- staging.orders.status",
        "gross_returned <- staging.orders.gross",
        "country_name <- staging.countries.name",
        "PseudoRows <~ staging.countries.code",
    } <= by_status
    assert not any(edge.startswith("orders <-") for edge in by_status)
    assert _edges(made, "marts.returns_rate") == {
        f"country_key <- {status}.country",
        f"country_key <- {status}.country_name",
        f"country_name <- {status}.country_name",
        f"returns_rate <- {status}.gross_returned",
        f"returns_rate <- {status}.gross_paid",
        f"PseudoRows <~ {status}.orders",
    }
    plans = _edges(made, "marts.customer_plans")
    assert {
        "email <- staging.customers.email",
        "gross <- staging.orders.gross",
        "PseudoRows <~ staging.customers.valid_to",
    } <= plans
    assert {"score <- marts.customer_plans.gross", "customer_id <- marts.customer_plans.plan"} <= _edges(
        made, "marts.churn_scores"
    )
    assert "PseudoRows <~ staging.orders.gross" in _edges(made, "shop.model.assert_positive__staging_orders")


def test_objects_stand_where_their_sql_begins() -> None:
    places = {model.name: (Path(model.place.path).name, model.place.line) for model in read_project(EXAMPLE, {}).models}
    assert places["staging.orders"] == ("orders.sql", 14)
    assert places["marts.customer_plans"] == ("customer_plans.sql", 13)
    assert places["marts.churn_scores"] == ("churn_scores.py", 10)
    assert places["raw.customers"] == ("external_models.yaml", 10)
    assert places["assert_positive__staging.orders"] == ("assert_positive.sql", 5)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT a FROM @schema.t LIMIT @limit", "SELECT a FROM raw.t LIMIT 3"),
        ("SELECT a FROM t WHERE s = @schema", "SELECT a FROM t WHERE s = 'raw'"),
        ("SELECT a FROM @{schema}_old.t", "SELECT a FROM raw_old.t"),
        ("SELECT @VAR('limit') AS n, @VAR('none', 4) AS m", "SELECT 3 AS n, 4 AS m"),
        ("@DEF(f, x -> x + 1); SELECT @f(a) AS b FROM t", "SELECT a + 1 AS b FROM t"),
        ("SELECT @EACH(@names, x -> SUM(@x) AS total_@x) FROM t", "SELECT SUM('a') AS total_a, SUM('b') AS total_b FROM t"),
        ("SELECT @EACH([a, b], x -> t.x AS x_@x) FROM t", "SELECT t.x AS x_a, t.x AS x_b FROM t"),
        ("SELECT @EACH([a, b], x -> MAX(x) AS max_@x) FROM t", "SELECT MAX(a) AS max_a, MAX(b) AS max_b FROM t"),
        ("SELECT a FROM t WHERE @REDUCE(@EACH([b, c], x -> x > 1), (x, y) -> x OR y)", "SELECT a FROM t WHERE b > 1 OR c > 1"),
        ("SELECT @IF(@limit > 2, a, b) AS c FROM t", "SELECT a AS c FROM t"),
        ("SELECT a FROM t WHERE @AND(TRUE, @OR(b = 1, c = 2))", "SELECT a FROM t WHERE (TRUE) AND ((b = 1) OR (c = 2))"),
        ("SELECT a FROM t @WHERE(@limit > 9) b = 1 ORDER BY a", "SELECT a FROM t ORDER BY a"),
        ("SELECT @SQL('a + @limit') AS b FROM t", "SELECT a + 3 AS b FROM t"),
        ("SELECT @SAFE_ADD(a, b) AS c FROM t",
         "SELECT CASE WHEN a IS NULL AND b IS NULL THEN NULL ELSE COALESCE(a, 0) + COALESCE(b, 0) END AS c FROM t"),
        ("SELECT @STAR(t, exclude := [a]) FROM t", "SELECT * EXCLUDE (a) FROM t"),
        ("@UNION('all', s.a, s.b)", "SELECT * FROM s.a UNION ALL SELECT * FROM s.b"),
        ("@DEDUPLICATE(s.a, [id], ['at DESC'])", "SELECT * FROM s.a QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY at DESC) = 1"),
        ("SELECT @PIVOT(s, ['x']) FROM t", """SELECT SUM(CASE WHEN s = 'x' THEN 1 ELSE 0 END) AS "x" FROM t"""),
        ("SELECT a FROM t WHERE ds BETWEEN @start_ds AND @end_ds", "SELECT a FROM t WHERE ds BETWEEN '1970-01-01' AND '1970-01-01'"),
        ("SELECT '@schema' AS a, @'x @schema' AS b -- @nothing", "SELECT '@schema' AS a, 'x raw' AS b -- @nothing"),
        ("SELECT a::INT, t.b::DECIMAL(3, 1), c::INT d, CAST(e AS TEXT), SUM(f)::INT FROM t",
         "SELECT a::INT AS a, t.b::DECIMAL(3, 1) AS b, c::INT d, CAST(e AS TEXT) AS e, SUM(f)::INT FROM t"),
        ("JINJA_QUERY_BEGIN; SELECT {{ var('limit') }} AS n FROM {{ this_model }}_old JINJA_END;", 'SELECT 3 AS n FROM "m"."x"_old'),
    ],
)  # fmt: skip
def test_macros_are_written_out(tmp_path: Path, text: str, expected: str) -> None:
    assert _model(tmp_path, text) == expected


def test_macros_of_jinja_are_those_of_the_project(tmp_path: Path) -> None:
    query = "JINJA_QUERY_BEGIN; SELECT {{ cents('a') }} AS c, {{ missing('b') }} AS d FROM t JINJA_END;"
    project = _project(
        tmp_path,
        {
            "models/a.sql": f"MODEL (name m.a, kind FULL);\n{query}",
            "macros/money.sql": "{% macro cents(x) %}{{ x }} * {{ var('limit') }}{% endmacro %}",
        },
    )
    assert project.models[0].sql == "SELECT a * 3 AS c, missing(b) AS d FROM t"
    assert [said.subject for said, _ in project.remarks] == ["missing"]


def test_statements_around_the_query_are_of_the_same_script(tmp_path: Path) -> None:
    text = "SET threads = 2; SELECT a FROM t; INSERT INTO log.runs SELECT COUNT(*) AS n FROM @this_model;"
    text += " @IF(@runtime_stage = 'x', VACUUM);"
    project = _project(tmp_path, {"models/x.sql": f"MODEL (name m.x, kind FULL);\n{text}"})
    [model] = project.models
    assert (model.sql, model.before) == ("SELECT a FROM t", ("SET threads = 2",))
    assert model.after == ('INSERT INTO log.runs SELECT COUNT(*) AS n FROM "m"."x"', "VACUUM")
    made = project_lineage(project)
    assert [edge.source.table for edge in made.lineage.column_edges() if edge.target.column == "n"] == ["m.x"]


def test_kinds(tmp_path: Path) -> None:
    project = _project(
        tmp_path,
        {
            "models/full.sql": "MODEL (name m.full, kind FULL); SELECT 1 AS a",
            "models/view.sql": "MODEL (name m.view); SELECT 1 AS a",
            "models/inner.sql": "MODEL (name m.inner, kind EMBEDDED); SELECT 1 AS a",
            "models/seed.sql": "MODEL (name m.seed, kind SEED (path '../seeds/s.csv', csv_settings (delimiter = ';')))",
            "models/by_column.sql": "MODEL (name m.h, kind SCD_TYPE_2_BY_COLUMN (unique_key id, columns [a])); SELECT id, a FROM t",
            "models/off.sql": "MODEL (name m.off, enabled false); SELECT 1 AS a",
            "seeds/s.csv": "id;name\n1;x\n",
        },
    )
    found = {model.name: (model.materialized, tuple(model.columns or ())) for model in project.models}
    assert found == {
        "m.full": ("table", ()),
        "m.view": ("view", ()),
        "m.inner": ("view", ()),
        "m.seed": ("nothing", ("id", "name")),
        "m.h": ("table", ()),
    }
    assert project.remarks == ()


def test_blueprints_make_a_model_each(tmp_path: Path) -> None:
    header = "MODEL (name @shop.orders, kind FULL, blueprints ((shop := north, fee := 1), (shop := south, fee := 2)));"
    project = _project(tmp_path, {"models/x.sql": f"{header}\nSELECT a + @fee AS b FROM @{{shop}}_raw.orders"})
    assert [(model.name, model.sql) for model in project.models] == [
        ("north.orders", "SELECT a + 1 AS b FROM north_raw.orders"),
        ("south.orders", "SELECT a + 2 AS b FROM south_raw.orders"),
    ]


def test_a_macro_that_nobody_has_is_a_function_of_its_arguments(tmp_path: Path) -> None:
    query = "SELECT @mask(email, level := 2) AS e FROM raw.t"
    project = _project(
        tmp_path,
        {
            "models/a.sql": f"MODEL (name m.a, kind FULL);\n{query}",
            "models/b.sql": f"MODEL (name m.b, kind FULL);\n{query}",
            "macros/m.py": "from sqlmesh import macro\n\n@macro()\ndef mask(evaluator, x, level=1):\n    return x\n",
        },
    )
    [(said, _)] = project.remarks
    assert (said.code.value, said.subject) == ("unknown-macro", "mask")
    assert "written in Python" in said.message
    assert "2 files" in said.message
    assert _edges(project_lineage(project), "m.a") == {"e <- raw.t.email"}


def test_a_query_that_a_macro_makes_is_said(tmp_path: Path) -> None:
    project = _project(tmp_path, {"models/a.sql": "MODEL (name m.a, kind FULL, columns (x INT));\n@make_query(1)"})
    assert _codes(project) == ["unread-model", "unknown-macro"]
    assert project.models[0].columns == {"x": "INT"}


def test_a_variable_that_is_not_set_is_a_placeholder(tmp_path: Path) -> None:
    project = _project(tmp_path, {"models/a.sql": "MODEL (name m.a, kind FULL);\nSELECT a FROM t WHERE b > @nothing"})
    assert [(said.code.value, said.subject) for said, _ in project.remarks] == [("unset-variable", "nothing")]
    assert _edges(project_lineage(project), "m.a") == {"a <- shop.t.a", "PseudoRows <~ shop.t.b"}


def test_names_come_from_paths_where_none_are_given(tmp_path: Path) -> None:
    project = _project(tmp_path, {"models/marts/sales.sql": "MODEL (kind FULL); SELECT 1 AS a"})
    assert [model.name for model in project.models] == ["marts.sales"]


def test_the_dialect_is_the_model_s_the_settings_or_the_gateway_s(tmp_path: Path) -> None:
    config = "gateways:\n  w:\n    connection: {type: snowflake}\n"
    files = {
        "models/a.sql": "MODEL (name m.a); SELECT 1 AS x",
        "models/b.sql": "MODEL (name m.b, dialect spark); SELECT 1 AS x",
    }
    project = _project(tmp_path, files, config)
    assert [model.source.dialect for model in project.models] == ["snowflake", "spark"]
    assert [model.table for model in project.models] == [("M", "A"), ("m", "b")]
    assert _codes(project) == ["guessed-dialect"]


def test_settings_in_python_are_read_and_not_run(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.sql").write_text("MODEL (name m.a); SELECT 1 AS x")
    text = "import nothing_like_this\nconfig = Config(project='p', model_defaults=ModelDefaultsConfig(dialect='bigquery'))\n"
    (tmp_path / "config.py").write_text(text)
    project = read_project(tmp_path)
    assert (project.name, project.sources[0].dialect, project.remarks) == ("p", "bigquery", ())


def test_names_classes_and_the_environment_in_settings_are_followed() -> None:
    program = """
        import os
        variables = {"source": os.environ["SOURCE"], "other": os.environ["OTHER"], "year": 2005}
        gateways = {}
        mssql = GatewayConfig(connection=MSSQLConnectionConfig(host=os.getenv("HOST", "here")))
        gateways["mssql"] = mssql

        class Settings(BaseModel):
            name: str
            gateways: dict = gateways
            model_defaults: ModelDefaultsConfig = ModelDefaultsConfig(kind=ModelKindName.FULL, dialect="tsql,normalization_strategy=x")

        config = Config(**dict(Settings(project="p", variables=variables)), default_gateway=chosen())
    """
    assert config_of(dedent(program), {"SOURCE": "db"}) == {
        "gateways": {"mssql": {"connection": {"host": "here", "type": "mssql"}}},
        "model_defaults": {"kind": "FULL", "dialect": "tsql,normalization_strategy=x"},
        "project": "p",
        "variables": {"source": "db", "year": 2005},
    }


def test_the_dialect_of_settings_in_python_may_be_a_name(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.sql").write_text("MODEL (name m.a); SELECT TOP 1 1 AS x")
    text = "d = 'tsql'\nconfig = Config(model_defaults=ModelDefaultsConfig(dialect=d, kind=ModelKindName.FULL))\n"
    (tmp_path / "config.py").write_text(text)
    project = read_project(tmp_path)
    assert (project.models[0].source.dialect, project.remarks) == ("tsql", ())


def test_other_tools_settings_are_no_project(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("model_defaults: {}\n")
    assert project_file(tmp_path) is None
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.sql").write_text("SELECT 1")
    assert project_file(tmp_path) is None


@pytest.mark.parametrize(
    "text",
    [
        "MODEL (name m.a, kind FULL",
        "MODEL (name m.a); SELECT @EACH([a, b], x -> x",
        "MODEL (name m.a); SELECT " + "@IF(TRUE, " * 500 + "1" + ")" * 500,
        "MODEL (name m.a); @DEF(a); SELECT 1 AS x",
        "MODEL (name m.a); @DEF(d, [1,2,3,4,5,6,7,8,9]); SELECT " + "@EACH(@d, x -> " * 9 + "1" + ")" * 9,
        "MODEL (name m.a); JINJA_QUERY_BEGIN; SELECT {% for i in %} JINJA_END;",
        "MODEL (name m.a); JINJA_QUERY_BEGIN; {% for i in range(100000) %}{% for j in range(100000) %}x{% endfor %}{% endfor %} JINJA_END;",
        "MODEL (name m.a);",
        "SELECT 1 AS x",
        "MODEL (name m.a, blueprints @f()); SELECT 1 AS x",
    ],
)  # fmt: skip
def test_broken_files_are_diagnostics(tmp_path: Path, text: str) -> None:
    good = "MODEL (name m.good); SELECT 1 AS x"
    project = _project(tmp_path, {"models/bad.sql": text, "models/good.sql": good})
    assert "m.good" in [model.name for model in project.models]
    assert "unread-model" in _codes(project)


def test_a_python_model_that_cannot_be_read_is_a_diagnostic(tmp_path: Path) -> None:
    files = {"models/bad.py": "@model('m.a')\ndef f(:\n", "models/good.sql": "MODEL (name m.good); SELECT 1 AS x"}
    assert _codes(_project(tmp_path, files)) == ["unread-model"]


def test_the_commands_take_it(run: Run) -> None:
    code, out, _ = run("project", "show", str(EXAMPLE))
    assert code == 0
    assert out.splitlines()[0].split() == ["shop", "sqlmesh"]
    code, out, _ = run("project", "check", str(EXAMPLE), "--fail-on", "error")
    assert code == 0
    assert "churn_scores.py:10" in out


def test_commands_for_scripts_read_the_project_as_a_whole(run: Run) -> None:
    code, out, _ = run("analyze", str(EXAMPLE), "--level", "table")
    assert code == 1  # one model is in Python
    assert [line.split()[:3] for line in out.splitlines() if "customer_plans.sql" in line] == [
        ["marts.customer_plans", "<-", "staging.customers"],
        ["marts.customer_plans", "<-", "staging.orders"],
    ]
    code, out, _ = run("check", str(EXAMPLE), "--fail-on", "error")
    assert code == 0
    assert "churn_scores.py:10" in out


_LOADED = """
import json, logging, sys
logging.disable(logging.CRITICAL)
from sqlglot import exp
from sqlmesh import Context

models = Context(paths=[sys.argv[1]], load=True).models.values()
print("READ" + json.dumps({
    model.name: [
        list(model.columns_to_types or {}),
        sorted(".".join(part.name for part in exp.to_table(each).parts[-2:]) for each in model.depends_on),
    ]
    for model in models
}))
"""


def _python() -> str:
    """A Python that has SQLMesh: that of HEADWATER_SQLMESH_PYTHON, or this one."""
    found = os.environ.get(SQLMESH_PYTHON) or (sys.executable if find_spec("sqlmesh") else "")
    return found or pytest.skip("SQLMesh is not installed")


def test_the_same_as_sqlmesh_itself(tmp_path: Path) -> None:
    """Columns, and the tables that models read."""
    folder = shutil.copytree(EXAMPLE, tmp_path / "shop")
    command = [_python(), "-c", _LOADED, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    theirs = json.loads(done.stdout.partition("READ")[2])
    project = read_project(folder, {})
    made = project_lineage(project)
    models = [model for model in project.models if model.table is not None]
    assert {model.name for model in models} == set(theirs)
    for model in models:
        table = ".".join(model.table or ())
        edges = [edge for edge in made.lineage.column_edges(literals=True) if edge.target.table == table]
        columns = {edge.target.column for edge in edges} - {"PseudoRows"} or set(model.columns or ())
        reads = {edge.source.table for edge in edges if edge.source.table}
        assert (model.name, columns, sorted(reads)) == (model.name, set(theirs[model.name][0]), theirs[model.name][1])


def test_queries_that_sqlmesh_renders_have_the_same_lineage(tmp_path: Path) -> None:
    folder = shutil.copytree(EXAMPLE, tmp_path / "shop")
    ours, theirs = (project_lineage(read_project(folder, given)) for given in ({}, {SQLMESH_PYTHON: _python()}))
    tables = [".".join(model.table) for model in ours.compiled.project.models if model.table]
    assert {table: _edges(theirs, table) for table in tables} == {table: _edges(ours, table) for table in tables}


def test_a_loader_that_is_not_there_is_said(tmp_path: Path) -> None:
    project = read_project(shutil.copytree(EXAMPLE, tmp_path / "shop"), {SQLMESH_PYTHON: str(tmp_path / "nothing")})
    assert _codes(project) == ["template", "unsupported-construct"]
    assert len(project.models) == 10
