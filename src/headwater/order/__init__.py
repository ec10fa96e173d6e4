"""Statements of several scripts: where each begins and ends, what it mentions and defines, and what must be resolved before it.

`cut` takes a script apart; `in_force` says which definition of a table counts where; `script_run` resolves one script step by step, and
`schedule` several of them, in any order of files. `build` cuts with the same code, and plans millions of statements by the same rule
(`pipeline.plan.units`).
"""
