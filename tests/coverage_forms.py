"""docs/coverage-forms.md: forms of statements by dialect, each with lineage or with the diagnostic that names the gap."""

from __future__ import annotations

from pathlib import Path

import tomllib

from headwater import analyze
from headwater.sql.dialect import dialect_names

FORMS = Path(__file__).with_name("forms.toml")
PAGE = Path(__file__).parent.parent / "docs" / "coverage-forms.md"
EDGE, SILENT = "✓", "**silent**"
_WITHOUT_LINEAGE = frozenset({"TRUNCATE"})
"""Forms that have no lineage by their nature."""

Cell = tuple[str, str]
"""A form and a dialect."""


def forms() -> dict[str, dict[str, str]]:
    """The forms by chapter: their names and their SQL."""
    return tomllib.loads(FORMS.read_text(encoding="utf-8"))


def outcome(name: str, sql: str, spoken: str) -> str:
    """What became of a form in a dialect: lineage, the codes of diagnostics, or silence."""
    lineage = analyze(sql, spoken)
    codes = sorted({d.code.value for d in lineage.diagnostics})
    if any(statement.resolution.edges for statement in lineage.statements):
        return " ".join([EDGE, *(code for code in codes if code != "skipped-clause")])
    if codes:
        return " ".join(codes)
    return "–" if name in _WITHOUT_LINEAGE else SILENT


def outcomes() -> dict[Cell, str]:
    """What became of all forms in all dialects."""
    return {
        (name, spoken): outcome(name, sql, spoken)
        for chapter in forms().values()
        for name, sql in chapter.items()
        for spoken in dialect_names()
    }


def page(found: dict[Cell, str]) -> str:
    """The page."""
    dialects = dialect_names()
    edges = sum(each.startswith(EDGE) for each in found.values())
    lines = [
        "# Forms of statements by dialect",
        "",
        f"{len(found):,} cells: {edges:,} have lineage, the others name their gap by a [diagnostic](diagnostics.md). A test makes this",
        "page of `tests/forms.toml`, and fails where a form ends without either. ✓ is lineage; a code behind it names what is not",
        "certain in it. Most gaps are forms that the dialect itself does not have. – is a form without lineage.",
    ]
    for chapter, each in forms().items():
        lines += ["", f"## {chapter.capitalize()}", "", "| form | " + " | ".join(dialects) + " |"]
        lines.append("|---" * (len(dialects) + 1) + "|")
        for name in each:
            cells = (found[name, spoken] for spoken in dialects)
            lines.append(f"| {name.replace('|', chr(92) + '|')} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(outcomes()), encoding="utf-8")
