"""Stands in for msgspec in the browser, where there is none: records need no more of it."""

import json as _json
from typing import Any


class Meta:
    """Describes a type; never asked here."""

    def __init__(self, **_: object) -> None:
        pass


class Struct:
    """The base of results of commands; none is made here."""

    def __init_subclass__(cls, **_: object) -> None:
        pass


class MsgspecError(ValueError):
    """Raised where a value cannot be written."""


class _Codec:
    def __init__(self, *_: object, **__: object) -> None:
        pass

    def encode(self, value: Any) -> bytes:
        return _json.dumps(value, separators=(",", ":")).encode()

    decode = None  # what a bot's process would read


class json:
    """JSON."""

    Encoder = _Codec


class msgpack:
    """MessagePack, which passes between processes; here there is one."""

    Encoder = Decoder = _Codec
