"""TrueSkill ratings independent of the games' order, with their uncertainty.

`outcomes` has the games in columns, and counts them; `fit` finds the ratings; `rate` puts them
together with their errors (`intervals` from decks, `separation` where a bot never lost) and
averages pools. From these come `comparisons` (who is significantly ahead), `posterior` (chances of
places), `anchor` (ratings measured from one bot) and `model_fit` (does one number a bot suffice).
`gaussian` and `p_values` are the distributions.

Imports games. Pure; numpy takes its time to load, so import this where it is used.
Begin with `rate`.
"""
