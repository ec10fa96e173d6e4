"""`aligned`: the map of a text that somebody else rendered from a template, found by what both have in common.

The text of the template stands in the rendered text, in order, with what expressions and blocks made between. It is looked for from the
front, as early as possible, and from the back, as late as possible. Where both find it at the same offset, it can stand nowhere else.
What is not that certain belongs to the expressions and blocks between two certain places; if these are in several lines, it has no
place, so that no place is a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import jinja2

from headwater.source.template_map import NOWHERE, Segment, TemplateMap, template_map
from headwater.source.template_pieces import Piece, Pieces

_ENDS = {
    "if": "endif",
    "for": "endfor",
    "call": "endcall",
    "filter": "endfilter",
    "with": "endwith",
    "block": "endblock",
}
"""Blocks that write something, and how they end."""
_SILENT = {"set": "endset", "macro": "endmacro", "test": "endtest", "materialization": "endmaterialization"}
_MOST_DEEP = 50
_TELLING = 12
"""How many characters, without white space, a text has that is taken for what its block wrote and nothing else."""
_WITH = re.compile(r"\bwith\b", re.IGNORECASE)
INJECTED = "__dbt__cte__"
"""How the names of queries begin that dbt puts behind `with`, or before all."""


class _Block(NamedTuple):
    """An expression, or a block from its first tag to its last."""

    start: int
    end: int
    bodies: tuple[tuple[_Item, ...], ...] = ()
    """The ways that an `if` may go, or the body of a loop; none where it is not known what is written."""
    loop: bool = False
    optional: bool = False
    """Whether an `if` may write nothing."""


_Item = Piece | _Block


def aligned(template: str, rendered: str) -> TemplateMap | None:
    """Where the rendered text stands in its template; None if the one was not made from the other."""
    try:
        pieces = Pieces(template)
        items = _Tree(pieces.all).items()
    except jinja2.TemplateError:
        return None
    if INJECTED in rendered:
        items = _with_injection(items, pieces)
    alignment = _Alignment(pieces, rendered)
    if not rendered.strip():
        return None
    for left, right in ((False, False), (False, True), (True, True)):
        start = len(rendered) - len(rendered.lstrip()) if left else 0
        end = len(rendered.rstrip()) if right else len(rendered)
        found = alignment.sequence(_stripped(items, pieces, left, right), start, end)
        if found is not None:
            return template_map(found, len(rendered), template)
    return None


class _Tree:
    """Pieces to items: tags become blocks, and what writes nothing is left out."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._at = 0

    def items(self, *ends: str, depth: int = 0) -> tuple[_Item, ...]:
        """The items up to a tag that ends them, or to the end of the template."""
        found: list[_Item] = []
        while self._at < len(self._pieces):
            piece = self._pieces[self._at]
            if piece.kind == "tag" and piece.text in ends:
                return tuple(found)
            self._at += 1
            if piece.kind == "data":
                found.append(piece)
            elif piece.kind == "expression" or piece.text == "include":
                found.append(_Block(piece.start, piece.end))
            elif piece.text in _SILENT and not piece.assigns:
                self._block(piece, _SILENT[piece.text], depth)
            elif piece.text in _ENDS:
                found.append(self._block(piece, _ENDS[piece.text], depth))
        return tuple(found)

    def _block(self, tag: Piece, end: str, depth: int) -> _Block:
        bodies: list[tuple[_Item, ...]] = []
        between = ("elif", "else") if tag.text in ("if", "for") else ()
        has_else = False
        while True:
            known = depth < _MOST_DEEP
            bodies.append(self.items(*between, end, depth=depth + 1) if known else self._skip(tag.text, end))
            if self._at >= len(self._pieces):
                raise jinja2.TemplateSyntaxError(f"{tag.text} does not end", 1)
            last = self._pieces[self._at]
            self._at += 1
            has_else |= last.text == "else"
            if last.text == end:
                break
        if tag.text == "if" and depth < _MOST_DEEP:
            return _Block(tag.start, last.end, tuple(bodies), optional=not has_else)
        is_loop = tag.text == "for" and depth < _MOST_DEEP
        return _Block(tag.start, last.end, tuple(bodies[:1]) if is_loop else (), loop=is_loop)

    def _skip(self, word: str, end: str) -> tuple[_Item, ...]:
        """Go to the end of a block that is not looked into."""
        open_blocks = 0
        while self._at < len(self._pieces):
            piece = self._pieces[self._at]
            if piece.kind == "tag" and piece.text == end:
                if not open_blocks:
                    break
                open_blocks -= 1
            open_blocks += piece.kind == "tag" and piece.text == word
            self._at += 1
        return ()


