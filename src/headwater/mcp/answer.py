"""What a tool gives back: its answer as data and as text; or one sentence about what to do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent

from headwater.graph import UnknownName
from headwater.mcp.script_analysis import NotAnalysed
from headwater.mcp.shapes import Shape
from headwater.mcp.words import text_of
from headwater.store import StoreError

Asked = ParamSpec("Asked")


def answering(tool: Callable[Asked, Shape]) -> Callable[Asked, CallToolResult]:
    """The tool that gives a shape, as one that gives it as data and as text; what the asker can mend is a sentence."""

    @wraps(tool)
    def answered(*args: Asked.args, **options: Asked.kwargs) -> CallToolResult:
        try:
            answer = tool(*args, **options)
        except (StoreError, UnknownName, NotAnalysed) as error:
            raise ToolError(str(error)) from error
        content = TextContent(type="text", text=text_of(answer))
        return CallToolResult(content=[content], structured_content=answer.model_dump(mode="json"))

    return answered
