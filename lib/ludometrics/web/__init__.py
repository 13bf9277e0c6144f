"""A small server and page that let people play draughts: the library's own rules, and games saved as it saw them.

The club knows nothing of the web, so that a notebook can be one's table as well (`ludometrics.web.widget`); the page is
served by ``python -m ludometrics.web --data DIR``.

>>> from ludometrics.web import Settings
>>> Settings().rule
'default'
"""

from ludometrics.web.club import Club
from ludometrics.web.orders import Order
from ludometrics.web.settings import Settings

__all__ = ["Club", "Order", "Settings"]
