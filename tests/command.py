"""Runs the command in this process, in a folder of its own: what the tests of the command line share."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from headwater.cli.main import main


class Result(NamedTuple):
    """How a run of the command ended, and what it printed."""

    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process, through the function that the installed command calls."""
    for name in ("NO_COLOR", "FORCE_COLOR", "LOG_LEVEL"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str | Path, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "argv", ["headwater", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capfd.readouterr()
        code = ended.value.code
        return Result(code if isinstance(code, int) else 0, out, err)

    return run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, text: str | bytes) -> Path:
    """A file, with the folders above it; in the `folder` of a test."""
    file = Path(path)
    assert file.is_absolute() or Path.cwd() != Path(__file__).parent.parent, "the test needs the fixture `folder`"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def line_with(text: str, *parts: str) -> str:
    """The one line that holds all the parts."""
    found = [line for line in text.splitlines() if all(part in line for part in parts)]
    assert len(found) == 1, f"{parts} in {text}"
    return found[0]
