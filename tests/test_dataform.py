"""Dataform projects: what their files give, with lineage that was derived by hand, and what becomes of broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Run
from headwater.project.lineage import ProjectLineage, project_lineage
from headwater.project.objects import Project
from headwater.project.read import project_file, read_project

EXAMPLE = Path(__file__).parent.parent / "examples" / "dataform"
SETTINGS = "defaultProject: p\ndefaultDataset: d\n"


def _project(folder: Path, files: dict[str, str], settings: str = SETTINGS) -> Project:
    (folder / "definitions").mkdir(exist_ok=True)
    (folder / "workflow_settings.yaml").write_text(settings)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return read_project(folder)


def _edges(made: ProjectLineage, table: str) -> set[str]:
    """What flows into the columns of a table, and what decides over its rows."""
    return {
        f"{edge.target.column} {'<-' if edge.type == 'fdd' else '<~'} {edge.source.table}.{edge.source.column}"
        for edge in made.lineage.column_edges()
        if edge.target.table == table and edge.source.column != "PseudoRows"
    }


def _sql(project: Project, name: str) -> str:
    return " ".join(next(model.sql for model in project.models if model.name.endswith(name)).split())


def _codes(project: Project) -> list[str]:
    return [said.code.value for said, _ in project.remarks]


def test_the_example_gives_the_lineage_of_its_sql() -> None:
    made = project_lineage(read_project(EXAMPLE))
    assert list(made.diagnostics()) == []
    orders = "acme-shop.raw.orders"
    assert _edges(made, "acme-shop.staging.orders") == {
        f"order_id <- {orders}.order_id",
        f"customer_id <- {orders}.customer_id",
        f"status <- {orders}.status",
        f"net <- {orders}.amount",
        f"net <- {orders}.discount",
        f"gross <- {orders}.amount",
        f"gross <- {orders}.discount",
        f"ordered_on <- {orders}.ordered_at",
        f"PseudoRows <~ {orders}.ordered_at",
        f"PseudoRows <~ {orders}.status",
        "PseudoRows <~ acme-shop.staging.orders.ordered_on",
    }
    value = "acme-shop.shop.customer_value"
    assert _edges(made, "acme-shop.reports.customers_jp") == {
        f"customer_id <- {value}.customer_id",
        f"kept <- {value}.gross_paid",
        f"kept <- {value}.gross_returned",
        f"PseudoRows <~ {value}.country",
    }
    assert {f"gross_{status} <- acme-shop.staging.orders.gross" for status in ("paid", "returned")} <= _edges(
        made, value
    )
    assert "order_id <- acme-shop.staging.orders.order_id" in _edges(made, "acme-shop.shop_assertions.no_negative")
    assert _edges(made, "acme-shop.reports.totals") >= {f"gross <- {value}.gross_paid", f"country <- {value}.country"}


def test_objects_stand_where_their_sql_begins() -> None:
    project = read_project(EXAMPLE)
    places = {
        model.name.rpartition(".")[2]: (Path(model.place.path).name, model.place.line) for model in project.models
    }
    assert places["customer_value"] == ("customer_value.sqlx", 6)
    assert places["customers_de"] == ("by_country.js", 7)
    assert places["totals"] == ("refresh.sqlx", 3)
    assert [(each.name, each.place.line) for each in project.operations] == [
        ("totals (1)", 3),
        ("totals (2)", 6),
        ("orders (incremental)", 20),
    ]


def test_references_have_the_names_that_dataform_makes(tmp_path: Path) -> None:
    settings = "defaultProject: p\ndefaultDataset: d\ndatasetSuffix: dev\nnamePrefix: x\n"
    project = _project(
        tmp_path,
        {
            "definitions/a.sqlx": 'config { type: "table" } SELECT 1 AS n',
            "definitions/s.sqlx": 'config { type: "declaration", schema: "raw", name: "orders" }',
            "definitions/b.sqlx": 'config { type: "view", schema: "o" }\nSELECT n, "${schema()}.${name()}" AS s '
            'FROM ${ref("a")} JOIN ${ref("raw", "orders")} USING (n) JOIN ${resolve({database: "q", schema: "e", name: "z"})} USING (n)',
        },
        settings,
    )
    assert [model.name for model in project.models] == ["p.d_dev.x_a", "p.o_dev.x_b", "p.raw.orders"]
    assert _sql(project, "x_b") == (
        'SELECT n, "o_dev.x_b" AS s FROM `p`.`d_dev`.`x_a` JOIN `p`.`raw`.`orders` USING (n) JOIN `q`.`e`.`z` USING (n)'
    )


def test_an_incremental_table_has_both_branches(tmp_path: Path) -> None:
    text = (
        'config { type: "incremental" }\nSELECT a, ${when(incremental(), "b", "c")} AS v FROM ${ref("t")}\n'
        "incremental_where { a > 1 }"
    )
    declared = 'config { type: "declaration" }'
    made = project_lineage(_project(tmp_path, {"definitions/i.sqlx": text, "definitions/t.sqlx": declared}))
    assert _edges(made, "p.d.i") == {"a <- p.d.t.a", "v <- p.d.t.b", "v <- p.d.t.c", "PseudoRows <~ p.d.t.a"}


def test_programs_make_sql_as_far_as_it_is_text(tmp_path: Path) -> None:
    include = """
