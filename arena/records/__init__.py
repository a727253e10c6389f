"""Recorded games: the format, the check by the rules, the replay in words.

`record` writes records and judges them by the rules. `questions` finds what a seat was asked,
and writes it as a test; `replay` shows a game in words, step by step, with all hands or as one seat
saw it.

Imports faults and games. Pure. Begin with `record`.
"""
