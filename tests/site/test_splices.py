"""arena.site.splices: little is said, and nothing is lost."""

from random import Random

from arena.site.splices import splice


def test_what_a_splice_makes_of_the_one_is_the_other(seed: int) -> None:
    rng = Random(seed)
    for _ in range(300):
        before, after = ("".join(rng.choices("ab", k=rng.randrange(8))) for _ in range(2))
        at, removed, parts = splice(before, after)
        assert before[:at] + "".join(parts) + before[at + removed :] == after


def test_what_is_alike_before_and_after_is_not_said() -> None:
    assert splice("abcd", "abxd") == (2, 1, "x")
    assert splice((1, 2), (1, 2, 3)) == (2, 0, (3,))
    assert splice("aa", "aaa") == (2, 0, "a")
    assert splice("same", "same") == (4, 0, "")
