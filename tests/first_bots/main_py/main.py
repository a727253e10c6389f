# The bot's file is called main.py.
# fault: refused
# remedy: rename main.py to bot.py

def decide(view):
    return view.legal[0]
