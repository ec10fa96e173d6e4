"""How many literals of ordinary SQL are taken for secrets: `python benchmarks/redaction.py [FOLDER…]`; by default the corpora and examples.

It prints the share of literals with a masked part, and lists them: on corpora without secrets each is a mistake.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from corpus import SHARED
from headwater.sql.dialect import dialect
from headwater.sql.redact import MASK
from headwater.sql.secrets.tokens import is_string
from headwater.sql.source import source
from headwater.sql.split import pieces
from headwater.sql.text import read_text

LIMIT = 0.001
"""The share of literals that may be masked."""
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


class Literals(NamedTuple):
    """The literals of a file: how many there are, and those that are masked, with the text around."""

    number: int
    masked: list[str]


def main() -> int:
    """Count, list, and end with 1 above the limit."""
    folders = [Path(each) for each in sys.argv[1:]] or [SHARED, EXAMPLES]
    total, masked, files = 0, 0, 0
    for folder in folders:
        for file in sorted(folder.rglob("*.sql")):
            found = literals(read_text(file).text, "postgres" if "postgres" in str(file) else "spark")
            files, total, masked = files + 1, total + found.number, masked + len(found.masked)
            for line in found.masked:
                print(f"{file.relative_to(folder)}: {line}")
    print(f"{masked} of {total} literals masked in {files} files: {masked / max(total, 1):.4%}")
    return int(masked > LIMIT * total)


def literals(sql: str, name: str) -> Literals:
    """The literals of a script."""
    spoken = dialect(name)
    number, masked = 0, list[str]()
    for piece in pieces(source(sql, spoken), spoken):
        for token in filter(is_string, piece.tokens):
            number += 1
            if MASK in piece.text.slice(token.start, token.end + 1):
                masked.append(" ".join(piece.text.slice(max(token.start - 60, 0), token.end + 20).split()))
    return Literals(number, masked)


if __name__ == "__main__":
    sys.exit(main())
