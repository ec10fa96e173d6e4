"""What a statement may define: the names behind CREATE, ALTER, RENAME, EXCHANGE, CACHE, DECLARE, PREPARE, sp_rename and a query's INTO.

Statements inside of others count as well: those of a task, a procedure, a block. DROP defines nothing.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.entity import TableName
from headwater.sql.dialect import Dialect
from headwater.sql.mentions.names import chain_at, is_name, name_behind
from headwater.sql.mentions.strings import tokens_of
from headwater.sql.mentions.words import Words
from headwater.sql.moving_calls import TRAINING_CALLS
from headwater.sql.spelled_name import in_quotes
from headwater.sql.words import is_string, word

Made = tuple[TableName, bool]
"""A name as it is written, and whether it is that of something temporary."""

_KINDS = frozenset(
    {"TABLE", "VIEW", "FUNCTION", "MACRO", "STREAM", "DICTIONARY", "SYNONYM", "ALIAS", "NICKNAME", "SNAPSHOT", "STAGE"}
    | {"PROCEDURE", "PROC", "PACKAGE", "MODEL", "TYPE"}
)
"""What is defined, and can be read from or called."""
_STREAMED = _KINDS | {"SOURCE", "SINK", "SUBSCRIPTION"}
"""The same where sources deliver rows and sinks send them out."""
_OTHERS = frozenset(
    {"TRIGGER", "TASK", "INDEX", "SEQUENCE", "POLICY", "ROLE", "USER"}
    | {"SCHEMA", "DATABASE", "COLUMN", "AS", "ON", "FOR", "FROM", "INTO", "SELECT", "BEGIN", "(", ";"}
)
"""Words that no kind comes behind."""
_CLAUSES = frozenset({"AS", "("})
"""Those that may stand behind a kind that is not known, and its name."""
_TEMPORARY = frozenset({"TEMP", "TEMPORARY", "VOLATILE"})
SPECIFICATION = "%specification"
"""Behind a package's name: what it declares, apart from what it does."""
_REACH = 20
"""Tokens within which a CREATE says what it makes: MySQL's views have an algorithm and a definer before."""
_LENGTH = 1_000
"""Tokens within which an ALTER says all that it does."""


def definitions(words: Words, dialect: Dialect) -> Iterator[Made]:
    """The names that a statement may define."""
    return (made for made in _definitions(words, dialect) if made[0])


def _definitions(words: Words, dialect: Dialect) -> Iterator[Made]:
    """The same, some of them empty where a statement ends too early."""
    tokens = words.tokens
    first = word(tokens[0]).partition(" ")[0] if tokens else ""
    if dialect.calls_move_rows:
        yield from _trained(words, dialect)
    if first in ("SELECT", "WITH", "SEL"):
        yield from _selected_into(words, dialect)
        return
    if first in _BEGINNINGS:
        yield from _BEGINNINGS[first](tokens, 0, dialect)
    for i in words.of_kind(_ANYWHERE):
        yield from _ANYWHERE[words.kinds[i]](tokens, i, dialect)


