"""A readable page about a corpus: how much of it can be traced, what cannot and why, what everything hangs on.

`facts` has the numbers, gathered by one module per chapter (`coverage`, `statements`, `problems`, `hubs`, `chains`) from a store's tables
and the graph's arrays. `chapters` says them in the words, tables and plots of a `page`; `html` and `markdown` write that down. Nothing
here needs Spark.
"""

from headwater.report.chapters import page_of
from headwater.report.facts import Facts, gather
from headwater.report.html import html_page
from headwater.report.markdown import markdown_page
from headwater.report.page import Page

__all__ = ["Facts", "Page", "gather", "html_page", "markdown_page", "page_of"]
