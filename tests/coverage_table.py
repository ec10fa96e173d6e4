"""Writes docs/coverage.md: how many cases each construct has in each dialect.

Rows, columns and what a dialect does without are declared in `coverage_facts.toml`; the numbers come from the cases. Every case
belongs to a row; folders and files that no row names are told. A cell whose only cases are known to fail is marked, and the page says
why below the tables.
Run it as a script to write the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import tomllib

from case_file import CASES, Case, all_cases
from headwater.sql.dialect import dialect

FACTS = Path(__file__).parent / "coverage_facts.toml"
PAGE = Path(__file__).parent.parent / "docs" / "coverage.md"
_BY_DIALECT = "dialect"
"""The folder with one file per dialect: its cases count where their `covers=` says."""
_BY_VENDOR = "vendor"
"""The folder with the statements of dialects that have no column: one file per dialect, counted in a table of their own."""

Cell = tuple[str, str]
"""A construct's id and a column."""

_INTRODUCTION = """\
# Coverage

How many literate cases (`tests/cases`) each construct has in each dialect. A case is SQL, the reason why its lineage is what it is, and
that lineage, checked on every change. Written by `make coverage-table`, which also lists what is missing.

| in a cell | means |
|---|---|
| a number | that many cases hold |
| `–` | the dialect does without the construct; [the reasons](#what-dialects-do-without) are below |
| `·` | the rule does not depend on the dialect, and is shown in another one |
| `✗` | the dialect has it, and we do not read it yet; [what fails](#not-yet) is below |
"""


@dataclass(frozen=True)
class Construct:
    """A row: what it is called, whose cases it counts, which dialects do without it and why."""

    id: str
    name: str
    cases: tuple[str, ...]
    without: dict[str, str] = field(default_factory=dict)
    """Reasons by column."""
    general: bool = False
    """The rule does not depend on the dialect: an empty cell is no gap."""
    group: str = "Constructs"
    """The heading above the table that the row stands in."""

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

    def rows_of(self, case: Case) -> list[str]:
        """The constructs that a case belongs to: those that name its file, and those that it covers."""
        covered = [each for each in case.blocks["sql"].attributes.get("covers", "").split(",") if each]
        unknown = set(covered) - {construct.id for construct in self.constructs}
        if unknown:
            raise ValueError(f"{case.id} covers {', '.join(sorted(unknown))}, which is no construct")
        path = _path(case)
        return [*dict.fromkeys([*(c.id for c in self.constructs if c.has(path)), *covered])]

    def nearest(self, path: str) -> str:
        """What to declare for a file that no row names: its folder, or the file alone if rows name others of the folder."""
        folder = path.partition("/")[0]
        divided = any(each.startswith(f"{folder}/") for c in self.constructs for each in c.cases)
        return path if divided else folder


def read_facts(path: Path = FACTS) -> Facts:
    """The declared facts; a row may only leave out dialects that are columns."""
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    columns = {name: tuple(dialects) for name, dialects in raw["columns"].items()}
    constructs = []
    for each in raw["construct"]:
        without = {column: reason for reason, left_out in each.get("without", {}).items() for column in left_out}
        unknown = set(without) - set(columns)
        if unknown:
            raise ValueError(f"{each['id']} leaves out {', '.join(sorted(unknown))}, which is no column")
        constructs.append(Construct(**{**each, "cases": tuple(each["cases"]), "without": without}))
    return Facts(columns, tuple(constructs))


@dataclass(frozen=True)
class Table:
    """The numbers: cases by construct and column, those that are known to fail, and what the facts say nothing about."""

    facts: Facts
    counts: Counter[Cell]
    failing: dict[Cell, tuple[Case, ...]]
    """Cases with a `notimpl` block."""
    undeclared: tuple[str, ...]
    """Folders or files of cases that no row names."""
    vendors: dict[str, tuple[int, int]] = field(default_factory=dict)
    """How many statements of a vendor's syntax hold, and how many are known to fail, by dialect."""

    @property
    def gaps(self) -> list[Cell]:
        """Cells without any case though the dialect has the construct."""
        return [
            (construct.id, column)
            for construct in self.facts.constructs
            for column in self.facts.columns
            if not construct.general and column not in construct.without and not self._has_case((construct.id, column))
        ]

    @property
    def not_yet(self) -> list[Cell]:
        """Cells all of whose cases are known to fail."""
        return [
            (construct.id, column)
            for construct in self.facts.constructs
            for column in self.facts.columns
            if (construct.id, column) in self.failing and not self.counts[construct.id, column]
        ]

    def _has_case(self, cell: Cell) -> bool:
        return bool(self.counts[cell]) or cell in self.failing


