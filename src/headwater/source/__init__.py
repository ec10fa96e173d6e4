"""Files to scripts: the SQL in whatever holds it, at the lines and columns where it stands.

In comes what a file holds, as bytes; out come `SourceScript`s, whose text the front end splits. What cannot be read becomes a script with a
problem. One module per format; `find` and `manifest` say which files there are, `template` renders Jinja where that is asked for.
"""

from headwater.source.find import INCLUDED, SKIPPED_FOLDERS, find_files, shown_path
from headwater.source.ignore import IgnoreRules
from headwater.source.manifest import ManifestEntry, ManifestError, parse_manifest, read_manifest
from headwater.source.read import scripts_of
from headwater.source.script import SourceScript
from headwater.source.targets import PRESETS, Filled, Target, filled_by, suggestion
from headwater.source.template import Template, TemplateProblem, variables_of

__all__ = [
    "INCLUDED",
    "PRESETS",
    "SKIPPED_FOLDERS",
    "Filled",
    "IgnoreRules",
    "ManifestEntry",
    "ManifestError",
    "SourceScript",
    "Target",
    "Template",
    "TemplateProblem",
    "filled_by",
    "find_files",
    "parse_manifest",
    "read_manifest",
    "scripts_of",
    "shown_path",
    "suggestion",
    "variables_of",
]
