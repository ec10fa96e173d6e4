"""Visivo's projects: `project.visivo.yml` and what it includes, of the current version and of 1.x.

One kind of object, one module. `project.yaml_document` reads YAML with places, `includes` finds the files, `reading` collects
what the others make of them.
"""

from headwater.project.visivo.project import read_visivo

__all__ = ["read_visivo"]
