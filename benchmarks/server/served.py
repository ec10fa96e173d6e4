"""The server that is measured, in a process of its own: `served.py STORE PORT`."""

from __future__ import annotations

import sys
from pathlib import Path

import uvicorn

from headwater.server.app import application

if __name__ == "__main__":
    store, port = sys.argv[1:]
    uvicorn.run(application(Path(store)), host="127.0.0.1", port=int(port), log_level="warning", access_log=False)
