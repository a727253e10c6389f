"""What the README shows works as it stands there."""

import json
import re
import sqlite3
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer

import games
from arena.audit import verification as found
from arena.author import check
from arena.cli.app import app
from arena.cli.help import read_page
from arena.faults.kinds import KINDS
from tests.leagues import main, make
from tests.places import EXPECTED, ROOT
from tests.sessions import CHANCE, FIRST

README = (ROOT / "README.md").read_text()
COMMON = {"game", "options", "table", "players", "seat", "phase", "since", "legal"}
"""Of every view."""


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.whole
def test_the_bot_and_the_config_of_the_readme_play(tmp_path: Path) -> None:
    (bot,), (config,) = blocks("python"), blocks("toml")
    assert len(bot.splitlines()) <= 30
    assert tomllib.loads(config)["name"] == "cup"
    less = config.replace("deals = 10", "deals = 1")
    bots = {"thrifty": bot, "first": FIRST, "chance": CHANCE, "other": CHANCE}
    done = main("tournament", make(tmp_path, less, bots), "--json")
    assert done.returncode == 0, done.stderr.decode()
    assert b'"total": 0' in done.stdout
    assert b'"thrifty"' in done.stdout


@pytest.mark.whole
def test_the_mistake_that_the_readme_shows_is_found_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_thanks = [pool for pool in check.pools() if pool.game == "no_thanks"]
    monkeypatch.setattr(check, "pools", lambda: no_thanks[:1])
    (bot,) = blocks("python")
    (shown,) = re.findall(r"^```\n +\d+ x (error: .*?)^```", README, re.DOTALL | re.MULTILINE)
    league = make(tmp_path, "", {"thrifty": bot.replace("view.pot", "view.pots")}).parents[1]
    done = main("check", "thrifty", cwd=league)
    assert " ".join(shown.split()) in " ".join(done.stdout.decode().split())


BOTS_README = (ROOT / "bots" / "README.md").read_text()
RESULTS_README = (ROOT / "results" / "README.md").read_text()
STORE_README = (ROOT / "arena" / "store" / "README.md").read_text()
KEY = re.compile(r"`([\w ]+)`")


@pytest.mark.whole
def test_every_bot_of_the_page_for_authors_plays_without_a_fault(tmp_path: Path) -> None:
    *sources, _, _ = blocks("python", BOTS_README)
    bots = dict(zip(("thrifty", "patient", "listens", "arrays", "plans"), sources, strict=True))
    config = "seed = 1\n" + "".join(
        f'[[games]]\ngame = "{game}"\nplayers = {players}\ndeals = 1\n'
        for game, players in (("no_thanks", 3), ("sixteen", 2), ("diciassette", 2))
    )
    done = main("tournament", make(tmp_path, config, bots), "--max-faults", 0, "--json")
    assert done.returncode == 0, done.stderr.decode()
    faults = {bot["bot"]: bot["total"] for bot in json.loads(done.stdout)["faults"]}
    assert faults == dict.fromkeys(bots, 0)


def test_the_test_of_the_page_for_authors_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, text, _ = blocks("python", BOTS_README)
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    exec(text, names)
    names["test_it_takes_what_many_chips_lie_on"]()


@pytest.mark.whole
def test_the_bot_at_the_end_of_the_page_for_authors_beats_the_haggler(tmp_path: Path) -> None:
    thrifty, patient, *_ = blocks("python", BOTS_README)
    haggler = (ROOT / "bots" / "haggler.py").read_text()
    bots = {"thrifty": thrifty, "patient": patient, "haggler": haggler}
    league = make(tmp_path, bots=bots).parents[1]
    match = partial(main, "match", cwd=league)
    for better, worse in (("thrifty", "haggler"), ("patient", "haggler"), ("patient", "thrifty")):
        done = match(better, worse, "--game", "no_thanks", "--seed", 1, "--json", "-q")
        (pool,) = json.loads(done.stdout)["pools"]
        assert pool["verdict"] == "better", (better, worse)


def test_every_kind_of_fault_is_explained_and_there_is_one_thrifty() -> None:
    assert [kind for kind in KINDS if f"`{kind}`" not in BOTS_README] == []
    (of_readme,) = blocks("python")
    assert blocks("python", BOTS_README)[0] == of_readme


def test_the_fields_of_every_view_are_in_the_page_for_authors() -> None:
    table = BOTS_README.split("## The view")[1].split("## The result")[0]
    for game in games.names():
        (row,) = re.findall(rf"^\| `{game}` \|(.*)\|$", table, re.MULTILINE)
        own = [name for name in games.load(game).View._fields if name not in COMMON]
        assert re.findall(r"`(\w+)`", row) == own, game
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) >= COMMON


def test_the_kinds_of_findings_are_in_the_page_of_results() -> None:
    part = RESULTS_README.split("It replays every game")[1].split("`--replay-bots`")[0]
    kinds = re.findall(r"`(\w+)`: ", part)
    of_replays = (found.RULES, found.BOT, found.TABLE, found.REPLAY, found.TIME)
    assert {*kinds} == {found.DAMAGED, found.RATING, found.SECRET, *of_replays}


@pytest.mark.whole
def test_the_keys_that_a_store_keeps_are_in_the_page_of_the_store(
    played: Path, tmp_path: Path
) -> None:
    table = STORE_README.split("`meta` has `key`")[1].split("results/FORMAT.md")[0]
    told = {
        key for row in re.findall(r"^\|(.*?)\|", table, re.MULTILINE) for key in KEY.findall(row)
    }
    results = played / "results" / "cup"
    assert main("export", results, "--to", tmp_path).returncode == 0
    for file in (results / "arena.sqlite", tmp_path / "arena-public.sqlite"):
        with closing(sqlite3.connect(file)) as store:
            kept = {key for (key,) in store.execute("SELECT key FROM meta")}
        assert {"plan", "choices"} <= kept <= told


