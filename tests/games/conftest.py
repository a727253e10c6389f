"""`new/` holds games that are not there yet: `test_new_game.py` adds them to a copy."""

collect_ignore = ["new"]
