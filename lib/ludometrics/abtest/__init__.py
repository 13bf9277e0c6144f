"""A/B tests on repeated games by the same players.

>>> from ludometrics.abtest import assign_by_hash
>>> assign_by_hash("medium-randomness", "Sim Ada")
'B'
"""

from ludometrics.abtest.assignment import assign_by_hash

__all__ = ["assign_by_hash"]
