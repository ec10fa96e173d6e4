"""The README's examples are what the commands really print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"```console\n\$ (headwater [^\n]+)\n(.*?)```", README, re.DOTALL)
PROGRAMS = re.findall(r"```python\n(.*?)```\n```text\n(.*?)```", README, re.DOTALL)


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def test_there_are_five_examples() -> None:
    assert len(COMMANDS) + len(PROGRAMS) == 5


@pytest.mark.slow
@pytest.mark.parametrize(("command", "expected"), COMMANDS, ids=[c for c, _ in COMMANDS])
def test_command(command: str, expected: str) -> None:
    arguments = shlex.split(command)[1:]
    result = subprocess.run(
        [sys.executable, "-m", "headwater", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode in (0, 1)
    assert _lines(result.stdout + result.stderr) == _lines(expected)


@pytest.mark.slow
@pytest.mark.parametrize(("program", "expected"), PROGRAMS)
def test_program(program: str, expected: str) -> None:
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert _lines(result.stdout) == _lines(expected)


@pytest.mark.parametrize("script", ["customers", "stock"])
def test_scripts_are_shown_as_they_are(script: str) -> None:
    assert (ROOT / "examples" / f"{script}.sql").read_text(encoding="utf-8").strip() in README
