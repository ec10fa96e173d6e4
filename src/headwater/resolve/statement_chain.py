"""Snowflake's `statement ->> statement`: one process, whose later statements read the results of earlier ones."""

from __future__ import annotations

from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment, ResultSet
from headwater.resolve.statement import Outcome, resolves, run
from headwater.sql.form import StatementChain


@resolves(StatementChain)
def statement_chain(builder: Builder, form: StatementChain, environment: Environment) -> Outcome:
    """Each statement in turn, with the results before it as `$1`, `$2`, …; the last one's result is the whole's."""
    results: list[ResultSet | None] = []
    types: list[str] = []
    for step in form.steps:
        inner = Environment(environment)
        inner.ctes.update({f"${n}": r for n, r in enumerate(reversed(results), 1) if r is not None})
        outcome = run(builder, step, inner)
        results.append(outcome.result)
        types.append(outcome.type)
    for earlier in results[:-1]:
        if earlier is not None:
            earlier.row.type = "cte"
    changes = [type_ for type_ in types if type_ not in ("Select", "Unknown")]
    return Outcome(changes[0] if changes else types[-1], results[-1])
