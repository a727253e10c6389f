# A file read inside decide.
# fault: error
# remedy: read it at the top of the file

from pathlib import Path


def decide(view):
    notes = Path(__file__).read_text()
    return view.legal[len(notes) % len(view.legal)]
