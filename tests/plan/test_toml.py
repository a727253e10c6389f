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
"a.b".c = [ # a list
  1, [2,
  3], "]",
  { d = "}", e = [
    4 ] } ,
]
literal = \'\'\'
[[games]]\'\'\'\'
[x . "y z"]
k.l.m = {n = 1, "p.q" = \'=\'}
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
    ("title",): 2, ("a.b",): 6, ("a.b", "c"): 6, ("a.b", "c", 0): 7, ("a.b", "c", 1): 7,
    ("a.b", "c", 1, 0): 7, ("a.b", "c", 1, 1): 8, ("a.b", "c", 2): 8, ("a.b", "c", 3): 9,
    ("a.b", "c", 3, "d"): 9, ("a.b", "c", 3, "e"): 9, ("a.b", "c", 3, "e", 0): 10, ("literal",): 12,
    ("x",): 14, ("x", "y z"): 14, ("x", "y z", "k"): 15, ("x", "y z", "k", "l"): 15,
    ("x", "y z", "k", "l", "m"): 15, ("x", "y z", "k", "l", "m", "n"): 15,
    ("x", "y z", "k", "l", "m", "p.q"): 15, ("games",): 16, ("games", 0): 16, ("games", 0, "a"): 17,
    ("games", 0, "options"): 18, ("games", 0, "options", "b"): 19, ("games", 0, "deep"): 20,
    ("games", 0, "deep", 0): 20, ("games", 0, "deep", 1): 21, ("games", 0, "deep", 1, "c"): 22,
    ("games", 1): 23, ("games", 1, "a"): 24, ("games", 1, "deep"): 25, ("games", 1, "deep", 0): 25,
    ("games", 1, "deep", 0, "c"): 25,
}  # fmt: skip


def test_every_key_of_a_hostile_text_has_its_line() -> None:
    assert find_lines(HOSTILE) == PLACES
    assert find_lines(HOSTILE.replace("\n", "\r\n")) == PLACES
    assert find_line(PLACES, ("games", 0, "deep", 1, "none", 3)) == 21  # of its table
    assert find_line(PLACES, ("nothing",)) == 1


def is_value(text: str) -> bool:
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
