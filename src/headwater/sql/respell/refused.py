"""Phrases that the grammar always refuses, spelled so that it reads them.

These rules are asked only for a statement that the grammar has refused, so they cost all others nothing. A phrase that the grammar takes
for something else must be a rule of `rule`, which is asked before.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.respell.rule import (
    Edit,
    PhraseRule,
    Tokens,
    closing,
    following,
    made,
    opening,
    reads,
    replaced,
    word,
)

_CHARACTERS = frozenset("-+*/<>=~!@#%^&|?")


def respelled_when_refused(tokens: Tokens, dialect: Dialect) -> Tokens:
    """The tokens with the phrases that the grammar refuses in its own words; the same list where there are none."""
    typed = _is_typed if dialect.own_operators else lambda *_: False
    called = [i for i, token in enumerate(tokens) if word(tokens, i) in _RULES or typed(tokens, i, token)]
    return replaced(tokens, called, lambda i: _RULES.get(word(tokens, i), _typed_literal)(tokens, i))


def _is_typed(tokens: Tokens, i: int, token: Token) -> bool:
    follows = i + 1 < len(tokens) and tokens[i + 1].token_type is TokenType.STRING
    return follows and token.token_type is TokenType.VAR and word(tokens, i - 1) not in (".", "AS")


def _typed_literal(tokens: Tokens, i: int) -> Edit | None:
    """`inet '10.0.0.1'`, `polygon '…'`: a string with its type, of which PostgreSQL and its kin may have any."""
    return Edit(i, i + 1)


def _search(tokens: Tokens, i: int) -> Edit | None:
    """`SEARCH DEPTH FIRST BY a DESC, b SET ord`."""
    return _set_by(tokens, i + 4) if word(tokens, i - 1) == ")" and word(tokens, i + 3) == "BY" else None


def _cycle(tokens: Tokens, i: int) -> Edit | None:
    """`CYCLE a, b SET looped TO 'Y' DEFAULT 'N' USING path`."""
    return _set_by(tokens, i + 1) if i and tokens[i - 1].token_type is not TokenType.FROM else None


def _set_by(tokens: Tokens, start: int) -> Edit | None:
    """`a DESC, b SET ord` as `a SET ord TO (a, b)`: the grammar reads one column there, and any value behind TO."""
    set_ = following(tokens, start, lambda n: word(tokens, n) == "SET")
    if set_ == start or set_ + 1 >= len(tokens):
        return None
    end = set_ + 2 + 4 * (word(tokens, set_ + 2) == "TO" and word(tokens, set_ + 4) == "DEFAULT")
    listed = [tokens[n] for n in range(start, set_) if word(tokens, n) not in _DIRECTIONS]
    to = made("TO", TokenType.VAR, tokens[start])
    return Edit(start + 1, end, [*tokens[set_ : set_ + 2], to, *_bracketed(listed)])


def _bracketed(tokens: Tokens) -> Tokens:
    """Some tokens with brackets around them; nothing stays nothing."""
    return tokens and [made("(", TokenType.L_PAREN, tokens[0]), *tokens, made(")", TokenType.R_PAREN, tokens[-1])]


_DIRECTIONS = frozenset({"ASC", "DESC", "NULLS", "FIRST", "LAST"})


def _using(tokens: Tokens, i: int) -> Edit | None:
    """`JOIN u USING (k) AS j`: j is another name for the merged columns. `ORDER BY a USING >`: an operator in the place of ASC."""
    matched = following(tokens, i, lambda n: word(tokens, n) == "WHEN" and _is_matched(tokens, n + 1))
    if matched < len(tokens):
        return _joined_source(tokens, i + 1, matched)
    if word(tokens, i + 1) == "(":
        end = closing(tokens, i + 1)
        return Edit(end + 1, end + 3) if word(tokens, end + 1) == "AS" else None
    end = i + 1
    while end < len(tokens) and set(tokens[end].text) <= _CHARACTERS:
        end += 1
    return Edit(i, end) if end > i + 1 else None


def _is_matched(tokens: Tokens, i: int) -> bool:
    return word(tokens, i) == "MATCHED" or reads(tokens, i, "NOT", "MATCHED")


def _joined_source(tokens: Tokens, start: int, matched: int) -> Edit | None:
    """`MERGE INTO t USING a JOIN b ON … ON … WHEN MATCHED`: the grammar reads a join in brackets."""
    at = range(start, matched)
    joins = any(tokens[n].token_type is TokenType.JOIN for n in at)
    last = max((n for n in at if following(tokens, start, n.__eq__) == n and word(tokens, n) == "ON"), default=start)
    if not joins or last == start:
        return None
    return Edit(start, last, _bracketed(tokens[start:last]))


def _values(tokens: Tokens, i: int) -> Edit | None:
    """`WITH c AS (…) VALUES (…), (…)`: rows behind CTEs, as `SELECT * FROM (VALUES …)`."""
    if word(tokens, i - 1) != ")" or word(tokens, opening(tokens, i - 1) - 1) not in ("AS", "MATERIALIZED"):
        return None
    end = i + 1
    while word(tokens, end) == "(":
        end = closing(tokens, end) + 1
        end += word(tokens, end) == "," and word(tokens, end + 1) == "("
    words = (("SELECT", TokenType.SELECT), ("*", TokenType.STAR), ("FROM", TokenType.FROM))
    alias = made("AS", TokenType.ALIAS, tokens[i]), made("rows_of_values", TokenType.VAR, tokens[i])
    return Edit(i, end, [*(made(*each, tokens[i]) for each in words), *_bracketed(tokens[i:end]), *alias])


def _xml_parse(tokens: Tokens, i: int) -> Edit | None:
    """`XMLPARSE(DOCUMENT a PRESERVE WHITESPACE)`: how much of a document the text is."""
    if word(tokens, i + 1) != "(" or word(tokens, i + 2) not in ("DOCUMENT", "CONTENT"):
        return None
    end = closing(tokens, i + 1)
    last = next((n for n in range(end - 1, i, -1) if word(tokens, n) not in _XML_ENDINGS), i)
    return Edit(i + 2, end, tokens[i + 3 : last + 1])


_XML_ENDINGS = frozenset({"PRESERVE", "STRIP", "WHITESPACE", "WELLFORMED"})


def _xml_instruction(tokens: Tokens, i: int) -> Edit | None:
    """`XMLPI(NAME php, a)`: the name is a word."""
    if not reads(tokens, i + 1, "(", "NAME") or i + 3 >= len(tokens):
        return None
    comma = word(tokens, i + 4) == ","
    text = [] if comma else [made("", TokenType.STRING, tokens[i + 3])]
    return Edit(i + 2, i + 4 + comma, text)


def _xml_root(tokens: Tokens, i: int) -> Edit | None:
    """`XMLROOT(a, VERSION b, STANDALONE YES)`: words before the version, and none for a value."""
    if word(tokens, i + 1) != "(":
        return None
    end = closing(tokens, i + 1)
    kept: Tokens = []
    for n in range(i + 2, end):
        if word(tokens, n) in ("STANDALONE", "VERSION") and word(tokens, n - 1) == ",":
            if word(tokens, n) == "STANDALONE" or word(tokens, n + 1) == "NO":
                return Edit(i + 2, end, kept[:-1])
            continue
        kept.append(tokens[n])
    return Edit(i + 2, end, kept)


def _similar(tokens: Tokens, i: int) -> Edit | None:
    """`SUBSTRING(a SIMILAR b ESCAPE c)` takes three arguments."""
    end = following(tokens, i, lambda n: tokens[n].token_type is TokenType.R_PAREN)
    if word(tokens, i + 1) == "TO" or end == len(tokens):
        return None
    comma = made(",", TokenType.COMMA, tokens[i])
    return Edit(i, end, [comma if word(tokens, n) in ("SIMILAR", "ESCAPE") else tokens[n] for n in range(i, end)])


def _at_local(tokens: Tokens, i: int) -> Edit | None:
    """`a AT LOCAL`: in the time zone of the session."""
    return Edit(i - 1, i + 1) if word(tokens, i - 1) == "AT" else None


def _collation_for(tokens: Tokens, i: int) -> Edit | None:
    """`COLLATION FOR (a)` is a function with a word between its name and its bracket."""
    return Edit(i + 1, i + 2) if reads(tokens, i + 1, "FOR", "(") else None


def _json_returning(tokens: Tokens, i: int) -> Edit | None:
    """`JSON_OBJECT('a' VALUE b RETURNING JSONB)`: the type of what a constructor makes."""
    depth, start = 0, i
    while start > 0 and depth < 1:
        start -= 1
        kind = tokens[start].token_type
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
    return Edit(i, closing(tokens, start)) if word(tokens, start - 1).startswith("JSON") else None


def _json_null(tokens: Tokens, i: int) -> Edit | None:
    """`JSON_ARRAY(a, b ABSENT ON NULL)`, `… NULL ON NULL`: what becomes of missing values."""
    return Edit(i, i + 3) if reads(tokens, i + 1, "ON", "NULL") else None


def _json_format(tokens: Tokens, i: int) -> Edit | None:
    """`a FORMAT JSON ENCODING UTF8`: a is a document as text."""
    return Edit(i, i + 2 + 2 * reads(tokens, i + 2, "ENCODING")) if reads(tokens, i + 1, "JSON") else None


def _json_unique(tokens: Tokens, i: int) -> Edit | None:
    """`JSON_OBJECT(… WITH UNIQUE KEYS)`."""
    return Edit(i - 1, i + 1 + reads(tokens, i + 1, "KEYS")) if word(tokens, i - 1) in ("WITH", "WITHOUT") else None


def _passing_by(tokens: Tokens, i: int) -> Edit | None:
    """`XMLEXISTS(… PASSING BY REF a)`: by value or by reference."""
    return Edit(i - 1, i + 1) if word(tokens, i - 1) == "BY" else None


def _overriding(tokens: Tokens, i: int) -> Edit | None:
    """`INSERT (a) OVERRIDING SYSTEM VALUE VALUES (…)`, in a MERGE: whether the value of a generated column counts."""
    return Edit(i, i + 3) if word(tokens, i + 2) == "VALUE" else None


def _grouped(tokens: Tokens, i: int) -> Edit | None:
    """`ROLLUP (a < b, c)`: the grammar reads a comparison there in brackets."""
    if word(tokens, i + 1) != "(":
        return None
    end = closing(tokens, i + 1)
    found: Tokens = []
    start = i + 2
    while start < end:
        comma = min(following(tokens, start, lambda n: word(tokens, n) == ","), end)
        part = tokens[start:comma]
        found += _bracketed(part) if len(part) > 1 and closing(part, 0) != len(part) - 1 else part
        found += tokens[comma : comma + 1] if comma < end else []
        start = comma + 1
    return Edit(i + 2, end, found)


def _state(tokens: Tokens, i: int) -> Edit | None:
    """DuckDB's `sum(a) EXPORT_STATE`: the aggregate before it is finished."""
    return Edit(i, i + 1) if word(tokens, i - 1) == ")" else None


