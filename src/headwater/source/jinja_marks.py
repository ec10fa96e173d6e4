"""Marks on what a template writes: each piece of output knows the piece of the template that it comes from.

The tree of a template is changed so that its outputs write `Marked` texts. A text that the template itself may look at, in macros, `call`,
`filter` and `set` blocks, is left alone: what such a block writes belongs to its tag.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jinja2 import nodes

from headwater.source.template_pieces import Piece

_WRITING = {"call": nodes.CallBlock, "filter": nodes.FilterBlock, "include": nodes.Include, "block": nodes.Block}
"""Tags that write something as a whole, and their nodes."""


class Marked(str):
    """A text that was written, and the number of the piece that wrote it."""

    __slots__ = ("mark",)
    mark: int

    def __new__(cls, text: str, mark: int) -> Marked:
        """A text with a mark."""
        made = super().__new__(cls, text)
        made.mark = mark
        return made

    def __str__(self) -> str:
        return self


def mark_outputs(tree: nodes.Template, pieces: Sequence[Piece]) -> list[Piece]:
    """Have a template write `Marked` texts; their marks are places in the list that comes back.

    If pieces and nodes do not fit each other, nothing is marked.
    """
    marks = _Marks(tree, pieces)
    if not marks.fits:
        return []
    marks.mark(tree.body)
    return list(pieces)


class _Marks:
    def __init__(self, tree: nodes.Template, pieces: Sequence[Piece]) -> None:
        written = [node for output in tree.find_all(nodes.Output) for node in output.nodes]
        self.fits = True
        """Whether each node has its piece."""
        self._places: dict[int, int] = {}
        self._pair(written, [at for at, piece in enumerate(pieces) if piece.kind != "tag"])
        tags = [at for at, piece in enumerate(pieces) if piece.kind == "tag"]
        for word, kind in (*_WRITING.items(), ("for", nodes.For)):
            self._pair(list(tree.find_all(kind)), [at for at in tags if pieces[at].text == word])

    def _pair(self, found: Sequence[nodes.Node], places: Sequence[int]) -> None:
        """Nodes and pieces of one kind stand in the same order."""
        self.fits &= len(found) == len(places)
        self._places.update((id(node), at) for node, at in zip(found, places, strict=False))

    def mark(self, body: list[nodes.Node]) -> None:
        """Mark what is written by the nodes of a body, and by those below that write to the same place."""
        body[:] = [node for each in body for node in self._marked(each)]

    def _marked(self, node: nodes.Node) -> Iterator[nodes.Node]:
        if isinstance(node, nodes.Output):
            node.nodes = [self._output(each) for each in node.nodes]
        elif isinstance(node, nodes.If):
            for each in (node, *node.elif_):
                self.mark(each.body)
            self.mark(node.else_)
        elif isinstance(node, nodes.With):
            self.mark(node.body)
        elif isinstance(node, nodes.For) and not node.recursive:
            self.mark(node.body)
            self.mark(node.else_)
        elif isinstance(node, (nodes.For, *_WRITING.values())):
            yield nodes.Output([self._text("", node)], lineno=node.lineno)
        yield node

    def _output(self, node: nodes.Expr) -> nodes.Expr:
        if isinstance(node, nodes.TemplateData):
            return self._text(node.data, node)
        return _filter(node, "_made", self._places[id(node)])

    def _text(self, text: str, node: nodes.Node) -> nodes.Expr:
        return _filter(nodes.Const(text, lineno=node.lineno), "_data", self._places[id(node)])


def _filter(node: nodes.Expr, name: str, place: int) -> nodes.Filter:
    return nodes.Filter(node, name, [nodes.Const(place)], [], None, None, lineno=node.lineno)
