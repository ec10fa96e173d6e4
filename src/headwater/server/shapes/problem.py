"""What is said where there is no answer."""

from __future__ import annotations

from pydantic import Field

from headwater.server.shapes.diagram import Shape


class Problem(Shape):
    """Why there is no answer, and what to do."""

    code: str = Field(description="A word for programs: `unknown-name`, `too-large`, `out-of-time`, `busy`, …")
    message: str
    hint: str = ""
