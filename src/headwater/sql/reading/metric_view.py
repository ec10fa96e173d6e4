"""Databricks' metric views: `CREATE VIEW v WITH METRICS LANGUAGE YAML AS $$ … $$`. Dimensions and measures are the view's columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span
from headwater.sql.form import Member, SemanticView
from headwater.sql.reading.listed import comma_separated
from headwater.sql.reading.reading import Reading, identifier, reads, word
from headwater.sql.reading.yaml_outline import Scalar, outline
from headwater.sql.tokens import tokenise

_SOURCE = "source"
"""What the joins and expressions call the view's own table."""


@reads("CREATE", "ALTER")
def metric_view(reading: Reading) -> Any:
    """The view by its YAML; raises `ParseError` where that has no source."""
    reading.token()
    reading.take("OR", "REPLACE")
    if not reading.take("VIEW"):
        return None
    reading.take("IF", "NOT", "EXISTS")
    name = reading.name()
    columns = _column_list(reading.brackets()) if reading.at_bracket() else ()
    if reading.find("METRICS") < 0 and not reading.sees("AS"):
        return None
    if not reading.skip_to("AS"):
        return None
    reading.take("AS")
    if not reading.at_string():
        return None
    return _Yaml(reading, reading.token()).view(name, columns)


class _Yaml:
    """The text of a metric view, and how its parts are read."""

    def __init__(self, reading: Reading, string: Token) -> None:
        self.reading = reading
        raw = reading.sql[string.start : string.end + 1]
        found = raw.find(string.text)
        self.start = string.start + max(found, 0)
        self.content = outline(string.text)

    def view(self, name: Any, columns: tuple[Any, ...]) -> SemanticView:
        """The whole; *columns* are the names that the statement lists before the YAML."""
        content = self.content
        if not isinstance(content, dict) or not isinstance(content.get("source"), Scalar):
            raise ParseError("a metric view has a source")
        source = exp.to_identifier(_SOURCE)
        joins = list(self._joins(content.get("joins"), _SOURCE))
        tables = [(source, self._table(content["source"])), *((alias, table) for alias, table, _ in joins)]
        filters = [self._expression(content["filter"])] if isinstance(content.get("filter"), Scalar) else []
        return SemanticView(
            name,
            tuple(tables),
            tuple(self._members(source)),
            tuple(condition for _, _, conditions in joins for condition in conditions),
            tuple(filters),
            columns=columns,
        )

    def _members(self, source: Any) -> Iterator[Member]:
        for part in ("dimensions", "fields", "measures"):
            for each in self.content.get(part) or ():
                entry = each if isinstance(each, dict) else {}
                if isinstance(entry.get("name"), Scalar) and isinstance(entry.get("expr"), Scalar):
                    name = exp.to_identifier(entry["name"].text, quoted=True)
                    yield Member(source, name, self._expression(entry["expr"]))
                else:
                    self._note_unknown(part)

    def _note_unknown(self, part: str) -> None:
        """Tell of an entry that has no name or no expression."""
        message = f"an entry of the metric view's {part} has no name or no expr that can be read"
        span = Span(self.start, self.start)
        self.reading.notes.append(Diagnostic(Code.UNSUPPORTED_CONSTRUCT, message, span, part))

    def _joins(self, entries: Any, parent: str) -> Iterator[tuple[Any, Any, list[Any]]]:
        """The joined tables with their conditions, those that are joined to them behind."""
        for each in entries if isinstance(entries, list) else ():
            if not isinstance(each, dict) or not isinstance(each.get("source"), Scalar):
                continue
            name = each["name"].text if isinstance(each.get("name"), Scalar) else each["source"].text.rpartition(".")[2]
            conditions = [self._expression(each["on"])] if isinstance(each.get("on"), Scalar) else []
            for column in _names(each.get("using")):
                sides = [exp.column(column, table=side, quoted=True) for side in (parent, name)]
                conditions.append(exp.EQ(this=sides[0], expression=sides[1]))
            yield exp.to_identifier(name, quoted=True), self._table(each["source"]), conditions
            yield from self._joins(each.get("joins"), name)

    def _table(self, scalar: Scalar) -> Any:
        tokens = self._tokens(scalar)
        if tokens and word(tokens[0]) in ("SELECT", "WITH", "(", "FROM"):
            return self.reading.statement(tokens)
        return Reading(tokens, self.reading.sql, self.reading.dialect).name()

    def _expression(self, scalar: Scalar) -> Any:
        return self.reading.expression(self._tokens(scalar))

    def _tokens(self, scalar: Scalar) -> list[Token]:
        tokens = tokenise(scalar.text, self.reading.dialect)
        for token in tokens:
            token.start += self.start + scalar.start
            token.end += self.start + scalar.start
        return tokens


def _column_list(tokens: Sequence[Token]) -> tuple[Any, ...]:
    """The names of `(day COMMENT 'of the order', total)`."""
    return tuple(identifier(part[0]) for part in comma_separated(tokens))


def _names(value: Any) -> list[str]:
    """The names of a list, written in lines or as `[a, b]`."""
    if isinstance(value, list):
        return [each.text for each in value if isinstance(each, Scalar)]
    return re.findall(r"\w+", value.text) if isinstance(value, Scalar) else []
