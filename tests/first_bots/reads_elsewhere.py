# A file by a path of one's own machine.
# fault: load
# remedy: Path(__file__).parent

with open("weights.json") as file:
    weights = file.read()


def decide(view):
    return view.legal[0]
