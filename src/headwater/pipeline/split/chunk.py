"""What scripts are cut into, as chunks of packed tables (`packed`).

A snapshot keeps these chunks without their texts, which may hold secrets and are in the scripts anyway.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from headwater.model.diagnostic import Diagnostic
from headwater.model.span import Position, Span
from headwater.order.cut import Cut
from headwater.pipeline.extract.definition import table_id
from headwater.pipeline.packed import chunk_schema, pack
from headwater.pipeline.plan.units import piece_ids
from headwater.store.identity import identify

_INT, _ID, _TEXT, _FLAG = pa.int32(), pa.int64(), pa.string(), pa.bool_()
NEVER = 0
"""In place of a key: no script has this one."""

_PIECE = [("script_id", _ID), ("ordinal", _INT)]
SCHEMAS: Mapping[str, pa.Schema] = {
    "keys": pa.schema([("script_id", _ID), ("content_key", _ID), ("crashed", _FLAG), ("made_in", _ID)]),
    "scripts": pa.schema([("script_id", _ID), ("redacted", _TEXT), ("digest", _TEXT)]),
    "diagnostics": pa.schema(
        [
            ("script_id", _ID),
            *((name, _TEXT) for name in ("code", "severity", "message", "subject", "hint")),
            *((name, _INT) for name in ("start", "end", "line", "column")),
        ]
    ),
    "pieces": pa.schema(
        [
            *_PIECE,
            ("text_key", _ID),
            ("exact", _ID),
            ("scoped", _FLAG),
        ]
    ),
    "names": pa.schema(
        [("text_key", _ID), ("temporary", _FLAG), ("mentions", pa.list_(_ID)), ("defines", pa.list_(_ID))]
    ),
    "places": pa.schema(
        [*_PIECE, *((name, _INT) for name in ("start", "end", "line", "column")), ("query_hash", _TEXT)]
    ),
    "texts": pa.schema(
        [
            ("piece_id", _ID),
            *((name, _TEXT) for name in ("raw", "readable", "dialect", "schema")),
            ("default_schema", pa.list_(_TEXT)),
        ]
    ),
}
"""Of scripts: the key that says whether they have changed, their text without secrets, what is wrong with them as a whole. Of pieces: what
decides on their unit; their places; their texts. Of the distinct texts of a chunk: the names in them."""
CUT = chunk_schema(*SCHEMAS)
KEPT = pa.schema([field for field in CUT if field.name != "texts"])
"""What is kept of a chunk."""


class CutBuilder:
    """Takes cut scripts, and makes a chunk of them."""

    def __init__(self) -> None:
        self._rows: dict[str, list[tuple[Any, ...]]] = {name: [] for name in SCHEMAS}
        self._texts: set[int] = set()
        self.size = 0
        """How many characters the scripts have."""

    def script(self, identity: int, content_key: int, redacted: str, crashed: bool, known_by: str) -> None:
        """Add a script; one that crashed is cut again in the next build, because that may have been chance."""
        digest = f"{identify(known_by) & 0xFFFF_FFFF_FFFF_FFFF:016x}"
        self._rows["keys"].append((identity, content_key, crashed))
        self._rows["scripts"].append((identity, redacted, digest))
        self.size += len(redacted)

    def piece(self, script: int, ordinal: int, cut: Cut, dialect: str, schema: str, key: str) -> None:
        """Add a piece of a script; *key* is what else shapes its analysis."""
        default = ".".join(cut.default_schema or ()) if cut.mentions.unqualified else ""
        text_key = identify("text", cut.fingerprint, cut.readable or "", f"{dialect} {schema}", default, key)
        temporary = bool(cut.mentions.temporary) and set(cut.mentions.defined) <= set(cut.mentions.temporary)
        if text_key not in self._texts:
            self._texts.add(text_key)
            names = (list(map(table_id, each)) for each in (cut.mentions.named, cut.mentions.defined))
            self._rows["names"].append((text_key, temporary, *names))
        exact = int(cut.query_hash[:16], 16) - 2**63
        self._rows["pieces"].append((script, ordinal, text_key, exact, cut.scoped))
        self._rows["places"].append((script, ordinal, *cut.span, *cut.position, cut.query_hash))
        texts = (cut.raw, cut.readable, dialect, schema, cut.default_schema)
        self._rows["texts"].append((0, *texts))  # its id is made with those of all pieces

    def diagnostic(self, script: int, diagnostic: Diagnostic, position: Position | None) -> None:
        """Add what is wrong with a script."""
        span = diagnostic.span or Span(0, 0)
        words = (diagnostic.code.value, diagnostic.severity.value, diagnostic.message)
        hints = (diagnostic.subject, diagnostic.hint)
        self._rows["diagnostics"].append((script, *words, *hints, *span, *(position or (1, 1))))

    def chunk(self, made_in: int) -> pa.RecordBatch:
        """Everything that was added, as a row of packed tables."""
        self._rows["keys"] = [(*row, made_in) for row in self._rows["keys"]]
        tables = {name: _table(rows, SCHEMAS[name]) for name, rows in self._rows.items() if rows}
        if "texts" in tables:
            script, ordinal = (tables["pieces"].column(name).to_numpy() for name in ("script_id", "ordinal"))
            tables["texts"] = tables["texts"].set_column(0, "piece_id", pa.array(piece_ids(script, ordinal)))
        packed = [pack(tables[name]) if name in tables else None for name in SCHEMAS]
        arrays = [pa.array([made_in], pa.int64()), *(pa.array([each], pa.binary()) for each in packed)]
        return pa.RecordBatch.from_arrays(arrays, schema=CUT)


def _table(rows: list[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    columns = zip(*rows, strict=True)
    return pa.Table.from_arrays([pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)
