"""GoogleSQL's analyzer tests: their files, the tables they read, and what both engines say about a statement."""
