"""The practical band: differences of mu too small to speak of, however sure they are. Pure."""


def within(difference: float, reach: float, band: float) -> bool:
    """Return whether a difference of mu, estimated to within `reach`, is none to speak of.

    It is, if the estimate lies in the band and its interval is no wider than from nothing to the
    band's edge: then it tells where in the band the difference lies, and that nobody is better in
    practice. A wider interval that leaves out 0 may reach far beyond the band. An interval that
    lies in the band altogether and leaves out 0 is always of the first kind.
    """
    return abs(difference) <= band and 2 * reach <= band
