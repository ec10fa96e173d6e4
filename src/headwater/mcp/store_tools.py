"""Tools about what a store was made of: its scripts, what could not be understood of them, and what is said of columns."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from typing import Annotated, Any

import pyarrow.dataset as ds
from pydantic import Field

from headwater.graph.open_store import OpenStore
from headwater.mcp.parameters import Limit, Pattern
from headwater.mcp.shapes import DiagnosticsAnswer, ProblemShape, ScriptAnswer, TaggedShape, TagsAnswer
from headwater.model.diagnostic import Code
from headwater.model.explanation import explanation
from headwater.model.suggestion import did_you_mean
from headwater.report.problems import Problem, problems
from headwater.report.subject import subject_of
from headwater.store import Snapshot, StoreError

_LONGEST_LINE = 2000
"""Characters of a script's line that are given."""


class StoreTools:
    """Questions about what a store was made of."""

    def __init__(self, store: OpenStore) -> None:
        self._store = store

    def script(
        self,
        path: Annotated[str, Field(max_length=20_000, description="A script's path, as other tools give it.")],
        line: Annotated[int, Field(ge=1, le=100_000_000, description="The line in the middle of what is given.")] = 1,
        lines: Annotated[int, Field(ge=1, le=1000, description="How many lines are given.")] = 60,
    ) -> ScriptAnswer:
        """Show a part of a script of the store, around a line, without its secrets.

        Use it to read the SQL at a place that another tool gave. The text is the store's: no file is opened.
        """
        snapshot = self._store.graph().snapshot
        found = _script(snapshot, path)
        every = found["text"].split("\n")
        first = max(0, min(line - 1 - lines // 2, len(every) - lines))
        return ScriptAnswer(
            snapshot=snapshot.name,
            path=path,
            dialect=found["dialect"] or "",
            first_line=first + 1,
            total_lines=len(every),
            text="\n".join(each[:_LONGEST_LINE] for each in every[first : first + lines]),
        )

    def diagnostics(
        self,
        code: Annotated[
            str | None, Field(max_length=100, description="Only this code, such as `unresolved-column`.")
        ] = None,
        limit: Limit = 5,
    ) -> DiagnosticsAnswer:
        """Tell what could not be understood in the scripts, or only guessed: by code, with the most frequent causes and their places.

        Use it to judge how far the lineage can be trusted, or what to mend. limit is how many causes of each code are given.
        """
        graph = self._store.graph()
        known = {each.value for each in Code}
        if code is not None and code not in known:
            raise StoreError(
                f"there is no diagnostic {code}; {did_you_mean(code, sorted(known)) or 'leave it out for all'}"
            )
        found = problems(subject_of(graph), None, limit)
        wanted = [each for each in found.codes if code in (None, each.code)]
        return DiagnosticsAnswer(
            snapshot=graph.snapshot.name,
            coverage=graph.coverage.headline,
            failed=graph.coverage.losses.lost_statements,
            problems=[_problem(each) for each in wanted],
        )

    def tags(
        self,
        like: Annotated[
            Pattern | None, Field(description="Only columns, or columns of tables, with a name like that.")
        ] = None,
        tag: Annotated[str | None, Field(max_length=1000, description="Only this tag, such as `pii`.")] = None,
        limit: Limit = 50,
    ) -> TagsAnswer:
        """Tell which columns carry which tags (`pii` and the like): because somebody said so, or because such data flows into them.

        Use it for "where does personal data end up?".
        """
        graph = self._store.graph()
        tags = graph.tags()
        found = list(islice(tags.columns(like, (tag,) if tag else ()), limit + 1))
        return TagsAnswer(
            snapshot=graph.snapshot.name,
            tags=list(tags.names),
            complete=len(found) <= limit,
            columns=[
                TaggedShape(
                    tag=each.tag,
                    name=str(each.column),
                    kind=each.column.table.kind,
                    own=each.own,
                    origin=str(each.origin),
                    distance=each.distance,
                )
                for each in found[:limit]
            ],
        )


def _script(snapshot: Snapshot, path: str) -> dict[str, Any]:
    """A script of the snapshot; of a query log, where paths are many statements', the first."""
    scripts = snapshot.dataset("scripts")
    fields = ["dialect", "text"]
    found: list[dict[str, Any]] = scripts.to_table(fields, filter=ds.field("path") == path).to_pylist()
    if not found:
        paths = scripts.to_table(["path"]).column("path").to_pylist()
        near = did_you_mean(path, dict.fromkeys(filter(None, paths)))
        raise StoreError(f"the store has no script {path}; {near or 'other tools give paths'}")
    if found[0]["text"] is None:
        raise StoreError(f"{path} is a query log, whose statements have no common text")
    return found[0]


def _problem(problem: Problem) -> ProblemShape:
    meaning = explanation(Code(problem.code)).summary
    return ProblemShape.model_validate(
        {
            **asdict(problem),
            "meaning": meaning,
            "total_causes": problem.causes_in_all,
            "causes": list(map(asdict, problem.causes)),
        }
    )
