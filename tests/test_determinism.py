"""The same input gives the same bytes: under any hash seed, and whatever was analysed before."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from case_file import Case, all_cases
from case_runner import analyse
from headwater.export.json_format import to_json

SEEDS = (0, 4242)
FORMATS = ("csv", "json", "sqlflow-xml", "edges")
"""Those that tell most, each by another way through the records."""


def digest(case: Case) -> str:
    """A digest of everything that a case's lineage can be written as."""
    lineage = analyse(case)
    texts = [lineage.to(format) for format in FORMATS]
    texts += [to_json(lineage, level) for level in ("complete", "table")]
    texts += map(str, lineage.column_edges(rows="expanded", literals=True, end_to_end=True))
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def digests(backwards: bool = False, every: int = 1) -> dict[str, str]:
    """The digest of each case, or every n-th, worked out in the cases' order or backwards."""
    cases = all_cases()[::every]
    return {case.id: digest(case) for case in (reversed(cases) if backwards else cases)}


@cache
def told(seed: int, *arguments: str) -> list[dict[str, str]]:
    """What this file prints as a program, in a process with that hash seed."""
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": path}
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, timeout=240, check=True)
    found: list[dict[str, str]] = json.loads(done.stdout)
    return found


def _different(one: dict[str, str], other: dict[str, str]) -> list[str]:
    assert one.keys() == other.keys()
    return [case for case in one if one[case] != other[case]]


@pytest.mark.slow
def test_hash_seed_does_not_matter_to_every_tenth_case() -> None:
    [one], [other] = (told(seed, "every=10") for seed in SEEDS)
    assert len(one) > 150
    assert _different(one, other) == []


@pytest.mark.slow
def test_hash_seed_does_not_matter() -> None:
    one, [other] = told(SEEDS[0], "twice")[0], told(SEEDS[1])
    assert len(one) > 1500
    assert _different(one, other) == []


@pytest.mark.slow
def test_what_was_analysed_before_does_not_matter() -> None:
    """What the process remembers (kinds, handlers, dialects) grows in another order."""
    forwards, [backwards] = told(SEEDS[0], "twice")[0], told(SEEDS[0], "backwards")
    assert [*forwards] == [*reversed(backwards)]
    assert _different(forwards, backwards) == []


@pytest.mark.slow
def test_the_second_time_is_like_the_first() -> None:
    first, second = told(SEEDS[0], "twice")
    assert _different(first, second) == []


if __name__ == "__main__":
    step = next((int(a.removeprefix("every=")) for a in sys.argv if a.startswith("every=")), 1)
    rounds = 2 if "twice" in sys.argv else 1
    print(json.dumps([digests(backwards="backwards" in sys.argv, every=step) for _ in range(rounds)]))
