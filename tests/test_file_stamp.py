"""A file that has not changed has the same stamp; one that may have changed has another, or none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from headwater.pipeline.read import file_stamp as stamps
from headwater.pipeline.read.file_stamp import NEVER, file_stamp, files_below, files_stamp

_LONG_AGO = 1_000_000_000


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file, where nothing was changed a moment ago."""
    monkeypatch.setattr(stamps, "MOMENT", 0.0)
    path = tmp_path / "a.sql"
    path.write_text("SELECT 1")
    return path


def test_the_same_file_has_the_same_stamp(settled: Path) -> None:
    assert file_stamp(str(settled), "spark") == file_stamp(str(settled), "spark") != NEVER
    assert file_stamp(str(settled), "spark") != file_stamp(str(settled), "mysql")


def test_another_text_of_the_same_size_and_time_has_another_stamp(settled: Path) -> None:
    os.utime(settled, (_LONG_AGO, _LONG_AGO))
    before = file_stamp(str(settled))
    beside = settled.with_name("b.sql")
    beside.write_text("SELECT 2")
    os.utime(beside, (_LONG_AGO, _LONG_AGO))
    os.replace(beside, settled)
    assert file_stamp(str(settled)) != before


def test_what_was_changed_a_moment_ago_has_none(tmp_path: Path) -> None:
    path = tmp_path / "a.sql"
    path.write_text("SELECT 1")
    assert file_stamp(str(path)) == NEVER
    os.utime(path, (_LONG_AGO, _LONG_AGO))  # says nothing: the file was changed just now
    assert file_stamp(str(path)) == NEVER


def test_what_is_no_file_has_none(settled: Path, tmp_path: Path) -> None:
    assert file_stamp(str(tmp_path)) == file_stamp(str(tmp_path / "nowhere")) == NEVER
    assert files_stamp([str(settled), str(tmp_path / "nowhere")]) == NEVER


def test_the_files_of_a_log(tmp_path: Path) -> None:
    for name in ("one.parquet/part-0", "one.parquet/day=1/part-1", "two.parquet"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    found = [Path(path).relative_to(tmp_path).as_posix() for path in files_below(str(tmp_path / "*.parquet"))]
    assert found == ["one.parquet/day=1/part-1", "one.parquet/part-0", "two.parquet"]
