"""Many tests at once (Holm 1979): sharper than Bonferroni, safe whatever they share. Pure."""

from collections.abc import Sequence


def adjusted(many: Sequence[float]) -> list[float]:
    """Return for each p, in the order given, how likely chance alone brings any of them so low: a p
    to be compared with the level that is to hold for all.
    """
    out = [0.0] * len(many)
    least = 0.0
    for before, at in enumerate(sorted(range(len(many)), key=many.__getitem__)):
        least = out[at] = max(least, min(1.0, (len(many) - before) * many[at]))
    return out