def _created(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[Made]:
    """CREATE [OR REPLACE] [TEMPORARY] TABLE [IF NOT EXISTS] t; of `TABLE FUNCTION f`, the second word is the kind."""
    kind, passed = _kind(tokens, i + 1, _STREAMED if dialect.streams else _KINDS)
    name = name_behind(tokens, kind + 1, dialect) if kind else ()
    if name and word(tokens[kind]) == "TYPE" and word(tokens[kind + 1]) == "BODY":
        return
    if name and _is_specification(tokens, kind):
        yield (*name, SPECIFICATION), False
    elif name:
        yield name, bool(passed & _TEMPORARY)
        if "GLOBAL" in passed and len(name) == 1:
            yield ("global_temp", *name), bool(passed & _TEMPORARY)
    elif "RULE" in passed:
        yield _view_of_rule(tokens, i, dialect), False
    elif not kind and not passed & _OTHERS:
        yield from _unknown(tokens, i + 2, dialect)


def _view_of_rule(tokens: Sequence[Token], i: int, dialect: Dialect) -> TableName:
    """The view of PostgreSQL's `CREATE RULE r AS ON SELECT TO v`; nothing for a rule that acts on changes."""
    for at in range(i, min(i + _REACH, len(tokens) - 2)):
        if [word(token) for token in tokens[at : at + 3]] == ["ON", "SELECT", "TO"]:
            return name_behind(tokens, at + 3, dialect)
    return ()


def _unknown(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[Made]:
    """The names of `CREATE kind name … AS query` for a kind that is not known: any name before AS and the first bracket."""
    for at in range(i, min(i + _REACH, len(tokens))):
        if word(tokens[at]) in _OTHERS:
            return
        yield chain_at(tokens, at, dialect)[0], False


def _kind(tokens: Sequence[Token], i: int, kinds: frozenset[str] = _KINDS) -> tuple[int, set[str]]:
    """The token that says what is made, 0 if none does, and the words before it."""
    passed: set[str] = set()
    for at in range(i, min(i + _REACH, len(tokens) - 1)):
        words = word(tokens[at]).split()
        if words and words[-1] in kinds and word(tokens[at + 1]) not in ("TABLE", "VIEW", "FUNCTION"):
            return at, passed
        if words and words[0] in _OTHERS:
            passed.update(words[:1] if words[0] not in _CLAUSES else ())
            break
        passed.update(words)
    return 0, passed


def _is_specification(tokens: Sequence[Token], kind: int) -> bool:
    """Whether a CREATE PACKAGE makes no body: who calls the package's routines needs that one."""
    return word(tokens[kind]) == "PACKAGE" and word(tokens[kind + 1]) != "BODY"


def specification_of(words: Words, dialect: Dialect) -> TableName:
    """The specification that a package's body needs; empty for any other statement."""
    tokens = words.tokens
    kind, _ = _kind(tokens, 1) if tokens and word(tokens[0]) == "CREATE" else (0, set())
    if not kind or word(tokens[kind]) != "PACKAGE" or _is_specification(tokens, kind):
        return ()
    name = name_behind(tokens, kind + 1, dialect)
    return (*name, SPECIFICATION) if name else ()


def may_use_packages(words: Words, dialect: Dialect) -> bool:
    """Whether a statement is a program or a specification, which may declare variables of packages' types."""
    first = word(words.tokens[0]) if words.tokens and dialect.family == "oracle" else ""
    if first == "CREATE":
        kind, _ = _kind(words.tokens, 1)
        return "BEGIN" in words.upper or (kind > 0 and _is_specification(words.tokens, kind))
    return first in ("DECLARE", "BEGIN")


def _altered(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[Made]:
    """ALTER TABLE t …, with the name that it gets by RENAME TO, SWAP WITH or SET SCHEMA; ALTER SCHEMA s TRANSFER t."""
    if i + 1 < len(tokens) and word(tokens[i + 1]) == "SCHEMA":
        yield from _transferred(tokens, i, dialect)
        return
    kind, _ = _kind(tokens, i + 1, _STREAMED if dialect.streams else _KINDS)
    old = name_behind(tokens, kind + 1, dialect) if kind else ()
    if not old or _adds_foreign_key(tokens, kind + 1):
        return
    yield old, False
    yield from _renamed_together(tokens, kind + 1, dialect)
    for at in range(kind + 1, min(kind + _LENGTH, len(tokens) - 1)):
        words = word(tokens[at]), word(tokens[at + 1])
        if words[0] == "RENAME":
            yield from _renamed(old, _new_name(tokens, at + 1, dialect))
        elif words == ("SWAP", "WITH"):
            yield name_behind(tokens, at + 2, dialect), False
        elif words == ("REPLACE", "WITH"):  # Doris' `REPLACE WITH TABLE u`
            yield name_behind(tokens, at + 3, dialect), False
        elif words == ("SET", "SCHEMA"):
            yield (*name_behind(tokens, at + 2, dialect), old[-1]), False


def _renamed_together(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[Made]:
    """Vertica's `ALTER TABLE a, b RENAME TO c, d`; nothing where a single table is altered."""
    old, end = _listed(tokens, i, dialect)
    if len(old) > 1 and [word(token) for token in tokens[end : end + 2]] == ["RENAME", "TO"]:
        new, _ = _listed(tokens, end + 2, dialect)
        for before, after in zip(old, new, strict=False):
            yield before, False
            yield from _renamed(before, after)


def _listed(tokens: Sequence[Token], i: int, dialect: Dialect) -> tuple[list[TableName], int]:
    """The names with commas between that begin at a token, and the token behind them."""
    name, end = chain_at(tokens, i, dialect)
    names = [name]
    while end < len(tokens) and tokens[end].token_type is TokenType.COMMA:
        name, end = chain_at(tokens, end + 1, dialect)
        names.append(name)
    return names, end


def _adds_foreign_key(tokens: Sequence[Token], i: int) -> bool:
    """Whether all that an ALTER does is to add a foreign key, after which the table is what it was."""
    words = [word(token) for token in tokens[i : i + _LENGTH]]
    if "FOREIGN KEY" not in words or "ADD" not in words:
        return False
    add, key = words.index("ADD"), words.index("FOREIGN KEY")
    named = words[add + 1 : add + 2] == ["CONSTRAINT"] and key == add + 3
    depth = [words[: at + 1].count("(") - words[: at + 1].count(")") for at, sign in enumerate(words) if sign == ","]
    return (named or key == add + 1) and all(depth)


def _new_name(tokens: Sequence[Token], i: int, dialect: Dialect) -> TableName:
    """The name behind `RENAME TO`, `RENAME AS` or, where that is all, `RENAME`; empty where a column gets another name."""
    if word(tokens[i]) in ("TO", "AS"):
        return name_behind(tokens, i + 1, dialect)
    name, end = chain_at(tokens, i, dialect)
    return name if end == len(tokens) else ()


def _renamed(old: TableName, new: TableName) -> Iterator[Made]:
    """The new name, which may be in the schema of the old one without saying so."""
    if new:
        yield new, False
        if len(new) < len(old):
            yield (*old[: -len(new)], *new), False


def _transferred(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[Made]:
    schema = name_behind(tokens, i + 2, dialect)
    table = chain_at(tokens, len(tokens) - 1, dialect)[0]
    yield (*schema, *table), False


def _paired(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[Made]:
    """RENAME TABLE a TO b, c TO d; EXCHANGE TABLES a AND b: all names are defined, the new ones perhaps in the schema of the old."""
    old: TableName = ()
    at = i + 1 + (i + 1 < len(tokens) and word(tokens[i + 1]) in _PLURALS)
    at += at < len(tokens) and tokens[at].text == "::"  # Synapse's `RENAME OBJECT::a TO b`
    while at < len(tokens) and is_name(tokens[at]):
        name, at = chain_at(tokens, at, dialect)
        yield name, False
        yield from _renamed(old, name)
        renames = at < len(tokens) and word(tokens[at]) in ("TO", "AS", "AND")
        old = name if renames else ()
        at += 1


_PLURALS = frozenset({"TABLE", "TABLES", "VIEW", "DICTIONARY", "DICTIONARIES", "OBJECT"})


def _renamed_by_procedure(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[Made]:
    """`EXEC sp_rename 's.t', 'u'`, and `EXEC sp_rename 's.t.a', 'b', 'COLUMN'`, after which `s.t` is another table."""
    if not any(word(token) == "SP_RENAME" for token in tokens[i : i + _REACH]):
        return
    given = [token.text for token in tokens if is_string(token)]
    names = [chain_at(tokens_of(text, dialect), 0, dialect)[0] for text in given[:2]]
    if len(names) < 2 or not all(names):
        return
    old, new = names
    yield old[:-1] if "COLUMN" in map(str.upper, given[2:]) else old, False
    yield (*old[:-1], *new), False


def _trained(words: Words, dialect: Dialect) -> Iterator[Made]:
    """Vertica's `SELECT LINEAR_REG('model', 'table', …)`: the first text names the model."""
    for i in [i for i, each in enumerate(words.upper) if each in _TRAINING]:
        at = bisect(words.strings, i)
        if at < len(words.strings) and words.upper[i + 1] == "(":
            text = words.tokens[words.strings[at]].text
            for inner in (tokens_of(text, dialect), tokens_of(in_quotes(text), dialect)):
                yield chain_at(inner, 0, dialect)[0] if inner else (), False


_TRAINING = frozenset(map(str.upper, TRAINING_CALLS))


def _cached(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[Made]:
    """CACHE TABLE c AS SELECT …; without a query, what is cached is there already."""
    kind, _ = _kind(tokens, i + 1)
    if kind and any(token.token_type is TokenType.SELECT for token in tokens):
        yield name_behind(tokens, kind + 1, dialect), True


def _prepared(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[Made]:
    """`PREPARE p AS …`, which EXECUTE names."""
    yield name_behind(tokens, i + 1, dialect), True


def _declared(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[Made]:
    """`DECLARE @t TABLE (…)`, and Db2's DECLARE GLOBAL TEMPORARY TABLE t."""
    if i + 1 < len(tokens) and tokens[i + 1].text == "@":
        name, end = chain_at(tokens, i + 1, dialect)
        if "TABLE" in map(word, tokens[end : end + 2]):
            yield name, True
        return
    kind, passed = _kind(tokens, i + 1)
    if kind and passed & _TEMPORARY:
        yield name_behind(tokens, kind + 1, dialect), True


def _selected_into(words: Words, dialect: Dialect) -> Iterator[Made]:
    """SELECT … INTO t, INTO TEMP TABLE t."""
    tokens = words.tokens
    for i in words.of_kind((TokenType.INTO,)):
        start = i + 1
        while start + 1 < len(tokens) and word(tokens[start]) in _BEFORE_NEW and is_name(tokens[start + 1]):
            start += 1
        name = name_behind(tokens, start, dialect)
        if name:
            yield name, bool(_TEMPORARY & set(map(word, tokens[i + 1 : start])))


_BEFORE_NEW = _TEMPORARY | {"LOCAL", "GLOBAL", "UNLOGGED", "TABLE"}

_Reader = Callable[[Sequence[Token], int, Dialect], Iterator[Made]]
_BEGINNINGS: dict[str, _Reader] = {
    "RENAME": _paired,
    "EXCHANGE": _paired,
    "REPLACE": _created,
    "ATTACH": _created,
    "CACHE": _cached,
    "DECLARE": _declared,
    "PREPARE": _prepared,
    "EXEC": _renamed_by_procedure,
    "EXECUTE": _renamed_by_procedure,
    "SP_RENAME": _renamed_by_procedure,
}
_ANYWHERE: dict[TokenType, _Reader] = {
    TokenType.CREATE: _created,
    TokenType.ALTER: _altered,
    TokenType.DECLARE: _declared,
}