class _Literal(NamedTuple):
    """Text of the template without any expression in it: it stands together in the rendered text, too."""

    text: str
    parts: tuple[tuple[int, Piece], ...]
    """The pieces of data that it is made of, each with its offset in the text."""


class _Alignment:
    def __init__(self, pieces: Pieces, rendered: str) -> None:
        self._pieces = pieces
        self._rendered = rendered

    def sequence(self, items: Sequence[_Item], start: int, end: int) -> list[Segment] | None:
        """Where the rendered text between two offsets comes from, if items made all of it; None if they did not."""
        literals, gaps = _literals_and_gaps(items)
        first = self._first(literals, gaps, start, end)
        last = self._last(literals, gaps, start, end)
        if first is None or last is None:
            return None
        return list(self._segments(literals, gaps, first, last, start, end))

    def _first(
        self, literals: Sequence[_Literal], gaps: Sequence[list[_Block]], start: int, end: int
    ) -> list[int] | None:
        """The first offsets at which the literals can stand."""
        found: list[int] = []
        at = start
        for number, (text, _) in enumerate(literals):
            is_last = number == len(literals) - 1 and not gaps[-1]
            at = self._rendered.find(text, at, end) if gaps[number] else at
            if is_last and gaps[number]:
                at = max(at, end - len(text)) if at >= 0 else -1
            if at < 0 or not self._rendered.startswith(text, at) or at + len(text) > end:
                return None
            found.append(at)
            at += len(text)
        return found if gaps[-1] or at == end else None

    def _last(
        self, literals: Sequence[_Literal], gaps: Sequence[list[_Block]], start: int, end: int
    ) -> list[int] | None:
        """The last offsets at which the literals can stand."""
        found: list[int] = []
        behind = end
        for number in range(len(literals) - 1, -1, -1):
            text = literals[number].text
            at = self._rendered.rfind(text, start, behind) if gaps[number + 1] else behind - len(text)
            if number == 0 and not gaps[0] and at >= 0:
                at = start if gaps[1] else at
            if at < start or at + len(text) > behind or not self._rendered.startswith(text, at):
                return None
            found.append(at)
            behind = at
        return found[::-1] if gaps[0] or behind == start else None

    def _segments(
        self,
        literals: Sequence[_Literal],
        gaps: Sequence[list[_Block]],
        first: Sequence[int],
        last: Sequence[int],
        start: int,
        end: int,
    ) -> Iterator[Segment]:
        """The segments of literals that can stand at one place only, and of what is between them."""
        known, unsure = start, 0
        for number, literal in enumerate(literals):
            if first[number] == last[number]:
                part = slice(unsure, number)
                inner = (literals[part], gaps[unsure : number + 1], first[part], last[part])
                yield from self._between(*inner, known, first[number])
                yield from self._literal(literal, first[number])
                known, unsure = first[number] + len(literal.text), number + 1
        yield from self._between(literals[unsure:], gaps[unsure:], first[unsure:], last[unsure:], known, end)

    def _between(
        self,
        literals: Sequence[_Literal],
        gaps: Sequence[list[_Block]],
        first: Sequence[int],
        last: Sequence[int],
        start: int,
        end: int,
    ) -> Iterator[Segment]:
        """What is between two literals whose places are certain; the places of those in it are not."""
        if start >= end:
            return
        expanded = self._expanded(_items(literals, gaps), start, end)
        found = self.sequence(expanded, start, end) if expanded else None
        if found is not None:
            yield from found
            return
        known, unsure = start, 0
        for number, gap in enumerate(gaps):
            begins = last[number - 1] + len(literals[number - 1].text) if number else start
            ends = first[number] if number < len(literals) else end
            if begins < ends:
                yield from self._covering(gaps[unsure : number + 1], known, begins)
                yield from self._gap(gap, begins, ends)
                known, unsure = ends, number
        yield from self._covering(gaps[unsure:], known, end)

    def _literal(self, literal: _Literal, at: int) -> Iterator[Segment]:
        for offset, piece in literal.parts:
            yield from self._pieces.segments(piece, at + offset)

    def _gap(self, blocks: list[_Block], start: int, end: int) -> Iterator[Segment]:
        """What one expression or block made, or several that stand side by side."""
        inside = None
        if len(blocks) == 1 and blocks[0].bodies:
            inside = self._looped(blocks[0], start, end) if blocks[0].loop else self._chosen(blocks[0], start, end)
        yield from self._covering([blocks], start, end) if inside is None else inside

    def _covering(self, gaps: Sequence[Sequence[_Block]], at: int, end: int) -> Iterator[Segment]:
        """What one of the blocks of some gaps made: all of them as one place, if they begin in one line; else it is not known."""
        blocks = [block for gap in gaps for block in gap]
        if at >= end or not blocks:
            return
        start, last = min(block.start for block in blocks), max(block.start for block in blocks)
        if "\n" in self._pieces.text[start:last]:
            yield Segment(at, NOWHERE)
        else:
            yield Segment(at, start, max(block.end for block in blocks) - start)

    def _expanded(self, items: Sequence[_Item], start: int, end: int) -> tuple[_Item, ...]:
        """Items with what their blocks wrote, where this has texts so long that nothing else is likely to write them; else nothing."""
        if sum(isinstance(item, _Block) for item in items) < 2:
            return ()
        found: list[_Item] = []
        is_expanded = False
        for item in items:
            written = self._written(item, start, end) if isinstance(item, _Block) else None
            found += [item] if written is None else written
            is_expanded |= written is not None
        return tuple(found) if is_expanded else ()

    def _written(self, block: _Block, start: int, end: int) -> tuple[_Item, ...] | None:
        """The items that a block wrote; None if its texts do not tell."""
        counts = [(self._rendered.count(text, start, end), text) for text in map(_longest, block.bodies)]
        if not counts or not all(_is_telling(text) for _, text in counts):
            return None
        if block.loop:
            return block.bodies[0] * counts[0][0]
        met = [body for body, (count, _) in zip(block.bodies, counts, strict=True) if count]
        if not met:
            return () if block.optional else None
        return met[0] if len(met) == 1 and sum(count for count, _ in counts) == 1 else None

    def _chosen(self, block: _Block, start: int, end: int) -> list[Segment] | None:
        """What an `if` wrote, where only one of its branches can have written it."""
        ways = [self.sequence(body, start, end) for body in block.bodies]
        possible = [way for way in ways if way is not None]
        return possible[0] if len(possible) == 1 else None

    def _looped(self, block: _Block, start: int, end: int) -> list[Segment] | None:
        """What a loop wrote: its body so many times as its longest text is there, if nothing else in it is likely to write this."""
        body = block.bodies[0]
        longest = _longest(body)
        is_text = not any(isinstance(item, _Block) for item in body)
        rounds = self._rendered.count(longest, start, end) if longest and (is_text or _is_telling(longest)) else 0
        return self.sequence(body * rounds, start, end) if rounds else None


