"""Answers that are no decision."""

import os
import pickle

#: answers_emptied (error) Empties the list of questions: as many as there are answers.
def decide_many(views, rngs):
    views.clear()
    return []

#: answers_forfeit (illegal) Answers the word with which records say that a seat has forfeited.
def decide(view):
    return "forfeit"

#: answers_lists (illegal) Answers lists, around its decision and a hundred thousand deep.
def decide(view):
    deep = [view.legal[0]]
    for _ in range(0 if view.table % 2 else 100_000):
        deep = [deep]
    return deep

#: answers_long (illegal) Answers a word of ten million letters, and half characters.
def decide(view):
    return "pass" * 2_500_000 if view.table % 2 else "\udcff\ud800"

#: answers_many_not_words (illegal) Answers a batch with things that are no words.
def decide_many(views, rngs):
    return [object() for _ in views]

#: answers_many_raise (error) Fails in a batch and alone.
def decide_many(views, rngs):
    raise rngs[0].choice([ValueError, KeyError, SystemExit])

#: answers_nearly (illegal) Answers what looks legal: capitals, spaces, zeros, a Cyrillic letter.
NEARLY = ("PASS", " pass", "pass\0", "pass\n", "p\u0430ss", "", "take it", "pass,take")

def decide(view):
    return NEARLY[view.table % len(NEARLY)]

#: answers_numbers (illegal) Answers numbers: integers, fractions, True, None, 60,000 digits.
def decide(view):
    return (0, 1.5, True, float("nan"), 10**60000, 1j, b"pass")[view.table % 7]

#: answers_out_of_turn (illegal) Answers what is not legal now: other games' words.
def decide(view):
    return ("take and pass", "claim", "7c", "-1")[view.table % 4]

#: answers_pickle (illegal) Answers an object that would run a program where it is unpickled.
class Worm:
    def __reduce__(self):
        return os.system, ("true",)

def decide(view):
    return Worm() if view.table % 2 else pickle.dumps(Worm()).decode("latin-1")[:60]

#: answers_subclass (illegal) Answers a string of its own kind, equal to all, of every length.
class Anything(str):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __hash__(self):
        return hash("pass")

    def __len__(self):
        return 1

    def isascii(self):
        return True

    @property
    def __class__(self):
        return str

def decide(view):
    return Anything("all your chips")

#: answers_too_few (error) Answers a batch with one decision less, or more, than questions.
def decide_many(views, rngs):
    return [view.legal[0] for view in views][1:] or ["pass", "pass"]
