"""Programs to resolutions: the statements inside of procedures, functions, triggers, packages and blocks, and how variables connect them.

`sql.procedural` reads a program; `run` follows it; `step` holds what one statement does to variables; `origin` is what these hold.
"""

from headwater.procedural.program import resolutions

__all__ = ["resolutions"]
