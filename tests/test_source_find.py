"""Which files there are: folders, globs, ignore rules, links."""

from __future__ import annotations

from pathlib import Path

import pytest

from headwater.files import Roots, reading_below
from headwater.source import IgnoreRules, find_files, shown_path


def folder(root: Path, *files: str) -> Path:
    for name in files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("SELECT 1")
    return root


def found(root: Path, *roots: str, **patterns: list[str]) -> list[str]:
    paths = find_files([str(root / r) for r in roots] or [str(root)], **patterns)
    return [shown_path(path, str(root)) for path in paths]


def test_folders_are_walked_in_order(tmp_path: Path) -> None:
    folder(tmp_path, "b.sql", "a/z.SQL", "a/y.hql", "a.sql", "n.ipynb", "job.py", "notes.txt", "data.csv")
    assert found(tmp_path) == ["a/y.hql", "a/z.SQL", "a.sql", "b.sql", "job.py", "n.ipynb"]


def test_folders_of_tools_are_skipped_unless_named(tmp_path: Path) -> None:
    folder(tmp_path, ".git/a.sql", ".venv/b.py", "x/node_modules/c.sql", "target/d.sql", "dbt_packages/e.sql", "f.sql")
    assert found(tmp_path) == ["f.sql"]
    assert found(tmp_path, "target", "f.sql") == ["target/d.sql", "f.sql"]


def test_globs(tmp_path: Path) -> None:
    folder(tmp_path, "a/1.sql", "a/2.txt", "b/3.sql", "c.sql")
    assert found(tmp_path, "*/*.sql", "**/*.sql") == ["a/1.sql", "b/3.sql", "c.sql"]
    assert found(tmp_path, "[ab]") == ["a/1.sql", "b/3.sql"]


def test_a_file_is_read_whatever_its_ending(tmp_path: Path) -> None:
    folder(tmp_path, "query.txt", "odd[1].sql")
    assert found(tmp_path, "query.txt", "odd[1].sql") == ["query.txt", "odd[1].sql"]


def test_patterns(tmp_path: Path) -> None:
    folder(tmp_path, "a/1.sql", "a/1_test.sql", "b/2.sql", "b/3.txt", "old/4.sql")
    assert found(tmp_path, include=["*.txt"]) == ["b/3.txt"]
    assert found(tmp_path, include=["b/*"]) == ["b/2.sql", "b/3.txt"]
    assert found(tmp_path, exclude=["*_test.sql", "/old/"]) == ["a/1.sql", "b/2.sql"]


def test_ignore_files_count_from_their_folder(tmp_path: Path) -> None:
    folder(tmp_path, "a/1.sql", "a/2.sql", "b/1.sql", "b/c/3.sql", "d/keep.sql", "d/x.sql")
    (tmp_path / ".headwaterignore").write_text("# all but one\nd/*\n!d/keep.sql\n")
    (tmp_path / "a" / ".headwaterignore").write_text("1.sql\n")
    (tmp_path / "b" / ".headwaterignore").write_text("/c/\n")
    assert found(tmp_path) == ["a/2.sql", "b/1.sql", "d/keep.sql"]


def test_rules_of_an_inner_folder_win() -> None:
    rules = IgnoreRules().with_patterns("", ["*.sql"]).with_patterns("a", ["!x.sql"])
    assert [rules.ignores(p) for p in ("x.sql", "a/x.sql", "ab/x.sql", "a/y.sql")] == [True, False, True, True]


def test_links(tmp_path: Path) -> None:
    inside, outside = folder(tmp_path / "in", "a/1.sql"), folder(tmp_path / "out", "2.sql", "sub/3.sql")
    (inside / "a" / "up").symlink_to(inside)
    (inside / "self").symlink_to(inside / "self")
    (inside / "twin").symlink_to(inside / "a")
    (inside / "linked").symlink_to(outside)
    (inside / "linked_again").symlink_to(outside)
    (outside / "sub" / "back").symlink_to(outside)
    (inside / "gone.sql").symlink_to(tmp_path / "nowhere.sql")
    assert found(inside) == ["a/1.sql", "gone.sql"]
    with reading_below(Roots.of([str(inside)], follow_links=True)):
        assert found(inside) == ["a/1.sql", "gone.sql", "linked/2.sql", "linked/sub/3.sql"]
    with reading_below(Roots.of([str(inside), str(outside)])) as roots:
        assert found(inside) == ["a/1.sql", "gone.sql", "linked/2.sql", "linked/sub/3.sql"]
    assert roots.passed_over == []


@pytest.mark.parametrize("root", ["missing.sql", "missing/", "missing/*.sql"])
def test_a_root_that_leads_nowhere(tmp_path: Path, root: str) -> None:
    with pytest.raises(FileNotFoundError) as error:
        list(find_files([f"{tmp_path}/{root}"]))
    assert error.value.filename == f"{tmp_path}/{root}"


def test_paths_are_shown_from_the_root_on() -> None:
    assert shown_path("sql/a/b.sql", "sql") == "a/b.sql"
    assert shown_path("sql/b.sql", "sql/b.sql") == "b.sql"
    assert shown_path("other/b.sql", "sql") == "other/b.sql"
