"""Is a class whose class hangs when it is asked what it has.

Must: load
"""


class Meta(type):
    def __getattribute__(cls, name):
        while name == "end":
            pass
        return super().__getattribute__(name)


class Bot(metaclass=Meta):
    def decide(self, view):
        return view.legal[0]
