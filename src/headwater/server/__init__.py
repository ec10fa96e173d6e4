"""The server: a store's graph and the playground over HTTP, and the explorer's page.

`app` puts it together; `routes` has one module for each kind of question, `shapes` what goes in and comes out, `guard` who may ask and how
much, `playground` analyses what somebody types, in processes of its own. Nothing here walks a graph or reads SQL: that is `graph`'s and
`analysis`'.
"""
