"""The API's description: `python -m headwater.server.openapi` prints it, the same for the same API. The page's client is made of it."""

from __future__ import annotations

import json
import sys

from headwater.server.app import application


def document() -> str:
    """The OpenAPI document as text."""
    return json.dumps(application().openapi(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(document())
