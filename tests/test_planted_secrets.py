"""Hundreds of secrets in the dialects' own syntax: none of them is in any output, and none changes what is found."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

import headwater
from headwater import Lineage
from headwater.export import BINARY, MODULES, render
from headwater.order.cut import cut
from planted_secrets import Planted, forms_shown, near_misses, planted
from test_redaction import shown

FORMS = planted()
TEXT_FORMATS = sorted(set(MODULES) - BINARY - {"delta", "iceberg", "rdbms"})
BOTH = list(zip(FORMS, planted("8"), strict=True))
BATCH = 40
"""Forms in a test: few enough that one is quick, and enough that there are not thousands."""
BATCHES = range((len(FORMS) + BATCH - 1) // BATCH)


def batch(number: int) -> list[tuple[Planted, Planted]]:
    """Some of the forms, each with the same one with another secret."""
    return BOTH[number * BATCH : (number + 1) * BATCH]


def test_there_are_hundreds() -> None:
    assert len(FORMS) >= 700
    assert len({form.marker for form in FORMS}) == len(FORMS)
    assert all(form.marker in form.sql.lower() for form in FORMS)
    assert len(forms_shown("".join(form.sql.upper() for form in FORMS))) == len(
        FORMS
    )  # or nothing would be found below


def facts(lineage: Lineage) -> Iterator[object]:
    """What was found, apart from texts."""
    for edge in lineage.column_edges(literals=True):
        yield (edge.source, edge.target, edge.type, edge.subtype, edge.clause, edge.masking, edge.candidate)
    yield from (statement.resolution.process.query_hash for statement in lineage.statements)
    yield from (each.code for each in lineage.diagnostics)


@pytest.mark.slow
@pytest.mark.parametrize("number", BATCHES)
def test_none_is_in_an_output_of_a_script_and_none_changes_what_is_found(
    number: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        for form, other in batch(number):
            lineage = headwater.analyze(form.sql, dialect=form.dialect)
            outputs = dict(shown(lineage)) | {name: render(lineage, name) for name in TEXT_FORMATS}
            outputs["fingerprints"] = repr([each.fingerprint for each in cut(form.sql, [form.dialect], "").cuts])
            assert [name for name, text in outputs.items() if form.shows(text.lower())] == [], form.sql
            again = headwater.analyze(other.sql, dialect=other.dialect)
            assert list(facts(lineage)) == list(facts(again)), form.sql
    assert forms_shown(caplog.text) == []


@pytest.mark.parametrize("form", near_misses())
def test_what_only_looks_like_a_secret_is_shown(form: str) -> None:
    (statement,) = headwater.analyze(form.format(s="Tolkien")).statements
    assert "Tolkien" in statement.sql
