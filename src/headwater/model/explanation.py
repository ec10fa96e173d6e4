"""What each diagnostic means, at length: one Markdown file per code, the only place where it is written down.

A file has the code as its title, one sentence that says what happened, perhaps more of it, an example, and the sections
*Why it matters* and *What to do*. The example is a script (an `sql` block, before it a `json` block if it needs a schema), a Visivo project
(`yaml`), or, where no readable script gives the code, a `python` expression for one. `headwater explain` shows these texts, and
`docs/diagnostics.md` is made of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from headwater.model.diagnostic import SEVERITY, Code, Severity

WHY = "Why it matters"
REMEDY = "What to do"

_FENCE = re.compile(r"^```(?P<language>\w+)(?P<attributes>[^\n]*)\n(?P<text>.*?)\n```$", re.DOTALL | re.MULTILINE)


_NUMBERS = frozenset({"timeout", "memory", "max_columns"})


@dataclass(frozen=True, slots=True)
class Example:
    """What gives the code: `sql`, a project in `yaml`, or a `python` expression for a script's text or bytes."""

    language: str
    text: str
    options: Mapping[str, Any]
    """What `analyze` is told: dialect, schema, ambiguous, timeout, memory, max_columns."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What there is to say about one code."""

    code: Code
    summary: str
    """One sentence."""
    markdown: str
    """Everything below the title and the summary."""
    example: Example | None

    def parts(self) -> Iterator[tuple[str, str]]:
        """The text in pieces, in order: (language, code) for a block of code, ("", Markdown) for what is between."""
        end = 0
        for fence in _FENCE.finditer(self.markdown):
            yield "", self.markdown[end : fence.start()].strip("\n")
            yield fence["language"], fence["text"]
            end = fence.end()
        yield "", self.markdown[end:].strip("\n")

    @property
    def severity(self) -> Severity:
        """How much it matters."""
        return SEVERITY[self.code]


class NoExplanation(LookupError):
    """A code without a text: one that somebody added and did not explain."""


@cache
def explanation(code: Code) -> Explanation:
    """The text about a code."""
    file = files("headwater.model") / "explanations" / f"{code.value}.md"
    if not file.is_file():
        raise NoExplanation(f"{code.value} has no text: write model/explanations/{code.value}.md")
    title, summary, markdown = file.read_text("utf-8").strip().split("\n\n", 2)
    if title != f"# {code.value}" or not all(f"\n## {section}\n" in markdown for section in (WHY, REMEDY)):
        raise NoExplanation(f"{code.value}.md needs its code as title, and the sections {WHY!r} and {REMEDY!r}")
    return Explanation(code, " ".join(summary.split()), markdown, _example(markdown))


def _example(markdown: str) -> Example | None:
    options: dict[str, Any] = {}
    for fence in _FENCE.finditer(markdown):
        if fence["language"] == "json":
            options["schema"] = fence["text"]
        elif fence["language"] in ("sql", "yaml", "python"):
            for word in fence["attributes"].split():
                key, _, value = word.partition("=")
                options[key] = float(value) if key in _NUMBERS else value
            return Example(fence["language"], fence["text"], options)
    return None
