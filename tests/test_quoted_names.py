"""Names that somebody types as SQL quotes them, in every question that takes a name."""

from __future__ import annotations

from pathlib import Path

import pytest

import headwater
from command import Run
from headwater.export.feed import Scope
from headwater.export.focus.names import find
from headwater.export.script_feed import ScriptFeed
from headwater.graph import Graph
from headwater.graph.names import UnknownName
from headwater.model.quoted_name import without_quotes
from stores import make_store

NAMES = [
    '"My Table"."Col A"',
    "[My Table].[Col A]",
    "`My Table`.`Col A`",
    'db."My Table"."Col A"',
    '[db].[My Table]."Col A"',
    "`db.My Table`.`Col A`",
    '"my table"."COL A"',
    "My Table.Col A",
]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "lineage", "db.My-Table.Col-A -> db.o.x\ncolumn db.My-Table.Col-B int").path


@pytest.fixture
def graph(store: Path) -> Graph:
    return headwater.open(store)


@pytest.mark.parametrize("name", NAMES)
def test_a_column_is_found_by_its_name_in_quotes(graph: Graph, name: str) -> None:
    name = name.replace(" ", "-")
    assert str(graph.column(name)) == "db.My-Table.Col-A"
    assert [str(hit.column) for hit in graph.impact(name).hits][:1] == ["db.o.x"]
    assert graph.paths(name, '"db"."o"."x"').first


@pytest.mark.parametrize("name", ['"My-Table"', "[db].[My-Table]", "`db.My-Table`"])
def test_so_is_a_table(graph: Graph, name: str) -> None:
    assert str(graph.table(name)) == "db.My-Table"
    assert [str(each) for each in graph.tables(name)[1]] == ["db.My-Table"]


def test_what_nobody_has_is_called_as_it_was_typed(graph: Graph) -> None:
    with pytest.raises(UnknownName, match=r'there is no column "My-Table"\."Col-C"; db\.My-Table has'):
        graph.column('"My-Table"."Col-C"')


@pytest.mark.parametrize("name", NAMES)
def test_the_focus_of_a_script_takes_such_names(name: str) -> None:
    lineage = headwater.analyze('INSERT INTO "o" SELECT "Col A" AS x FROM "db"."My Table"', dialect="postgres")
    assert find(ScriptFeed([lineage], Scope()), name).shown.startswith("db.My Table.Col A")


@pytest.mark.parametrize(
    "command",
    [
        ("impact", '"My-Table"."Col-A"'),
        ("downstream", "[My-Table].[Col-A]"),
        ("upstream", '"db"."o"."x"'),
        ("path", "`My-Table`.`Col-A`", '"o"."x"'),
        ("search", '"My-Table"'),
        ("unused", '"db"."My-Table"'),
        ("export", "-f", "edges", "--focus", '"My-Table"."Col-A"'),
    ],
)
def test_so_does_the_command_line(run: Run, store: Path, command: tuple[str, ...]) -> None:
    word, *arguments = command
    where = [store] if word == "export" else ["--store", store]
    done = run(word, *where, *arguments)
    assert done.code in (0, 1), done.err
    assert "My-Table" in done.out


@pytest.mark.parametrize("text", ["a*b", "[ab]*", "orders.", 'say "hi', '"a"b', "", "s3://b/p", "id:12"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert without_quotes(text) == text
