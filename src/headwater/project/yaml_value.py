"""What stands in a YAML file: texts, lists, mappings, nothing; each with its place.

Numbers and truth values are texts here, as they were written; `yaml_plain` makes Python's own values of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from headwater.model.span import LineIndex
from headwater.project.objects import Place

_WIDTH_OF_ESCAPE = {"x": 4, "u": 6, "U": 10}
_ESCAPED_SPACE = frozenset("ntrvf _NLP\n\t")
"""What stands for white space after a backslash."""


class File(NamedTuple):
    """A file's text and the path under which it is shown."""

    shown: str
    text: str
    lines: LineIndex

    def place(self, index: int) -> Place:
        """The line and column of a character."""
        line, column = self.lines.position(index)
        return Place(self.shown, line, column)


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar. `style` is YAML's sign for it: none, a quote, `|` or `>`."""

    value: str
    place: Place
    file: File = field(repr=False)
    start: int
    style: str = ""
    tag: str = ""
    """What YAML's own tag says of it (`!!str`), if there is one."""
    size: int = 1
    depth: int = 1

    def at(self, offset: int) -> Place:
        """The place in the file of a character of the value.

        Folding, indentation and escapes change white space and widths only, so all other characters are counted, on both sides.
        """
        count = sum(not c.isspace() for c in self.value[:offset])
        text, index = self.file.text, self._beginning()
        while index < len(text):
            if text[index].isspace():
                index += 1
            elif self.style == '"' and text[index] == "\\" and text[index + 1 : index + 2] in _ESCAPED_SPACE:
                index += 2
            elif count == 0:
                break
            else:
                index += self._width(index)
                count -= 1
        return self.file.place(min(index, len(text)))

    def _beginning(self) -> int:
        if self.style in {"|", ">"}:
            end = self.file.text.find("\n", self.start)
            return end + 1 if end >= 0 else len(self.file.text)
        return self.start + 1 if self.style else self.start

    def _width(self, index: int) -> int:
        """How many characters of the file make one of the value."""
        text = self.file.text
        if self.style == '"' and text[index] == "\\":
            return _WIDTH_OF_ESCAPE.get(text[index + 1 : index + 2], 2)
        return 2 if self.style == "'" and text.startswith("''", index) else 1


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    values: tuple[Value, ...]
    place: Place
    size: int = 1
    """How many values there are in it, at any depth; those that stand in it several times, by an alias, each time."""
    depth: int = 1
    """How deep values nest in it."""


@dataclass(frozen=True, slots=True)
class Entries:
    """A mapping."""

    values: Mapping[str, Value]
    place: Place
    size: int = 1
    depth: int = 1
    keys: Mapping[str, Place] = field(default_factory=dict, compare=False, repr=False)
    """Where its keys stand, but for those of merges."""

    def get(self, *keys: str) -> Value | None:
        """The value of the first of these keys that is there and not empty."""
        found = (self.values.get(key) for key in keys)
        return next((value for value in found if value is not None and not isinstance(value, Empty)), None)


@dataclass(frozen=True, slots=True)
class Empty:
    """Nothing: a key without a value, `null`, `~`."""

    place: Place
    size: int = 1
    depth: int = 1


Value = Text | Items | Entries | Empty