const columns = ["a", "b"];
const label = { a: "first", b: "second" };
function listed(alias, names = columns) {
  let made = [];
  for (const name of names) {
    if (name === "c") continue;
    made.push(`${alias}.${name} AS ${label[name] || name}`);
  }
  return made.join(", ");
}
const [one, ...others] = columns;
module.exports = { listed, one, others, upper: (text) => text.toUpperCase().replace(/A/g, "x") };
"""
    project = _project(
        tmp_path,
        {
            "includes/sql.js": include,
            "definitions/t.js": 'const { one } = require("includes/sql");\n'
            'publish("t", { type: "table" }).query(ctx => `SELECT ${sql.listed("s")}, ${one} + ${sql.others[0]} AS n, '
            '\'${sql.upper("ab")}\' AS c FROM ${ctx.ref("s")} AS s`);\ndeclare({ name: "s" });',
        },
    )
    assert _sql(project, "p.d.t") == "SELECT s.a AS first, s.b AS second, a + b AS n, 'xB' AS c FROM `p`.`d`.`s` AS s"
    assert project.remarks == ()


def test_what_is_not_worked_out_is_a_placeholder_and_said_once(tmp_path: Path) -> None:
    query = "SELECT a, '${clock.today}' AS day FROM ${ref(\"s\")} WHERE b = '${clock.today}'"
    project = _project(
        tmp_path,
        {
            "includes/clock.js": "const today = new Date().toISOString();\nmodule.exports = { today };",
            "definitions/a.sqlx": f'config {{ type: "table" }}\n{query}',
            "definitions/b.sqlx": f'config {{ type: "table" }}\n{query}',
            "definitions/s.sqlx": 'config { type: "declaration" }',
        },
    )
    [(said, place)] = project.remarks
    assert (said.code.value, said.subject, Path(place.path).name, place.line) == ("template", "Date", "clock.js", 1)
    assert "2 files" in said.message
    assert "a.sqlx" in said.message
    assert "b.sqlx" in said.message
    assert _edges(project_lineage(project), "p.d.a") == {"a <- p.d.s.a", "PseudoRows <~ p.d.s.b"}


def test_packages_are_said(tmp_path: Path) -> None:
    project = _project(
        tmp_path,
        {
            "definitions/p.js": 'const pack = require("dataform-segment");\npack({ schema: "s" });',
            "definitions/c.js": "new Report().list().forEach(each => publish(`r_${each}`).query(ctx => `SELECT 1 AS x`));",
        },
    )
    assert _codes(project) == ["unsupported-construct", "template"]
    assert [model.name for model in project.models] == ["p.d.r_${Report}"]


def test_a_reference_to_nothing(tmp_path: Path) -> None:
    project = _project(
        tmp_path,
        {
            "definitions/orders.sqlx": 'config { type: "table" } SELECT 1 AS x',
            "definitions/b.sqlx": 'config { type: "view" }\n\nSELECT x FROM ${ref("order")}',
        },
    )
    [(said, place)] = project.remarks
    assert (said.code.value, said.hint, place.line) == ("unknown-reference", "did you mean orders?", 3)


def test_tests_and_disabled_actions_are_left_out(tmp_path: Path) -> None:
    project = _project(
        tmp_path,
        {
            "definitions/t.sqlx": 'config { type: "test", dataset: "a" }\ninput "s" { SELECT 1 AS x }\nSELECT 1 AS x',
            "definitions/d.sqlx": 'config { type: "table", disabled: true } SELECT 1 AS x',
        },
    )
    assert project.models == ()
    assert project.remarks == ()


def test_settings_of_earlier_versions_name_the_warehouse(tmp_path: Path) -> None:
    (tmp_path / "definitions").mkdir()
    (tmp_path / "dataform.json").write_text('{"warehouse": "snowflake", "defaultDatabase": "DB", "defaultSchema": "S"}')
    (tmp_path / "definitions" / "a.sqlx").write_text('config { type: "table" } SELECT b FROM ${ref("t")}')
    project = read_project(tmp_path)
    assert project.sources[0].dialect == "snowflake"
    assert _sql(project, "DB.S.a") == 'SELECT b FROM "DB"."S"."t"'


def test_settings_without_definitions_are_no_project(tmp_path: Path) -> None:
    (tmp_path / "dataform.json").write_text("{}")
    assert project_file(tmp_path) is None


@pytest.mark.parametrize(
    "text",
    [
        'config { type: "table"',
        'config { type: "table" } SELECT ${ref("a" FROM t',
        'config { type: "table" } SELECT ${`a${`b${c}',
        'config { type: "table" } pre_operations { SELECT 1',
        "config { type: } SELECT 1",
        "js { " + "(" * 5_000 + " }",
        "js { " + "[" * 5_000 + "]" * 5_000 + " } SELECT 1",
        "js { const f = () => f(); f(); } SELECT 1 AS x",
        "js { while (true) {} } SELECT 1 AS x",
        'js { let s = "ab"; for (;;) { s = s + s; } } SELECT 1 AS x',
        "config { type: " + "!" * 5_000 + "1 } SELECT 1",
        "js { " + "`${" * 500 + "1" + "}`" * 500 + " } SELECT 1",
    ],
)
def test_broken_files_are_diagnostics(tmp_path: Path, text: str) -> None:
    good = 'config { type: "table" } SELECT 1 AS x'
    project = _project(tmp_path, {"definitions/bad.sqlx": text, "definitions/good.sqlx": good})
    assert "p.d.good" in [model.name for model in project.models]
    assert "unread-model" in _codes(project)


def test_a_program_that_cannot_be_read_costs_itself_alone(tmp_path: Path) -> None:
    files = {"definitions/a.js": 'publish("a").query(() => "SELECT 1 AS x");\nconst = ;', "definitions/b.js": "}{"}
    project = _project(tmp_path, files)
    assert _codes(project) == ["unread-model", "unread-model"]


def test_the_commands_take_it(run: Run) -> None:
    code, out, _ = run("project", "show", str(EXAMPLE))
    assert code == 0
    assert out.splitlines()[0].split() == ["dataform", "dataform"]
    code, _, err = run("project", "check", str(EXAMPLE))
    assert (code, err.strip()) == (0, "no findings")
    code, out, _ = run("project", "resolve", "acme-shop.reports.customers_de.kept", "--project", str(EXAMPLE))
    assert code == 0
    assert "acme-shop.shop.customer_value.gross_paid" in out or "raw.orders.amount" in out
