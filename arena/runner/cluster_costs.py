"""What a cluster takes of its scheduler and organiser: counts and CPU time, a session, a host.

Of a league of 1,000 bots on simulated hosts, by `python -m tests.benchmarks.fleet`, November 2026;
Dask 2026.8.0. Bytes and messages are counted, CPU times of a shared virtual machine are good to
half as much again. Said once for who extrapolates, and for nobody who plays.
"""

SESSION_MESSAGES = 11.0
"""Messages that the scheduler reads and writes for a session; fewer where several travel as one."""

SESSION_JOB_BYTES = 1_500
"""Of a session as it is sent to a host, beside its own bots and games."""

JOB_BYTES_A_BOT = 85
"""Of it, for each bot of the session, of whom there are 32 at most (`schedule.sessions`)."""

JOB_BYTES_A_GAME = 8
"""Of it, for each of its games."""

RESULT_BYTES_A_GAME = 232
"""Of what a session returns, for each of its games; through the scheduler, as the job: each of them
is received once and sent once."""

HOST_MESSAGES = 55.0
"""Messages until a host is checked, beside those a second."""

HOST_MESSAGES_A_SECOND = 2.0
"""That hosts and scheduler exchange while nothing is played, with 50 hosts; fewer with more."""

SCHEDULER_MIB = 62.0
"""Resident, of a scheduler with nothing to do."""

SCHEDULER_HOST_BYTES = 500_000
"""More for each host, beside the kit."""

SCHEDULER_KITS_A_HOST = 1
"""Copies of the bots that the scheduler keeps, for each host."""

ORGANISER_MIB = 62.0
"""Resident, of arena before it has a plan."""

ORGANISER_JOB_BYTES = 1_000
"""More for each session that is left to be played."""

SCHEDULER_CPU_S = 0.0025
"""CPU time of the scheduler, a session."""

CLIENT_CPU_S = 0.004
"""CPU time of the organiser's thread of Dask's client, a session."""

STORING_CPU_S_A_LINE_UP = 100e-6
"""CPU time of the organiser to store the games of a line-up that is not stored yet."""

STORING_CPU_S_A_GAME = 10e-6
"""CPU time of the organiser to store a game, beside that."""
