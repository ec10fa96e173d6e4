"""Who may ask, and how much: each check is one module, and stands between who asks and the application.

From the outside in: what is asked is counted and logged (`access`), every answer gets the headers that bind browsers (`headers`), and a
request must be for this server (`host`), from somebody who knows the token (`token`), from a page of ours if it comes from a page
(`origin`), and neither too large (`size`) nor too slow (`time_limit`). What goes wrong inside becomes an answer (`failure`).
"""

from headwater.server.guard.guard import guard

__all__ = ["guard"]
