"""Faults of bots: the table of their kinds, and a `Reason` (arena.model) in words, with advice.

`kinds` has a row for each kind; `reasons` words one fault, for its author or for everybody;
`causes` groups a bot's by mistake, and `remedies` advises the author.

Imports games alone. Begin with `kinds`.
"""
