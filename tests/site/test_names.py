"""arena.site.names: files' names of hostile names."""

import re

from arena.site.names import LONGEST, slugs


def test_a_name_that_is_safe_stays() -> None:
    assert slugs(["ann", "bob_2", "no-name"]) == {n: n for n in ("ann", "bob_2", "no-name")}


def test_slugs_are_safe_and_unique_whatever_the_names() -> None:
    names = ["a", "A", "a-2", "a b", "../../etc/passwd", "", "\x1b[31m", "ä", "x" * 500, "X" * 500,
             "con", "<img src=x onerror=alert(1)>", "a/b", "a\\b", "İ"]  # fmt: skip
    found = slugs(names)
    assert found.keys() == set(names)
    assert len(set(found.values())) == len(names)
    assert all(re.fullmatch(rf"[a-z0-9_-]{{1,{LONGEST + 3}}}", slug) for slug in found.values())


def test_slugs_do_not_depend_on_the_order() -> None:
    assert slugs(["A", "a", "a-2"]) == slugs(["a-2", "a", "A"])
