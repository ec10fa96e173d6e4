"""`headwater report`: facts counted by hand, hostile names, both forms, the same bytes each time."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

from command import Run
from headwater.graph import Graph, UnknownName, open_graph
from headwater.graph.adjacency import sides
from headwater.graph.coverage import State
from headwater.report import Facts, gather, html_page, markdown_page, page_of
from headwater.report.coverage import Counts
from headwater.report.levels import levels
from headwater.report.page import Share
from headwater.store import Snapshot, Store
from headwater.store.identity import script_id
from headwater.store.schema import TABLES
from stores import make_store, write_tables

LINES = """
    column raw.a.id int
    column raw.a.name string
    column raw.a.left_alone int
    column raw.changed.x int
    column raw.changed.y int
    column core.b.id int
    column core.b.never int
    column core.b.label
    column core.b.address struct
    view mart.v
    constant mart.v.constant
    unknown mart.v.lost
    raw.a.id -> core.b.id @ b.sql:1 Insert
    raw.a.name -> core.b.label TRANSFORMATION = upper(name) @ b.sql:1 Insert
    raw.a.id -> core.b.rows FILTER @ b.sql:1 Insert
    core.b.id -> mart.v.id @ v.sql:1 Create View
    core.b.label -> mart.v.label @ v.sql:1 Create View
    core.b.address -> mart.v.address @ v.sql:1 Create View
    column mart.v.address_city
    raw.a.id -> raw.changed.x candidate @ u.sql:1 Update
    result q
    mart.v.id -> q.id @ q.sql:1 Select
    core.b.id -> q.b_id @ q.sql:1 Select
