"""What the pages and forms for contributors name is there."""

import re
import tomllib
from pathlib import Path

import pytest

from arena import __version__
from tests.places import ROOT

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
COMMANDS = set(re.findall(r"^\| `arena (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE))


def test_contributing_fits_on_a_screen_and_its_words_on_another() -> None:
    page, words = CONTRIBUTING.split("\n## Words\n")
    assert len(page.splitlines()) <= 70
    assert len(words.splitlines()) <= 45


def test_the_metadata_and_the_changelog_tell_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__
    assert re.search(rf"\b{re.escape(__version__)}\b", (ROOT / "CHANGELOG.md").read_text())


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.stem)
def test_a_form_asks_by_commands_and_files_that_are_there(form: Path) -> None:
    text = form.read_text()
    assert set(re.findall(r"`arena (\w+)", text)) <= COMMANDS
    for name in re.findall(r"`((?:[\w-]+/)*[\w-]+\.(?:md|py))`", text):
        assert "NAME" in name or (ROOT / name).exists(), name


def test_there_is_a_form_for_each_kind_of_trouble() -> None:
    assert [form.stem for form in FORMS] == ["bot", "config", "number", "ruling"]


def test_hooks_run_what_is_installed_on_what_is_there() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    entries = [entry.split() for entry in re.findall(r"^ +entry: (.*)$", hooks, re.MULTILINE)]
    assert len(entries) == 3
    project = (ROOT / "pyproject.toml").read_text()
    for program, *words in entries:
        assert f'"{program.removeprefix(".venv/bin/")}==' in project
        for word in words:
            assert not word.endswith(".py") or (ROOT / word).exists()
