"""What is read of a bot's docstring: of any text, little, quickly, and nothing is run."""

import re
import time

import pytest

from arena.league.author import read_author
from arena.model import Author
from tests.places import ROOT

WHOLE = b'''#!/usr/bin/env python3
# a comment

"""Takes a card that is cheap.

Author: Ann   Example
name: Thrifty
VERSION: 2.1
License: MIT
Author: Bob
"""
'''


def test_lines_of_the_docstring_say_who_wrote_it() -> None:
    wanted = Author("Ann Example", "Thrifty", "2.1", "MIT", "Takes a card that is cheap.")
    assert read_author(WHOLE) == read_author(WHOLE.replace(b"\n", b"\r\n")) == wanted
    page = (ROOT / "bots" / "README.md").read_text()
    (docstring,) = re.findall(r"```text\n(\"{3}.*?)```", page, re.DOTALL)
    assert read_author(docstring.encode()).author == "Ann Lee"
    assert wanted.in_words == "Thrifty 2.1 by Ann Example, MIT: Takes a card that is cheap."


@pytest.mark.parametrize(
    ("source", "author"),
    [
        (b"'Author: Ann'", Author("Ann")),
        (b'f"Author: {1/0}"', Author()),
        (b'b"Author: Ann"', Author()),
        (b'"""Author: Ann', Author()),
        (b"x = 1\n'Author: Ann'", Author()),
        (b"", Author()),
        (b'"Author: \x00Ann"', Author()),
        (b'"\\ud800"', Author(sentence="?")),
        (b'"Author: \xff"', Author("\ufffd")),
        (b"'''\nx\n" + b"x\n" * 20 + b"Author: Ann'''", Author(sentence="x")),
        (b"'Author: " + b"a" * 500 + b"'", Author("a" * 80)),
        (b"'" + b"a" * 500 + b"'", Author(sentence="a" * 200)),
        ("'Author: \u202eAnn'".encode(), Author("\u202eAnn")),
    ],
)
def test_of_any_other_text_little_is_read(source: bytes, author: Author) -> None:
    assert read_author(source) == author


@pytest.mark.parametrize(
    "source",
    [b"(" * (1 << 20), b'"' + b"\\" * 60_000, b"#\n" * 30_000, b"\n \t" * 300_000,
     b'"""' + b"a\n" * (1 << 20), b"'''" + b"Author:" * 9_000 + b"'''"],
)  # fmt: skip
def test_a_hostile_file_takes_no_time(source: bytes) -> None:
    began_s = time.process_time()
    read_author(source)
    assert time.process_time() - began_s < 1
