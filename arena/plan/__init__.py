"""What is asked for, in a TOML file or a match's words, checked before anything is played.

Imports league, schedule, games and the sandbox's `walls`. Begin with `plan`.
"""
