"""What holds for every test: drawn examples are the same on every machine and every day.

`make test` has to give one answer for one state of the repository, so hypothesis draws from the test's own text and
not from the clock. `HYPOTHESIS_PROFILE=exploring make test` looks for new examples.
"""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.register_profile("exploring", derandomize=False, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
