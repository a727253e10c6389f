"""The command line: typer, words for people, exit codes.

Imports everything; only `arena.__main__` imports it. Begin with `app`.
"""
