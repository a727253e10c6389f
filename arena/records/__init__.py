"""A game as it is written down: the format, the judge who replays it, the game told in words.

`format` writes records, `judge` replays them by the rules. `questions` finds what a seat was asked,
`replay` tells a game in words and goes through it step by step, as all see it or one seat does,
and `as_test` turns a view into a test.

Imports games. Pure. Begin with `format`.
"""
