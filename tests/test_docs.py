"""What the documentation lists is what there is."""

from __future__ import annotations

import re
from pathlib import Path

from headwater.cli.main import cli
from headwater.model.diagnostic import SEVERITY, Code

ROOT = Path(__file__).parent.parent


def test_every_diagnostic_is_documented() -> None:
    rows = re.findall(
        r"^\| `([\w-]+)` \| (\w+) \|", (ROOT / "docs" / "diagnostics.md").read_text("utf-8"), re.MULTILINE
    )
    assert dict(rows) == {code.value: SEVERITY[code].value for code in Code}


def test_every_command_is_documented() -> None:
    page = (ROOT / "docs" / "cli.md").read_text("utf-8")
    assert [name for name in cli.commands if f"| `headwater {name}" not in page] == []


def test_links_lead_somewhere() -> None:
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), ROOT / "tests/cases/README.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page}: {target}"


def test_the_store_is_documented_as_it_is() -> None:
    from headwater.store.document import markdown

    assert (ROOT / "docs" / "store.md").read_text("utf-8") == markdown(), "run `make docs`"