def _error(tokens: Tokens, i: int) -> Edit | None:
    """DuckDB's `WHEN NOT MATCHED THEN ERROR 'why'` writes nothing."""
    if word(tokens, i - 1) != "THEN" or word(tokens, 0) not in ("MERGE", "WITH"):
        return None
    end = following(tokens, i, lambda n: word(tokens, n) in ("WHEN", "RETURNING"))
    words = (("DO", TokenType.VAR), ("NOTHING", TokenType.VAR))
    return Edit(i, end, [made(*each, tokens[i]) for each in words])


def _sample(tokens: Tokens, i: int) -> Edit | None:
    """`TABLESAMPLE bernoulli (a + 1) REPEATABLE (2 * 3)`: the grammar reads numbers, or one expression in brackets."""
    start = i + 1 + (word(tokens, i + 1) != "(")
    if tokens[i].token_type is not TokenType.TABLE_SAMPLE or word(tokens, start) != "(":
        return None
    end = closing(tokens, start)
    percent = [tokens[start], *_bracketed(tokens[start + 1 : end]), tokens[end]]
    seed = end + 1
    if word(tokens, seed) != "REPEATABLE" or word(tokens, seed + 1) != "(":
        return Edit(start, end + 1, percent)
    close = closing(tokens, seed + 1)
    constant = not any(word(tokens, n) == "SELECT" for n in range(seed, close))
    return Edit(start, close + 1 if constant else end + 1, percent)


_RULES: dict[str, PhraseRule] = {
    "TABLESAMPLE": _sample,
    "SAMPLE": _sample,
    "SEARCH": _search,
    "CYCLE": _cycle,
    "USING": _using,
    "VALUES": _values,
    "EXPORT_STATE": _state,
    "ERROR": _error,
    "ROLLUP": _grouped,
    "CUBE": _grouped,
    "OVERRIDING": _overriding,
    "RETURNING": _json_returning,
    "ABSENT": _json_null,
    "NULL": _json_null,
    "FORMAT": _json_format,
    "UNIQUE": _json_unique,
    "REF": _passing_by,
    "XMLPARSE": _xml_parse,
    "XMLPI": _xml_instruction,
    "XMLROOT": _xml_root,
    "SIMILAR": _similar,
    "LOCAL": _at_local,
    "COLLATION": _collation_for,
}
"""Rules by the word that calls for them."""
