"""Programs as statements of their own; what is inside of a program is resolved by `procedural`."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.model.diagnostic import Code
from headwater.model.resolution import Parameter
from headwater.model.resolution import Routine as Head
from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import Routine
from headwater.sql.procedural.tree import Program, inner_programs


@resolves(Routine)
def routine(builder: Builder, form: Routine, environment: Environment) -> Outcome:
    """`CREATE PROCEDURE p …`: what was said while it was read, and why its body is not looked into."""
    program = form.program
    builder.diagnostics.extend(program.diagnostics)
    if program.opaque:
        message = f"the body of {form.kind} {form.name} is not looked into: {program.opaque}"
        builder.say(Code.UNSUPPORTED_STATEMENT, message, form.place, form.name)
    builder.routines.extend(_heads(builder, program, (), (), 0))
    return Outcome(f"Create {form.kind.title()}" if form.name else "Block")


_HOLDERS = ("package", "type")
"""Programs that hold routines and are none."""


def _heads(
    builder: Builder, program: Program, around: tuple[str, ...], folded: tuple[str, ...], outer_parts: int
) -> Iterator[Head]:
    """The heads of a routine and of those declared inside of it, which are qualified by its name.

    *around* is the name of what is around, *folded* the same as processes have it, *outer_parts* are those of the outermost.
    """
    name = around
    if program.name is not None:
        spelled = tuple(part.name for part in program.name.parts)
        qualified = builder.table_name(program.name)
        missing = () if around else qualified[: -len(spelled)]
        name = (*around, *missing, *spelled)
        folded = (*folded, *(qualified[-len(spelled) :] if around else qualified))
        outer_parts = outer_parts or len(name)
        if program.kind not in _HOLDERS:
            parameters = tuple(Parameter(p.name, p.type, p.mode or "in", p.place) for p in program.parameters)
            inner_parts = len(name) - outer_parts
            yield Head(".".join(name), program.kind, parameters, program.place, inner_parts, ".".join(folded))
    for inner in inner_programs(program.steps):
        yield from _heads(builder, inner, name, folded, outer_parts)
