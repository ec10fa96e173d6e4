"""CREATE STAGE: what its url holds is what the stage holds."""

from __future__ import annotations

from headwater.model.kind import IDENTITY, WRITE_ROWS
from headwater.resolve.builder import Builder
from headwater.resolve.location import files
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import CreateStage, Location


@resolves(CreateStage)
def create_stage(builder: Builder, form: CreateStage, environment: Environment) -> Outcome:
    """`CREATE STAGE s URL = 's3://…'`: path to stage."""
    stage = builder.writes(files(builder, Location("stage", form.name, builder.places.span(form.name))))
    if form.url is not None:
        path = builder.reads(files(builder, form.url, named=False))
        builder.edge(stage.claim("*"), path.claim("*"), IDENTITY, None)
        builder.edge(stage.rows, path.rows, WRITE_ROWS, None)
    return Outcome("Create Stage")
