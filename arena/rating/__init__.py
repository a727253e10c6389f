"""TrueSkill without order, and how sure it is.

`outcomes` has the games in columns; `fit` finds the ratings, with `draw_margin` for ties; `rate`
puts them together with their errors: `intervals` from decks, in `strata`; `separation` where a bot
never lost. From these come `comparisons` (who is significantly ahead), `posterior` (chances of
places), `anchor` and `moves` (leagues compared), `pair_results` with `model_fit` (does one number a
bot suffice), `overall` and `tallies`. `sequential` and `sequential_limits` decide matches early.
`gaussian` and `p_values` are the distributions.

Imports games. Pure; numpy takes its time to load, so import this where it is used.
Begin with `rate`.
"""
