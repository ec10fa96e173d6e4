"""The MCP server: lineage for AI assistants, over standard input and output (docs/mcp.md).

Another face of the questions that the command line and the explorer ask: each tool is a few lines that ask `graph`, `report` or
`analysis` and give a shape. `shapes` are what it answers, `words` the same as text; only `answer` and `server` know the protocol's library.
"""
