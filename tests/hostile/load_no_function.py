"""Has a `decide` that cannot be called.

Must: load
"""

decide = "pass"
