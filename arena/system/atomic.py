"""Files that are there whole or not at all, whatever happens while they are written."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO


@contextmanager
def written(path: Path, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """Give a stream to write to; a reader of `path` sees the old file until all of it is on disk.
    `mode` is who may read and write it, less what the umask takes.

    Raises OSError, which names the path, and then the old file is still there, and nothing else.
    """
    draft = path.with_name(f".{path.name}.draft")
    try:
        draft.unlink(missing_ok=True)  # left by a kill, or a stranger's link to another place
        with open(draft, "xb", opener=partial(os.open, mode=mode)) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except OSError as error:
        error.filename = str(path)  # which one of a full disk does not name
        raise
    finally:
        draft.unlink(missing_ok=True)
