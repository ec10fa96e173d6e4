"""Exports of stores and scripts: the levels agree, the command works, and what goes wrong is said in one line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import headwater
from export_samples import feed_of
from headwater.cli.main import cli
from headwater.export import MODULES, format_named
from headwater.export.feed import LEVELS, Feed, Scope
from headwater.export.script_feed import ScriptFeed
from headwater.feeds import StoreFeed
from headwater.graph import open_graph

SAMPLE = Path(headwater.__file__).parent / "sample" / "warehouse"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["export", *map(str, arguments)], standalone_mode=False)


def flows(feed: Feed) -> set[tuple[str, ...]]:
    """Pairs of persistent columns between which data flows inside of one statement, whatever is between them."""
    lasting = {entity.id for entity in feed.entities()}
    names, into = {}, {}
    for relation in feed.relations():
        for end in (relation.target, *(source.end for source in relation.sources)):
            names[end.column] = (".".join(end.parts), end.column_name.lower())
        if relation.type == "fdd":
            ends = into.setdefault((relation.process, relation.target.column), [])
            ends += [source.end for source in relation.sources]
    found = set()
    targets = [end for relation in feed.relations() for end in [(relation.process, relation.target)]]
    for process, target in targets:
        if target.entity not in lasting:
            continue
        pending, seen = [target.column], set()
        while pending:
            for end in into.get((process, pending.pop()), ()):
                if end.entity in lasting:
                    found.add((feed.process(process).query_hash, *names[target.column], *names[end.column]))
                elif end.column not in seen:
                    seen.add(end.column)
                    pending.append(end.column)
    return found


@pytest.mark.slow
class TestStore:
    def test_the_complete_level_agrees_with_the_column_level(self, sample_store: Path) -> None:
        graph = open_graph(sample_store)
        plain, complete = StoreFeed(graph), StoreFeed(graph, Scope("complete"))
        assert flows(plain) == flows(complete) != set()
        assert flows(StoreFeed(graph, Scope("complete", functions=False))) == flows(plain)
        assert {r.type for r in StoreFeed(graph, Scope("complete", impact=False)).relations()} == {"fdd"}

    def test_ids_are_the_same_at_every_level(self, sample_store: Path) -> None:
        graph = open_graph(sample_store)
        feeds = [StoreFeed(graph, Scope(level)) for level in LEVELS]
        ids = [[(entity.id, entity.name) for entity in feed.entities()] for feed in feeds]
        assert ids[0] == ids[1] == ids[2]
        inner = [entity.id for part in feeds[0].parts() for entity in part.entities]
        assert len(inner) == len(set(inner))
        assert not set(inner) & {id for id, _ in ids[0]}

    def test_by_process_and_by_target_are_the_same_relations(self, sample_store: Path) -> None:
        feed = StoreFeed(open_graph(sample_store))
        assert {*feed.relations()} == {relation for _, own in feed.statements() for relation in own}

    def test_tables_are_related_as_their_columns_are(self, sample_store: Path) -> None:
        feed = StoreFeed(open_graph(sample_store))
        by_column = {
            (source.end.entity, relation.process, relation.target.entity)
            for relation in feed.relations()
            for source in relation.sources
        }
        assert {(r.source, r.process, r.target) for r in feed.table_relations()} == by_column

    @pytest.mark.parametrize("name", list(MODULES))
    def test_every_format_writes_the_same_bytes_again(self, sample_store: Path, name: str, tmp_path: Path) -> None:
        format = format_named(name)
        if format.write is None:
            pytest.skip(f"{name} goes to a server")
        for level in format.levels:
            for file in ("one", "two"):
                result = run(sample_store, "--format", name, "--level", level, "-o", tmp_path / file)
                assert result.exception is None, result.output
            assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes() != b""

    def test_as_of_is_for_stores(self, sample_store: Path, tmp_path: Path) -> None:
        assert run(sample_store, "--format", "csv", "--as-of", open_graph(sample_store).snapshot.name).exception is None
        script = tmp_path / "s.sql"
        script.write_text("SELECT 1")
        assert "--as-of is for a store" in str(run(script, "--format", "csv", "--as-of", "2026").exception)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "load.sql"
    path.write_text("CREATE TABLE o AS SELECT upper(a) AS x FROM t WHERE b > 1;\nSELECT x FROM o;\n")
    return path


def test_scripts_are_exported_without_a_store(script: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run(script, "--format", "csv", "-q").stdout)))
    assert [(r["source_table"], r["source_column"], r["target_column"], r["target_table"]) for r in rows] == [
        ("t", "a", "x", "o"),
        ("o", "x", "x", ""),
    ]
    assert {row["file"] for row in rows} == {str(script)}


@pytest.mark.parametrize("level", LEVELS)
def test_json_has_every_level(script: Path, level: str) -> None:
    document = json.loads(run(script, "--format", "json", "--level", level).stdout)
    assert (document["format"], document["level"], len(document["statements"])) == ("headwater", level, 2)
    assert document["relations" if level == "complete" else "edges"]


def test_what_is_left_out_is_said_unless_quiet(script: Path) -> None:
    assert "csv does not tell" in run(script, "--format", "csv").stderr
    assert run(script, "--format", "csv", "-q").stderr == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "csv", "--level", "table"], "csv has the level column, not table"),
        (["--format", "csv", "--to", "http://localhost"], "csv is written to a file: use -o instead of --to"),
        (["--format", "csv", "--dialect", "nosuch"], "nosuch"),
    ],
)
def test_what_cannot_be_is_said(script: Path, arguments: list[str], said: str) -> None:
    assert said in str(run(script, *arguments).exception)


def test_a_file_appears_as_a_whole_or_not_at_all(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "out.csv"
    target.write_text("before")
    monkeypatch.setattr("headwater.export.cells.CellWriter.write_all", broken)
    assert isinstance(run(script, "--format", "csv", "-o", target).exception, OSError)
    assert target.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["load.sql", "out.csv"]


def test_a_statement_met_twice_is_told_once() -> None:
    lineage = headwater.analyze("INSERT INTO o SELECT a FROM t; INSERT INTO o SELECT a FROM t")
    feed = ScriptFeed([lineage], Scope("complete"))
    (process,) = feed.processes()
    assert len(process.places) == 2
    relations = list(feed.relations())
    assert len(relations) == len(set(relations)) == 4


def test_lineage_to_takes_levels() -> None:
    lineage = headwater.analyze("INSERT INTO o SELECT a FROM t")
    assert "INSERT-SELECT-1" in lineage.to("sqlflow-xml")
    assert "INSERT-SELECT-1" not in lineage.to("sqlflow-xml", level="table")
    with pytest.raises(ValueError, match="unknown format"):
        lineage.to("no-such-format")


def test_columns_have_types_where_these_are_sure() -> None:
    """A view's column has the type of what it passes on, casts or counts; sums differ between databases."""
    sql = """CREATE TABLE t (a int, b varchar(3));
    CREATE VIEW v AS SELECT b AS c, count(*) AS n, a > 1 AS f, cast(a AS text) AS d, sum(a) AS s FROM t GROUP BY a, b;
    CREATE VIEW w AS SELECT * FROM v"""
    types = {
        entity.name: {column.name: column.data_type for column in entity.columns if not column.row_set}
        for entity in feed_of(sql, "postgres").entities()
    }
    assert types["v"] == types["w"] == {"c": "VARCHAR(3)", "n": "bigint", "f": "boolean", "d": "TEXT", "s": None}
