"""Writes docs/coverage.md: how many cases each construct has in each dialect.

Rows, columns and what a dialect does without are declared in `coverage_facts.toml`; the numbers come from the cases. A folder
that no row names gets a row of its own below the others, whose empty cells are questions until somebody declares it.
Run it as a script to write the page.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from case_file import CASES, Case, all_cases

FACTS = Path(__file__).parent / "coverage_facts.toml"
PAGE = Path(__file__).parent.parent / "docs" / "coverage.md"
_BY_DIALECT = "dialect"
"""The folder with one file per dialect: its cases count where their `covers=` says."""


@dataclass(frozen=True)
class Construct:
    """A row: what it is called, whose cases it counts, which dialects do without it and why."""

    id: str
    name: str
    cases: tuple[str, ...]
    without: dict[str, str] = field(default_factory=dict)
    general: bool = False
    """The rule does not depend on the dialect: an empty cell is no gap."""

    def has(self, path: str) -> bool:
        """Whether a case file, `folder/name`, belongs to this row."""
        return any(path == each or path.startswith(f"{each}/") for each in self.cases)


@dataclass(frozen=True)
class Facts:
    """What is declared: the columns with their dialects, and the rows."""

    columns: dict[str, tuple[str, ...]]
    constructs: tuple[Construct, ...]

    def column_of(self, dialect: str) -> str:
        """The column that counts a dialect's cases."""
        return next((name for name, dialects in self.columns.items() if dialect in dialects), dialect)


def read_facts(path: Path = FACTS) -> Facts:
    """The declared facts; a row may only leave out dialects that are columns."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    columns = {name: tuple(dialects) for name, dialects in raw["columns"].items()}
    constructs = tuple(Construct(**{**each, "cases": tuple(each["cases"])}) for each in raw["construct"])
    for construct in constructs:
        unknown = set(construct.without) - set(columns)
        if unknown:
            raise ValueError(f"{construct.id} leaves out {', '.join(sorted(unknown))}, which is no column")
    return Facts(columns, constructs)


@dataclass(frozen=True)
class Table:
    """The numbers: cases by construct and column, and what the facts say nothing about."""

    facts: Facts
    counts: Counter[tuple[str, str]]
    undeclared: tuple[str, ...]
    """Folders or files of cases that no row names."""

    @property
    def gaps(self) -> list[tuple[str, str]]:
        """Cells without a case though the dialect has the construct, as construct and column."""
        return [
            (construct.id, column)
            for construct in self.facts.constructs
            for column in self.facts.columns
            if not construct.general and column not in construct.without and not self.counts[construct.id, column]
        ]


def count(cases: Iterable[Case], facts: Facts) -> Table:
    """Count the cases that hold; a case counts once for each construct it belongs to."""
    counts: Counter[tuple[str, str]] = Counter()
    undeclared: dict[str, None] = {}
    known = {construct.id for construct in facts.constructs}
    for case in cases:
        if "notimpl" in case.blocks:
            continue
        path = str(case.path.relative_to(CASES).with_suffix(""))
        attributes = case.blocks["sql"].attributes
        covered = [each for each in attributes.get("covers", "").split(",") if each]
        if set(covered) - known:
            raise ValueError(f"{case.id} covers {', '.join(sorted(set(covered) - known))}, which is no construct")
        rows = dict.fromkeys([*(c.id for c in facts.constructs if c.has(path)), *covered])
        if not rows and path.partition("/")[0] != _BY_DIALECT:
            rows = {path.partition("/")[0]: None}
            undeclared.update(rows)
        for row in rows:
            counts[row, facts.column_of(attributes["dialect"])] += 1
    return Table(facts, counts, tuple(undeclared))


def render(table: Table) -> str:
    """The page."""
    columns = list(table.facts.columns)
    lines = [
        "# Coverage",
        "",
        "How many literate cases (`tests/cases`) each construct has in each dialect. `–` stands where the dialect does without the",
        "construct; the reasons are below. Written by `make coverage-table`, which also lists what is missing.",
        "",
        "| construct | " + " | ".join(columns) + " |",
        "|---" * (len(columns) + 1) + "|",
    ]
    for construct in table.facts.constructs:
        cells = (_cell(table, construct, column) for column in columns)
        lines.append(f"| {construct.name} | " + " | ".join(cells) + " |")
    for folder in table.undeclared:
        cells = (str(table.counts[folder, column] or "?") for column in columns)
        lines.append(f"| {folder.replace('_', ' ')} | " + " | ".join(cells) + " |")
    lines += ["", *_columns(table.facts), "", *_reasons(table.facts)]
    if table.gaps:
        lines += ["", "## Missing", "", *(f"* {construct}: {column}" for construct, column in table.gaps)]
    if table.undeclared:
        lines += [
            "",
            "## Not declared",
            "",
            "`?` is a cell of a construct that `tests/coverage_facts.toml` does not know yet:",
            "",
        ]
        lines += [f"* {folder}" for folder in table.undeclared]
    return "\n".join(lines) + "\n"


def _cell(table: Table, construct: Construct, column: str) -> str:
    number = table.counts[construct.id, column]
    if number:
        return str(number)
    return "–" if column in construct.without else "·" if construct.general else ""


def _columns(facts: Facts) -> list[str]:
    shared = [f"`{name}` is {', '.join(dialects)}" for name, dialects in facts.columns.items() if len(dialects) > 1]
    return ["Of the columns, " + "; ".join(shared) + ". `·` means that the rule does not depend on the dialect."]


def _reasons(facts: Facts) -> list[str]:
    lines = ["## What dialects do without", "", "| construct | dialect | because |", "|---|---|---|"]
    for construct in facts.constructs:
        by_reason: dict[str, list[str]] = {}
        for column, reason in construct.without.items():
            by_reason.setdefault(reason, []).append(column)
        lines += [f"| {construct.name} | {', '.join(names)} | {reason} |" for reason, names in by_reason.items()]
    return lines


def main() -> None:
    """Write the page, and say what is missing."""
    table = count(all_cases(), read_facts())
    PAGE.write_text(render(table), encoding="utf-8")
    print(f"{PAGE.name}: {len(table.facts.constructs)} constructs, {len(table.gaps)} cells are empty")
    for construct, column in table.gaps:
        print(f"  no case of {construct} in {column}")
    for folder in table.undeclared:
        print(f"  {folder} is not declared in {FACTS.name}: its row, and which dialects do without it")


if __name__ == "__main__":
    main()
