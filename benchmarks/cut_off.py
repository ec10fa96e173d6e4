"""Every case cut off behind each of its words: `python benchmarks/cut_off.py [--part 1/2]`.

A text that ends too early must end in a diagnostic, never in an internal error. The exit status is 1 if one did.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import headwater
from case_file import all_cases
from headwater.model.diagnostic import Code

_WORD = re.compile(r"'[^']*'|\"[^\"]*\"|\w+|[^\s\w]")
_LONGEST = 600
"""Characters of the longest case that is cut: programs would take hours."""


def _texts(part: int, parts: int) -> Iterator[tuple[str, str]]:
    """Dialects and texts, each pair once."""
    seen: set[tuple[str, str]] = set()
    for number, case in enumerate(all_cases()):
        if number % parts != part - 1 or "sql" not in case.blocks or len(case.sql) > _LONGEST:
            continue
        dialect = case.blocks["sql"].attributes.get("dialect") or "ansi"
        for word in _WORD.finditer(case.sql):
            text = (dialect, case.sql[: word.end()])
            if text not in seen:
                seen.add(text)
                yield text


def main() -> int:
    """Try all texts; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="1/1", help="2/3 is the second of three parts")
    part, _, parts = parser.parse_args().part.partition("/")
    tried, found = 0, set[str]()
    for dialect, text in _texts(int(part), int(parts or 1)):
        tried += 1
        for said in headwater.analyze(text, dialect=dialect).diagnostics:
            if said.code is Code.INTERNAL_ERROR and said.message not in found:
                found.add(said.message)
                print(f"{said.message}\n  {dialect}: {text!r}", flush=True)
    print(f"{tried:,} texts, {len(found)} found")
    return int(bool(found))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    sys.exit(main())
