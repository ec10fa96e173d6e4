"""Oracle's MODEL clause as a subquery of CASE expressions.

A MODEL has the partition and dimension columns of its query, and measures, which rules assign cell by cell. So a measure is its first value
or, in the cells that its dimensions choose, what a rule computes. A rule may use other measures; their rules count as well.

    SELECT c, y, s FROM t MODEL PARTITION BY (c) DIMENSION BY (y) MEASURES (a s) RULES (s[2002] = s[2001] + 1)
    SELECT c, y, s FROM (SELECT c, y, CASE WHEN y IS NOT NULL THEN (a) + 1 ELSE a END AS s FROM t)

A reference model is a query that rules look values up in: `r.v[1]` is `(SELECT v FROM (…) WHERE k = (1))`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.respell.rule import Tokens, closing, following, made, reads, respells, word

_OPEN = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET})
_CLOSE = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET})


class _Item(NamedTuple):
    """A dimension or measure: what it is first, and its name."""

    value: Sequence[Token]
    name: Token


class _Rule(NamedTuple):
    measure: str
    value: Sequence[Token]


class _Reference(NamedTuple):
    """A query with dimensions, whose measures rules read."""

    name: str
    query: Sequence[Token]
    dimensions: list[_Item]
    measures: list[_Item]


@respells("MODEL", "oracle")
def model(tokens: Tokens, i: int) -> Tokens:
    """The query without MODEL; what is no such clause stays as it is."""
    references, main = _references(tokens, i)
    dimension = following(tokens, main, lambda n: word(tokens, n) in ("DIMENSION", "REFERENCE", ")"))
    select = _select_before(tokens, i)
    if not reads(tokens, dimension, "DIMENSION", "BY", "(") or select < 0:
        return tokens
    partition = following(tokens[:dimension], main, lambda n: word(tokens, n) == "PARTITION BY")
    partitions = _items(_inside(tokens, partition + 1)) if partition < dimension else []
    dimensions = _items(_inside(tokens, dimension + 2))
    measured = closing(tokens, dimension + 2) + 1
    if not reads(tokens, measured, "MEASURES", "("):
        return tokens
    measures = _items(_inside(tokens, measured + 1))
    start = _rules_at(tokens, closing(tokens, measured + 1) + 1)
    rules = [rule for part in _parts(_inside(tokens, start)) for rule in _rule(part)]
    end = closing(tokens, start) + 1 if start < len(tokens) else len(tokens)
    from_ = following(tokens, select + 1, lambda n: word(tokens, n) == "FROM")
    columns = _Columns(tokens[i], dimensions, measures, rules, references).spelled([*partitions, *dimensions])
    head = [*tokens[: from_ + 1], *_made(tokens[i], "( SELECT")]
    return [*head, *columns, *tokens[from_:i], *_made(tokens[i], ")"), *tokens[end:]]


def _references(tokens: Tokens, i: int) -> tuple[list[_Reference], int]:
    """The reference models behind MODEL, and where the main model begins."""
    found: list[_Reference] = []
    at = following(tokens, i + 1, lambda n: word(tokens, n) in ("REFERENCE", "DIMENSION", ")"))
    while reads(tokens, at, "REFERENCE") and word(tokens, at + 2) == "ON" and word(tokens, at + 3) == "(":
        dimension = closing(tokens, at + 3) + 1
        measured = closing(tokens, dimension + 2) + 1
        if not reads(tokens, dimension, "DIMENSION", "BY", "(") or not reads(tokens, measured, "MEASURES", "("):
            break
        dimensions, measures = _items(_inside(tokens, dimension + 2)), _items(_inside(tokens, measured + 1))
        found.append(_Reference(word(tokens, at + 1), _inside(tokens, at + 3), dimensions, measures))
        behind = closing(tokens, measured + 1) + 1
        at = following(tokens, behind, lambda n: word(tokens, n) in ("REFERENCE", "MAIN", "PARTITION BY", "DIMENSION"))
    return found, at if found else i + 1


def _select_before(tokens: Tokens, i: int) -> int:
    """The SELECT of the query that a token stands in; -1 for none."""
    depth = 0
    for n in range(i - 1, -1, -1):
        depth += (tokens[n].token_type in _CLOSE) - (tokens[n].token_type in _OPEN)
        if depth < 0:
            return -1
        if depth == 0 and tokens[n].token_type is TokenType.SELECT:
            return n
    return -1


def _rules_at(tokens: Tokens, start: int) -> int:
    """The bracket of the rules, behind the words that say how they are applied."""
    return following(
        tokens, start, lambda n: word(tokens, n) == "(" and word(tokens, n - 1) not in ("ITERATE", "UNTIL")
    )


def _inside(tokens: Tokens, opening: int) -> Tokens:
    return tokens[opening + 1 : closing(tokens, opening)] if opening < len(tokens) else []


def _parts(tokens: Sequence[Token]) -> list[Tokens]:
    """What stands between the commas outside of brackets of both kinds."""
    parts: list[Tokens] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.token_type in _OPEN) - (token.token_type in _CLOSE)
        if token.token_type is TokenType.COMMA and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _items(tokens: Sequence[Token]) -> list[_Item]:
    """`a`, `t.a`, `a b`, `a + 1 AS b`."""
    return [_item(part) for part in _parts(tokens)]


def _item(part: Tokens) -> _Item:
    if word(part, len(part) - 2) == "AS":
        return _Item(part[:-2], part[-1])
    aliased = len(part) > 1 and part[-2].text != "." and part[-1].token_type in (TokenType.VAR, TokenType.IDENTIFIER)
    return _Item(part[:-1] if aliased else part, part[-1])


def _rule(part: Tokens) -> list[_Rule]:
    """`[UPSERT [ALL]] s[…] = value`; nothing for what is no assignment."""
    depth = 0
    names = [token for token in part if word([token], 0) not in ("UPDATE", "UPSERT", "ALL")]
    for i, token in enumerate(part):
        depth += (token.token_type in _OPEN) - (token.token_type in _CLOSE)
        if depth == 0 and token.token_type is TokenType.EQ:
            return [_Rule(names[0].text.upper(), part[i + 1 :])]
    return []


class _Columns:
    """The columns of a model, spelled as select items."""

    def __init__(
        self,
        at: Token,
        dimensions: list[_Item],
        measures: list[_Item],
        rules: list[_Rule],
        references: list[_Reference],
    ) -> None:
        self.at = at
        self.references = references
        self.dimensions = dimensions
        self.measures = measures
        self.rules = rules
        self.values = {item.name.text.upper(): item.value for item in (*dimensions, *measures)}

    def spelled(self, plain: list[_Item]) -> Tokens:
        """All columns, those that are passed on before the measures."""
        found: Tokens = []
        for item in plain:
            found += [*item.value, *_made(self.at, "AS"), item.name, *_made(self.at, ",")]
        for item in self.measures:
            found += [*self._measure(item), *_made(self.at, "AS"), item.name, *_made(self.at, ",")]
        return found[:-1]

    def _measure(self, item: _Item) -> Tokens:
        rules = self._rules_of(item.name.text.upper())
        if not rules:
            return list(item.value)
        found = _made(self.at, "CASE")
        for rule in rules:
            found += [
                *_made(self.at, "WHEN"),
                *self._chosen(),
                *_made(self.at, "THEN ("),
                *self._written_out(rule.value),
            ]
            found += _made(self.at, ")")
        return [*found, *_made(self.at, "ELSE"), *item.value, *_made(self.at, "END")]

    def _rules_of(self, measure: str) -> list[_Rule]:
        """The rules that a measure depends on: its own, and those of the measures that they use."""
        wanted, seen = [measure], {measure}
        found: list[_Rule] = []
        while wanted:
            name = wanted.pop()
            for rule in (each for each in self.rules if each.measure == name):
                found.append(rule)
                used = {token.text.upper() for token in rule.value} - seen
                wanted += sorted(used)
                seen |= used
        return found

    def _chosen(self) -> Tokens:
        """That the dimensions choose a cell."""
        found: Tokens = []
        for item in self.dimensions:
            found += [*item.value, *_made(self.at, "IS NOT NULL AND")]
        return found[:-1]

    def _written_out(self, tokens: Sequence[Token]) -> Tokens:
        """A rule's value: cells as the first values of their measures, `CV(y)` as the dimension y."""
        found: Tokens = []
        i = 0
        while i < len(tokens):
            name = word(tokens, i)
            value = self.values.get(name)
            cell = self._cell(tokens, i) if self.references else None
            if cell is not None:
                found += self._looked_up(*cell, tokens)
                i = _bracket_end(tokens, cell[2])
            elif name in ("CV", "CURRENTV") and word(tokens, i + 1) == "(":
                inner = _inside(list(tokens), i + 1)
                found += self._written_out(inner) or _made(self.at, "NULL")
                i = closing(tokens, i + 1)
            elif name == "ITERATION_NUMBER":
                found += _made(self.at, "NULL")
            elif value is not None:
                found += [*_made(self.at, "("), *value, *_made(self.at, ")")]
            elif tokens[i].token_type is TokenType.L_BRACKET:
                i = _bracket_end(tokens, i)
            else:
                found.append(tokens[i])
            i += 1
        return found

    def _cell(self, tokens: Sequence[Token], i: int) -> tuple[_Reference, _Item, int] | None:
        """The measure of a reference model that a cell names, `r.v[1]` or `v[1]`, and where its bracket opens."""
        qualified = word(tokens, i + 1) == "."
        bracket = i + 3 if qualified else i + 1
        if bracket >= len(tokens) or tokens[bracket].token_type is not TokenType.L_BRACKET:
            return None
        name = word(tokens, i + 2) if qualified else word(tokens, i)
        if not qualified and name in self.values:
            return None
        for reference in self.references:
            for measure in reference.measures:
                if measure.name.text.upper() == name and (not qualified or reference.name == word(tokens, i)):
                    return reference, measure, bracket
        return None

    def _looked_up(self, reference: _Reference, measure: _Item, bracket: int, tokens: Sequence[Token]) -> Tokens:
        """The value of a cell of a reference model, as a subquery."""
        indexes = _parts(tokens[bracket + 1 : _bracket_end(tokens, bracket)])
        conditions: Tokens = []
        for dimension, index in zip(reference.dimensions, indexes, strict=False):
            value = self._written_out(index[2:] if word(index, 1) == "=" else index)
            conditions += [*dimension.value, *_made(self.at, "= ("), *value, *_made(self.at, ") AND")]
        head = [*_made(self.at, "( SELECT"), *measure.value, *_made(self.at, "FROM ("), *reference.query]
        return [*head, *_made(self.at, ") WHERE"), *conditions[:-1], *_made(self.at, ")")]


def _bracket_end(tokens: Sequence[Token], i: int) -> int:
    """The bracket that closes the index of a cell."""
    depth = 0
    for n in range(i, len(tokens)):
        depth += (tokens[n].token_type is TokenType.L_BRACKET) - (tokens[n].token_type is TokenType.R_BRACKET)
        if depth == 0:
            return n
    return len(tokens) - 1


_KINDS = {
    "SELECT": TokenType.SELECT,
    "AS": TokenType.ALIAS,
    "CASE": TokenType.CASE,
    "WHEN": TokenType.WHEN,
    "THEN": TokenType.THEN,
    "ELSE": TokenType.ELSE,
    "END": TokenType.END,
    "IS": TokenType.IS,
    "NOT": TokenType.NOT,
    "NULL": TokenType.NULL,
    "AND": TokenType.AND,
    "FROM": TokenType.FROM,
    "WHERE": TokenType.WHERE,
    "=": TokenType.EQ,
    "(": TokenType.L_PAREN,
    ")": TokenType.R_PAREN,
    ",": TokenType.COMMA,
}


def _made(at: Token, words: str) -> Tokens:
    return [made(each, _KINDS[each], at) for each in words.split()]
