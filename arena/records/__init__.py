"""A game as it is written down: the format, the judge who replays it, the game told in words.

Imports games. Pure. Begin with `format`.
"""
