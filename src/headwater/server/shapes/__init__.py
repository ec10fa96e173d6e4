"""What the API takes and gives, as types: the OpenAPI document, and the explorer's own types, are made of these.

Ids are strings. A name is one as the graph shows it (`db.t.c`), or `id:` and an id.
"""