"""


def said(
    path: str, line: int, code: str, severity: str, subject: str, statement: int, process: int = 0
) -> dict[str, Any]:
    place = {"script_id": script_id(path), "line": line, "column": 1, "start": 0, "end": 1}
    about = {"code": code, "severity": severity, "subject": subject, "message": f"about {subject}", "hint": ""}
    return {**place, **about, "statement_id": statement, "process_id": process}


SAID = [
    said("b.sql", 7, "unresolved-column", "warning", "custmer", 11),
    said("b.sql", 3, "unresolved-column", "warning", "custmer", 12),
    said("v.sql", 1, "unresolved-column", "warning", "other", 13),
    said("v.sql", 9, "syntax-error", "error", "FORM", 14),
    said("v.sql", 2, "included-file", "info", "x.sql", 0),
]


def publish(store: Store, **changed: pa.Table) -> Store:
    """A snapshot more: the last one with other tables in places."""
    last = store.snapshot()
    write_tables(store, {name: last.table(name) for name in TABLES} | changed)
    return store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = make_store(tmp_path / "lineage", LINES)
    columns = made.snapshot().table("columns")
    names = ["address.city" if name == "address_city" else name for name in columns.column("name").to_pylist()]
    columns = columns.set_column(2, "name", pa.array(names))
    return publish(made, columns=columns, diagnostics=pa.Table.from_pylist(SAID, TABLES["diagnostics"].schema))


@pytest.fixture
def facts(store: Store) -> Facts:
    return gather(open_graph(store.path))


# Facts


def test_coverage_is_counted(facts: Facts) -> None:
    """`core.b.never` and `core.b.address` are declared and not written; `mart.v.address.city` is only a field."""
    schemas = {each.schema: each.counts for each in facts.coverage.schemas}
    assert schemas["core"] == Counts(tables=1, columns=4, written=2, sourced=2, constant=0, unexplained=0)
    assert schemas["mart"] == Counts(tables=1, columns=6, written=5, sourced=3, constant=1, unexplained=1)
    assert schemas["raw"] == Counts(tables=2, columns=5, written=1, sourced=0, constant=0, unexplained=1)
    assert schemas["(query results)"].sourced == 2
    assert facts.coverage.total == Counts(tables=5, columns=17, written=10, sourced=7, constant=1, unexplained=2)
    assert facts.coverage.headline == ("80.0% of the 10 written columns are explained; 1 of 4 statements was lost")


def test_columns_that_are_not_explained_have_reasons(facts: Facts) -> None:
    reasons = {each.state: each.examples for each in facts.coverage.reasons}
    assert reasons == {State.AMBIGUOUS: ("raw.changed.x",), State.UNTRACED: ("mart.v.lost",)}


def test_coverage_is_that_of_the_graph(store: Store, facts: Facts) -> None:
    found = open_graph(store.path).coverage
    assert (found.written, found.explained) == (facts.coverage.total.written, facts.coverage.total.explained)
    assert found.headline == facts.coverage.headline


def test_columns_that_a_statement_with_too_few_columns_leaves_over_are_not_explained(tmp_path: Path) -> None:
    store = make_store(tmp_path / "lineage", "column t.lost\ns.a -> t.a @ t.sql:1 Insert")
    process = store.snapshot().table("processes").column("process_id")[0].as_py()
    rows = [said("t.sql", 1, "schema-mismatch", "warning", "t", 1, process)]
    publish(store, diagnostics=pa.Table.from_pylist(rows, TABLES["diagnostics"].schema))
    found = gather(open_graph(store.path)).coverage
    assert [(each.state, each.examples) for each in found.reasons] == [(State.UNTRACED, ("t.lost",))]
    assert (found.total.written, found.total.explained) == (2, 1)


def test_diagnostics_are_counted_by_code_and_cause(facts: Facts) -> None:
    found = facts.problems
    assert [(each.code, each.count, each.statements, each.scripts) for each in found.codes] == [
        ("syntax-error", 1, 1, 1),
        ("unresolved-column", 3, 3, 2),
        ("included-file", 1, 0, 1),
    ]
    assert facts.losses.lost_statements == 1
    causes = found.codes[1].causes
    assert [(each.subject, each.count) for each in causes] == [("custmer", 2), ("other", 1)]
    assert [str(place) for place in causes[0].places] == ["b.sql:3", "b.sql:7"]


def test_statements_are_counted_by_type_and_dialect(facts: Facts) -> None:
    kinds = {(each.type, each.dialect): each.distinct for each in facts.statements.kinds}
    assert kinds == {
        ("Insert", "spark"): 1,
        ("Create View", "spark"): 1,
        ("Update", "spark"): 1,
        ("Select", "spark"): 1,
    }
    assert (facts.statements.distinct, facts.statements.repeated, facts.statements.most_seen) == (4, 0, ())


def test_what_is_met_often_comes_first(store: Store) -> None:
    processes = store.snapshot().table("processes")
    seen = [40 if type == "Select" else 2 if type == "Insert" else 1 for type in processes.column("type").to_pylist()]
    publish(store, processes=processes.set_column(7, "seen", pa.array(seen, pa.int64())))
    found = gather(open_graph(store.path), top=1).statements
    assert (found.seen, found.repeated) == (44, 2)
    assert [(each.type, each.seen, str(each.place)) for each in found.most_seen] == [("Select", 40, "q.sql:1")]


def test_fan_in_and_fan_out(facts: Facts) -> None:
    ins = [(str(each.table), each.tables, each.relations) for each in facts.hubs.fan_in]
    assert ins == [("core.b", 1, 3), ("mart.v", 1, 3), ("raw.changed", 1, 1)]
    outs = [(str(each.table), each.tables, each.queries, each.relations) for each in facts.hubs.fan_out]
    assert outs == [("core.b", 1, 1, 4), ("raw.a", 2, 0, 4), ("mart.v", 0, 1, 1)]
    assert facts.hubs.readers == (1, 1, 2)
    assert [(str(each.column), each.columns) for each in facts.hubs.most_used][:2] == [
        ("core.b.id", 2),
        ("raw.a.id", 2),
    ]


def test_the_longest_chain_is_spelled_out(facts: Facts) -> None:
    first, *others = facts.chains.longest
    assert [str(hop.target) for hop in first.hops] == ["core.b.id", "mart.v.id", "q.id"]
    assert (str(first.hops[0].source), str(first.end), first.length) == ("raw.a.id", "q.id", 3)
    assert [str(each.end) for each in others] == ["raw.changed.x"]
    assert facts.chains.depths[3] == 1


def test_the_widest_closures_are_counted(facts: Facts) -> None:
    widest = facts.chains.downstream[0]
    assert (str(widest.column), widest.columns, widest.tables) == ("raw.a.id", 5, 4)
    widest = facts.chains.upstream[0]
    assert (str(widest.column), widest.columns, widest.tables) == ("q.id", 3, 3)


def test_unused_columns_are_counted(store: Store, facts: Facts) -> None:
    found = open_graph(store.path).unused()
    assert facts.unused.never == len([each for each in found.columns if each.use == "none"]) == 6
    assert (facts.unused.star_only, facts.unused.tables) == (0, len(found.tables))
    assert dict(facts.unused.by_schema) == {"core": 1, "mart": 4, "raw": 1}


def test_a_circle_is_passed_in_no_hops(tmp_path: Path) -> None:
    lines = "a.x -> b.x\nb.x -> c.x\nc.x -> b.x\nc.x -> d.x\nd.x -> d.x TRANSFORMATION"
    found = gather(open_graph(make_store(tmp_path / "lineage", lines).path)).chains
    assert (found.circles, found.greatest_circle, found.depths) == (1, 2, (1, 2, 1))
    assert [str(hop.target) for hop in found.longest[0].hops] == ["b.x", "d.x"]
    page = markdown_page(page_of(gather(open_graph(tmp_path / "lineage"))))
    assert "| `c.x` | in a circle |" in page


@pytest.mark.parametrize("seed", range(30))
def test_depths_are_those_of_the_condensed_graph(seed: int) -> None:
    draw = np.random.default_rng(seed)
    nodes, count = 30, int(draw.integers(0, 60))
    sources, targets = draw.integers(0, nodes, (2, count))
    incoming, outgoing = sides(nodes, sources.astype(np.int32), targets.astype(np.int32), np.zeros(count, np.int64))
    found = levels(_Some(nodes, incoming, outgoing))  # type: ignore[arg-type]
    graph = nx.DiGraph(zip(sources.tolist(), targets.tolist(), strict=True))
    graph.add_nodes_from(range(nodes))
    condensed = nx.condensation(graph)
    depth: dict[int, int] = {}
    for group in nx.topological_sort(condensed):
        depth[group] = max((depth[before] + 1 for before in condensed.predecessors(group)), default=0)
    expected = [depth[condensed.graph["mapping"][node]] for node in range(nodes)]
    assert found.depth[found.group].tolist() == expected
    sizes = sorted((len(each) for each in nx.strongly_connected_components(graph) if len(each) > 1), reverse=True)
    assert found.circles().tolist() == sizes


class _Some:
    """As much of a graph's arrays as levels look at."""

    def __init__(self, nodes: int, incoming: Any, outgoing: Any) -> None:
        self.nodes, self.incoming, self.outgoing = nodes, incoming, outgoing


