"""What a unit says of its open stars, so that others' columns can be found behind them without looking at its statements again.

A statement is asked for a column of no name, and for each name that its stars leave out; what comes out of that is a template: with a
name in it, it is a relation (`behind_stars`).
"""

from __future__ import annotations

from headwater.lineage.open_star import STAR, OpenStars
from headwater.model.diagnostic import Code
from headwater.model.resolution import Resolution

_ANY = "\0"
"""The name of a column that stands for all that have no template of their own: none is called so."""
SAME = ""
"""In a template, in the place of a name: whatever is asked for."""


class StarTemplates:
    """The templates of one statement."""

    def __init__(self, resolution: Resolution) -> None:
        self._stars = OpenStars(resolution)
        self._before = resolution.diagnostics
        self.asked: dict[int, str] = {}
        """The columns that stand for what is behind stars, and the name that they are asked by; `SAME` for any."""
        self.resolution = resolution
        """The statement, with these columns."""
        if self._stars.written:
            self._ask()

    def _ask(self) -> None:
        stars = self._stars
        for entity in stars.written:
            for name in (_ANY, *sorted(stars.left_out - stars.listed(entity))):
                stars.ask(entity, name)
                column = stars.column(entity, name)
                if column is not None:
                    self.asked[column] = self.named(name)
        self.resolution = stars.resolution()

    @property
    def written(self) -> tuple[int, ...]:
        """The entities that stars are written into."""
        return self._stars.written

    def elsewhere(self, entity: int) -> list[str]:
        """The names that are not behind a star of an entity: those that the statement writes itself, and those that it leaves out."""
        own = {self.named(self.resolution.columns[column][1]) for column in self.asked if self._owner(column) == entity}
        star = {STAR} if self._stars.has_column(entity) else set()
        return sorted(((self._stars.listed(entity) | self._stars.left_out) - own - {_ANY}) | star)

    def _owner(self, column: int) -> int:
        return self.resolution.columns[column][0]

    def named(self, name: str) -> str:
        """A column's name in a template."""
        return SAME if name == _ANY else name

    def ambiguous(self) -> list[str]:
        """The names that several stars may have; `SAME` for any."""
        return [self.named(name) for name in self._stars.unsure]

    def said(self) -> list[str]:
        """The names of which the statement itself says that they are ambiguous."""
        return [d.subject for d in self._before if d.code is Code.AMBIGUOUS_COLUMN]
