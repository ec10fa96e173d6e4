"""A repository is data: links that lead out of what was named, devices, pipes and sockets are not read, and are named."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path

import pytest

from command import Run, write
from headwater.files import Roots, reading_below
from headwater.project.read import read_project
from headwater.source import find_files
from headwater.store import Store

SECRET = "SELECT outside_secret FROM vault"
OUTSIDE = "it is outside of the folders that were named; --follow-links reads it"


SOURCE = Path(__file__).parent.parent / "src" / "headwater"
OPENS = re.compile(r"\.read_bytes\(|\.read_text\(|\bopen\(|\.open\(")
NAMED_BY_THE_USER = {"source/manifest.py", "project/dbt/stand_ins/__init__.py"}
"""Modules that open what the user has named, or what comes with the package."""


def test_readers_of_repositories_open_files_in_one_place() -> None:
    modules = [*(SOURCE / "source").rglob("*.py"), *(SOURCE / "project").rglob("*.py")]
    modules += [SOURCE / name for name in ("catalog/schema_file.py", "openlineage/event_file.py", "cli/scripts.py")]
    found = {path.relative_to(SOURCE).as_posix() for path in modules if OPENS.search(path.read_text())}
    assert found == NAMED_BY_THE_USER


@pytest.fixture
def repository(folder: Path) -> Path:
    """A folder `sql` with links that lead in and out, and files that are none."""
    write("vault/secret.sql", SECRET)
    write("vault/more/deep.sql", SECRET)
    write("sql/a.sql", "CREATE VIEW v AS SELECT a FROM t")
    write("sql/sub/b.sql", "CREATE VIEW w AS SELECT a FROM v")
    Path("sql/out.sql").symlink_to("../vault/secret.sql")
    Path("sql/absolute.sql").symlink_to(folder / "vault" / "secret.sql")
    Path("sql/twice.sql").symlink_to("out.sql")
    Path("sql/in.sql").symlink_to("sub/b.sql")
    Path("sql/folder").symlink_to("../vault/more")
    Path("sql/sub/cycle").symlink_to("..")
    os.mkfifo("sql/pipe.sql")
    Path("sql/device.sql").symlink_to("/dev/zero")
    return folder


def _refused(text: str) -> None:
    for name in ("out.sql", "absolute.sql", "twice.sql"):
        assert f"sql/{name}" in text, name
    assert "sql/folder" in text
    assert "sql/pipe.sql" in text
    assert "sql/device.sql" in text


def test_analyze_names_what_it_does_not_read(run: Run, repository: Path) -> None:
    done = run("analyze", "sql")
    assert "outside_secret" not in done.out + done.err
    _refused(done.err)
    assert OUTSIDE in done.err
    assert "it is a pipe, a device or a socket" in done.err
    assert "sql/in.sql" in done.out


@pytest.mark.parametrize("command", [("check",), ("export", "-f", "json"), ("analyze", "-f", "json")])
def test_no_command_shows_what_is_outside(run: Run, repository: Path, command: tuple[str, ...]) -> None:
    done = run(*command, "sql")
    assert "outside_secret" not in done.out + done.err
    assert "sql/folder" in done.err


def test_links_are_followed_on_request(run: Run, repository: Path) -> None:
    Path("sql/pipe.sql").unlink()
    Path("sql/device.sql").unlink()
    done = run("analyze", "sql", "--follow-links")
    assert done.out.count("outside_secret") >= 4
    write("headwater.toml", "follow-links = true\n")
    assert run("analyze", "sql").out == done.out
    assert "not read" not in done.err


def test_devices_are_not_read_on_request_either(run: Run, repository: Path) -> None:
    done = run("analyze", "sql", "--follow-links")
    assert done.err.count("it is a pipe, a device or a socket") == 2


def test_what_is_named_is_read_whatever_it_is(run: Run, repository: Path) -> None:
    assert "outside_secret" in run("analyze", "sql/out.sql").out


def test_a_link_into_another_root_is_inside(run: Run, repository: Path) -> None:
    done = run("analyze", "sql", "vault")
    assert OUTSIDE not in done.err
    assert "sql/out.sql" in done.out


def test_a_pattern_names_no_links(run: Run, repository: Path) -> None:
    done = run("analyze", "sql/*.sql")
    assert "outside_secret" not in done.out
    assert OUTSIDE in done.err


def test_folders_are_walked_once(repository: Path) -> None:
    found = list(find_files(["sql"]))
    assert len(found) == len(set(found))
    assert not any("cycle" in path or path.startswith("sql/folder") for path in found)


def test_a_socket_is_not_read(folder: Path, run: Run) -> None:
    write("sql/a.sql", "SELECT 1")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("sql/s.sql")
        done = run("analyze", "sql")
    assert "sql/s.sql" in done.err


def test_schema_files_and_ignore_files_are_not_links_out(run: Run, folder: Path) -> None:
    write("vault/tables.json", '{"t": {"vault_column": "int"}}')
    write("sql/a.sql", "CREATE VIEW v AS SELECT * FROM t")
    Path("sql/schema.json").symlink_to("../vault/tables.json")
    done = run("analyze", "sql")
    assert "vault_column" not in done.out
    assert "sql/schema.json" in done.err
    assert "vault_column" in run("analyze", "sql", "--follow-links").out
    assert "vault_column" in run("analyze", "sql", "--schema", "sql/schema.json").out


def test_the_files_of_a_dbt_project_are_inside(folder: Path) -> None:
    write("vault/secret.sql", "select 1 as outside_secret")
    write("shop/dbt_project.yml", "name: shop\nprofile: shop\n")
    write("shop/models/good.sql", "select a from t")
    Path("shop/models/bad.sql").symlink_to("../../vault/secret.sql")
    Path("shop/models/schema.yml").symlink_to("/dev/zero")
    read = read_project(Path("shop"), {})
    assert {model.name for model in read.models if "outside_secret" in (model.sql or "")} == set()
    assert "model.shop.good" in {model.name for model in read.models}
    assert any("shop/models/bad.sql" in remark.message and OUTSIDE in remark.message for remark, _ in read.remarks)


def test_includes_of_a_visivo_project_are_inside(folder: Path) -> None:
    write("vault/more.yml", "models:\n  - name: outside_secret\n    sql: select 1 as a\n")
    write("shop/project.visivo.yml", "name: shop\nincludes:\n  - path: ../vault/more.yml\n")
    read = read_project(Path("shop"), {})
    assert not read.models
    assert any(OUTSIDE.lower() in remark.message for remark, _ in read.remarks)
    with reading_below(Roots.of(["shop"], follow_links=True)):
        assert [model.name for model in read_project(Path("shop"), {}).models] == ["outside_secret"]


def test_the_files_of_a_sqlmesh_project_are_inside(folder: Path) -> None:
    write("vault/secret.sql", "MODEL (name outside.secret); SELECT 1 AS a")
    write("shop/config.yaml", "model_defaults:\n  dialect: duckdb\n")
    write("shop/models/good.sql", "MODEL (name shop.good); SELECT a FROM t")
    Path("shop/models/bad.sql").symlink_to("../../vault/secret.sql")
    read = read_project(Path("shop"), {})
    assert [model.name.rpartition(".")[2] for model in read.models] == ["good"]
    assert any(OUTSIDE in remark.message for remark, _ in read.remarks)


def test_the_files_of_a_dataform_project_are_inside(folder: Path) -> None:
    write("vault/secret.sqlx", 'config { type: "table" }\nSELECT 1 AS outside_secret')
    write("shop/workflow_settings.yaml", "defaultProject: p\ndefaultDataset: d\n")
    write("shop/definitions/good.sqlx", 'config { type: "table" }\nSELECT a FROM t')
    Path("shop/definitions/bad.sqlx").symlink_to("../../vault/secret.sqlx")
    read = read_project(Path("shop"), {})
    assert not any("outside_secret" in (model.sql or "") for model in read.models)
    assert any(OUTSIDE in remark.message for remark, _ in read.remarks)


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("spark")
def test_a_build_stores_nothing_from_outside(run: Run, repository: Path) -> None:
    done = run("build", "sql")
    assert done.code == 1
    assert "sql/folder" in done.err
    texts = Store("lineage").snapshot().table("scripts", ["text"]).column(0).to_pylist()
    assert not any("outside_secret" in (text or "") for text in texts)
    _refused(run("diagnostics").out + done.err)


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("spark")
def test_logs_and_events_of_a_build_are_inside(run: Run, folder: Path) -> None:
    write("vault/log.csv", "sql\nSELECT outside_secret FROM t\n")
    write("vault/events.ndjson", '{"eventTime": "x", "schemaURL": "openlineage.io/spec", "outside_secret": 1}\n')
    write("logs/a.csv", "sql\nINSERT INTO o SELECT a FROM t\n")
    Path("logs/b.csv").symlink_to("../vault/log.csv")
    write("sql/a.sql", "SELECT 1")
    Path("sql/events.ndjson").symlink_to("../vault/events.ndjson")
    done = run("build", "sql", "logs/*.csv", "--log", "sql=sql")
    assert done.code in (0, 1), done.err
    assert "logs/b.csv" in done.err
    assert "sql/events.ndjson" in done.err
    texts = Store("lineage").snapshot().table("scripts", ["text"]).column(0).to_pylist()
    assert not any("outside_secret" in (text or "") for text in texts)
    assert run("upstream", "o.a").code == 0
