"""Whether a condition of `@IF` holds, as far as its words say: constants, comparisons, AND, OR, NOT, IN."""

from __future__ import annotations

from headwater.project.sqlmesh.words import Word, bare, closing, split, unquoted, words

_COMPARISONS = frozenset({"=", "<>", "!=", "<", ">", "<=", ">="})


def truth(condition: str) -> bool | None:
    """Whether a condition holds; None if nobody knows.

    >>> truth("'prod' = 'prod' AND NOT 1 > 2"), truth("a = 1"), truth("'x' IN ('x', 'y')")
    (True, None, True)
    """
    return _any(bare(words(condition)), 0)


def _any(found: list[Word], depth: int) -> bool | None:
    if depth > 30:
        return None
    results = [_all(part, depth) for part in _split(found, "OR")]
    return True if True in results else None if None in results else False


def _all(found: list[Word], depth: int) -> bool | None:
    results = [_one(part, depth) for part in _split(found, "AND")]
    return False if False in results else None if None in results else True


def _split(found: list[Word], word: str) -> list[list[Word]]:
    """The parts between a word that stands in no brackets."""
    marked = [each._replace(kind="mark", text="\0") if each.text.upper() == word else each for each in found]
    return list(split(marked, "\0")) or [[]]


def _one(found: list[Word], depth: int) -> bool | None:
    if found and found[0].text.upper() == "NOT":
        inner = _one(found[1:], depth)
        return None if inner is None else not inner
    if found and found[0].text == "(" and closing(found, 0) == len(found) - 1:
        return _any(found[1:-1], depth + 1)
    if len(found) == 1:
        value = _constant(found[0])
        return None if value is None else bool(value)
    if len(found) > 3 and found[1].text.upper() == "IN" and found[2].text == "(":
        options = [_constant(part[0]) for part in split(found[3:-1]) if len(part) == 1]
        value = _constant(found[0])
        return None if value is None or None in options else value in options
    if len(found) == 3 and found[1].text in _COMPARISONS:
        return _compared(_constant(found[0]), found[1].text, _constant(found[2]))
    return None


def _constant(word: Word) -> str | float | bool | None:
    if word.kind == "string":
        return unquoted(word.text)
    if word.kind == "number":
        try:
            return float(word.text)
        except ValueError:
            return None
    return {"TRUE": True, "FALSE": False}.get(word.text.upper())


def _compared(left: str | float | bool | None, operator: str, right: str | float | bool | None) -> bool | None:
    if left is None or right is None:
        return None
    if operator in ("=", "<>", "!="):
        return (left == right) is (operator == "=")
    if isinstance(left, str) is not isinstance(right, str):
        return None
    return {"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right}[operator]  # type: ignore[operator]