def _is_telling(text: str) -> bool:
    return len("".join(text.split())) >= _TELLING


def _longest(items: Sequence[_Item]) -> str:
    """The longest text among items."""
    return max((literal.text for literal in _literals_and_gaps(items)[0]), key=len, default="")


def _items(literals: Sequence[_Literal], gaps: Sequence[list[_Block]]) -> list[_Item]:
    """Literals and what is between them, as items again."""
    found: list[_Item] = [*gaps[0]]
    for literal, gap in zip(literals, gaps[1:], strict=True):
        found += [piece for _, piece in literal.parts]
        found += gap
    return found


def _literals_and_gaps(items: Sequence[_Item]) -> tuple[list[_Literal], list[list[_Block]]]:
    """The literals among items, and what stands before each of them and behind the last."""
    literals: list[_Literal] = []
    gaps: list[list[_Block]] = [[]]
    for item in items:
        if isinstance(item, _Block):
            gaps[-1].append(item)
        elif literals and not gaps[-1]:
            text, parts = literals[-1]
            literals[-1] = _Literal(text + item.text, (*parts, (len(text), item)))
        else:
            literals.append(_Literal(item.text, ((0, item),)))
            gaps.append([])
    return literals, gaps


def _stripped(items: Sequence[_Item], pieces: Pieces, left: bool, right: bool) -> tuple[_Item, ...]:
    """Items without the white space that comes before or behind all other text."""
    made = list(items)
    ways = ((left, range(len(made)), str.lstrip), (right, range(len(made) - 1, -1, -1), str.rstrip))
    for wanted, order, strip in ways:
        for at in order if wanted else ():
            item = made[at]
            if isinstance(item, Piece):
                text = strip(item.text)
                made[at] = (
                    pieces.behind(item, len(item.text) - len(text)) if strip is str.lstrip else item._replace(text=text)
                )
                if text:
                    break
    return tuple(item for item in made if isinstance(item, _Block) or item.text)


def _with_injection(items: Sequence[_Item], pieces: Pieces) -> tuple[_Item, ...]:
    """Items with a place for queries that were put behind the first `with`, or before all."""
    for at, item in enumerate(items):
        found = _WITH.search(item.text) if isinstance(item, Piece) else None
        if isinstance(item, Piece) and found:
            rest = pieces.behind(item, found.end())
            between = _Block(rest.start - len(found[0]), rest.start)
            return (*items[:at], item._replace(text=item.text[: found.end()]), between, rest, *items[at + 1 :])
    return tuple(items) if not items else (_Block(items[0].start, items[0].start + 1), *items)
