"""A witness beside the resolver: whether what was found out about a statement can be all of it.

The witness looks at tokens, never at the tree. Every name that stands where a table is due must be an entity of the result, or there is a
diagnostic; a statement that holds a query must have relations, or there is a diagnostic. What it misses becomes the diagnostic
`missing-lineage`: so no defect of a reader or of the resolver ends in silence.
"""

from headwater.witness.witness import Made, witnessed

__all__ = ["Made", "witnessed"]
