"""An executor whose sessions are played by the hosts of a Dask cluster.

The command line creates it and hands it to the runner, which does not know it. Imports runner,
plan, session, league, store, system, the sandbox's `walls` and the audit's `game_check`.

Begin with `executor`. `scheduler` finds, starts or connects to Dask; `coordinator` hands out the
sessions, `host` is what happens on a host, `inspection` checks what it returns.
`no_http` keeps Dask's own programs from serving HTTP.
"""
