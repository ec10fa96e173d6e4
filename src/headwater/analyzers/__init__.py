"""The same model from somebody else's resolver: an engine analyses the statement, its resolved tree becomes a `Resolution`."""
