"""arena.site.build: what a folder has, made of a league that was played, and llms.txt."""

import json
import os
import re
import shutil
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.records.questions import walk_decisions
from arena.records.record import open_record
from arena.site.build import DOWNLOADS, Live, build_site, write_llms
from arena.site.explained import keep_explained
from arena.site.pages import Link, Site, game_file
from arena.site.stats import collect_stats
from arena.store.store import Store
from tests.leagues import NOW, SMALL_GAMES, arena, copied, main, make
from tests.sessions import FIRST
from tests.site.parts import Parts
from tests.site.replays import OWN, explained
from tests.site.replays import seat as explained_seat


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def published(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of the small league with their site."""
    results = copied(played, tmp_path_factory.mktemp("published") / "league") / "results" / "cup"
    done = main("publish", results)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().strip() == str(results / "site" / "index.html")
    return results


@pytest.mark.whole
def test_a_site_has_its_files_with_their_hashes_and_those_of_the_results(published: Path) -> None:
    results = published
    files = tree(results / "site")
    downloads = {*DOWNLOADS, "brief-sixteen.md", "brief-no_thanks.md", "brief-diciassette.md"}
    assert downloads | {"index.html", "llms.txt"} <= files.keys()
    told = json.loads(files.pop("site.json"))["files"]
    assert told == {name: sha256(data).hexdigest() for name, data in files.items()}
    for name in ("standings.md", "standings.json", "standings.csv"):
        assert files[name] == (results / name).read_bytes()
    assert files["standings.tex"].startswith(b"% needs \\usepackage{booktabs}")
    page = files["index.html"].decode()
    assert downloads <= {*Parts(page).links}
    assert sha256(files["standings.json"]).hexdigest() in page
    assert json.loads((results / "provenance.json").read_text())["time"] in page


@pytest.mark.whole
def test_no_link_leads_nowhere(published: Path) -> None:
    files = tree(published / "site")
    for name, data in files.items():
        if name.endswith(".html"):
            links = re.findall(r'(?:href|src)="([^"#]*)(?:#[^"]*)?"', data.decode())
            within = {link for link in links if link and not link.startswith("data:")}
            assert {os.path.normpath(f"{name}/../{link}") for link in within} <= files.keys(), name


@pytest.mark.whole
def test_identical_results_give_identical_bytes_and_nothing_of_this_machine(
    published: Path, tmp_path: Path
) -> None:
    copy = shutil.copytree(published, tmp_path / "copy", ignore=shutil.ignore_patterns("site"))
    assert arena("publish", copy, "--to", tmp_path / "out").returncode == 0
    assert tree(published / "site") == tree(tmp_path / "out")
    assert not [name for name, data in tree(tmp_path / "out").items() if b"/tmp/" in data]


@pytest.mark.whole
def test_a_live_site_shows_one_state_of_the_store_whatever_is_stored_meanwhile(
    league: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = league / "results" / "cup"

    def change_before(store: Store, *rest: Any) -> Any:
        with closing(Store.create_or_open(results)) as writer:
            writer.drop(list(writer.games())[:7])
        return collect_stats(store, *rest)

    monkeypatch.setattr("arena.site.build.collect_stats", change_before)
    live = Live(NOW, 60, ())
    with closing(Store.open(results)) as store:
        build_site(store, tmp_path / "site", str, str, live=live)
    page = (tmp_path / "site" / "index.html").read_text()
    assert f"Still playing: {SMALL_GAMES} of {SMALL_GAMES} games at 09:00. " in page
    document = json.loads((tmp_path / "site" / "standings.json").read_text())
    assert sum(pool["games"] for pool in document["pools"]) == SMALL_GAMES


@pytest.mark.whole
def test_with_its_address_a_site_has_a_picture_of_who_leads_and_each_page_says_it(
    published: Path, tmp_path: Path
) -> None:
    url = "https://example.org/cup"
    assert main("publish", published, "--to", tmp_path, "--url", url).returncode == 0
    plain, known = tree(published / "site"), tree(tmp_path)
    assert known.keys() - plain.keys() == {"picture.png"}
    for name, data in known.items():
        if name.endswith(".html"):
            assert f'og:url" content="{url}/{name}"'.encode() in data, name
            assert f'og:image" content="{url}/picture.png"'.encode() in data, name
    assert url.encode() not in b"".join(plain.values())


SAID, RAISED = "I print this", "I raise that"
TALKER = f"""
def decide(view):
    print({SAID!r})
    if view.game == "no_thanks":
        raise ValueError({RAISED!r})
    return view.legal[0]
"""


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of a league with a bot that prints, and fails in one game."""
    league = make(
        tmp_path_factory.mktemp("talkers"),
        'seed = 5\nworkers = 2\n[[games]]\ngame = "no_thanks"\nplayers = 3\ndeals = 1\n'
        '[[games]]\ngame = "sixteen"\nplayers = 2\ndeals = 2\n',
        {"ann": TALKER, "bob": FIRST, "cid": FIRST},
    ).parents[1]
    done = main("tournament", league / "tournaments" / "cup.toml", "-q", "--publish")
    assert done.returncode == 0, done.stderr.decode()
    assert b"The site is in " in done.stderr
    return league / "results" / "cup"


@pytest.mark.whole
def test_what_a_bot_printed_and_why_it_failed_is_its_author_s(talked: Path, tmp_path: Path) -> None:
    files = tree(talked / "site")
    games = [name for name in files if name.startswith("games/")]
    assert games
    for name, data in files.items():
        assert SAID.encode() not in data, name
        assert RAISED.encode() not in data, name
    assert main("publish", talked, "--with-logs", "--to", tmp_path / "all").returncode == 0
    files = tree(tmp_path / "all")
    assert RAISED.encode() in files["bot-ann.html"]
    assert any(SAID.encode() in files[name] for name in games)


@pytest.mark.whole
def test_a_fault_opens_at_the_step_of_the_record_as_its_bot_saw_it(
    talked: Path, tmp_path: Path
) -> None:
    assert main("publish", talked, "--games", "9", "--to", tmp_path).returncode == 0
    page = (tmp_path / "bot-ann.html").read_text()
    records = [json.loads(line)["meta"] for line in main("records", talked).stdout.splitlines()]
    faults = [(meta["id"], *fault) for meta in records for fault in meta["faults"]]
    assert len(faults) == 6
    for id, seat, _, at in faults:
        assert f'href="watch.html#{id}/{at}/as-{seat}"' in page


@pytest.mark.whole
@pytest.mark.parametrize("options", [(), ("--games", "1"), ("--with-logs",)])
def test_every_game_that_a_page_names_can_be_watched(
    talked: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """Ids are looked for in what a reader sees and in titles, whole or their first digits."""
    records = main("records", talked).stdout.splitlines()
    ids = {json.loads(line)["meta"]["id"] for line in records}
    assert main("publish", talked, *options, "--to", tmp_path).returncode == 0
    there = {path.stem for path in tmp_path.glob("games/*.js")}
    assert there == {path.stem for path in tmp_path.glob("games/*.html")}
    assert 0 < len(there) <= len(ids)
    text = "".join(page.read_text("utf-8") for page in tmp_path.glob("*.html"))
    assert {id for id in ids if id[:8] in text} == there


@pytest.mark.whole
@pytest.mark.parametrize("options", [(), ("--url", "example.org")])
def test_wrong_usage_is_one_line_and_found_before_anything_is_played(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    config = make(tmp_path)
    thesis = tmp_path / "results" / "cup" / "site" / "thesis.txt"
    if not options:
        thesis.parent.mkdir(parents=True)
        thesis.write_text("years of work")
    done = main("tournament", config, "--publish", *options)
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert not (tmp_path / "results" / "cup" / "arena.sqlite").exists()


@pytest.mark.whole
def test_decisions_that_explain_marked_are_in_their_games_and_no_text_of_its_files_is(
    talked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results, text = copied(talked, tmp_path / "results"), "</script><b>forged</b>"
    with closing(Store.open(results)) as store:
        rows = [row for row in store.games(in_order_of_id=True) if row.pool.game == "sixteen"]
        for row in rows:
            record = json.loads(row.line)
            state = open_record(record)
            course = [(seat, action) for seat, action, *_ in record["actions"]]
            at, _, seat, made = next(walk_decisions(state, course))  # where it first chose
            better = next(other for other in state.legal() if other != made)
            forged = replace(
                OWN, action_number=at, decision=made, better=better, loss=0.5, loss_se=0.1,
                view={text: text},
            )  # fmt: skip
            marks = [forged, replace(forged, action_number=9999), replace(forged, decision=text)]
            forged_by = replace(explained_seat(seat, *marks), bot=text, shares_by_decision=[])
            keep_explained(results, explained(
                forged_by, game_id=row.id, pool=text, bots=[text], ranks=[1], games=1,
                faults={text: 1}, not_reproduced=[text],
            ))  # fmt: skip
    os.mkfifo(results / "insight" / "pipe.json")  # of no game: not looked at
    wrong = 2 * len(rows)
    said = f"{results}/insight: {wrong} findings of `arena explain` left out, which the games do "
    for apart in (1000, 2):
        monkeypatch.setattr("arena.site.build.APART", apart)
        done = main("publish", results, "--games", "9", "--to", tmp_path / "site")
        assert (done.returncode, done.stderr.decode().count(said)) == (0, 1)
        files = tree(tmp_path / "site")
        assert [name for name, data in files.items() if b"forged" in data] == []
        for row in rows:
            data = files[game_file(row.id)].decode("ascii")
            assert len(re.findall(r"cost 50 \\u00b120 opponents in 100: ", data)) == 1


def test_llms_txt_leads_to_every_file_and_page_and_no_name_makes_a_link() -> None:
    links = (Link("Standings", "index.html"), Link("sixteen", "game-sixteen.html"))
    bots = {"ann": "bot-ann.html", "[x](http://evil)": "bot-x.html"}
    games = {"sixteen": "game-sixteen.html"}
    text = write_llms(Site("cup", "2026-11-22", "0.1.0", links, bots, games, {}, {}), "2 bots")
    assert text.startswith("# cup\n\n> ")
    found = re.findall(r"(?<!\\)\]\((.*?)\)", text)
    assert found == [*DOWNLOADS, "brief-sixteen.md", "index.html", "game-sixteen.html",
                     "bot-ann.html", "bot-x.html"]  # fmt: skip
