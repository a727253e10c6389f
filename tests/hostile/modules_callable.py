"""Is an object that can be called, but has no truth, no length, no name and no equal.

Must: play on
"""


class Decider:
    def __call__(self, view):
        return view.legal[0]

    def fail(self, *_):
        raise ValueError("ask me not")

    __bool__ = __len__ = __eq__ = __repr__ = __str__ = __getattr__ = __iter__ = __hash__ = fail


decide = Decider()
