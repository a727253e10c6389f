"""A bot's process under the naive referee: a view a line comes in, a decision a line goes out."""

import json
import sys
from types import SimpleNamespace

if __name__ == "__main__":
    space: dict[str, object] = {}
    with open(sys.argv[1]) as file:
        exec(file.read(), space)
    decide = space["decide"]
    assert callable(decide)
    for line in sys.stdin:
        print(decide(SimpleNamespace(**json.loads(line))), flush=True)
