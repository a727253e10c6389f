"""Sites of a few files, and all files of a folder as texts."""

from pathlib import Path

from arena.site.publish_dir import MANIFEST, replace_site


def tree(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST
    }


def put(to: Path, **files: str) -> None:
    with replace_site(to) as draft:
        for name, text in files.items():
            draft.write(name.replace("__", "/"), text)
