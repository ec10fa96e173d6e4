"""What tests of sources ask of a script: that words stand where the file has them."""

from __future__ import annotations

import re

from headwater.model.span import LineIndex
from headwater.source import SourceScript, scripts_of

_WORD = re.compile(r"[^\W\d]\w*")


def one_script(path: str, content: str | bytes) -> SourceScript:
    """The only script of a file."""
    (script,) = scripts_of(path, content.encode() if isinstance(content, str) else content)
    return script


def moved_words(text: str, file: str) -> list[str]:
    """The words of a script's text that stand elsewhere in the file, or not at all."""
    lines = file.split("\n")
    return [
        word.group()
        for line, content in zip(lines, text.split("\n"), strict=False)
        for word in _WORD.finditer(content)
        if line[word.start() : word.end()] != word.group()
    ]


def place(text: str, word: str) -> tuple[int, int]:
    """The line and column of a word's first appearance."""
    return tuple(LineIndex(text).position(text.index(word)))  # type: ignore[return-value]


def statements_of(script: SourceScript) -> list[str]:
    """The statements in a script's text, for texts without semicolons in strings."""
    return [" ".join(piece.split()) for piece in script.text.split(";") if piece.strip()]