@pytest.mark.whole
def test_the_recipe_for_other_tools_reads_every_record(played: Path) -> None:
    recipe, _ = blocks("python", STORE_README)
    results = played / "results" / "cup"
    records = [json.loads(line) for line in main("records", results).stdout.splitlines()]
    for wanted in records[::20]:
        words = (sys.executable, "-c", recipe, results / "arena.sqlite", wanted["meta"]["id"])
        done = subprocess.run(words, capture_output=True, check=True)
        assert list(json.loads(done.stdout).items()) == list(wanted.items())


@pytest.mark.whole
def test_the_recipe_for_payoffs_tells_every_pool_s_games_and_wins(
    played: Path, tmp_path: Path
) -> None:
    """Each bot's games and share of wins are those of the standings, which count by other ways."""
    assert main("export", played / "results" / "cup", "--to", tmp_path).returncode == 0
    _, recipe = blocks("python", STORE_README)
    words = (sys.executable, "-c", recipe, tmp_path)
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    games, wins = defaultdict[Any, float](float), defaultdict[Any, float](float)
    for line in done.stdout.splitlines():
        cells = line.split("\t")
        seats = int(cells[1])
        pool, bots, (count, *shares) = cells[:4], cells[4 : 4 + seats], cells[4 + seats :]
        for bot, share in zip(bots, shares, strict=True):
            part = int(count) / bots.count(bot)  # for each of its seats
            games[*pool, bot] += part
            wins[*pool, bot] += part * float(share)
    told = {
        (pool["game"], str(pool["players"]), pool["options"], pool["partners"], row["bot"]): row
        for pool in json.loads((tmp_path / "standings.json").read_text())["pools"]
        for row in pool["table"]
    }
    assert games == {key: row["games"] for key, row in told.items()}
    assert {key: won / games[key] for key, won in wins.items()} == pytest.approx(
        {key: row["wins"] for key, row in told.items()}, abs=5e-4
    )


def tables_of_commands() -> str:
    """The README's tables of commands, as their code declares them."""
    program: Any = typer.main.get_command(app)
    tables = dict[str, str]()
    for name, command in program.commands.items():
        with typer.Context(command, help_option_names=["--help", "-h"]) as ctx:
            usage = " ".join(["arena", name, *command.collect_usage_pieces(ctx)[1:]])
        sentence = read_page(command.help)[0].removesuffix(".")
        assert len(sentence) < 80
        group = command.rich_help_panel
        tables.setdefault(group, f"| {group} | |\n|---|---|\n")
        row = usage.replace("|", r"\|"), sentence[:1].lower() + sentence[1:]
        tables[group] += "| `{}` | {} |\n".format(*row)
    return "\n".join(tables.values())


def test_the_readme_s_tables_of_commands_are_the_kept_ones(
    check_kept: Callable[[str, Path], None],
) -> None:
    head, rest = README.split("\n| Write a bot | |", 1)
    end = rest[rest.index("\n\nExit codes: ") :]
    check_kept(f"{head}\n{tables_of_commands().rstrip()}{end}", ROOT / "README.md")


def test_the_help_lists_the_commands_of_the_kept_pages_in_their_order() -> None:
    shown = main("--help", environment={"NO_COLOR": "1"}).stdout.decode()
    listed = re.findall(r"^  (\w+) ", shown, re.MULTILINE)
    kept = re.findall(r"^arena (\w+): ", (EXPECTED / "help.txt").read_text("utf-8"), re.MULTILINE)
    assert listed == kept
    assert listed[:3] == ["new", "check", "match"]  # what a newcomer wants


@pytest.mark.parametrize(("page", "most"), [("SECURITY.md", 1300), ("results/README.md", 1500)])
def test_a_page_that_users_open_first_is_short(page: str, most: int) -> None:
    assert len((ROOT / page).read_text("utf-8").split()) <= most


PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(ROOT.glob("*/README.md")),
    *ROOT.glob("arena/*/README.md"),
    *ROOT.glob("tests/*/README.md"),
]


OF_EXAMPLES = {"bots/.gitattributes", "bots/thrifty.py", "bots/patient.py", "tournaments/cup.toml"}


def anchors(text: str) -> set[str]:
    """Its headings as GitHub makes anchors of them."""
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_and_every_make_target_is_there(page: Path) -> None:
    text, makefile = page.read_text(), (ROOT / "Makefile").read_text()
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []
    for link, anchor in re.findall(r"\]\(([\w./-]*\.md)#([^)\s]+)\)", text):
        assert anchor in anchors((page.parent / link).read_text()), f"{link}#{anchor}"
    for target in re.findall(r"(?:`|^\$ )make ([\w-]+)", text, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES)
def test_every_file_a_page_names_is_there(page: Path) -> None:
    named = r"`((?:arena|games|bots|tournaments|tests)/[\w./]+\w)`"
    for name in re.findall(named, page.read_text()):
        assert "NAME" in name or name in OF_EXAMPLES or (ROOT / name).exists(), name
    for name in re.findall(r"^## (\w+\.py)$", page.read_text(), re.MULTILINE):
        assert (page.parent / name).exists(), f"{page.name}: {name}"
