"""tests/ mirrors arena/: whoever changes a module finds the tests of it without a search.

They have its name; or a test of its wing imports it; or it serves a module of its wing that has
tests of its own name. For any other, `HELD_BY` names the test.
"""

import ast
from pathlib import Path

from tests.architecture import modules
from tests.places import BOTS, ROOT

ARENA, TESTS = ROOT / "arena", ROOT / "tests"
OF_NO_WING = {"benchmarks", "browser", "games", "whole"}
"""Yardsticks, pages in a browser, the rules, all through the program."""
MOST_LINES = 500

HELD_BY = {
    "__main__": "whole/test_load: test_asked_twice_it_stops_at_once",
    "author/tree_reader": "author/test_decide: test_copies_are_named_whatever_they_call_things",
    "cli/collect": "league/test_entries: test_a_class_s_bots_are_collected_again_each_week",
    "cli/tune": "tuning/test_search: test_better_numbers_are_found_proved_and_written",
    "tuning/variants": "tuning/test_search: test_better_numbers_are_found_proved_and_written",
    "cli/match": "plan/test_match: test_a_match_says_who_is_better_how_sure_that_is_and_in_how_many"
    "_games",
    "cli/new": "test_help: test_examples_work_in_a_league_that_init_made",
    "check_games": "cli/test_app: test_another_package_called_games_is_said_in_one_sentence",
    "cluster/no_http": "cluster/test_scheduler: test_hosts_started_as_arena_says_answer_no_http",
    "errors": "cli/test_app: test_what_cannot_be_played_is_said_and_nothing_written",
    "league/trust": "cli/test_options: test_without_walls_a_bot_of_others_is_asked_about_once",
    "process/doctor": "sandbox/test_walls: test_the_doctor_tries_every_layer_for_real",
    "process/probe": "sandbox/test_walls: test_the_doctor_tries_every_layer_for_real",
    "progress": "cli/test_progress: test_every_slow_command_tells_its_steps_and_all_their_parts",
    "playground/msgspec": "playground/test_driver: test_a_bot_that_fails_forfeits",
    "sandbox/seated": "playground/test_driver: test_a_bot_that_fails_forfeits",
    "sandbox/unwalled": "process/test_spawned: test_its_surroundings_are_those_behind_the_walls",
    "process/launch": "whole/test_other_systems: test_a_command_works_as_on_linux_or_says_that_it_t"
    "akes_linux",
    "store/public": "audit/test_verify: test_a_public_store_tells_all_but_secret_logs_and_sources",
    "tables/match": "plan/test_match: test_bots_that_decide_alike_end_level_on_every_deck",
    "testing": "author/test_decide: test_functions_classes_and_objects_are_asked_as_they_are",
}
"""Modules whose tests are found in none of these ways: by module, the test that fails if it goes
wrong."""

FILES = sorted(TESTS.rglob("test_*.py"))
MODULES = {
    str(file.relative_to(ARENA).with_suffix("")): file
    for file in ARENA.rglob("*.py")
    if file.name != "__init__.py"
}


def own_test(module: str) -> Path:
    wing, _, name = module.rpartition("/")
    return TESTS / wing / f"test_{name}.py"


def test_a_wing_s_test_file_has_the_name_of_a_module() -> None:
    for file in FILES:
        *wing, _ = file.relative_to(TESTS).parts
        module = "/".join((*wing, file.stem.removeprefix("test_")))
        assert not wing or wing[0] in OF_NO_WING or module in MODULES, file


def found() -> set[str]:
    """Return the modules whose tests are where one looks for them."""

    def used_in(file: Path) -> set[str]:
        return {name.replace(".", "/") for name in modules(file)}

    named = {module for module in MODULES if own_test(module).exists()}
    known = {(file.parent, module) for file in FILES for module in used_in(file)}
    known |= {(own_test(by).parent, module) for by in named for module in used_in(MODULES[by])}
    return named | {module for module in MODULES if (own_test(module).parent, module) in known}


def test_the_tests_of_every_module_are_found_or_named() -> None:
    missing = MODULES.keys() - found()
    assert missing - HELD_BY.keys() == set(), "write tests for them, or name the test in HELD_BY"
    assert HELD_BY.keys() - missing == set(), "they are gone, or their tests are found"
    for file, _, name in (test.partition(": ") for test in HELD_BY.values()):
        assert f"def {name}(" in (TESTS / f"{file}.py").read_text(), file


def test_a_bot_of_the_tests_says_in_one_sentence_what_it_does() -> None:
    for file in BOTS.glob("*.py"):
        text = ast.get_docstring(ast.parse(file.read_text())) or ""
        assert (text[-1:], ". " in text, "\n" in text) == (".", False, False), file


def test_no_file_of_tests_is_longer_than_one_reads() -> None:
    """But for a game's rules, which are as long as they are."""
    files = {*TESTS.rglob("*.py")} - {*(TESTS / "games").rglob("*.py")}
    assert [file for file in files if file.read_bytes().count(b"\n") > MOST_LINES] == []
