"""Which tables a statement may name, and which it may define, from its tokens alone.

In come a statement's tokens, out come qualified, folded names: more than it really reads, since `a.b` may be a column of `a` or the table
`b` of schema `a`, but none less. That is enough to put statements in an order in which tables are defined before they are used; what
a statement really reads and defines is the resolver's to say.

`names` finds everything that looks like a name, `definitions` what stands behind CREATE, RENAME and their like, `strings` the SQL
that is written as a string, `default_schema` whether the schema in use may matter. `due` and `moving` serve the witness: which names must
be tables, and whether a statement moves data at all.
"""

from headwater.sql.mentions.mentions import Mentions, mentions

__all__ = ["Mentions", "mentions"]
