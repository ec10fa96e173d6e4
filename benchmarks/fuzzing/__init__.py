"""Hostile input by the hour: `pool` gathers texts, `mutate` damages them, `judge` tries them in a child process, `minimise` shrinks."""
