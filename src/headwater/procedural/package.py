"""Packages: the body knows what its specification declares."""

from __future__ import annotations

from dataclasses import replace

from headwater.model.entity import TableName
from headwater.resolve import Session
from headwater.sql.procedural.tree import Inner, Program


def with_specification(program: Program, name: TableName, session: Session) -> Program:
    """A package's body with the declarations of its specification before its own."""
    known = session.programs.get(name) if program.kind == "package" else None
    if known is None or is_specification(program):
        return program
    return replace(program, steps=(*known.steps, *program.steps), types={**known.types, **program.types})


def is_specification(program: Program) -> bool:
    """Whether a program only declares what a package has."""
    return program.kind == "package" and not any(isinstance(step, Inner) for step in program.steps)
