"""What a cluster takes of its scheduler and organiser: counts and CPU time, a session, a host.

Of a league of 1,000 bots on 10 to 500 simulated hosts, by `python -m tests.benchmarks.fleet`,
November 2026; Dask 2026.8.0. Bytes and messages are counted; CPU times, of a shared virtual
machine, are good to half as much again. Said once for who extrapolates, and for nobody who plays.
"""

SESSION_MESSAGES = 11.0
"""Messages that the scheduler reads and writes for a session; fewer where several travel as one."""

SESSION_JOB_BYTES = 1_700
"""Of a session as it is sent to a host, beside its own bots and games."""

JOB_BYTES_A_BOT = 85
"""Of it, for each bot of the session, of whom there are 32 at most (`schedule.sessions`)."""

JOB_BYTES_A_GAME = 8
"""Of it, for each of its games."""

RESULT_BYTES_A_GAME = 350
"""Of what a session returns, for each of its games: No Thanks! 231, Sixteen 347, 17 388. It goes
through the scheduler, as the job does, which receives it once and sends it once."""

SCHEDULER_MIB = 60.0
"""Resident, of a scheduler with nothing to do."""

SCHEDULER_HOST_BYTES = 150_000
"""More for each host."""

SCHEDULER_CPU_S = 0.004
"""CPU time of the scheduler, a session."""

ORGANISER_JOB_BYTES = 600
"""Of the organiser's memory, for each session that is left, beside 8 for each of its games."""
