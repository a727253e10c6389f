"""Finds better numbers for a bot: those that it names in `TUNE`, proved on decks of their own.

`numbers` reads and writes them; `variants`, copied as a bot, plays many sets of them side by side
in one process. `race` plays sets on common decks, `search` proposes them and has the last word.

Imports insight, tables, league, faults, process, system and games. Begin with `search`.
"""
