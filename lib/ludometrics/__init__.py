"""Ludometrics: skill in games, measured on players whose skill is known before it is believed.

Each area is a sub-package with its own docstring; ``notebooks/00_start_here.ipynb`` shows the way round.
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("ludometrics")
except PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "0+unknown"
