"""The text of a project's expressions, taken apart: what stands between `${` and `}`, and the text around it.

A text comes in, its pieces go out, in order, each with its place in the text; put together they are the text again.
What is opened and never closed is text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from headwater.project.objects import Reference

_QUOTES = "'\""
_OPENING, _CLOSING = "([{", ")]}"


class Variable(NamedTuple):
    """A variable of the environment: `${env.REGION}`."""

    name: str


class Path(NamedTuple):
    """A way to another value, by keys and numbers: `${columns.week[0]}`, `${project.defaults.source_name}`."""

    text: str


class Piece(NamedTuple):
    """A stretch of a text and what it means."""

    part: str | Reference | Variable | Path
    start: int
    end: int


def pieces(text: str, start: int = 0) -> Iterator[Piece]:
    """The pieces of a text, from an offset on.

    >>> [piece.part for piece in pieces("sum(${ref(orders).amount}) > ${env.LEAST}")]
    ['sum(', Reference(name='orders', field='amount', quoted=False), ') > ', Variable(name='LEAST')]
    """
    plain = start
    opening = text.find("${", start)
    while opening >= 0:
        following = text.find("${", opening + 2)  # none stands inside of another
        end = closing(text, opening + 1, following if following >= 0 else None)
        part = _meaning(text[opening + 2 : end].strip()) if end >= 0 else None
        if part is not None:
            if plain < opening:
                yield Piece(text[plain:opening], plain, opening)
            yield Piece(part, opening, end + 1)
            plain = end + 1
        opening = following
    if plain < len(text):
        yield Piece(text[plain:], plain, len(text))


def closing(text: str, opening: int, limit: int | None = None) -> int:
    """Where the bracket that stands at an offset is closed, or -1: brackets of its kind nest, and those in quotes do not count.

    >>> closing("f(a, ')', (b)) c", 1)
    13
    """
    bracket = text[opening]
    counterpart = _CLOSING[_OPENING.index(bracket)]
    depth = 0
    at = opening
    end = len(text) if limit is None else min(limit, len(text))
    while at < end:
        character = text[at]
        if character in _QUOTES:
            ended = text.find(character, at + 1, end)
            at = ended if ended >= 0 else at
        elif character == bracket:
            depth += 1
        elif character == counterpart:
            depth -= 1
            if depth == 0:
                return at
        at += 1
    return -1


def reference(text: str) -> Reference | None:
    """The reference that a text is as a whole, `${ref(x).y}` or, as older projects write it, `ref(x)`; None for anything else.

    >>> reference(" ${ ref('Echo CSV') } ")
    Reference(name='Echo CSV', field='', quoted=False)
    """
    text = text.strip()
    if text.startswith("${") and closing(text, 1) == len(text) - 1:
        text = text[2:-1].strip()
    return _reference(text)


def _meaning(text: str) -> Reference | Variable | Path | None:
    """What stands inside of the braces; None if it is nothing that a project can mean."""
    found = _reference(text)
    if found is not None:
        return found
    if text.startswith("env."):
        name = text[4:]
        return Variable(name) if name.isidentifier() else None
    return Path(text) if text and all(c.isalnum() or c in "_-.[]:, '\"" for c in text) else None


def _reference(text: str) -> Reference | None:
    opening = text.find("(")
    if opening < 0 or text[:opening].rstrip() != "ref":
        return None
    end = closing(text, opening)
    name = unquoted(text[opening + 1 : end].strip()) if end >= 0 else ""
    if not name:
        return None
    names = list(_steps(text[end + 1 :]))
    return Reference(name, ".".join(step for step, _ in names), any(quoted for _, quoted in names))


def _steps(path: str) -> Iterator[tuple[str, bool]]:
    """The names along a path, and whether they are in quotes; numbers in brackets choose rows, not data, and are left out."""
    at = 0
    while at < len(path):
        character = path[at]
        if character == "[":
            end = closing(path, at)
            at = end + 1 if end >= 0 else len(path)
        elif character == "." or character.isspace():
            at += 1
        elif character in _QUOTES and path.find(character, at + 1) >= 0:
            end = path.find(character, at + 1)
            yield path[at + 1 : end], True
            at = end + 1
        else:
            end = min((i for i in (path.find(".", at), path.find("[", at)) if i >= 0), default=len(path))
            yield path[at:end].strip(), False
            at = end


def unquoted(name: str) -> str:
    """A name without the quotes around it."""
    return name[1:-1] if len(name) > 1 and name[0] in _QUOTES and name[-1] == name[0] else name
