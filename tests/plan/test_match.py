"""Matches: two bots, or two versions of one, until it is plain which is better."""

import json
import re
from contextlib import closing
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from arena.errors import UsageError
from arena.league.bots import find_house_bots
from arena.league.files import hash_source, read_bot
from arena.model import Mirrored, SequentialTest
from arena.plan.match import Terms, find_pools, plan_match
from arena.sequential.stages import take_all_deals
from arena.store.plans import keep_plan, load_plan
from arena.store.store import Store
from tests.leagues import main, make, pairs, played_in
from tests.places import ROOT
from tests.schemas import wrong_in
from tests.sessions import CHANCE, FIRST

CHAMPION = (ROOT / "bots" / "champion.py").read_text()
BOTS = {"ann": CHAMPION, "bob": FIRST, "cid": CHANCE, "dee": CHANCE}


@pytest.fixture
def league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small league, and the current folder in it."""
    make(tmp_path, bots=BOTS)
    monkeypatch.chdir(tmp_path / "tournaments")
    return tmp_path


def test_by_default_all_games_are_played_with_the_fewest_players() -> None:
    for games, players, titles in (
        ((), None, {"17 Diciassette 2p", "Sixteen 2p", "No Thanks! 3p"}),
        (("sixteen",), 4, {"Sixteen 2v2"}),
        ((), 4, {"Sixteen 2v2", "17 Diciassette 4p", "No Thanks! 4p"}),
    ):
        assert {pool.title for pool in find_pools(Terms(games, players))} >= titles
    for game, players, why in (
        ("sixten", None, "--game: found 'sixten', did you mean 'sixteen'?"),
        ("sixteen", 3, "--players: found 3; sixteen takes 2 or 4"),
    ):
        with pytest.raises(UsageError) as caught:
            find_pools(Terms((game,), players))
        assert str(caught.value) == why


def test_both_are_in_every_line_up_and_others_fill_the_table(league: Path) -> None:
    terms = Terms(("no_thanks", "sixteen"), others=["bots/*"])
    plan = plan_match(("dee", "ann"), terms, confined=False)
    two, three = (each.entry for each in plan.wanted)
    assert two.fixed_bots == three.fixed_bots == ("dee", "ann")
    assert [bot.name for bot in two.bots] == ["ann", "dee"]
    assert [bot.name for bot in three.bots] == ["ann", "bob", "dee"]  # cid is dee's copy
    assert two.shared_decks == three.shared_decks == Mirrored(("ann", "dee"), never_meet=False)
    assert take_all_deals(two).deals == 2500
    # 2500 x 2 seatings x 1 line-up: 5,000 games; 20 decks before the first look
    assert three.test == SequentialTest(0.95, 2500, 36, 20, 2)
    assert plan.folder == league / "results" / "match-dee-ann"


def test_the_house_bots_fill_the_table_whoever_lies_in_the_league(league: Path) -> None:
    (league / "bots" / "haggler.py").write_text(CHANCE + "# slow, and no house bot\n")
    (league / "bots" / "ann.py").write_bytes(CHAMPION.replace("\n", "\r\n").encode())
    plan = plan_match(("cid", "ann"), Terms(("no_thanks", "sixteen")), confined=False)
    two, three = (each.entry for each in plan.wanted)
    assert [bot.name for bot in two.bots] == ["ann", "cid"]
    house = {bot.name: hash_source(read_bot(bot)) for bot in find_house_bots()}
    del house["champion"]  # ann is its copy, with the line ends of Windows
    assert {bot.name: bot.hash for bot in three.bots if bot.name not in ("ann", "cid")} == house
    plan = plan_match(("haggler", "ann"), Terms(("no_thanks",)), confined=False)
    assert plan.wanted[0].entry.fixed_bots == ("haggler", "ann")
    assert "haggler_2" in [bot.name for bot in plan.bots]  # the house's own


def test_two_versions_of_one_name_are_told_apart(league: Path) -> None:
    old = league / "old" / "ann.py"
    old.parent.mkdir()
    old.write_text(CHANCE + "# old\n")
    terms = Terms(("no_thanks",), others=["bots/*"])
    plan = plan_match(("ann", str(old)), terms, confined=False)
    assert plan.wanted[0].entry.fixed_bots == ("ann", "ann_2")
    assert [bot.name for bot in plan.bots] == ["ann", "ann_2", "bob", "cid"]


def test_others_that_cannot_be_read_do_not_stop_a_match(league: Path) -> None:
    (league / "bots" / "evil.py").symlink_to("nowhere")
    (league / "bots" / "kim.zip").touch()
    terms = Terms(("no_thanks",), others=["bots/*"])
    plan = plan_match(("ann", "bob"), terms, confined=False)
    assert [bot.name for bot in plan.bots] == ["ann", "bob", "cid"]
    kim, evil = plan.left_out
    assert kim.startswith(f"{league / 'bots' / 'kim.zip'}: skipped: an archive; unpack it")
    assert evil.startswith("evil: skipped: bots/evil.py: a link; replace it")
    for players, field in ((4, False), (3, True)):
        few = Terms(("no_thanks",), players, ["bots/c*"], field=field)
        with pytest.raises(UsageError, match=f"found 1 other bot; No Thanks! {players}p needs 2"):
            plan_match(("ann", "bob"), few, confined=False)


@pytest.mark.whole
def test_a_match_says_who_is_better_how_sure_that_is_and_in_how_many_games(league: Path) -> None:
    words = ("match", "ann", "bob", "--game", "sixteen", "--games", 400, "--seed", 3)
    done = main(*words, "--progress", "json", "--json", cwd=league)
    assert done.returncode == 0, done.stderr.decode()
    document = json.loads(done.stdout)
    (pool,) = document["pools"]
    assert (document["finished"], pool["pool"], pool["verdict"]) == (True, "Sixteen 2p", "better")
    low, high = pool["interval"]
    assert 0 <= low < pool["difference"]
    assert high is None or pool["difference"] < high  # none, if ann won all
    assert pool["confidence"] > 0.95
    assert pool["games"] == 40 * pool["look"] < 400
    looks = [json.loads(line) for line in done.stderr.splitlines()]
    assert [look["look"] for look in looks] == [*range(1, pool["look"] + 1)]
    assert looks[-1] == {key: pool[key] for key in (
        "pool", "games", "look", "planned_looks", "difference", "interval", "verdict",
    )}  # fmt: skip
    with closing(Store.open(Path(document["results_folder"]))) as store:
        ranks = [(row.fixture.names, json.loads(row.ranks)) for row in store.games()]
    rows = [dict(zip(*game, strict=True)) for game in ranks]
    ahead = [(row["ann"] < row["bob"]) + (row["ann"] == row["bob"]) / 2 for row in rows]
    share = sum(ahead) / len(ahead)
    assert pool["finished_ahead_share"] == pytest.approx([share, 1 - share], abs=1e-3)
    standings = json.loads((Path(document["results_folder"]) / "standings.json").read_bytes())
    assert wrong_in("standings", standings) == []
    again = main(*words, cwd=league)
    assert b"Nothing new to play" in again.stderr
    assert b"Sixteen 2p  ann is better than bob" in again.stdout
    turned = main("match", "bob", "ann", *words[3:], "-q", cwd=league).stdout
    assert b"Sixteen 2p  ann is better than bob" in turned


@pytest.mark.whole
def test_a_bot_plays_its_version_that_played_in_a_league_without_git(tmp_path: Path) -> None:
    folder = played_in(tmp_path, pairs(1), {"ann": FIRST, "bob": CHANCE, "cid": CHANCE + "# c\n"})
    words = ("match", "ann", "--game", "sixteen", "--games", 12, "--seed", 1)
    same = main(*words, "--played", "cup", cwd=tmp_path)
    said = "ann.py: has not changed since cup; name an earlier version, or change it first\n"
    assert (same.returncode, same.stderr.decode().endswith(said)) == (2, True)
    (tmp_path / "bots" / "ann.py").write_text(CHAMPION)
    done = main(*words, "--played", "cup", "--json", cwd=tmp_path)
    told = json.loads(done.stdout)
    assert (told["first_bot"], told["second_bot"], done.returncode) == ("ann", "ann-cup", 0)
    with closing(Store.open(Path(told["results_folder"]))) as store:
        (then,) = (bot for bot in store.bots() if bot.name == "ann-cup")
        assert store.source_of(then) == (("bot.py", FIRST.encode()),)
    (tmp_path / "bots" / "dee.py").write_text(CHAMPION)
    new = main("match", "dee", "--played", folder, cwd=tmp_path)
    assert new.returncode == 2, new.stderr
    assert b"cup: found 'dee'; expected 'ann'" in new.stderr, new.stderr
    assert main("export", folder, "--to", tmp_path / "copy").returncode == 0
    bare = main(*words, "--played", tmp_path / "copy", cwd=tmp_path)
    assert (bare.returncode, bare.stderr.count(b"\n")) == (1, 1)
    assert b"has no source of ann, which is needed to play" in bare.stderr


@pytest.mark.whole
def test_a_match_names_the_further_seats_and_who_of_them_is_slow(league: Path) -> None:
    slow = f"{CHAMPION}\n_ours = decide\n\ndef decide(view):\n    sum(range(200_000))\n"
    (league / "bots" / "slow.py").write_text(f"{slow}    return _ours(view)\n")
    words = ("match", "ann", "bob", "--game", "no_thanks", "--games", 12, "--seed", 1, "-q")
    chosen = (*words, "--with", "bots/cid.py", "--with", "bots/slow.py", "--results", "chosen")
    told = main(*chosen, cwd=league).stdout.decode()
    assert "\nFurther seats: cid, slow\n" in told
    assert re.search(r"^Slow among them \(CPU time a decision\): slow [1-9]", told, re.MULTILINE)
    document = json.loads(main(*chosen, "--json", cwd=league).stdout)
    assert (document["field"], document["slow_bots"]) == (["cid", "slow"], ["slow"])
    told = main(*words, cwd=league).stdout.decode()
    assert re.search(r"\nFurther seats: adder, .* \(house\s+bots\)\n", told, re.DOTALL)


@pytest.mark.whole
def test_an_open_verdict_says_what_is_likely_and_what_it_would_take(league: Path) -> None:
    words = ("match", "cid", "bob", "--game", "sixteen", "--games", 40, "--seed", 3, "-q")
    (pool,) = json.loads(main(*words, "--json", cwd=league).stdout)["pools"]
    told = main(*words, cwd=league).stdout.decode()
    assert (pool["verdict"], pool["confidence"]) == ("open", None)
    assert 0 < pool["better_probability"] < 1
    likely = max(pool["better_probability"], 1 - pool["better_probability"])
    assert f"({likely:.0%})" in told.replace("cid better: ", "").replace("bob better: ", "")
    assert "\nSixteen 2p: not significant: " in told


def test_words_of_a_match_that_mean_nothing_are_refused(league: Path) -> None:
    for words, why in (
        (("--progress", "jsn"), "--progress: found 'jsn', did you mean 'json'?"),
        (("--seconds", "0.5"), "--seconds: found '0.5'; expected a whole number"),
    ):
        done = main("match", "ann", "bob", *words, cwd=league)
        assert (done.returncode, done.stderr.decode().strip()) == (2, why)
    assert not (league / "results").exists()


@pytest.mark.whole
def test_a_match_whose_time_is_over_ends_at_a_look_and_goes_on(
    league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cli.match.time", SimpleNamespace(monotonic=count().__next__))
    (league / "bots" / "dee.py").write_text(f"{CHANCE}# another file\n")
    words = ("match", "cid", "dee", "--game", "sixteen", "--seed", 1, "--games", 2_000)
    ended = main(*words, "--seconds", 1, "--json", cwd=league)
    document = json.loads(ended.stdout)
    (pool,) = document["pools"]
    assert (ended.returncode, document["finished"], pool["verdict"]) == (0, False, "open")
    assert pool["look"] == 1
    why = b"--seconds 1: time is over; not settled: Sixteen 2p. To resume: arena match cid dee"
    assert why in ended.stderr
    (later,) = json.loads(main(*words, "--seconds", 2, "--json", cwd=league).stdout)["pools"]
    assert later["look"] == 3  # it was past the first already


def test_for_the_same_code_nothing_is_played(league: Path) -> None:
    for words in (("cid", "dee"), ("cid", "cid"), ("cid", "../bots/cid.py")):
        done = main("match", *words, cwd=league / "tournaments")
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.endswith(b" have the same code; nothing to play\n")
        document = json.loads(main("match", *words, "--json", cwd=league / "tournaments").stdout)
        assert (document["finished"], document["pools"]) == (True, [])
    assert not (league / "results").exists()


@pytest.mark.whole
def test_a_match_says_which_games_it_does_not_show(league: Path) -> None:
    words = ("match", "ann", "bob", "--games", 12, "--seed", 1, "-q")
    kept = b"The folder also has games of No Thanks! 3p, not shown here."
    assert kept not in main(*words, "--game", "no_thanks", cwd=league).stderr
    assert kept in main(*words, "--game", "sixteen", cwd=league).stderr


@pytest.mark.whole
def test_a_match_begun_before_and_one_of_another_kind_are_refused(league: Path) -> None:
    words = ("match", "ann", "bob", "--game", "sixteen", "--games", 12, "--seed", 1, "-q")
    folder = league / "results" / "match-ann-bob"
    assert main(*words, cwd=league).returncode == 0
    apart = main(*words, "--field", "--results", folder, cwd=league)
    with closing(Store.create_or_open(folder, print)) as store:
        plan = load_plan(store)
        keep_plan(store, plan._replace(entries=(plan.entries[0]._replace(shared_decks=True),)))
    before = main(*words, cwd=league)
    why = b"or one begun before its games shared dice); start over with --fresh, or"
    for done in (apart, before):
        assert (done.returncode, why in done.stderr) == (2, True)
    assert main(*words, "--fresh", cwd=league).returncode == 0
    mixed = main(*words, "--unconfined", cwd=league)
    assert mixed.returncode == 2
    assert b"found games of bots in the sandbox, which are not mixed; start over" in mixed.stderr
    assert main(*words, "--unconfined", "--fresh", cwd=league).returncode == 0
    assert b"found games of bots outside the sandbox" in main(*words, cwd=league).stderr


@pytest.mark.whole
def test_against_a_field_the_two_never_meet_and_their_games_replay(league: Path) -> None:
    games = ("--game", "no_thanks", "--game", "sixteen")
    words = ("match", "ann", "bob", "--field", *games, "--with", "bots/*")
    folder = league / "results" / "match-ann-bob-field"
    (league / "bots" / "eve.py").write_text(f"{CHANCE}# another file\n")
    done = main(*words, "--games", 100, "--seed", 3, "--json", "-q", cwd=league)
    assert done.returncode == 0, done.stderr.decode()
    three, two = json.loads(done.stdout)["pools"]
    assert (two["pool"], two["verdict"]) == ("Sixteen 2p", "better")
    assert two["by_opponent"].keys() == {"cid", "eve"}
    ahead, behind = two["finished_ahead_share"]  # on the same decks against the same two
    assert ahead - behind == pytest.approx(sum(two["by_opponent"].values()) / 2, abs=1e-3)
    assert (three["pool"], three["verdict"]) == ("No Thanks! 3p", "open")
    assert 0 < three["decisive_decks"] < 20
    with closing(Store.open(folder)) as store:
        sat = [{bot.name for bot in row.line_up} for row in store.games()]
    assert all(len(names & {"ann", "bob"}) == 1 for names in sat)
    assert main("verify", folder, cwd=league).returncode == 0


@pytest.mark.whole
def test_bots_that_decide_alike_end_level_on_every_deck(league: Path) -> None:
    (league / "bots" / "dee.py").write_text(f"{CHANCE}# another file\n")
    words = ("cid", "dee", "--games", 24, "--seed", 1, "--json", "-q")
    pools = json.loads(main("match", *words, cwd=league).stdout)["pools"]
    assert [pool["pool"] for pool in pools] == ["17 Diciassette 2p", "No Thanks! 3p", "Sixteen 2p"]
    for pool in pools:
        assert (pool["decisive_decks"], pool["difference"], pool["verdict"]) == (0, 0, "open")


@pytest.mark.whole
def test_a_match_against_a_field_in_which_no_decision_differs_ends_and_says_so(
    league: Path,
) -> None:
    (league / "bots" / "eve.py").write_text(f"{CHAMPION}# another file\n")
    terms = ("--field", "--game", "sixteen", "--with", "bots/*", "--games", 1000, "--seed", 1)
    words = ("match", "ann", "eve", *terms)
    done = main(*words, "-q", cwd=league)
    assert b"Sixteen 2p: ann plays the same: no decision differed on 2" in done.stdout
    (pool,) = json.loads(main(*words, "-q", "--json", cwd=league).stdout)["pools"]
    assert (pool["verdict"], pool["identical_decisions"]) == ("equal", True)
    assert pool["decisive_decks"] == 0
    assert 400 <= pool["games"] < 500  # of 1,000
