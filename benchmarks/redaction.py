"""How many literals of ordinary SQL are taken for secrets: `python benchmarks/redaction.py [--bulk] [FOLDER…]`.

It reads the folders; by default the shared corpora and the examples. `--bulk` reads the corpora of `corpora.py` instead. It prints
the share of literals with a masked part, and lists them: on corpora without secrets each is a mistake. The exit status is 1 above
the limit.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from corpora import CACHE
from corpus import SHARED
from headwater.sql.dialect import dialect
from headwater.sql.secrets.tokens import is_string
from headwater.sql.source import source
from headwater.sql.split import pieces
from headwater.sql.text import read_text
from material.package_index import Unavailable
from material.sources import SOURCES

LIMIT = 0.001
"""The share of literals that may be masked."""
EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


class Script(NamedTuple):
    """A script, where it stands, and its dialect."""

    name: str
    text: str
    dialect: str


class Literals(NamedTuple):
    """The literals of a file: how many there are, and those that are masked, with the text around."""

    number: int
    masked: list[str]


def main() -> int:
    """Count, list, and end with 1 above the limit."""
    options = _options()
    total, masked, files = 0, 0, 0
    for name, sql, spoken in bulk(options.cache) if options.bulk else scripts(options.folders):
        found = literals(sql, spoken)
        files, total, masked = files + 1, total + found.number, masked + len(found.masked)
        for line in found.masked:
            print(f"{name}: {line}")
    print(f"{masked} of {total} literals masked in {files} files: {masked / max(total, 1):.4%}")
    return int(masked > LIMIT * total)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Count the literals that are taken for secrets.")
    parser.add_argument("folders", nargs="*", type=Path, default=[SHARED, EXAMPLES], help="folders of .sql files")
    parser.add_argument("--bulk", action="store_true", help="the corpora of corpora.py instead")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where downloads are kept (%(default)s)")
    return parser.parse_args()


def scripts(folders: Iterable[Path]) -> Iterator[Script]:
    """The scripts of folders."""
    for folder in folders:
        for file in sorted(folder.rglob("*.sql")):
            spoken = "postgres" if "postgres" in str(file) else "spark"
            yield Script(str(file.relative_to(folder)), read_text(file).text, spoken)


def bulk(cache: Path) -> Iterator[Script]:
    """The scripts of all corpora that can be had."""
    for name, source_of in SOURCES.items():
        try:
            found = source_of(cache)
        except Unavailable as error:
            print(f"{name}: skipped, {error}")
            continue
        for script in found.scripts:
            yield Script(f"{name}/{script.name}", script.text, script.dialect.partition(",")[0])


def literals(sql: str, name: str) -> Literals:
    """The literals of a script."""
    spoken = dialect(name)
    number, masked = 0, list[str]()
    for piece in pieces(source(sql, spoken), spoken):
        for token in filter(is_string, piece.tokens):
            number += 1
            if piece.text.slice(token.start, token.end + 1) != piece.text.raw[token.start : token.end + 1]:
                masked.append(" ".join(piece.text.slice(max(token.start - 60, 0), token.end + 20).split()))
    return Literals(number, masked)


if __name__ == "__main__":
    sys.exit(main())
