"""Packages: the body knows what its specification declares, where that stands in the same script."""

from __future__ import annotations

from dataclasses import replace

from headwater.model.entity import TableName
from headwater.resolve import Session
from headwater.sql.procedural.tree import Inner, Program


def with_specification(program: Program, name: TableName, session: Session) -> Program:
    """A package's body with the declarations of its specification before its own; a specification is remembered."""
    if program.kind != "package":
        return program
    if not any(isinstance(step, Inner) for step in program.steps):
        session.specifications[name] = program.steps
        return program
    return replace(program, steps=(*session.specifications.get(name, ()), *program.steps))
