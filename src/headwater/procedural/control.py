"""What decides over a statement: into what it assigns, and into the row sets of what it writes or shows."""

from __future__ import annotations

from headwater.model.entity import PSEUDO_ROWS, EntityKind
from headwater.model.kind import CONTROL, CONTROL_ROWS
from headwater.model.resolution import ROWS_OF_TRIGGER, Edge, Resolution, Variable

_CHOICES = ("If", "Case")


def deciding(control: Variable, of_rows: bool) -> int:
    """How a condition acts on what is assigned under it: IF chooses between values, a loop goes through rows.

    The row set of a cursor is no value: IF influences it.
    """
    chooses = control.kind == "condition" and control.name in _CHOICES
    return CONTROL if chooses and not of_rows else CONTROL_ROWS


def controlled(resolution: Resolution, control: int) -> list[Edge]:
    """The edges from what decides over a statement.

    The rows of a loop decide over what is done with a row, not over the columns of the row itself. The rows of a trigger decide over row
    sets only, as each run of the trigger has variables of its own.
    """
    own = resolution.entities[resolution.columns[control][0]].variable
    assert own is not None
    into_variables: list[Edge] = [
        (column, control, deciding(own, resolution.columns[column][1] == PSEUDO_ROWS), None)
        for column in resolution.assigned
        if resolution.entities[resolution.columns[column][0]].variable is not own and own.name != ROWS_OF_TRIGGER
    ]
    return into_variables + [(rows, control, CONTROL_ROWS, None) for rows in decided_rows(resolution)]


def decided_rows(resolution: Resolution) -> list[int]:
    """The row sets that say which rows a statement writes or shows: of the query or the changes, else of the written table itself."""
    written = set(resolution.written)
    found: dict[int, None] = {}
    reached = set()
    for target, source, _, _ in resolution.edges:
        entity = resolution.columns[target][0]
        if entity in written and _is_result_rows(resolution, source):
            found[source] = None
            reached.add(entity)
    assigned = set(resolution.assigned)
    through_record = {resolution.columns[target][0] for target, source, _, _ in resolution.edges if source in assigned}
    for entity in resolution.written:
        if entity not in reached and entity not in through_record:
            found[_rows_of(resolution, entity)] = None
    if resolution.output_rows >= 0:
        found[resolution.output_rows] = None
    return list(found)


def _is_result_rows(resolution: Resolution, column: int) -> bool:
    entity, name, _ = resolution.columns[column]
    return name == PSEUDO_ROWS and resolution.entities[entity].kind is EntityKind.RESULT_SET


def _rows_of(resolution: Resolution, entity: int) -> int:
    """The row set of an entity, made if it is not there yet."""
    for number, (owner, name, _) in enumerate(resolution.columns):
        if owner == entity and name == PSEUDO_ROWS:
            return number
    resolution.columns.append((entity, PSEUDO_ROWS, None))
    return len(resolution.columns) - 1
