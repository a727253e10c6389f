"""Where each key of a TOML text stands, whatever texts stand before it."""

import tomllib

from hypothesis import example, given
from hypothesis import strategies as st

from arena.plan.toml import find_line, find_lines

HOSTILE = '''# [[games]]
title = """
[[games]]
x = 1 \\"""
""" # "
'quoted key' = 'a # b'   # lines 2 to 5 are one text
"a.b".c = [ # a list
  1, [2,
  3], "]",
  { d = "}", e = [
    4 ] } ,
]
when = 1979-05-27 07:32:00
literal = \'\'\'
[[games]]\'\'\'\'
[x . "y z"]
k.l.m = {n = {o = 1}, "p.q" = \'=\'}
[[games]]
a = 1
[games.options]
b = 2
[[games.deep]]
[[games.deep]]
c = 3
[[games]]
a = \'[[games]]\'
deep = [{c=1}]'''

PLACES = {  # counted by hand
    ("title",): 2, ("quoted key",): 6, ("a.b",): 7, ("a.b", "c"): 7, ("a.b", "c", 0): 8,
    ("a.b", "c", 1): 8, ("a.b", "c", 1, 0): 8, ("a.b", "c", 1, 1): 9, ("a.b", "c", 2): 9,
    ("a.b", "c", 3): 10, ("a.b", "c", 3, "d"): 10, ("a.b", "c", 3, "e"): 10,
    ("a.b", "c", 3, "e", 0): 11, ("when",): 13, ("literal",): 14, ("x",): 16, ("x", "y z"): 16,
    ("x", "y z", "k"): 17, ("x", "y z", "k", "l"): 17, ("x", "y z", "k", "l", "m"): 17,
    ("x", "y z", "k", "l", "m", "n"): 17, ("x", "y z", "k", "l", "m", "n", "o"): 17,
    ("x", "y z", "k", "l", "m", "p.q"): 17, ("games",): 18, ("games", 0): 18, ("games", 0, "a"): 19,
    ("games", 0, "options"): 20, ("games", 0, "options", "b"): 21, ("games", 0, "deep"): 22,
    ("games", 0, "deep", 0): 22, ("games", 0, "deep", 1): 23, ("games", 0, "deep", 1, "c"): 24,
    ("games", 1): 25, ("games", 1, "a"): 26, ("games", 1, "deep"): 27, ("games", 1, "deep", 0): 27,
    ("games", 1, "deep", 0, "c"): 27,
}  # fmt: skip


def test_every_key_of_a_hostile_text_has_its_line() -> None:
    assert find_lines(HOSTILE) == PLACES
    assert find_lines(HOSTILE.replace("\n", "\r\n")) == PLACES


def test_a_missing_key_has_the_line_of_its_table() -> None:
    assert find_line(PLACES, ("games", 0, "deep", 1, "none", 3)) == 23
    assert find_line(PLACES, ("nothing",)) == 1


def is_value(text: str) -> bool:
    """Return whether TOML takes a text as one value."""
    try:
        return list(tomllib.loads(f"a = {text}\n")) == ["a"]
    except tomllib.TOMLDecodeError:
        return False


QUOTED = st.tuples(st.text("\"'\\#[]=,{}\nab "), st.sampled_from(['"', "'", '"""', "'''"])).map(
    lambda drawn: drawn[1] + drawn[0] + drawn[1]
)
VALUES = st.recursive(
    QUOTED.filter(is_value) | st.sampled_from(["1", "true", "1979-05-27 07:32:00"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda own: f"[{','.join(own)},\n]" if own else "[]")
        | inner.map(lambda value: f"{{x = {value}}}")
    ),
).filter(is_value)


@given(st.lists(VALUES, min_size=1, max_size=4), st.sampled_from(["\n", "\r\n"]))
@example(['""""x"""""', "''''x'''''", '"""\\\\"""', "'\\'", '""', "1 #'''"], "\n")
def test_a_key_after_any_values_has_its_line(values: list[str], end: str) -> None:
    text = "".join(f"key{at} = {value}\n" for at, value in enumerate(values))
    begins = [1 + text[: text.index(f"key{at} = ")].count("\n") for at in range(len(values))]
    found = find_lines(text.replace("\n", end))
    assert {path: line for path, line in found.items() if len(path) == 1} == {
        (f"key{at}",): line for at, line in enumerate(begins)
    }
