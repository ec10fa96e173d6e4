"""The server's benchmarks take the store that is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from servers import LINES
from stores import make_store

sys.path.append(str(Path(__file__).resolve().parent.parent))

from benchmarks.server.process import store_at


def test_a_store_that_is_there_is_not_generated_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []

    def note(command: list[str], **_: Any) -> None:
        steps.append(command[command.index("--step") + 1])

    monkeypatch.setattr(subprocess, "run", note)
    store = make_store(tmp_path / "shop", LINES)
    with store_at(Path(store.path)) as found:
        assert (found, steps) == (tmp_path / "shop", [])
    with store_at(tmp_path / "new") as found:
        assert (found, steps) == (tmp_path / "new", ["generate", "write"])
