"""The words that begin a clause, or hold a query together."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.fingerprint.walk import FROM, JOIN, LIST, ON, OTHER, START, WHERE, WITH, Walk, means
from headwater.sql.fingerprint.words import CHANGES, CONDITIONS, QUERIES, REST, SET_OPERATIONS, kinds

_T = TokenType


@means(kinds("SELECT"))
def select(walk: Walk, i: int) -> None:
    """A select list begins."""
    if not walk.is_name(i):
        walk.begin(i, LIST)


@means(kinds("ALIAS INTO"))
def word(walk: Walk, i: int) -> None:
    """A word of the query that begins no clause."""
    if not walk.is_name(i):
        walk.write(i)


@means(kinds("WITH"))
def with_(walk: Walk, i: int) -> None:
    """A WITH list begins, if a query is due: otherwise the word has one of its many other meanings."""
    if walk.clause == START:
        walk.begin(i, WITH)


@means(kinds("FROM"))
def from_(walk: Walk, i: int) -> None:
    """FROM, but for that of `a IS DISTINCT FROM b`; a query that begins with it does so at once."""
    before = walk.kinds[i - 1] if i else _T.L_PAREN
    if walk.is_name(i) or (walk.clause >= ON and before is _T.DISTINCT):
        return
    if walk.clause > WITH or before in (_T.L_PAREN, _T.R_PAREN, _T.ALIAS):
        walk.begin(i, FROM)


@means(kinds("JOIN USING"))
def join(walk: Walk, i: int) -> None:
    """JOIN, or the USING of a MERGE; it ends the condition of the join before it."""
    if walk.clause > WITH and not walk.is_name(i):
        walk.begin(i, JOIN)


@means(kinds("ON"))
def on(walk: Walk, i: int) -> None:
    """The condition of a join; anything that begins with ON elsewhere is left alone."""
    if walk.clause <= WITH or walk.is_name(i):
        return
    following = walk.tokens[i + 1].text.upper() if i + 1 < len(walk.tokens) else ""
    joins = walk.clause in (JOIN, ON) and following not in ("DUPLICATE", "CONFLICT")
    walk.begin(i, ON if joins else OTHER)


@means(CONDITIONS)
def condition(walk: Walk, i: int) -> None:
    """WHERE, HAVING, QUALIFY; but not those of a table's options."""
    if walk.clause > WITH and not walk.is_name(i):
        walk.begin(i, WHERE)


@means(REST)
def rest(walk: Walk, i: int) -> None:
    """A clause in which everything is kept."""
    assigned = walk.clause == START and walk.inserts and walk.kinds[i] is _T.SET
    if (walk.clause > WITH or assigned) and not walk.is_name(i):
        walk.begin(i, OTHER)


@means(SET_OPERATIONS)
def set_operation(walk: Walk, i: int) -> None:
    """UNION and its like; but not the EXCEPT of `* EXCEPT (a)`."""
    behind = walk.kinds[i + 1 + (walk.kinds[i + 1] is _T.L_PAREN)]
    if behind in QUERIES or behind in (_T.ALL, _T.DISTINCT, _T.L_PAREN):
        walk.begin(i, START)


@means(CHANGES)
def change(walk: Walk, i: int) -> None:
    """UPDATE, DELETE, MERGE: behind WITH, the statement."""
    if walk.clause == WITH:
        walk.begin(i, FROM)


@means(kinds("INSERT"))
def insert(walk: Walk, i: int) -> None:
    """INSERT: behind WITH, the statement."""
    if walk.clause == WITH:
        walk.begin(i, START)
        walk.inserts = walk.inserts_rows(i)
