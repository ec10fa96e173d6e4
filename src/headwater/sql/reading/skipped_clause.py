"""Clauses that a reader leaves out: those that are known to be about storage, refreshing or access are no loss, others are named."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.diagnostic import Code, Diagnostic
from headwater.sql.reading.reading import Reading, is_string, span_of, word

_WORDS = """
    AGGREGATE ALIGN ALL APPEND AT AUTO AUTOREFRESH BACKUP BASE_LOCATION BUCKETS BUFFERING BUILD BY CACHE CATALOG CCSID
    CHANGE_TRACKING CHARACTER CHARSET CHECKSUM CLUSTER CLUSTERED COLLATE COMMENT COMPRESS COMPRESSION CONNECTION
    COPY DATA DATABLOCKSIZE DATA_RETENTION_TIME_IN_DAYS DAY DAYS DEFAULT DEFERRED DEFINER DISABLE DIST DISTKEY DISTRIBUTE
    DISTRIBUTED DISTSTYLE DUPLICATE EMPTY ENABLE ENCODE ENCODED ENCODING END ENGINE EVERY EXECUTE EXTERNAL_VOLUME FALLBACK
    FILE_FORMAT FOR FORMAT FREESPACE GRACE HAVING HOUR HOURS IGNORE IMMEDIATE IN INCLUDE INDEX INITIALIZE INITIALLY
    INMEMORY INSERT_METHOD INTO JOURNAL KEY KSAFE LAG LANGUAGE LIFECYCLE LOCALSORT LOCATION LOG LOGGING MAINTAINED MASTER
    MAX_ROWS MERGEBLOCKRATIO MINUTE MINUTES MIN_ROWS MONTH MONTHS NEVER NEXT NO NOCACHE NOCOMPRESS NOLOGGING
    NOPARALLEL NOT NULL ON OPTIONS ORDER ORGANIZATION ORGANIZE PARALLEL PARTITION PARTITIONED PARTITIONS PCTFREE
    PCTUSED POPULATE PRESERVE PRIMARY PROPERTIES PROPERTY QUERY REFRESH REFRESH_MODE REPLACE REPLACED RESTRICT
    RETENTION REWRITE ROW ROW_FORMAT SCHEDULE SECOND SECONDS SECURITY SEGMENT SEGMENTED SETTINGS SHARD SKEWED SORT
    SORTED SORTKEY SQL START STARTUP STORAGE STORE STORED SUSPENDED TABLESPACE TAG TARGET_LAG TBLPROPERTIES TITLE TRIGGER
    TTL UNIQUE UNSEGMENTED USING WAREHOUSE WATERMARK WEEK WEEKS WITH WITHOUT
"""
_QUIET = frozenset(_WORDS.split())
"""Words that begin clauses about how rows are stored, refreshed, named or shown."""


def note_skipped(reading: Reading, tokens: Sequence[Token]) -> None:
    """Tell of a stretch that is left out, unless all its clauses are known: one begins it, others follow a bracket or a literal."""
    depth = 0
    for i, token in enumerate(tokens):
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        begins = depth == 0 and (i == 0 or _ends_clause(tokens[i - 1]))
        if begins and _is_word(token) and word(token) not in _QUIET:
            span = span_of(tokens[i:])
            message = f"the clause that begins with {token.text!r} is not known and was read over"
            reading.notes.append(Diagnostic(Code.SKIPPED_CLAUSE, message, span, token.text.upper()))
            return


def begins_known_clause(reading: Reading) -> bool:
    """Whether a clause begins here that is known to be about storage, refreshing or access."""
    return reading.word() in _QUIET


def _ends_clause(token: Token) -> bool:
    return token.token_type is TokenType.R_PAREN or token.token_type is TokenType.NUMBER or is_string(token)


def _is_word(token: Token) -> bool:
    return word(token).replace("_", "").isalpha()
