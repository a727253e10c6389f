"""TrueSkill without order, and how sure it is.

Imports games. Pure; numpy takes its time to load, so import this where it is used.
Begin with `rate`.
"""
