"""Ids of builds, which tell whether the build is still running."""

from __future__ import annotations

import calendar
import os
import platform
import time
from uuid import uuid4

from headwater.store.identity import identify

_MAX_SECONDS = 2 * 24 * 3600
"""How long a build on another machine may take: what is older was left by one that died."""


def new_build_id() -> str:
    """An id: when the build started, in which process, on which machine."""
    return f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{os.getpid()}-{_host()}-{uuid4().hex[:8]}"


def is_dead(build: str) -> bool:
    """Whether a build is over. Of one on another machine, only its age tells."""
    started, process, host, *_ = (*build.split("-"), "", "", "")
    if host == _host() and process.isdecimal():
        return not _runs(int(process))
    try:
        begun = calendar.timegm(time.strptime(started, "%Y%m%dT%H%M%S"))
    except ValueError:
        return False
    return time.time() - begun > _MAX_SECONDS


def _host() -> str:
    return identify(platform.node()).to_bytes(8, "little", signed=True).hex()[:8]


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
