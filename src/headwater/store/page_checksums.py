"""Checksums of Parquet's pages, where pyarrow knows them; with an older one, the checksums of whole files have to do."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

_KNOWN = int(pa.__version__.partition(".")[0]) >= 16
WRITE: dict[str, Any] = {"write_page_checksum": True} if _KNOWN else {}
"""How a writer of Parquet files adds them."""
READ: dict[str, Any] = {"page_checksum_verification": True} if _KNOWN else {}
"""How a reader checks them: Spark's files have them, and ours."""
