"""Documents of a repository that are meant to exhaust whoever reads them: YAML, JSON, notebooks, archives."""

from __future__ import annotations

import gzip
import json
import time
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from command import Run, write
from headwater.catalog import CatalogError
from headwater.catalog.schema_file import read_schema
from headwater.catalog.source import inline_catalog
from headwater.files import TooDeep, parse_json, read_bytes
from headwater.openlineage.event_file import events_in
from headwater.project.read import read_project
from headwater.source import scripts_of

DEPTHS = (201, 400, 900, 5_000, 100_000)
LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(12)
)
"""Aliases that stand for 9^13 values."""
MERGES = "a: &a {k0: 1, k1: 2, k2: 3}\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)}\n  <<: [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(12)
)
PROJECT = "name: shop\nprofile: shop\n"


@pytest.fixture(autouse=True)
def in_time() -> Iterator[None]:
    """Each ends soon."""
    start = time.perf_counter()
    yield
    assert time.perf_counter() - start < 60


def deep(depth: int, kind: str = "list") -> str:
    return "[" * depth + "]" * depth if kind == "list" else '{"a":' * depth + "1" + "}" * depth


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("kind", ["list", "mapping"])
def test_deep_json_is_refused_in_words(depth: int, kind: str) -> None:
    with pytest.raises(TooDeep, match="it is nested more than 200 deep"):
        parse_json(deep(depth, kind))
    with pytest.raises(CatalogError, match="nested more than 200 deep"):
        inline_catalog(f'{{"t": {deep(depth, kind)}}}')
    (script,) = scripts_of("a.ipynb", f'{{"cells": [], "metadata": {deep(depth, kind)}}}'.encode())
    assert "nested more than 200 deep" in script.problem
    (found,) = events_in(BytesIO(f'{{"eventTime": "x", "a": {deep(depth, kind)}}}\n'.encode()))
    assert "it is not JSON" in found.problem
    (found,) = events_in(BytesIO(f'{{\n"eventTime": "x", "a": {deep(depth, kind)}}}\n'.encode()))
    assert "it is not JSON" in found.problem


def test_json_that_people_write_is_read() -> None:
    assert parse_json(deep(200)) is not None


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_deep_manifest_is_a_remark(folder: Path, depth: int) -> None:
    write("shop/dbt_project.yml", PROJECT)
    write("shop/models/good.sql", "select a from t")
    write("shop/target/manifest.json", f'{{"metadata": {{}}, "nodes": {deep(depth, "mapping")}}}')
    read = read_project(Path("shop"), {})
    assert any("nested more than 200 deep" in remark.message for remark, _ in read.remarks)


@pytest.mark.parametrize("text", [LAUGHS, "x: " + "[" * 100_000, "- " * 5_000 + "a"], ids=str.__len__)
@pytest.mark.parametrize("file", ["dbt_project.yml", "models/schema.yml"])
def test_a_hostile_yaml_file_of_dbt_is_a_remark(folder: Path, text: str, file: str) -> None:
    write("shop/dbt_project.yml", PROJECT)
    write("shop/models/good.sql", "select a from t")
    write(f"shop/{file}", text)
    read = read_project(Path("shop"), {})
    assert any(file in place.path or file in remark.message for remark, place in read.remarks)
    assert len(read.models) == 1


def test_merges_of_merges_are_as_many_keys_as_there_are(folder: Path) -> None:
    write("shop/dbt_project.yml", f"{PROJECT}vars:\n" + "".join(f"  {line}\n" for line in MERGES.splitlines()))
    write("shop/models/good.sql", "select {{ var('m')['k2'] }} as a")
    read = read_project(Path("shop"), {})
    assert [model.sql for model in read.models] == ["select 3 as a"]


def test_a_yaml_file_that_is_too_large_is_a_remark(folder: Path) -> None:
    write("shop/dbt_project.yml", PROJECT)
    write("shop/models/schema.yml", b"# filler\n" + b"models: x\n" * 5_000_000)
    read = read_project(Path("shop"), {})
    assert any("20,000,000 bytes" in remark.message for remark, _ in read.remarks)


@pytest.mark.parametrize("text", [LAUGHS, MERGES, "x: " + "[" * 100_000, "- " * 5_000 + "a"], ids=str.__len__)
def test_a_hostile_schema_file_is_none(folder: Path, run: Run, text: str) -> None:
    write("sql/a.sql", "INSERT INTO o SELECT a FROM t")
    assert read_schema(write("sql/schema.yaml", text)) is None
    assert run("analyze", "sql").code == 0


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_deep_schema_file_beside_scripts_is_one_line(folder: Path, run: Run, depth: int) -> None:
    write("sql/a.sql", "INSERT INTO o SELECT a FROM t")
    write("sql/schema.json", f'{{"type": "record", "name": "t", "fields": {deep(depth)}}}')
    done = run("analyze", "sql")
    assert done.code in (0, 2)
    assert "Traceback" not in done.err


def test_the_outputs_of_a_notebook_are_bounded() -> None:
    cell = {"cell_type": "code", "source": "%%sql\nSELECT 1", "outputs": ["x" * 70_000_000]}
    (script,) = scripts_of("a.ipynb", json.dumps({"cells": [cell]}).encode())
    assert "more than 64,000,000 characters; clear the outputs of its cells" in script.problem


def test_files_are_read_up_to_a_limit(folder: Path) -> None:
    with pytest.raises(OSError, match="it has more than 3 bytes"):
        read_bytes(write("a.sql", "abcd"), 3)


def test_archives_are_not_opened(folder: Path) -> None:
    with zipfile.ZipFile("a.sql", "w") as archive:
        archive.writestr("b.sql", "SELECT secret FROM t")
    for content in (Path("a.sql").read_bytes(), gzip.compress(b"SELECT secret FROM t")):
        (script,) = scripts_of("a.sql", content)
        assert (script.text, script.problem[:22]) == ("", "the file holds no text")
