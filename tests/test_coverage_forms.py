"""Forms of statements in every dialect: lineage, or a gap that is named; docs/coverage-forms.md shows both."""

from __future__ import annotations

import pytest

from coverage_forms import PAGE, SILENT, outcomes, page


@pytest.mark.slow
def test_no_form_ends_in_silence_and_the_page_is_up_to_date() -> None:
    found = outcomes()
    assert len(found) >= 1_000
    assert [cell for cell, each in found.items() if SILENT in each] == []
    assert page(found) == PAGE.read_text(encoding="utf-8"), "run `make docs`"
