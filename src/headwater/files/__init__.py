"""Files of others: which may be read, and how their names are shown."""

from headwater.files.access import check_access, open_file, passes_over, read_bytes, refusal
from headwater.files.json_document import TooDeep, check_depth, parse_json
from headwater.files.roots import Roots, reading_below, roots_in_force
from headwater.files.shown_name import exists, shown_name
from headwater.files.walk import files_in, leads_out

__all__ = [
    "Roots",
    "TooDeep",
    "check_access",
    "check_depth",
    "exists",
    "files_in",
    "leads_out",
    "open_file",
    "parse_json",
    "passes_over",
    "read_bytes",
    "reading_below",
    "refusal",
    "roots_in_force",
    "shown_name",
]
