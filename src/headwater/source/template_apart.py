"""`rendered_apart`: a template of a file, rendered in a process of its own, which serves all files of a run.

What no counter sees (one call that takes for ever, or all memory) costs that process, and the file its SQL; nothing else.
"""

from __future__ import annotations

from functools import lru_cache
from pickle import PicklingError, dumps, loads
from typing import Any, NamedTuple

from headwater.budget.process import Failed, Unavailable, run
from headwater.files.roots import Roots
from headwater.source.template import Template, TemplateProblem
from headwater.source.template_limits import TemplateLimits
from headwater.source.template_process import GRACE, Circumstances, why_stopped
from headwater.source.template_watch import refused


class _Request(NamedTuple):
    """Asks for what one template makes."""

    template: bytes
    """The `Template`, written: files of a run have the same."""
    number: int
    """That of the `Template` in the process that asks: what one has found of other files, another looks for again."""
    text: str
    name: str
    circumstances: Circumstances
    timeout: float | None
    memory: int | None
    reserved: int = 0

    def answer(self, ask: Any) -> tuple[str | TemplateProblem, Roots | None]:
        """The text, and what was not read of the files that it includes."""
        with self.circumstances.restored():
            try:
                made: str | TemplateProblem = _template(self.template, self.number).render_here(self.text, self.name)
            except TemplateProblem as problem:
                made = problem.with_traceback(None)
        return made, self.circumstances.roots


def rendered_apart(template: Template, text: str, name: str, limits: TemplateLimits) -> str:
    """The text that a template makes; where no process can be started, this one renders it."""
    circumstances = Circumstances.of_caller(limits)
    try:
        written = dumps(template)
    except (PicklingError, TypeError, AttributeError):  # variables of a caller may be anything
        return template.render_here(text, name)
    try:
        made, roots = run(
            _Request(written, template.number, text, name, circumstances, limits.seconds + GRACE, limits.memory)
        )
    except Unavailable:
        return template.render_here(text, name)
    except Failed as failure:
        raise refused(why_stopped(failure.code, limits)) from failure
    circumstances.note_files(roots)
    if isinstance(made, TemplateProblem):
        raise made
    return str(made)


@lru_cache(maxsize=4)
def _template(written: bytes, number: int) -> Template:
    made: Template = loads(written)
    return made
