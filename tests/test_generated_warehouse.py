"""A small generated warehouse through the core: what is found is the truth that the generator put down while it wrote."""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))
from pipeline.compare import compare
from pipeline.edge import Edge
from pipeline.flow import FILTER, IDENTITY, WINDOW, WRITTEN, Flow, Source, column, through
from pipeline.plain_loop import BROKEN, Loop, other_columns, texts_of
from pipeline.scribe import Corpus
from pipeline.truth import documents
from pipeline.warehouse import generate


@cache
def corpus() -> Corpus:
    return generate(statements=300, distinct=200, seed=4)


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    corpus().truth.write(tmp_path)
    return tmp_path


def test_the_core_finds_the_truth(truth: Path) -> None:
    loop = Loop()
    report = compare(loop.edges(texts_of(corpus())), truth)
    assert report.exact, str(report)
    assert report.agreed == len(corpus().truth.relations) > 1000
    assert not other_columns(loop, truth)
    assert {d.code for _, d in loop.said} <= set(BROKEN)


def test_the_corpus_is_as_large_as_asked_for(truth: Path) -> None:
    assert sum(document.statements for document in documents(truth)) == 300
    assert corpus().shapes == 200
    assert sum(map(len, corpus().logs.values())) == 120


def test_statements_that_are_broken_are_those_that_the_core_cannot_read() -> None:
    larger = generate(statements=600, distinct=300, seed=4)
    loop = Loop()
    for _ in loop.edges(text for text in texts_of(larger) if not text.database):
        pass
    broken = {d.path: len(d.broken) for d in larger.truth.documents if d.kind == "script" and d.broken}
    assert broken
    assert Counter(path for path, _ in loop.said) == broken


def test_the_same_seed_gives_the_same_corpus() -> None:
    again = generate(statements=300, distinct=200, seed=4)
    assert again.scripts == corpus().scripts
    assert again.logs == corpus().logs
    assert again.truth.relations == corpus().truth.relations
    assert generate(statements=300, distinct=200, seed=5).scripts != again.scripts


def test_a_star_is_handed_on_through_forty_scripts_whose_paths_sort_the_other_way_round() -> None:
    chain = [path for path in corpus().scripts if path.startswith("sql/core/chain_0_")]
    assert len(chain) == 40
    assert chain == sorted(chain, reverse=True)


def test_a_temporary_view_belongs_to_its_script() -> None:
    views = [table for table in generate(statements=600, distinct=400, seed=4).truth.columns if "::" in table]
    names = Counter(view.partition("::")[2] for view in views)
    assert names.most_common(1)[0][1] > 1
    assert all(view.startswith("sql/") for view in views)


def test_what_differs_is_said(truth: Path) -> None:
    edges = sorted(corpus().truth.relations)
    pairs = Counter(edge[:4] for edge in edges)
    single = [edge for edge in edges if pairs[edge[:4]] == 1]
    lost, changed, invented = single[0], single[1], Edge("x", "y", "z", "w", "fdd", "IDENTITY")
    other = changed._replace(subtype="SORT")
    found = [edge for edge in edges if edge not in (lost, changed)]
    report = compare([*found, other, invented], truth)
    assert (report.missing, report.extra, report.wrong_kind) == (1, 1, 1)
    assert report.first_missing == (lost,)
    assert report.first_extra == (invented,)
    assert report.first_wrong[0][0] == changed[:4]
    assert not report.exact


def test_queries_that_differ_in_literals_can_count_as_one(truth: Path) -> None:
    shapes = corpus().truth.queries
    first_ones = {f"query:{shape}" for shape in shapes.values()}
    kept = [
        e for e in corpus().truth.relations if not e.target_table.startswith("query:") or e.target_table in first_ones
    ]
    assert len(kept) < len(corpus().truth.relations)
    assert compare(kept, truth).missing > 0
    assert compare(kept, truth, by_shape=True).exact


def test_hops_are_joined_as_the_model_says() -> None:
    a = column("t", "a")
    assert through(a, IDENTITY) == a
    assert through(through(a, WINDOW), FILTER) == {Flow(Source("t", "a"), FILTER)}
    assert through(through(a, FILTER), WRITTEN) == {Flow(Source("t", "a"), FILTER)}
