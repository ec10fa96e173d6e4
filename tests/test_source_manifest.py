"""Manifests: scripts and their own settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.source import ManifestEntry, ManifestError, SourceScript, parse_manifest, read_manifest


def test_paths_count_from_the_manifest(tmp_path: Path) -> None:
    manifest = tmp_path / "jobs.csv"
    manifest.write_text(
        "Path,Owner,dialect,default_schema,schema_file\n"
        "a.sql,ann,tsql,dbo,schema/a.json\n"
        "\n"
        '"/abs/b, c.sql",bob\n'
        "s3://bucket/d.sql,,,mart,\n"
    )
    assert read_manifest(manifest) == [
        ManifestEntry(f"{tmp_path}/a.sql", "tsql", "dbo", f"{tmp_path}/schema/a.json", 2),
        ManifestEntry("/abs/b, c.sql", line=4),
        ManifestEntry("s3://bucket/d.sql", default_schema="mart", line=5),
    ]


def test_a_manifest_of_another_kind() -> None:
    content = "\ufeffpath;dialect\r\nx y.sql;oracle\r\n".encode()
    assert parse_manifest("m.csv", content) == [ManifestEntry("x y.sql", "oracle", line=2)]


def test_settings_are_laid_over_a_script() -> None:
    script = SourceScript("a.hql", "SELECT 1", "sql", "hive")
    assert ManifestEntry("a.hql", default_schema="mart").applied(script) == SourceScript(
        "a.hql", "SELECT 1", "sql", "hive", "mart"
    )
    assert ManifestEntry("a.hql", dialect="spark").applied(script).dialect == "spark"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "m.csv, line 1: a header is needed"),
        (b"file,dialect\na.sql,spark\n", "m.csv, line 1: the header has no column path; it has file, dialect"),
        (b"path,dialect,dialect\n", "m.csv, line 1: the header has dialect twice"),
        (b"path,dialect\na.sql,spark\n,spark\n", "m.csv, line 3: the path is missing"),
        (b'path,x\n"a\nb",1\na.sql,\na.sql,\n', "m.csv, line 5: a.sql is on line 4 already"),
        (b'path,x\na.sql,"never closed\n', "m.csv, line 2: unexpected end of data"),
        (b"PK\x03\x04" + bytes(100), "m.csv holds no text"),
    ],
)
def test_errors_name_the_line(content: bytes, message: str) -> None:
    with pytest.raises(ManifestError) as error:
        parse_manifest("m.csv", content)
    assert str(error.value).startswith(message)


def test_a_manifest_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_manifest(tmp_path / "none.csv")