def count(cases: Iterable[Case], facts: Facts) -> Table:
    """Count the cases that hold; a case counts once for each construct it belongs to."""
    counts: Counter[Cell] = Counter()
    failing: dict[Cell, tuple[Case, ...]] = {}
    undeclared: dict[str, None] = {}
    vendors: dict[str, tuple[int, int]] = {}
    for case in cases:
        if _path(case).startswith(f"{_BY_VENDOR}/"):
            spoken = case.blocks["sql"].attributes["dialect"]
            right, wrong = vendors.get(spoken, (0, 0))
            fails = "notimpl" in case.blocks
            vendors[spoken] = (right + (not fails), wrong + fails)
            continue
        rows = facts.rows_of(case)
        if not rows and not _path(case).startswith(f"{_BY_DIALECT}/"):
            undeclared[facts.nearest(_path(case))] = None
        column = facts.column_of(case.blocks["sql"].attributes["dialect"])
        for row in rows:
            if "notimpl" in case.blocks:
                failing[row, column] = (*failing.get((row, column), ()), case)
            else:
                counts[row, column] += 1
    return Table(facts, counts, failing, tuple(undeclared), vendors)


def _path(case: Case) -> str:
    return case.path.relative_to(CASES).with_suffix("").as_posix()


def render(table: Table) -> str:
    """The page."""
    parts = [_INTRODUCTION, _columns(table.facts)]
    for group in dict.fromkeys(construct.group for construct in table.facts.constructs):
        parts.append("\n".join(_rows(table, group)) + "\n")
    sections = (_vendors(table), _not_yet(table), _reasons(table.facts))
    parts += ["\n".join(section) + "\n" for section in sections if section]
    return "\n".join(parts)


def _rows(table: Table, group: str) -> Iterator[str]:
    columns = list(table.facts.columns)
    yield from (f"## {group}", "", "| construct | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|")
    for construct in table.facts.constructs:
        if construct.group == group:
            cells = (_cell(table, construct, column) for column in columns)
            yield f"| {construct.name} | " + " | ".join(cells) + " |"


def _cell(table: Table, construct: Construct, column: str) -> str:
    number = table.counts[construct.id, column]
    if number:
        return str(number)
    if (construct.id, column) in table.failing:
        return "✗"
    return "–" if column in construct.without else "·" if construct.general else ""


def _columns(facts: Facts) -> str:
    shared = [f"`{name}` counts {', '.join(dialects)}" for name, dialects in facts.columns.items() if len(dialects) > 1]
    return f"{'; '.join(shared)}. A case may count in several rows.\n" if shared else ""


def _vendors(table: Table) -> list[str]:
    """A line per dialect without a column: how many statements of its vendor's syntax are right."""
    lines = [
        f"| {name} | {dialect(name).parent or '–'} | {right} | {wrong or '–'} |"
        for name, (right, wrong) in sorted(table.vendors.items())
    ]
    head = [
        "## Vendors' syntax",
        "",
        "Statements as the vendor documents them (`tests/cases/vendor`), for dialects without a column.",
    ]
    return [*head, "", "| dialect | descends from | right | named gaps |", "|---|---|---|---|", *lines] if lines else []


def _not_yet(table: Table) -> list[str]:
    """A line per marked cell, with what its cases say about why they fail."""
    names = {construct.id: construct.name for construct in table.facts.constructs}
    lines = [
        f"* {names[cell[0]]}, {cell[1]}: {case.title}. {' '.join(case.blocks['notimpl'].lines)}"
        for cell in table.not_yet
        for case in table.failing[cell]
    ]
    return ["## Not yet", "", *lines] if lines else []


def _reasons(facts: Facts) -> list[str]:
    """A line per construct: reasons, and the columns that each holds for."""
    lines = ["## What dialects do without", ""]
    for construct in facts.constructs:
        by_reason: dict[str, list[str]] = {}
        for column, reason in construct.without.items():
            by_reason.setdefault(reason, []).append(column)
        if by_reason:
            told = "; ".join(f"{reason} ({', '.join(columns)})" for reason, columns in by_reason.items())
            lines.append(f"* {construct.name}: {told}")
    return lines


def main() -> None:
    """Write the page, and say what is missing."""
    table = count(all_cases(), read_facts())
    PAGE.write_text(render(table), encoding="utf-8")
    print(f"{PAGE.name}: {len(table.facts.constructs)} constructs, {len(table.gaps)} cells are empty")
    for construct, column in table.gaps:
        print(f"  no case of {construct} in {column}")
    for construct, column in table.not_yet:
        print(f"  {construct} in {column} is not implemented")
    for folder in table.undeclared:
        print(f"  {folder} is not declared in {FACTS.name}: its row, and which dialects do without it")


if __name__ == "__main__":
    main()
