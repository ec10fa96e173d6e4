"""The same input gives the same bytes: under any hash seed, and whatever was analysed before."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
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


def _started(seed: int, *arguments: str) -> subprocess.Popen[str]:
    """This file as a program, in a process with that hash seed."""
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": path}
    command = [sys.executable, __file__, *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def _result(process: subprocess.Popen[str]) -> dict[str, str]:
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    found: dict[str, str] = json.loads(output)
    return found


def _different(one: dict[str, str], other: dict[str, str]) -> list[str]:
    assert one.keys() == other.keys()
    return [case for case in one if one[case] != other[case]]


@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])
def test_hash_seed_does_not_matter(every: int) -> None:
    one, other = [_result(p) for p in [_started(seed, f"every={every}") for seed in SEEDS]]
    assert len(one) > 1500 / every
    assert _different(one, other) == []


@pytest.mark.slow
def test_what_was_analysed_before_does_not_matter() -> None:
    """What the process remembers (kinds, handlers, dialects) grows in another order."""
    forwards, backwards = [_result(p) for p in [_started(0), _started(0, "backwards")]]
    assert _different(forwards, backwards) == []


@pytest.mark.slow
def test_the_second_time_is_like_the_first() -> None:
    assert _different(digests(), digests()) == []


if __name__ == "__main__":
    step = next((int(a.removeprefix("every=")) for a in sys.argv if a.startswith("every=")), 1)
    print(json.dumps(digests(backwards="backwards" in sys.argv, every=step)))
