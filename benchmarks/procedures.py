"""Real procedures through the analyser: what was found in them, and what was said.

    python benchmarks/procedures.py FOLDER … [--dialect postgres] [--worst 10]

A folder is an unpacked source distribution, an installed package, or any folder of scripts. Read are `.sql` files, and string literals of
Python files that create a routine; nothing is copied anywhere. The dialect is the one given, or the first of several that understands most.
Printed are counts by dialect (scripts, routines, statements, diagnostics by code) and the scripts that went worst; a defect is the only
thing that makes the exit code 1.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import headwater
from headwater.model.diagnostic import Code
from material.corpus import Sql, distinct, known_dialect
from material.python_strings import literal_text, python_tree

_ROUTINE = re.compile(
    r"\b(?:create|replace|alter)\s+(?:or\s+(?:replace|alter)\s+)?(?:\S+\s+){0,3}?"
    r"(?:procedure|proc|function|trigger|package|macro)\s",
    re.IGNORECASE,
)
_BLOCK = re.compile(r"^\s*(?:declare|begin)\b|\bdo\s+\$", re.IGNORECASE | re.MULTILINE)
_TRIED = ("postgres", "tsql", "oracle", "mysql", "snowflake", "bigquery", "teradata", "databricks")
_DEFECTS = (Code.INTERNAL_ERROR, Code.CRASHED, Code.TIMEOUT)
_UNREAD = (Code.SYNTAX_ERROR, Code.UNSUPPORTED_STATEMENT)


@dataclass(slots=True)
class Tally:
    """The counts of one dialect."""

    scripts: int = 0
    routines: int = 0
    statements: int = 0
    codes: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One script, analysed."""

    script: Sql
    lineage: headwater.Lineage

    @property
    def unread(self) -> int:
        """How many times something was not understood."""
        return sum(d.code in _UNREAD for d in self.lineage.diagnostics)

    @property
    def defects(self) -> int:
        """How many times the analyser itself went wrong."""
        return sum(d.code in _DEFECTS for d in self.lineage.diagnostics)


def main() -> int:
    """Analyse what was named; the exit code is 1 if anything went wrong inside."""
    arguments = _arguments()
    tallies: dict[str, Tally] = {}
    outcomes = []
    for script in distinct(s for folder in arguments.folder for s in _scripts(folder, arguments.dialect)):
        outcome = _analysed(script)
        outcomes.append(outcome)
        _count(tallies.setdefault(outcome.script.dialect, Tally()), outcome)
    for line in _report(tallies, outcomes, arguments.worst):
        print(line)
    return 1 if any(outcome.defects for outcome in outcomes) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="+", type=Path)
    parser.add_argument("--dialect", default="", help="of all scripts; else several are tried")
    parser.add_argument("--worst", type=int, default=10, help="how many of the scripts that went worst are named")
    return parser.parse_args()


def _scripts(folder: Path, dialect: str) -> Iterator[Sql]:
    """Everything below a folder that has to do with routines."""
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in (".sql", ".pls", ".pkb", ".pks", ".prc", ".fnc", ".trg") and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            if _ROUTINE.search(text) or _BLOCK.search(text):
                yield Sql(str(path), dialect or _named(path), text)
        elif path.suffix == ".py" and path.is_file():
            for line, text in _literals(path):
                yield Sql(f"{path}:{line}", dialect or _named(path), text)


def _named(path: Path) -> str:
    """The dialect that a folder on the way is named after; nothing if none is."""
    found = (known_dialect(part) for part in reversed(path.parts[:-1]))
    return next((dialect for dialect in found if dialect not in (None, "ansi")), None) or ""


def _literals(path: Path) -> Iterator[tuple[int, str]]:
    tree = python_tree(path)
    for node in ast.walk(tree) if tree is not None else ():
        text = literal_text(node)
        if text is not None and text.count(" ") > 3 and _ROUTINE.match(text.lstrip()):
            yield node.lineno, text  # type: ignore[attr-defined]


def _analysed(script: Sql) -> Outcome:
    """A script by its dialect, or by the one of several that leaves the least unread; of equal ones, that finds the most."""
    tried = []
    for dialect in (script.dialect,) if script.dialect else _TRIED:
        lineage = headwater.analyze(script.text, dialect=dialect)
        tried.append(Outcome(Sql(script.name, dialect, script.text), lineage))
    return min(tried, key=lambda outcome: (outcome.unread, -len(outcome.lineage.column_edges())))


def _count(tally: Tally, outcome: Outcome) -> None:
    processes = [statement.resolution.process for statement in outcome.lineage.statements]
    tally.scripts += 1
    tally.routines += sum(len(statement.resolution.functions) for statement in outcome.lineage.statements)
    tally.statements += len(processes)
    tally.codes.update(d.code.value for d in outcome.lineage.diagnostics)


def _report(tallies: dict[str, Tally], outcomes: list[Outcome], worst: int) -> Iterator[str]:
    for dialect, tally in sorted(tallies.items()):
        yield f"{dialect}: {tally.scripts:,} scripts, {tally.routines:,} routines, {tally.statements:,} statements"
        for code, number in tally.codes.most_common():
            yield f"  {code:<28}{number:>8,}"
    bad = sorted((o for o in outcomes if o.unread or o.defects), key=lambda o: (-o.defects, -o.unread))
    for outcome in bad[:worst]:
        first = next(d for d in outcome.lineage.diagnostics if d.code in (*_DEFECTS, *_UNREAD))
        line = outcome.script.text.count("\n", 0, first.span.start) + 1
        yield f"{outcome.unread:>5} unread  {outcome.script.name} ({outcome.script.dialect}): line {line}: {first.message}"


if __name__ == "__main__":
    raise SystemExit(main())
