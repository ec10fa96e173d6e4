"""An edge of the truth, as it stands in a row of `relations.csv.gz`."""

from __future__ import annotations

from typing import NamedTuple

QUERY = "query:"
"""Begins the name of a query that writes nothing; the MD5 of its text follows."""


class Edge(NamedTuple):
    """A target column, a source column, and how: `fdd` or `fdr`, and the subtype (empty where a whole row set influences)."""

    target_table: str
    target_column: str
    source_table: str
    source_column: str
    type: str
    subtype: str
