"""Every input that fuzzing has kept keeps the promises of its target; and a promise that is broken is noticed."""

from __future__ import annotations

import pytest

import fuzz_targets
from fuzz_corpus import kept_inputs
from fuzz_targets import TARGETS, PromiseBroken, as_input


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_kept_inputs_keep_the_promises(name: str) -> None:
    inputs = kept_inputs(name)
    assert inputs
    for each in inputs:
        TARGETS[name].try_input(each)


def test_a_key_that_is_shown_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_targets, "_KEY", "PLAINWORD")
    with pytest.raises(PromiseBroken, match="is shown"):
        TARGETS["redaction"].try_input(as_input("SELECT a FROM t", "spark"))
