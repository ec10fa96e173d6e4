"""One text for all statements that one analysis serves: those that differ only in literals which cannot shape the result.

In come the tokens of a statement, out comes its canonical text. A literal gives way to a placeholder only where it is known to do no
harm (decision by whitelist):

* an operand of a comparison (`a = 1`, `1 < a`, `a LIKE 'x%'`, `a BETWEEN 1 AND 2`) in WHERE, ON, HAVING or QUALIFY, if the literal is the
  whole operand: it touches the operator, and a condition ends or begins on its other side (`conditions`);
* a list behind IN in these clauses, if it holds nothing but literals; all of them are one placeholder (`conditions`);
* the number of LIMIT, OFFSET, FETCH and TOP (`row_counts`);
* a cell of INSERT … VALUES, if all rows have a literal there; rows of nothing but literals that follow each other are one
  (`inserted_rows`).

Everything else is kept as it was written, layout and all, because lineage shows expressions in the script's own words. So a bracket
that holds arguments, a select item or a type is one lump, with the subqueries in it (`brackets`). Only next to the words, commas and
brackets that hold a query together (`clauses`) do blanks, comments and case not matter.

It is one pass over the tokens that can mean something, the *marks* (`words`); a stack remembers the clause around each bracket of a query
(`walk`). Each module registers what its marks mean with `means`.
"""

from headwater.sql.fingerprint import brackets, clauses, conditions, inserted_rows, row_counts
from headwater.sql.fingerprint.canonical import fingerprint
from headwater.sql.fingerprint.walk import LITERAL

__all__ = ["LITERAL", "brackets", "clauses", "conditions", "fingerprint", "inserted_rows", "row_counts"]
