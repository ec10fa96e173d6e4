"""Damages SQL as people, tools and truncation do: words lost, doubled, exchanged; statements spliced and put into each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from headwater.sql.dialect import dialect_names
from material.corpus import Sql

_TOKEN = re.compile(
    r"""\s+|--[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.|'')*'|"(?:[^"]|"")*"|`[^`]*`|\w+(?:\.\w+)*|<=>|->>|[-<>!=:|]{2}|.""",
    re.DOTALL,
)
_HOSTILE = (
    *("*", "NULL", "()", "(", ")", ",", ".", "..", ";", "@x", "$1", "?", ":p", "[0]", "{}", "->", "::int", "DEFAULT"),
    *("DISTINCT", "LATERAL", "RECURSIVE", "OVER ()", "FILTER (WHERE a)", "QUALIFY a", "PIVOT (sum(a) FOR b IN (1))"),
    *("EXCEPT (a)", "AS x (a, b)", "''", '""', "``", "\x00", "é", "1e999", "t.*", "RETURNING *", "UNNEST(a)", "VALUES"),
)
_WRAPPERS = (
    *("SELECT * FROM ({}) AS w", "WITH w AS ({}) SELECT * FROM w", "SELECT ({}) AS w FROM t", "INSERT INTO o {}"),
    *("CREATE TABLE o AS {}", "SELECT a FROM t WHERE a IN ({})", "{} UNION ALL {}", "SELECT EXISTS ({})", "EXPLAIN {}"),
    *("MERGE INTO o USING ({}) AS s ON o.a = s.a WHEN MATCHED THEN UPDATE SET a = s.a", "UPDATE o SET a = ({})"),
    *("WITH RECURSIVE w AS ({} UNION ALL SELECT * FROM w) SELECT * FROM w", "CREATE VIEW o (a, b) AS {}", "{};{}"),
)

Tokens = list[str]
Damage = Callable[[Random, Tokens, Tokens], Tokens]


def tokens(text: str) -> Tokens:
    """A text in pieces that keep words, strings and comments whole; joined they are the text again."""
    return _TOKEN.findall(text)


def variant(random: Random, pool: Sequence[Sql]) -> Sql:
    """A damaged text, in its own dialect or now and then in any other."""
    first, second = random.choice(pool), random.choice(pool)
    words, others = tokens(first.text), tokens(second.text)
    for _ in range(random.choice((0, 1, 1, 2, 2, 3, 5, 8))):
        if words and others:
            words = random.choice(_DAMAGES)(random, words, others)
    text = "".join(words)
    if random.random() < 0.2:
        text = random.choice(_WRAPPERS).replace("{}", text.strip().rstrip(";"))
    dialect = random.choice(dialect_names()) if random.random() < 0.25 else first.dialect
    return Sql(first.name, dialect, text[:20_000])


def _stretch(random: Random, words: Tokens, longest: int = 12) -> tuple[int, int]:
    start = random.randrange(len(words))
    return start, min(len(words), start + random.randint(1, longest))


def _drop(random: Random, words: Tokens, others: Tokens) -> Tokens:
    start, end = _stretch(random, words)
    return words[:start] + words[end:]


def _double(random: Random, words: Tokens, others: Tokens) -> Tokens:
    start, end = _stretch(random, words)
    return [*words[:end], " ", *words[start:end], *words[end:]]


def _exchange(random: Random, words: Tokens, others: Tokens) -> Tokens:
    a, b = random.randrange(len(words)), random.randrange(len(words))
    changed = list(words)
    changed[a], changed[b] = changed[b], changed[a]
    return changed


def _shuffle(random: Random, words: Tokens, others: Tokens) -> Tokens:
    start, end = _stretch(random, words)
    part = words[start:end]
    random.shuffle(part)
    return words[:start] + part + words[end:]


def _borrow(random: Random, words: Tokens, others: Tokens) -> Tokens:
    start, end = _stretch(random, words, 6)
    first, last = _stretch(random, others)
    return [*words[:start], " ", *others[first:last], " ", *words[end:]]


def _splice(random: Random, words: Tokens, others: Tokens) -> Tokens:
    return [*words[: random.randrange(len(words)) + 1], " ", *others[random.randrange(len(others)) :]]


def _nest(random: Random, words: Tokens, others: Tokens) -> Tokens:
    at = random.randrange(len(words))
    return [*words[:at], " (", *others, ") ", *words[at + 1 :]]


def _cut(random: Random, words: Tokens, others: Tokens) -> Tokens:
    return words[: random.randrange(len(words)) + 1]


def _insert(random: Random, words: Tokens, others: Tokens) -> Tokens:
    at = random.randrange(len(words) + 1)
    return [*words[:at], " ", random.choice(_HOSTILE), " ", *words[at:]]


def _replace(random: Random, words: Tokens, others: Tokens) -> Tokens:
    changed = list(words)
    changed[random.randrange(len(words))] = random.choice((*_HOSTILE, random.choice(others), random.choice(words)))
    return changed


_DAMAGES: tuple[Damage, ...] = (
    *(_drop, _double, _exchange, _shuffle, _borrow),
    *(_splice, _nest, _cut, _insert, _insert, _replace, _replace),
)
