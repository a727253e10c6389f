"""A release is refused where its version, day or address is not the same everywhere; its workflow
holds no logic.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

URL, DAY = "https://example.org/us/it", "2026-12-01"
READY = {  # a release that nothing keeps back, made of whatever the clone has: file, pattern, text
    "pyproject.toml": [("^version = .*", 'version = "0.3.1"'), ("^url = .*", f'url = "{URL}"')],
    "arena/__init__.py": [("^__version__ = .*", '__version__ = "0.3.1"')],
    "CHANGELOG.md": [(r"^## \[.*", f"## [0.3.1] - {DAY}")],
    "CITATION.cff": [
        (r"^(repository-code|date-released): .*\n", ""),
        ("^version: .*", f'version: 0.3.1\nrepository-code: "{URL}"\ndate-released: {DAY}'),
    ],
    "README.md": [(r"Nothing is released yet\. ", "")],
}


def tag(folder: Path, version: str, name: str = "", old: str = "", new: str = "") -> list[str]:
    """What .ci/tag finds in a release that is ready but for an old text that is new in a file."""
    for file in (".ci/tag", *READY):
        text = (ROOT / file).read_text()
        for pattern, ready in READY.get(file, []):
            text = re.sub(pattern, ready, text, flags=re.MULTILINE)
        assert name != file or old in text
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text.replace(old, new) if name == file else text)
    words = (sys.executable, folder / ".ci/tag", version)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == bool(done.stderr.strip())
    return done.stderr.splitlines()


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "old", "new", "found"),
    [
        ("pyproject.toml", URL, "",
         ["url of [tool.botarena] is empty", "expected no such line", "README.md: found no "]),
        ("pyproject.toml", '"0.3.1"', '"0.3.2"', ["no heading", "is 0.3.2", "expected 0.3.2"]),
        ("arena/__init__.py", '"0.3.1"', '"0.3.0"', ["found 0.3.0; expected 0.3.1"]),
        ("CHANGELOG.md", DAY, "unreleased", ["no day of release", "expected no such line"]),
        ("CITATION.cff", DAY, "2026-12-02", [f"found 2026-12-02; expected {DAY}"]),
        ("README.md", "## Start", "Nothing is released yet.", ["README.md: found 'Nothing is"]),
        ("CITATION.cff", URL, URL + "s", [f"found {URL}s; expected {URL}"]),
    ],
)  # fmt: skip
def test_a_tag_is_refused_where_a_place_says_something_else(
    tmp_path: Path, name: str, old: str, new: str, found: list[str]
) -> None:
    assert tag(tmp_path, "v0.3.1") == []
    assert tag(tmp_path, "v0.4.0") == ["pyproject.toml: version is 0.3.1, but the tag is v0.4.0"]
    told = "\n".join(tag(tmp_path, "v0.3.1", name, old, new))
    assert [words for words in found if words not in told] == []


@pytest.mark.whole
def test_nothing_is_amiss_in_this_commit_but_what_a_tag_needs() -> None:
    subprocess.run([sys.executable, ROOT / ".ci/tag"], check=True)


def test_the_workflow_runs_what_ci_runs_and_actions_by_their_hash() -> None:
    workflow = (ROOT / ".github/workflows/release.yml").read_text()
    steps = re.findall(r"^ +- run: (\S+)", workflow, re.MULTILINE)
    assert len(steps) == len(re.findall(r"\brun:", workflow)) == 4
    ours = (ROOT / ".ci/run").read_text()
    assert [step for step in steps if step not in ours] == []
    workflows = [file.read_text() for file in (ROOT / ".github/workflows").glob("*.yml")]
    used = re.findall(r"uses: (.*)$", "\n".join(workflows), re.MULTILINE)
    assert [one for one in used if not re.fullmatch(r"\S+@[0-9a-f]{40}  # v[\d.]+", one)] == []
