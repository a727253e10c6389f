"""Files that are written whole or not at all, even where writing is interrupted."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO


@contextmanager
def write_atomically(path: Path, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """Give a stream to write to; a reader of `path` sees the old file until all of it is on disk.
    `mode` is the file's permissions, less what the umask takes.

    Raises OSError, which names the path; the old file is still there then, and nothing else.
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


def write_tree(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write new files, by their paths in an existing folder that has nothing of their names.

    Raises OSError (also FileExistsError), which names the path; nothing was written then.
    """
    draft = Path(tempfile.mkdtemp(prefix=".arena-draft-", dir=folder))  # the same file system
    moved: list[Path] = []
    try:
        for name, content in files.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        for entry in sorted(draft.iterdir()):
            place = folder / entry.name
            if place.exists() or place.is_symlink():
                raise FileExistsError(0, "is there already", str(place))
            entry.rename(place)
            moved.append(place)
    except BaseException as error:
        for place in moved:
            shutil.rmtree(place) if place.is_dir() else place.unlink()
        if isinstance(error, OSError) and str(error.filename or "").startswith(str(draft)):
            error.filename = str(folder)  # the draft's name says nothing to anybody
        raise
    finally:
        shutil.rmtree(draft)
