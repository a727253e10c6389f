"""The driver plays a visitor's games with nothing but the zip that browsers get."""

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from arena.league.bots import find_house_bots
from arena.league.files import Source, read_bot
from arena.playground.page import find_foreign, make_zip
from arena.records.record import judge_record

FAULTS = {"raiser": "1 / 0", "liar": "return 'x'", "quitter": "raise SystemExit", "none": "pass"}
SCRIPT = """
import json, sys
from random import Random
from driver import handle

def ask(**message):
    return json.loads(handle(json.dumps(message), told.append))

told, rng = [], Random(int(sys.argv[1]))
for line in sys.stdin:
    start = json.loads(line)
    shown = ask(start=start, decisions=[])
    before = None
    while shown["choices"]:
        word, *parts = rng.choice(shown["choices"])
        assert parts and ask(hint=True)["hint"] in [word for word, *_ in shown["choices"]]
        before, shown = shown, ask(answer=word)
    decisions = shown["decisions"]
    assert ask(start=start, decisions=decisions)["record"] == shown["record"]
    if before:
        back = ask(start=start, decisions=before["decisions"])
        assert back == before
        assert json.loads(back["replay"])["turns"][-1] == start["seats"].index("")
    print(shown["record"])
"""


def played(folder: Path, starts: list[dict[str, object]], seed: int = 1) -> list[dict[str, object]]:
    """Play games to their end, the visitor at random; the records."""
    sources = {bot.name: read_bot(bot) for bot in find_house_bots()}
    bots = {name: source for name, source in sources.items() if not find_foreign(source)}
    for name, line in FAULTS.items():
        bots[name] = Source((("bot.py", f"def decide(view):\n    {line}\n".encode()),))
    bots["unloadable"] = Source((("bot.py", b"import nothing_of_that_name\n"),))
    ZipFile(BytesIO(make_zip(bots))).extractall(folder)
    (folder / "script.py").write_text(f"import sys\nsys.path.insert(0, {str(folder)!r})\n{SCRIPT}")
    lines = "".join(json.dumps({"options": {}, "seed": "1", **start}) + "\n" for start in starts)
    command = [sys.executable, "-S", "-I", str(folder / "script.py"), str(seed)]  # no msgspec
    done = subprocess.run(command, input=lines, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def start(game: str, *seats: str, **more: object) -> dict[str, object]:
    return {"game": game, "seats": [*seats], **more}


def test_all_games_are_played_to_their_end_and_their_records_follow_the_rules(
    tmp_path: Path,
) -> None:
    records = played(
        tmp_path,
        [
            start("no_thanks", "", "champion", "haggler", "ledger", "adder"),
            start("no_thanks", "novice", "", "champion"),
            start("sixteen", "champion", ""),
            start("sixteen", "champion", "", "ledger", "ledger"),
            start("diciassette", "ledger", "", "champion", "haggler"),
            start("diciassette", "almanac", ""),
        ],
    )
    for record in records:
        assert judge_record(record).to_act is None
        assert record["meta"]["faults"] == []  # type: ignore[index]


@pytest.mark.parametrize(
    ("bot", "kind"),
    [("raiser", "error"), ("liar", "illegal"), ("quitter", "error"), ("none", "illegal"),
     ("unloadable", "load")],
)  # fmt: skip
def test_a_bot_that_fails_forfeits(bot: str, kind: str, tmp_path: Path) -> None:
    (record,) = played(tmp_path, [start("no_thanks", "", bot, "champion")])
    (fault,) = record["meta"]["faults"]  # type: ignore[index]
    assert fault[:2] == [1, kind]
    assert judge_record(record).forfeited == [1]


def test_any_seat_of_a_game_is_taken_over_at_any_step_hidden_cards_dealt_anew(
    tmp_path: Path,
) -> None:
    first = played(tmp_path, [
        start("no_thanks", "", "champion", "haggler"), start("sixteen", "", "champion"),
        start("diciassette", "", "champion", "ledger"),
    ])  # fmt: skip
    taken = []
    for record in first:
        actions, bots = record["actions"], record["meta"]["bots"]  # type: ignore[index]
        for at in (0, len(actions) // 2, len(actions) - 1):  # type: ignore[arg-type]
            for seat in range(len(bots)):
                seats = ["" if its == seat else "champion" for its in range(len(bots))]
                taken.append((record, at, start(str(record["game"]), *seats, record=record, at=at)))
    records = played(tmp_path, [begun for *_, begun in taken])
    anew = 0
    for record, (before, at, _) in zip(records, taken, strict=True):
        assert judge_record(record).to_act is None
        anew += record["setup"] != before["setup"]
        seats = [seat for seat, *_ in before["actions"][:at]]  # type: ignore[index]
        assert [seat for seat, *_ in record["actions"][:at]] == seats  # type: ignore[index]
    assert anew > len(records) / 2
