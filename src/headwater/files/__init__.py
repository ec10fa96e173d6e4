"""Files of others: which may be read, and how their names are shown."""

from headwater.files.access import check_access, open_file, passes_over, read_bytes, refusal
from headwater.files.roots import Roots, reading_below, roots_in_force
from headwater.files.shown_name import exists, shown_name

__all__ = [
    "Roots",
    "check_access",
    "exists",
    "open_file",
    "passes_over",
    "read_bytes",
    "reading_below",
    "refusal",
    "roots_in_force",
    "shown_name",
]