def test_a_scope_takes_some_tables_only(store: Store) -> None:
    found = gather(open_graph(store.path), scope="mart.*")
    assert [each.schema for each in found.coverage.schemas] == ["mart"]
    assert {each.type for each in found.statements.kinds} == {"Create View", "Select"}
    assert [str(each.table) for each in found.hubs.fan_in] == ["mart.v"]
    assert (found.sizes.tables, found.sizes.relations, found.problems.codes) == (1, 4, ())
    with pytest.raises(UnknownName, match="nowhere"):
        gather(open_graph(store.path), scope="nowhere")


def test_an_empty_store_has_a_report(tmp_path: Path) -> None:
    page = page_of(gather(open_graph(make_store(tmp_path / "lineage", "").path)))
    assert "Nothing: there is no diagnostic." in markdown_page(page)
    check_html(html_page(page))


# Pages

HOSTILE = [
    "<script>alert(1)</script>",
    "a|b",
    "back`tick",
    "``",
    "</code></td>",
    "*bold*_it_",
    "&lt;",
    "[link](javascript:x)",
    "\\|",
    "quote\"'",
    "new\nline\r\ttab",
    "nul\x00\x1b[31m",
    "\u202eright",
    "😀",
    "$x$",
    "x" * 10_000,
    "<!--",
    "|---|",
    " spaced ",
]


@pytest.fixture
def hostile(tmp_path: Path) -> Graph:
    """A graph all of whose names, texts and places are hostile."""
    lines = "\n".join(f"s{i}.t{i}.a -> s{i}.u{i}.b{i} @ f{i}.sql:1 Insert" for i in range(len(HOSTILE)))
    store = make_store(tmp_path / "lineage", lines)
    rows = [said(f"f{i}.sql", 1, "unresolved-column", "warning", name, i + 1) for i, name in enumerate(HOSTILE)]
    last = store.snapshot()
    entities = [
        {**row, "name": _hostile(row["name"]), "parts": [_hostile(p) for p in row["parts"]]}
        for row in last.table("entities").to_pylist()
    ]
    columns = [{**row, "name": _hostile(row["name"])} for row in last.table("columns").to_pylist()]
    scripts = [{**row, "path": _hostile(row["path"])} for row in last.table("scripts").to_pylist()]
    processes = [{**row, "seen": 2, "text": _hostile(row["text"])} for row in last.table("processes").to_pylist()]
    changed = {
        "entities": entities,
        "columns": columns,
        "scripts": scripts,
        "processes": processes,
        "diagnostics": rows,
    }
    publish(store, **{name: pa.Table.from_pylist(content, TABLES[name].schema) for name, content in changed.items()})
    return open_graph(store.path)


