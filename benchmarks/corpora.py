"""Real SQL in bulk: `python benchmarks/corpora.py` prints a table per corpus; see README.md for where the SQL comes from.

The exit status is 1 if anything crashed.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bulk import Measurement, measure
from material.package_index import Unavailable
from material.sources import SOURCES

CACHE = Path(tempfile.gettempdir()) / "headwater-corpora"
Figures = Mapping[str, float]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the corpora that were asked for."""
    options = _options(arguments)
    before = _saved(options.against) if options.against else {}
    found: list[Measurement] = []
    for name in options.corpus:
        try:
            corpus = SOURCES[name](options.cache)
        except Unavailable as error:
            print(f"{name}: skipped, {error}\n")
            continue
        found.append(measure(corpus))
        print("\n".join(_table(found[-1], before.get(name))), end="\n\n", flush=True)
    if options.json:
        options.json.write_text(json.dumps(_document(found), indent=1) + "\n", encoding="utf-8")
    if options.remarks:
        with options.remarks.open("w", encoding="utf-8") as file:
            for measurement in found:
                for remark in measurement.remarks:
                    print(json.dumps({"corpus": measurement.name, **asdict(remark)}), file=file)
    return 1 if any(m.crashes for m in found) else 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Analyse real SQL in bulk.")
    parser.add_argument("corpus", nargs="*", help=f"which of {', '.join(SOURCES)} (all)")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where downloads are kept (%(default)s)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="save the figures")
    parser.add_argument("--against", type=Path, metavar="FILE", help="show saved figures as before → after")
    parser.add_argument("--remarks", type=Path, metavar="FILE", help="save every diagnostic, one JSON object per line")
    options = parser.parse_args(arguments)
    options.corpus = options.corpus or list(SOURCES)
    unknown = [name for name in options.corpus if name not in SOURCES]
    if unknown:
        parser.error(f"unknown corpus {', '.join(unknown)}; known are {', '.join(SOURCES)}")
    return options


def _document(found: list[Measurement]) -> dict[str, Any]:
    return {m.name: {"origin": m.origin, "figures": m.figures(), "seconds": round(m.seconds, 2)} for m in found}


def _saved(path: Path) -> dict[str, Figures]:
    content = json.loads(path.read_text(encoding="utf-8"))
    return {name: {**saved["figures"], "seconds": saved["seconds"]} for name, saved in content.items()}


def _table(measurement: Measurement, before: Figures | None) -> Iterator[str]:
    yield f"{measurement.name}  ({measurement.origin})"
    figures = {**measurement.figures(), "seconds": round(measurement.seconds, 2)}
    names = [*figures, *(name for name in before or () if name not in figures)]
    for name in names:
        now = figures.get(name, 0)
        shown = f"{now:>10,}"
        if before is not None and before.get(name, 0) != now:
            shown = f"{before.get(name, 0):>10,} → {now:,}"
        yield f"  {name:<24}{shown}{_share(name, figures)}"


_WHOLES = {"parsed": "statements", "clean": "statements", "explained": "outputs"}


def _share(name: str, figures: Figures) -> str:
    whole = figures.get(_WHOLES.get(name, ""), 0)
    return f"  {100 * figures[name] / whole:.1f} %" if whole else ""


if __name__ == "__main__":
    raise SystemExit(main())
