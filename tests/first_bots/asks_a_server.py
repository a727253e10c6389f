# A question to a server.
# fault: error
# remedy: cannot open connections

import urllib.request


def decide(view):
    return urllib.request.urlopen("http://127.0.0.1:8000/").read().decode()
