"""Processes lent to core for patterns of one's own, which cannot be stopped from within the process that matches them.

`cutters` is the side that asks: pieces and workspace lend it (`core.marking.lending`). `cutting` is what runs in the process; it
imports next to nothing, so that one is there in a twentieth of a second. A process lives as long as the work it was started for.
"""
