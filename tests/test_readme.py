"""What the README shows works as it stands there."""

import json
import re
import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
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
from tests.places import ROOT
from tests.sessions import CHANCE, FIRST

README = (ROOT / "README.md").read_text()


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.whole
def test_the_bot_and_the_config_of_the_readme_play(tmp_path: Path) -> None:
    (bot,), (config,) = blocks("python"), blocks("toml")
    bots = {"thrifty": bot, "first": FIRST, "chance": CHANCE, "other": CHANCE}
    done = main("tournament", make(tmp_path, config.replace("= 10", "= 1"), bots), "--json")
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
STORE_README = (ROOT / "arena" / "store" / "README.md").read_text()


@pytest.mark.whole
def test_every_bot_of_the_page_for_authors_plays_without_a_fault(tmp_path: Path) -> None:
    *sources, _, _ = blocks("python", BOTS_README)
    bots = dict(
        zip(("thrifty", "patient", "tuned", "listens", "arrays", "plans"), sources, strict=True)
    )
    config = "".join(
        f'[[games]]\ngame = "{game}"\nplayers = {players}\ndeals = 1\n'
        for game, players in (("no_thanks", 5), ("sixteen", 2), ("diciassette", 2))
    )
    done = main("tournament", make(tmp_path, config, bots), "--max-faults", 0, "--json")
    assert done.returncode == 0, done.stderr.decode()
    faults = {bot["bot"]: bot["total"] for bot in json.loads(done.stdout)["faults"]}
    assert faults == dict.fromkeys(bots, 0)


def test_the_test_of_the_page_for_authors_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, text, _ = blocks("python", BOTS_README)
    monkeypatch.chdir(ROOT)
    exec(f"{text}\ntest_it_takes_what_many_chips_lie_on()", {})


@pytest.mark.whole
def test_the_bot_at_the_end_of_the_page_for_authors_beats_the_haggler(tmp_path: Path) -> None:
    thrifty, patient, *_ = blocks("python", BOTS_README)
    haggler = (ROOT / "bots" / "haggler.py").read_text()
    bots = {"thrifty": thrifty, "patient": patient, "haggler": haggler}
    league = make(tmp_path, bots=bots).parents[1]
    words = ("--game", "no_thanks", "--seed", 1, "--json", "-q")
    for better, worse in (("thrifty", "haggler"), ("patient", "haggler"), ("patient", "thrifty")):
        done = main("match", better, worse, *words, cwd=league)
        (pool,) = json.loads(done.stdout)["pools"]
        assert pool["verdict"] == "better", (better, worse)


def test_every_kind_of_fault_and_of_finding_is_explained_and_there_is_one_thrifty() -> None:
    assert [kind for kind in KINDS if f"`{kind}`" not in BOTS_README] == []
    part = (ROOT / "results/README.md").read_text().split("It replays every game")[1]
    of_replays = {found.RULES, found.BOT, found.TABLE, found.REPLAY, found.TIME}
    kinds = of_replays | {found.DAMAGED, found.RATING, found.SECRET}
    assert {*re.findall(r"`(\w+)`: ", part.split("`--replay-bots`")[0])} == kinds
    assert blocks("python", BOTS_README)[0] == blocks("python")[0]


def test_the_fields_of_every_view_are_in_the_page_for_authors() -> None:
    common = {"game", "options", "table", "players", "seat", "phase", "since", "legal"}
    table = BOTS_README.split("## The view")[1].split("## The result")[0]
    for game in games.names():
        (row,) = re.findall(rf"^\| `{game}` \|(.*)\|$", table, re.MULTILINE)
        own = [name for name in games.load(game).View._fields if name not in common]
        assert re.findall(r"`(\w+)`", row) == own, game
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) >= common


@pytest.mark.whole
def test_the_keys_that_a_store_keeps_are_in_the_page_of_the_store(
    played: Path, tmp_path: Path
) -> None:
    table = STORE_README.split("`meta` has `key`")[1].split("results/FORMAT.md")[0]
    told = {*re.findall(r"`([\w ]+)`", " ".join(re.findall(r"^\|(.*?)\|", table, re.MULTILINE)))}
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
    for line in main("records", results).stdout.splitlines()[::20]:
        wanted = json.loads(line)
        words = [sys.executable, "-c", recipe, results / "arena.sqlite", wanted["meta"]["id"]]
        assert [*json.loads(subprocess.check_output(words)).items()] == [*wanted.items()]


@pytest.mark.whole
def test_the_recipe_for_payoffs_tells_every_pool_s_games_and_wins(
    played: Path, tmp_path: Path
) -> None:
    assert main("export", played / "results" / "cup", "--to", tmp_path).returncode == 0
    _, recipe = blocks("python", STORE_README)
    printed = subprocess.check_output([sys.executable, "-c", recipe, tmp_path], text=True)
    games, wins = defaultdict[Any, float](float), defaultdict[Any, float](float)
    for line in printed.splitlines():
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
    rates = {key: won / games[key] for key, won in wins.items()}
    assert rates == pytest.approx({key: row["wins"] for key, row in told.items()}, abs=5e-4)


def test_the_readme_s_tables_of_commands_are_the_kept_ones(
    check_kept: Callable[[str, Path], None],
) -> None:
    program: Any = typer.main.get_command(app)
    tables = dict[str, str]()
    for name, command in program.commands.items():
        with typer.Context(command, help_option_names=["--help", "-h"]) as ctx:
            usage = " ".join(["arena", name, *command.collect_usage_pieces(ctx)[1:]])
        sentence, group = read_page(command.help)[0].removesuffix("."), command.rich_help_panel
        tables.setdefault(group, f"| {group} | |\n|---|---|\n")
        usage = usage.replace("|", r"\|")
        tables[group] += f"| `{usage}` | {sentence[:1].lower() + sentence[1:]} |\n"
    told = "\n".join(tables.values())
    head, rest = README.split("\n| Write a bot | |", 1)
    end = rest[rest.index("\n\nExit") :]
    check_kept(f"{head}\n{told.rstrip()}{end}", ROOT / "README.md")


GLOBS = ("*.md", "*/README.md", "arena/*/README.md", "tests/*/README.md")
PAGES = [page for glob in GLOBS for page in sorted(ROOT.glob(glob))]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_file_and_make_target_of_a_page_is_there(page: Path) -> None:
    text, makefile = page.read_text(), (ROOT / "Makefile").read_text()
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []
    for link, anchor in re.findall(r"\]\(([\w./-]*\.md)#([^)\s]+)\)", text):
        heads = re.findall(r"^#+ (.*)$", (page.parent / link).read_text(), re.MULTILINE)
        anchors = [re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads]
        assert anchor in anchors, f"{link}#{anchor}"
    for target in re.findall(r"(?:`|^\$ )make ([\w-]+)", text, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target

    made = {"bots/.gitattributes", "bots/thrifty.py", "bots/patient.py", "tournaments/cup.toml"}
    made.add("tournaments/first.toml")
    named = r"`((?:arena|games|bots|tournaments|tests)/[\w./]+\w)`"
    for name in re.findall(named, text):
        assert "NAME" in name or name in made or (ROOT / name).exists(), name
