"""`cyclic-definition`: views and tables whose definitions need each other, so that none of them can be made first.

What counts is the statement that defines an entity: a table that a later statement fills from what was made of it is no circle, and a
table that is replaced by what is read from itself is none either; a view that reads itself is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from headwater.check.finding import Finding
from headwater.check.project import Definition, Project
from headwater.check.rule import Finder, Need, Rule
from headwater.model.diagnostic import Severity

RULE = Rule(
    "cyclic-definition",
    Severity.WARNING,
    "Definitions of views or tables need each other in a circle: from scratch none of them can be made.",
    Need.STORE,
)


def _find(project: Project) -> Iterator[Finding]:
    stored = project.stored
    if stored is None:
        return
    from headwater.graph.circles import circles

    definitions, makers = stored.definitions(), stored.makers()
    after = {id: _needed(id, definitions) for id in definitions}
    found = [sorted(circle, key=lambda each: definitions[each].name) for circle in circles(after)]
    found = [circle for circle in found if len(circle) > 1 or circle[0] in after[circle[0]]]
    places = stored.places({makers[circle[0]] for circle in found})
    for circle in found:
        names = [definitions[id].name for id in circle]
        yield Finding(RULE.name, RULE.severity, _message(names), ", ".join(names), places.get(makers[circle[0]]))


def _needed(id: int, definitions: Mapping[int, Definition]) -> list[int]:
    """What must be there before an entity can be defined, of what is defined itself."""
    own = definitions[id]
    return [other for other in own.reads if other in definitions and (other != id or own.view)]


def _message(names: list[str]) -> str:
    if len(names) == 1:
        return f"the definition of {names[0]} needs itself"
    return f"definitions need each other in a circle: {', '.join(names)}"


FINDER = Finder((RULE,), _find)
