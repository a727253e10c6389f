"""A page on which visitors play against a league's bots, in their browser: no server plays a card.

`page` writes it, with what lies beside it. In the browser `play.js`, which extends the site's
viewer, asks `driver` by `engine.js`; the driver runs in `worker.js`, and that within the walls of
`frame.js`.

Imports site, tables, store, records, league, sandbox and games. Begin with `page`.
"""
