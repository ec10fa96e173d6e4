"""Patterns that do not go back match the same in the spelling for Python 3.10."""

from __future__ import annotations

import re
import sys

import pytest

from headwater.sql import routine_lines, stretch
from headwater.sql.mentions import strings
from headwater.sql.possessive import compile_possessive, translated

PATTERNS = [routine_lines._LINE, stretch._LEADING, stretch._STRETCH, strings._STATEMENT]
TEXTS = [
    "",
    "select a from t; select 'x;\\'y' from u;",
    '-- c\n  --\n/* ; */ INSERT INTO t SELECT "a;b", `c;d` FROM u -- ;\n; rest',
    "'open ; select 1",
    "  CREATE OR REPLACE DEFINER = me PROCEDURE p AS\nALTER FUNCTION f\n\tcreate procedure to u\nCREATE TYPE  BODY b",
    "((\n-- c\n select 1",
    " " * 5000 + "x",
]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 cannot compile the other spelling")
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.pattern[:20])
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_both_spellings_match_the_same(pattern: re.Pattern[str], text: str) -> None:
    other = re.compile(translated(pattern.pattern), pattern.flags)
    assert other.pattern != pattern.pattern
    for start in range(min(len(text), 60) + 1):
        one, two = pattern.match(text, start), other.match(text, start)
        assert (one and one.span()) == (two and two.span())


def test_a_possessive_quantifier_does_not_go_back() -> None:
    assert re.match(translated("a++a"), "aaa") is None
    assert re.match("a+a", "aaa")
    assert compile_possessive(r"(?>a|ab)c").match("abc") is None
