"""Mistakes of first bots: `#: bot (the fault that it earns) a part of the remedy`."""

#: asks_a_server (error) cannot open connections
import urllib.request

def decide(view):
    return urllib.request.urlopen("http://127.0.0.1:8000/").read().decode()

#: capital (illegal) did you mean
def decide(view):
    return view.legal[0].upper() if view.legal[0].islower() else view.legal[0].lower()

#: class_without_decide (load) def decide(self, view)
class Bot:
    def move(self, view):
        return view.legal[0]

#: class_without_game (error) def __init__(self, game)
class Bot:
    def __init__(self):
        self.seen = 0

    def decide(self, view):
        return view.legal[0]

#: coroutine (illegal) remove async
async def decide(view):
    return view.legal[0]

#: decied (load) rename decied to decide
def decied(view):
    return view.legal[0]

#: endless (time) endless.py line
def decide(view):
    while True:
        pass

#: endless_load (load) endless_load.py line
turns = 0
while turns >= 0:
    turns += 1

def decide(view):
    return view.legal[0]

#: endless_recursion (error) calls itself
def decide(view):
    return decide(view)

#: exits (error) return
import sys

def decide(view):
    sys.exit()

#: file_beside (load) make it a folder:
import cards_i_wrote

def decide(view):
    return view.legal[cards_i_wrote.FIRST]
#> cards_i_wrote.py
FIRST = 0

#: generator (illegal) return, not yield
def decide(view):
    yield view.legal[0]

#: index (illegal) return the string itself
def decide(view):
    return 0

#: late_import (error) move the import to the top of the file
def decide(view):
    import colorsys
    return view.legal[int(colorsys.rgb_to_hsv(0, 0, 0)[0])]

#: line_end (illegal) strip()
def decide(view):
    return view.legal[0] + "\n"

#: many_random (error) rngs[i]
import random

def decide_many(views, rngs):
    return [random.choice(view.legal) for view in views]

#: many_wrong (error) a list
def decide_many(views, rngs):
    return views[0].legal[0]

#: missing_colon (load) missing_colon.py line 5
def decide(view):
    if view.legal
        return view.legal[0]

#: much_memory (memory) memory_mib
def decide(view):
    table = [0] * 10**9
    return view.legal[table[0]]

#: my_class (load) rename class MyBot to Bot
class MyBot:
    def decide(self, view):
        return view.legal[0]

#: no_argument (error) def decide(view)
def decide():
    return "pass"

#: no_return (illegal) end every path through decide with return
def decide(view):
    if len(view.legal) > 99:
        return view.legal[0]

#: not_installed (load) is not installed where arena runs
import tensorflow_of_my_own

def decide(view):
    return view.legal[0]

#: not_legal_now (illegal) return one of view.legal
def decide(view):
    return "pass"

#: nothing (load) put the code into `def decide(view)`
import random

print(random.choice(["take", "pass"]))

#: numpy_str (play on)
import numpy as np

def decide(view):
    return np.array(view.legal)[0]

#: other_games (error) only views of no_thanks
def decide(view):
    return "take" if view.card < 10 else view.legal[0]

#: print_of_python_2 (load) print(...)
def decide(view):
    print view.legal
    return view.legal[0]

#: reads_elsewhere (load) Path(__file__).parent
with open("weights.json") as file:
    weights = file.read()

def decide(view):
    return view.legal[0]

#: reads_input (error) input()
def decide(view):
    print(view.legal)
    return input("your move: ")

#: reads_late (error) read it at the top of the file
from pathlib import Path

def decide(view):
    return view.legal[len(Path(__file__).read_text()) % len(view.legal)]

#: self_in_function (error) def decide(view)
def decide(self, view):
    return view.legal[0]

#: sleeps (time) an endless loop or a sleep?
import time

def decide(view):
    time.sleep(60)
    return view.legal[0]

#: starts_a_program (error) cannot start programs
import subprocess

def decide(view):
    return subprocess.run(["echo", view.legal[0]], capture_output=True, text=True).stdout.strip()

#: tabs_and_spaces (load) indent with spaces only
def decide(view):
    if view.legal:
	return view.legal[0]

#: tuple_changed (error) list(view.legal)
def decide(view):
    view.legal.reverse()
    return view.legal[0]

#: two_kinds (load) keep one of them
class Bot:
    def decide(self, view):
        return view.legal[0]

def decide(view):
    return view.legal[0]

#: typo_numpy (load) did you mean 'numpy'?
import nunpy as np

def decide(view):
    return view.legal[int(np.argmin([len(each) for each in view.legal]))]

#: view_as_dict (error) view.legal, not view['legal']
def decide(view):
    return view["legal"][0]

#: view_changed (error) use your own variables
def decide(view):
    view.seen = True
    return view.legal[0]

#: whole_list (illegal) return one of them
def decide(view):
    return view.legal

#: wrong_attribute (error) did you mean view.legal?
def decide(view):
    return view.legals[0]
