"""`arena`, and `python -m arena`: signals first, then the command line."""

import gc
import os
import sys

from arena.errors import INTERRUPTED
from arena.system import signals

LIBRARIES = {
    "OPENBLAS_NUM_THREADS": "1",  # numpy would start a thread a core, and no product here needs two
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # to look for one is to read what each package says
}
"""What libraries are told as they load, unless the user's environment says otherwise."""

GARBAGE = 100_000  # objects: loading modules makes many, and hardly any cycle among them


def main() -> None:
    """Run the command line; asked to stop at once, say so and leave with 130."""
    try:
        signals.at_once()
        gc.set_threshold(GARBAGE)
        for name, value in LIBRARIES.items():
            os.environ.setdefault(name, value)
        from arena.cli import app  # here: loading takes longest, and may be interrupted

        app.main()
    except signals.Stopped:
        print("stopped at once; games that were saved are safe", file=sys.stderr)
        sys.exit(INTERRUPTED)
    finally:
        signals.no_more()
        gc.freeze()  # all memory goes at once: nothing to be found in it by a last look


if __name__ == "__main__":
    main()
