"""The sequential test: several looks at two bots while they play, without more errors than planned.

`stages` plans the looks at an entry's table, `limits` the error that each may use up; `verdicts`
judges two bots at a look, and `goals` has the pairs that must be decided before play stops. A look
is taken by `looks`, published as a `document`, and put in words by `wording`.

Imports rating. Pure. Begin with `verdicts`.
"""
