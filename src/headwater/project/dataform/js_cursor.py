"""`Cursor`: where a parser is in its tokens, and how deep."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.project.dataform.js_tokens import MAX_NESTING, JsProblem, Token

_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Cursor:
    """A place in tokens."""

    def __init__(self, tokens: Sequence[Token], depth: int = 0) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = depth
        self._closed = _matches(tokens)

    @property
    def _here(self) -> Token:
        return self._tokens[self._at]

    def _next(self) -> Token:
        token = self._tokens[self._at]
        self._at += token.kind != "end"
        return token

    def _is(self, *texts: str) -> bool:
        return self._here.kind in ("mark", "word") and self._here.text in texts

    def _skip(self, text: str) -> bool:
        found = self._is(text)
        self._at += found
        return found

    def _expect(self, text: str) -> Token:
        if not self._is(text):
            raise self._unexpected(text)
        return self._next()

    def _unexpected(self, wanted: str = "") -> JsProblem:
        shown = self._here.text or self._here.kind
        return JsProblem(f"{wanted or 'something else'} is expected before {shown!r}", self._here.offset)

    def _word(self) -> str:
        if self._here.kind != "word":
            raise self._unexpected("a name")
        return self._next().text

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise JsProblem("the text is nested too deeply", self._here.offset)


def _matches(tokens: Sequence[Token]) -> dict[int, int]:
    """The number of the closing bracket of each opening one; one that is not closed is a problem."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for number, token in enumerate(tokens):
        if token.kind != "mark":
            continue
        if token.text in _CLOSING:
            opened.append(number)
        elif token.text in _CLOSING.values():
            if not opened or _CLOSING[tokens[opened[-1]].text] != token.text:
                raise JsProblem(f"{token.text} closes nothing", token.offset)
            found[opened.pop()] = number
    if opened:
        raise JsProblem(f"{tokens[opened[-1]].text} is not closed", tokens[opened[-1]].offset)
    return found
