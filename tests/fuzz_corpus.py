"""The inputs that fuzzing has kept: a file per target in `tests/fuzz_inputs`, an input per line, as base64."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent / "fuzz_inputs"


def kept_inputs(target: str) -> list[bytes]:
    """The inputs of a target, in the order in which they were kept."""
    path = FOLDER / f"{target}.txt"
    return [base64.b64decode(line) for line in path.read_text(encoding="ascii").splitlines()] if path.exists() else []


def write_inputs(target: str, inputs: Iterable[bytes]) -> None:
    """Replace the inputs of a target."""
    lines = "".join(f"{base64.b64encode(each).decode()}\n" for each in inputs)
    (FOLDER / f"{target}.txt").write_text(lines, encoding="ascii")
