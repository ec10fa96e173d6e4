"""What `headwater check` says of a corpus: rules look at scripts, or at a store and its graph, and give findings.

`rules` has one module per rule, `formats` one per form in which findings are given to others. `scripts` and `stored` make both kinds of
project look the same; `suppression`, `selection` and `baseline` say which findings count; `run` puts it together. What needs arrays is
imported only where a store is checked.
"""
