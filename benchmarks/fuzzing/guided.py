"""A process that looks for inputs of one target that reach new code: `python -m fuzzing.guided TARGET FOLDER LIBFUZZER-OPTION…`.

Code is instrumented when it is imported, so it is a process of its own. Every broken promise is a line of JSON in `findings.jsonl`
beside the corpus; the search goes on behind it.
"""

from __future__ import annotations

import base64
import json
import sys
import traceback
from pathlib import Path

import atheris

_LONGEST_TRACE = 3
"""Frames of a traceback that tell two findings apart."""


def main() -> None:
    """Instrument, then search until libFuzzer's own limits end it."""
    name, folder, *options = sys.argv[1:]
    with atheris.instrument_imports(include=["headwater"]):  # some modules are imported when they are first needed
        _search(name, Path(folder), options)


def _search(name: str, corpus: Path, options: list[str]) -> None:
    from fuzz_targets import TARGETS

    target = TARGETS[name]
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    seen: set[str] = set()

    def try_input(data: bytes) -> None:
        try:
            target.try_input(data)
        except Exception as error:  # noqa: BLE001 - this is what is looked for
            _note(corpus.parent / "findings.jsonl", name, data, error, seen)

    atheris.Setup([sys.argv[0], str(corpus), *options], try_input)
    atheris.Fuzz()


def _note(findings: Path, name: str, data: bytes, error: Exception, seen: set[str]) -> None:
    """Write a finding down, once for each place in the code."""
    frames = traceback.extract_tb(error.__traceback__)[-_LONGEST_TRACE:]
    places = " < ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in reversed(frames))
    if places in seen:
        return
    seen.add(places)
    found = {"target": name, "error": f"{type(error).__name__}: {error}"[:300], "places": places}
    with findings.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**found, "input": base64.b64encode(data).decode()}) + "\n")


if __name__ == "__main__":
    main()
