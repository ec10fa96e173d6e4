"""`MODEL (…)` and `AUDIT (…)`: the properties that stand before a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from headwater.project.sqlmesh.words import Word, bare, closing, joined, split, unquoted, words


@dataclass(frozen=True, slots=True)
class Header:
    """The properties of a model or audit, by name in lower case, as they are written."""

    word: str
    """`MODEL`, `AUDIT`, `METRIC`."""
    properties: dict[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """A property without quotes."""
        return unquoted(self.properties.get(name, ""))

    @property
    def kind(self) -> str:
        """The kind of a model, in upper case; `VIEW` if it says none."""
        found = bare(words(self.properties.get("kind", "")))
        return found[0].text.upper() if found else ""

    @property
    def kind_properties(self) -> dict[str, str]:
        """What stands in brackets behind the kind."""
        return properties(_inside(words(self.properties.get("kind", ""))))

    @property
    def columns(self) -> dict[str, str]:
        """The columns that the model declares, with their types."""
        return columns_of(self.properties.get("columns", ""))

    def items(self, name: str) -> list[str]:
        """A property that is a list: `[a, b]`, `(a, b)`, or one alone."""
        return list_of(self.properties.get(name, ""))


def read_header(word: str, found: Sequence[Word]) -> Header:
    """The header whose brackets have these words between them."""
    return Header(word.upper(), properties(found))


def properties(found: Sequence[Word]) -> dict[str, str]:
    """Names and values: `name db.orders, kind FULL`."""
    made: dict[str, str] = {}
    for piece in split(found):
        real = bare(piece)
        if real[0].kind in ("word", "quoted"):
            rest = joined([word for word in piece if word.start >= real[0].end])
            made[unquoted(real[0].text).lower()] = rest.removeprefix("=").strip()
    return made


def columns_of(text: str) -> dict[str, str]:
    """Names and types: `(id INT, tags ARRAY<TEXT>)`."""
    made: dict[str, str] = {}
    for piece in _columns(_inside(words(text))):
        real = bare(piece)
        if real and real[0].kind in ("word", "quoted"):
            made[real[0].text] = joined([word for word in piece if word.start >= real[0].end]).lstrip(": ").strip()
    return made


def _columns(found: Sequence[Word]) -> list[list[Word]]:
    """The declarations of columns: commas between `<` and `>` separate nothing."""
    pieces: list[list[Word]] = []
    depth = 0
    for piece in split(found):
        if depth > 0:
            pieces[-1] += piece
        else:
            pieces.append(piece)
        depth += sum((word.text == "<") - (word.text == ">") for word in piece)
    return pieces


def list_of(text: str) -> list[str]:
    """The items of a list, as they are written."""
    found = words(text)
    inside = _inside(found)
    if inside and bare(found)[0].text in ("(", "["):
        return [joined(piece) for piece in split(inside)]
    return [joined(found)] if bare(found) else []


def _inside(found: Sequence[Word]) -> Sequence[Word]:
    """The words between the first bracket and the one that closes it."""
    start = next((number for number, word in enumerate(found) if word.text in ("(", "[")), None)
    end = closing(found, start) if start is not None else None
    return found[start + 1 : end] if start is not None and end is not None else ()
