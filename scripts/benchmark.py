#!/usr/bin/env python3
"""Measure this program against the fastest peers known:  python3 scripts/benchmark.py [--quick] [--json OUT]

The first start sets up: real text from Debian packages, the peers in an environment of their own, the program's kernels compiled. That is
kept in a cache folder outside the checkout (--cache) and not part of any figure. What cannot be had without network is "not run".

--quick takes less than a minute, on 1 and 10 MB. The whole takes an hour or so; leave the machine alone meanwhile.
"""

import sys

from oldest_python import complaint

too_old = complaint(tuple(sys.version_info[:3]), "benchmark.py")
if too_old:
    sys.exit(too_old)

from benchmarking.session import main  # only now: an old Python cannot read that module

if __name__ == "__main__":
    sys.exit(main(__doc__))
