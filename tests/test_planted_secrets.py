"""Hundreds of secrets in the dialects' own syntax: none of them is in any output, and none changes what is found."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

import headwater
from headwater import Lineage
from headwater.export import BINARY, MODULES, render
from headwater.order.cut import cut
from planted_secrets import Planted, near_misses, planted
from test_redaction import shown

FORMS = planted()
TEXT_FORMATS = sorted(set(MODULES) - BINARY - {"delta", "iceberg", "rdbms"})
BOTH = list(zip(FORMS, planted("8"), strict=True))


def test_there_are_hundreds() -> None:
    assert len(FORMS) >= 500
    assert len({form.marker for form in FORMS}) == len(FORMS)
    assert all(form.marker in form.sql.lower() for form in FORMS)


def facts(lineage: Lineage) -> Iterator[object]:
    """What was found, apart from texts."""
    for edge in lineage.column_edges(literals=True):
        yield (edge.source, edge.target, edge.type, edge.subtype, edge.clause, edge.masking, edge.candidate)
    yield from (statement.resolution.process.query_hash for statement in lineage.statements)
    yield from (each.code for each in lineage.diagnostics)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_it_is_in_no_output_of_a_script(form: Planted, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        lineage = headwater.analyze(form.sql, dialect=form.dialect)
        outputs = dict(shown(lineage))
        outputs |= {name: render(lineage, name) for name in TEXT_FORMATS}
    outputs["log"] = caplog.text
    assert [name for name, text in outputs.items() if form.shows(text.lower())] == []


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_no_fingerprint_is_made_of_it(form: Planted) -> None:
    cuts = cut(form.sql, [form.dialect], "").cuts
    assert [each.fingerprint for each in cuts if form.shows(each.fingerprint.lower())] == []


@pytest.mark.parametrize(("form", "other"), BOTH, ids=lambda form: form.name)
def test_another_secret_changes_nothing(form: Planted, other: Planted) -> None:
    first, second = (headwater.analyze(each.sql, dialect=each.dialect) for each in (form, other))
    assert list(facts(first)) == list(facts(second))


@pytest.mark.parametrize("form", near_misses())
def test_what_only_looks_like_a_secret_is_shown(form: str) -> None:
    (statement,) = headwater.analyze(form.format(s="Tolkien")).statements
    assert "Tolkien" in statement.sql
