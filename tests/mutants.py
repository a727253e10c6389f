"""Records that somebody has changed; each comes from the random numbers that it is given alone."""

import json
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any

HOLE = "a hole for raw JSON"
DEEP = b"[" * 50_000 + b"]" * 50_000
RAW = [
    b"null", b"true", b"false", b"0", b"1", b"2", b"-1", b"1.0", b"-0.0", b"1e2", b"NaN", b"1e999",
    b"-Infinity", b"%d" % 2**31, b"%d" % 2**63, b"%d" % 2**64, b"9" * 4300, b"9" * 5000, b'""',
    b'"x"', b'"pass"', b'"forfeit"', b'"0"', b'"\\ud800"', b'"\\u0000\\u001b[31m\\n\\u202e"',
    b'"\xff\xfe"', b'"' + b"x" * 200_000 + b'"', b"[]", b"{}", b"[0]", b"[[]]", b"[0,1,2]",
    b"[null,true]", b'[0,"pass"]', b'[0,"take",[1]]', b'{"a":1}', b'{"":[]}', DEEP,
    b"[" * 900 + b"]" * 900, b'{"a":' * 20_000, b"[" + b"0," * 100_000 + b"0]",
    b"[" + b'"x",' * 100_000 + b'"x"]',
    b"[" + b'[0,"pass"],' * 100_000 + b'[0,"take"]]',
    b"{" + b",".join(b'"%d":0' % n for n in range(100_000)) + b"}",
]  # fmt: skip
"""JSON that stands where something else belongs, and what only looks like JSON."""


def mutate_bytes(random: Random, text: bytes, others: Sequence[bytes] = ()) -> bytes:
    """Change some bytes: flipped, left out, doubled, moved, or of another text."""
    for _ in range(random.choice([1, 1, 2, 8])):
        start, end = sorted(random.choices(range(len(text) + 1), k=2))
        end = min(end, start + random.choice([1, 2, 30, 3000]))
        part = text[start:end]
        if others and random.random() < 0.2:
            other = random.choice(others)
            part = other[start : random.choice([end, len(other)])]
        changed = [
            bytes(byte ^ 1 << random.randrange(8) for byte in part),
            b"", part * 2, part[::-1], random.randbytes(len(part)),
            bytes(random.choices(b'[]{},:"0129.-eE\\ \0', k=min(len(part), 9))),
        ]  # fmt: skip
        text = text[:start] + random.choice(changed) + text[end:]
    return text


def mutate_json(random: Random, text: bytes) -> bytes:
    """Put something else into one place of a JSON object, take it out, or add to it."""
    whole = json.loads(text)
    at, key = _choose(random, whole)
    raw = random.choice(RAW)
    how = random.random()
    if how < 0.6:
        at[key] = HOLE
    elif how < 0.75:
        del at[key]
    elif how < 0.85:
        numbers = [place for place in _places(whole) if type(place[0][place[1]]) is int]
        at, key = random.choice(numbers or [(at, key)])
        raw = b"%d" % (at[key] + random.choice([-1, 1, 2, 1 << 40])) if numbers else raw
        at[key] = HOLE
    elif isinstance(at, dict):  # a key more, or one twice
        at[HOLE] = 0
        names = [*at, "winners", "forfeits", "rounds", "", "\ud800", "a\n\x1b[31mb"]
        raw = json.dumps(random.choice(names)).encode() + b":" + raw + b"," + b'"more"'
    else:
        at.insert(key, HOLE)
    return json.dumps(whole, separators=(",", ":")).encode().replace(b'"%s"' % HOLE.encode(), raw)


def _places(at: Any) -> list[tuple[Any, Any]]:
    keys = [*at] if isinstance(at, dict) else range(len(at))
    inner = [_places(at[key]) for key in keys if isinstance(at[key], dict | list)]
    return [*((at, key) for key in keys), *(place for places in inner for place in places)]


def _choose(random: Random, at: Any) -> tuple[Any, Any]:
    """A place in JSON: those near the top as likely as the many below."""
    while True:
        key = random.choice([*at] if isinstance(at, dict) else range(len(at)))
        if not isinstance(at[key], dict | list) or not at[key] or random.random() < 0.4:
            return at, key
        at = at[key]


def mutate_play(random: Random, text: bytes, others: Sequence[bytes]) -> bytes:
    """Change what a record says of the game: cards, seats, actions, result."""
    record, other = json.loads(text), json.loads(random.choice(others))
    actions, setup = record["actions"], record["setup"]
    at, to = (random.randrange(len(actions)) for _ in range(2))
    piles = [pile for pile in setup.values() if isinstance(pile, list) and len(pile) > 1]
    some = slice(at, at + random.choice([1, 1, 3]))
    match random.randrange(13):
        case 0 if piles:
            pile, more = random.choices(piles, k=2)
            one, two = random.randrange(len(pile)), random.randrange(len(more))
            pile[one], more[two] = more[two], pile[one]
        case 1:
            actions[at], actions[to] = actions[to], actions[at]
        case 2:
            del actions[some]
        case 3:
            actions[at:at] = actions[some]
        case 4 | 5 | 6:
            one, two = actions[at], actions[to]
            odd = [one[0], two[1]], [two[0], *one[1:]], [*one[:2], [two[0]]]
            actions[at] = random.choice(odd)
        case 7:
            actions.insert(at, [actions[to][0], "forfeit"])
        case 8:  # it ends early
            del actions[at:]
            record.pop("rounds", None)
            record["result"] = random.choice([None, record["result"]])
        case 9:
            part = random.choice(["setup", "actions", "result", "rounds"])
            record[part] = other.get(part)
        case 10:
            for values in (record["result"] or {}).values():
                if isinstance(values, list) and values and random.random() < 0.7:
                    random.shuffle(values)
        case 11 if record.get("rounds"):
            random.choice([random.shuffle, list.pop, list.reverse])(record["rounds"])  # type: ignore
        case _:
            setup["first"] = random.choice([0, 1, setup["first"] + 1])
    return json.dumps(record, separators=(",", ":")).encode()


def mutate_record(random: Random, text: bytes, others: Sequence[bytes]) -> bytes:
    """Return a record, or the body of one, that is changed in one place or in two."""
    mutant = text
    for _ in range(random.choice([1, 1, 1, 2])):
        how = random.choice((0, 1, 1, 2, 2))
        with suppress(ValueError, RecursionError, LookupError, TypeError, AttributeError):
            if how == 1:
                mutant = mutate_json(random, mutant)
            else:
                mutant = (mutate_play if how else mutate_bytes)(random, mutant, others)
    return mutant.replace(b"\n", b" ")