def _hostile(text: str) -> str:
    found = re.search(r"\d+", text)
    return text + HOSTILE[int(found[0]) % len(HOSTILE)] if found else text


class _Checker(HTMLParser):
    """Looks at tags: those that are open, and all that there are."""

    EMPTY = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_html(page: str) -> None:
    checker = _Checker()
    checker.feed(page)
    checker.close()
    assert checker.open == []
    assert checker.tags & {"script", "img", "link", "iframe", "a"} == {"a"}
    assert not {name for name in checker.attributes if name.startswith("on") or name in ("src", "style")}
    assert "default-src &#x27;none&#x27;" in page
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e]", page)


def check_markdown(page: str) -> None:
    """Every row of a table has as many cells as its heading, and no tag is there but ours."""
    cells: int | None = None
    for line in page.splitlines():
        if not line.startswith("|"):
            cells = None
            continue
        cells = cells or line.count("|")
        assert line.count("|") == cells, line
    assert set(re.findall(r"<(/?\w+)", page)) <= {"code", "/code", "br", "details", "/details", "summary", "/summary"}
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202a-\u202e]", page)
    for span in re.findall(r"`[^`\n]*`", page):
        assert not set(span[1:-1]) & set("|<>*\\$&"), span


def test_hostile_names_stay_names(hostile: Graph) -> None:
    page = page_of(gather(hostile, top=50))
    html, markdown = html_page(page), markdown_page(page)
    check_html(html)
    check_markdown(markdown)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "&#60;script&#62;alert(1)&#60;/script&#62;" in markdown
    assert "x" * 300 not in html + markdown


def test_both_forms_hold_the_same(store: Store) -> None:
    page = page_of(gather(open_graph(store.path)))
    html, markdown = html_page(page), markdown_page(page)
    check_html(html)
    check_markdown(markdown)
    for chapter in page.chapters:
        assert f"<h2>{chapter.title}</h2>" in html
        assert f"## {chapter.title}" in markdown
    assert "headwater" in markdown.splitlines()[-1]
    assert '<meta name="generator" content="headwater ' in html


def test_the_order_of_rows_does_not_matter(store: Store) -> None:
    def page() -> str:
        made = html_page(page_of(gather(open_graph(store.path))))
        return made.replace(store.snapshot().name, "")

    first = page()
    last: Snapshot = store.snapshot()
    backwards = {name: last.table(name) for name in TABLES}
    write_tables(
        store, {name: table.take(pa.array(range(len(table))[::-1], pa.int64())) for name, table in backwards.items()}
    )
    assert page() == first


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [(0, 0, "–"), (99_999, 100_000, "99.9 %"), (1, 100_000, "0.1 %"), (0, 5, "0.0 %"), (5, 5, "100.0 %")],
)
def test_what_is_not_all_is_never_shown_as_all(part: int, whole: int, shown: str) -> None:
    assert Share(part, whole).shown == shown


# The command


def test_the_command_writes_a_file(run: Run, folder: Path) -> None:
    make_store(folder / "lineage", LINES)
    code, out, err = run("report")
    assert (code, out) == (0, "")
    assert "wrote report.html" in err
    check_html((folder / "report.html").read_text(encoding="utf-8"))


def test_the_command_prints_markdown(run: Run, folder: Path) -> None:
    make_store(folder / "there", LINES)
    code, out, _ = run("report", "there", "--format", "markdown", "--scope", "core.*", "--top", "1")
    assert code == 0
    assert out.startswith("# Lineage report\n")
    assert "tables like <code>core.&#42;</code>" in out
    run("report", "there", "-o", "page.md")
    assert (folder / "page.md").read_text(encoding="utf-8").startswith("# Lineage report\n")
    assert run("report", "--store", "there", "-o", "-").out.startswith("<!DOCTYPE html>")


def test_what_cannot_be_reported_is_one_line(run: Run, folder: Path) -> None:
    make_store(folder / "lineage", LINES)
    for arguments in (["nowhere"], ["--scope", "nowhere"], ["a", "--store", "b"], ["-o", "no/such/folder.html"]):
        code, out, err = run("report", *arguments)
        assert (code, out) == (2, "")
        assert "Traceback" not in err
    assert not (folder / "report.html").exists()
