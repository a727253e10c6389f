# A name that no bot may have.
# fault: refused
# remedy: rename it to my_first_bot.py

def decide(view):
    return view.legal[0]
