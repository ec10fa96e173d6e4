"""Real SQL to try the analyser on, from several kinds of sources: a module each. None of it is ever committed.

A source gives a `Corpus`: scripts with their dialect, and the schema they run on where one is known. `sources` names them all.
"""
