"""Rewrites the expectation blocks of a case with what the analyser says now; the diff is for a person to read."""

from __future__ import annotations

import re
from collections.abc import Callable

from case_file import Case
from case_runner import analyse, diagnostic_lines, lineage_lines, output_lines, table_lines


def update(case: Case) -> None:
    """Rewrite the blocks of one case in its file."""
    lineage = analyse(case)
    renderers: dict[str, Callable[[], list[str]]] = {
        "lineage": lambda: [_spaced(line) for line in lineage_lines(lineage, case.blocks["lineage"])],
        "table": lambda: [_spaced(line) for line in table_lines(lineage, case.blocks["table"])],
        "outputs": lambda: output_lines(lineage),
        "diagnostics": lambda: diagnostic_lines(lineage, case.blocks["diagnostics"].lines),
    }
    text = case.path.read_text(encoding="utf-8")
    start = text.index(f"## {case.title}\n")
    end = text.find("\n## ", start + 3)
    body = text[start:] if end < 0 else text[start:end]
    for kind in case.blocks:
        if kind in renderers:
            body = _replaced(body, kind, renderers[kind]())
    case.path.write_text(text[:start] + body + ("" if end < 0 else text[end:]), encoding="utf-8")


def _spaced(line: str) -> str:
    target, arrow, source, words = line.split(" ", 3)
    return f"{target} {arrow} {source}  {words}"


def _replaced(body: str, kind: str, lines: list[str]) -> str:
    content = "".join(f"{line}\n" for line in lines)
    return re.sub(rf"(```{kind}[^\n]*\n).*?(```)", lambda m: m[1] + content + m[2], body, count=1, flags=re.DOTALL)
