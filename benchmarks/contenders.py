"""Who takes part: a label for the table, the peer it belongs to, its environment, and its adapter."""

from __future__ import annotations

from dataclasses import dataclass

from peers import HERE


@dataclass(frozen=True, slots=True)
class Contender:
    """One row of the table. `adapter` is `module:class` below `adapters`; `peer` is what `--peers` selects by."""

    label: str
    peer: str
    environment: str
    adapter: str


UNIT = Contender("parse (sqlglot[c])", "parse", "sqlglot", "sqlglot_parse:Parse")

HEADWATER = (
    Contender("headwater", HERE, HERE, "headwater_analyze:Analyze"),
    Contender("headwater + column edges", HERE, HERE, "headwater_analyze:ColumnEdges"),
    Contender("headwater + complete records", HERE, HERE, "headwater_analyze:CompleteRecords"),
)

PEERS = (
    Contender("sqlglot lineage, as documented", "sqlglot", "sqlglot", "sqlglot_lineage:PerColumn"),
    Contender("sqlglot lineage, all columns", "sqlglot", "sqlglot", "sqlglot_lineage:AllColumns"),
    Contender("sqlglot lineage, best", "sqlglot", "sqlglot", "sqlglot_lineage:Untrimmed"),
    Contender("sqllineage (sqlparse)", "sqllineage", "sqllineage", "sqllineage_runner:SqlParse"),
    Contender("sqllineage (sqlfluff)", "sqllineage", "sqllineage", "sqllineage_runner:SqlFluff"),
    Contender("DataHub", "datahub", "datahub", "datahub_parser:DataHub"),
    Contender("sql-glider", "sql-glider", "sql-glider", "sqlglider_analyzer:Lenient"),
    Contender("sql-glider, strict", "sql-glider", "sql-glider", "sqlglider_analyzer:Strict"),
    Contender("openlineage-sql (partial)", "openlineage-sql", "openlineage-sql", "openlineage_parser:OpenLineage"),
)

PEER_NAMES = tuple(dict.fromkeys(contender.peer for contender in PEERS))
