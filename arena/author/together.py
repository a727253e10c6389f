"""New files that come together or not at all, and never in place of others."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path


def put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files, by their paths in an existing folder; none of their first parts is there.

    Raises OSError, FileExistsError among them, which names the path; then nothing was written.
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
