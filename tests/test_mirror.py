"""tests/ mirrors arena/: whoever changes a module finds the tests of it without a search."""

import ast
from pathlib import Path

import pytest

from tests.places import BOTS, ROOT

ARENA, TESTS = ROOT / "arena", ROOT / "tests"
OF_NO_WING = {"benchmarks", "browser", "games", "whole"}
"""Yardsticks, pages in a browser, the rules, all through the program."""
MOST_LINES = 500

HELD_BY = {
    "audit/verification": "test_readme: test_the_keys_of_verify_s_json_are_in_the_page_of_results",
    "author/check_document": "cli/test_schema: "
    "test_a_schema_is_one_of_draft_2020_12_and_describes_every_part",
    "cli/documents": "cli/test_schema: "
    "test_a_schema_is_one_of_draft_2020_12_and_describes_every_part",
    "__main__": "whole/test_load: test_asked_twice_it_stops_at_once",
    "errors": "cli/test_app: test_what_cannot_be_played_is_said_and_nothing_written",
    "escape": "tables/test_formats: test_markdown_shows_any_text_as_text",
    "progress": "cli/test_progress: test_every_slow_command_tells_its_steps_and_all_their_parts",
    "model": "test_ids: test_whatever_changes_a_game_changes_its_id",
    "author/table": "cli/test_play: test_a_bot_that_fails_is_out_and_a_stand_in_plays_on",
    "audit/legal_record": "whole/test_fuzz: "
    "test_whatever_is_in_a_store_every_command_ends_in_words",
    "audit/words": "audit/test_verify: test_what_is_true_is_said_to_be",
    "cli/audit": "audit/test_verify: test_what_is_true_is_said_to_be",
    "cli/logs": "whole/test_tournament: "
    "test_logs_tell_the_author_where_it_failed_and_what_it_printed",
    "author/asking": "cli/test_rerun: test_one_that_dies_now_is_no_other_game_s_trouble",
    "author/debuggers": "cli/test_debug: test_another_file_and_another_debugger_are_taken",
    "author/debugging": "cli/test_debug: test_other_faults_are_stopped_at_before_the_decision",
    "author/pasts": "cli/test_debug: test_the_bot_draws_the_numbers_that_it_drew_in_the_game",
    "author/rerunning": "cli/test_rerun: test_a_bot_that_did_not_change_decides_alike",
    "author/today": "cli/test_debug: test_a_fault_that_does_not_happen_any_more_is_said",
    "author/unwalled": "cli/test_debug: test_the_bot_draws_the_numbers_that_it_drew_in_the_game",
    "author/faulty": "cli/test_faults: "
    "test_a_tournament_ends_with_the_first_reason_of_each_faulty_bot",
    "author/bouts": "author/test_check: test_each_game_of_a_pool_is_another_and_has_the_bot_in_it",
    "author/findings": "author/test_check: test_what_a_first_bot_does_wrong_is_said",
    "author/standing": "author/test_check: test_a_quick_bot_plays_enough_to_be_placed",
    "author/subject": "author/test_check: "
    "test_each_game_of_a_pool_is_another_and_has_the_bot_in_it",
    "author/watched": "author/test_check: test_a_decision_costs_what_the_bot_takes_for_it",
    "author/check_report": "cli/test_check: test_a_page_says_all_there_is_to_mend",
    "cli/new": "author/test_new_bot: test_what_was_written_is_told_and_what_to_do_next",
    "cli/drawing": "cli/test_play: test_a_person_plays_to_the_end_and_the_judge_agrees",
    "author/examples": "author/test_brief: "
    "test_each_phase_has_an_example_and_it_is_the_same_each_time",
    "author/pages": "author/test_brief: test_the_limits_of_the_page_are_those_that_hold",
    "cli/cluster": "runner/test_connection: test_where_nobody_listens_nobody_is_reached",
    "cli/standings": "whole/test_tournament: test_standings_print_the_tables_again_in_every_format",
    "cli/dry_run": "whole/test_tournament: test_a_dry_run_says_what_more_bots_come_to",
    "cli/tournament": "whole/test_tournament: test_a_dry_run_counts_and_writes_nothing",
    "cli/match": "plan/test_match: test_copies_are_found_equal",
    "cli/records": "cli/test_app: test_judge_names_line_action_and_reason",
    "plan/by_hand": "cli/test_play: test_what_cannot_be_played_is_said_in_one_line",
    "plan/keys": "plan/test_config: test_each_error_says_place_finding_and_remedy",
    "plan/toml": "plan/test_config: test_a_file_that_cannot_be_read_says_so",
    "process/death": "process/test_bot_process: test_a_lost_process_says_why_and_at_which_decision",
    "process/doctor": "sandbox/test_walls: test_the_doctor_tries_every_layer_for_real",
    "process/loading": "whole/test_tournament: "
    "test_line_ups_that_nobody_loads_in_are_not_played_and_not_missing",
    "process/whereabouts": "process/test_bot_process: "
    "test_who_is_over_its_time_is_caught_whoever_shares_its_core",
    "process/loading_gate": "process/test_bot_process: "
    "test_while_it_loads_a_bot_reads_its_own_files_and_imports",
    "process/probe": "sandbox/test_walls: test_the_doctor_tries_every_layer_for_real",
    "rating/draw_margin": "rating/test_fit: test_the_expected_ties_of_two_are_those_of_the_formula",
    "rating/gaussian": "rating/test_update: test_the_error_function_is_scipy_s",
    "rating/tallies": "tables/test_standings: test_a_shared_win_is_divided_among_its_sharers",
    "records/format": "records/test_judge: test_the_judge_agrees_with_every_example",
    "author/copied": "cli/test_app: test_an_action_of_a_record_is_copied_as_a_test",
    "testing": "author/test_deciding: test_functions_classes_and_objects_are_asked_as_they_are",
    "records/replay": "cli/test_app: test_replay_shows_a_record_of_a_file_and_stops_where_asked",
    "runner/cluster_costs": "benchmarks/test_fleet: "
    "test_a_session_costs_the_scheduler_what_is_said",
    "runner/installed": "runner/test_host: test_a_host_of_another_version_is_given_nothing",
    "runner/dry_run": "whole/test_tournament: test_a_dry_run_counts_and_writes_nothing",
    "runner/executor": "whole/test_tournament: test_the_same_seed_gives_the_same_bytes",
    "runner/executor_of": "whole/test_tournament: test_the_same_seed_gives_the_same_bytes",
    "runner/orders": "runner/test_fleet: "
    "test_whatever_becomes_of_hosts_the_standings_are_those_of_one_machine",
    "runner/run": "whole/test_tournament: test_games_of_one_pool_keep_all_workers_busy",
    "runner/secret": "whole/test_tournament: test_another_seed_than_the_stored_one_is_refused",
    "runner/tournament": "whole/test_tournament: test_fresh_starts_anew_and_keeps_the_old_results",
    "runner/worker": "whole/test_tournament: test_the_same_seed_gives_the_same_bytes",
    "sandbox/bot_module": "process/test_bot_process: test_what_cannot_be_loaded_says_why",
    "sandbox/bpf": "sandbox/test_walls: test_a_jump_never_leaves_its_filter",
    "sandbox/landlock": "sandbox/test_walls: "
    "test_where_bots_cannot_be_confined_the_tournament_refuses_and_says_why",
    "sandbox/requests": "sandbox/test_zygote: "
    "test_no_process_has_a_secret_or_a_trace_of_another_bot_in_its_memory",
    "sandbox/seccomp": "sandbox/test_walls: test_a_jump_never_leaves_its_filter",
    "sandbox/syscalls": "sandbox/test_walls: test_the_numbers_are_the_kernel_s",
    "sandbox/wire": "process/test_bot_process: test_a_bot_answers_a_batch_in_its_order",
    "schedule/line_ups": "schedule/test_order: "
    "test_a_line_up_is_found_by_its_number_and_a_number_by_its_line_up",
    "schedule/seatings": "schedule/test_order: "
    "test_in_a_sample_all_seats_and_neighbours_are_level_to_within_one",
    "schedule/sessions": "schedule/test_order: "
    "test_twenty_bots_with_one_deal_a_line_up_make_full_sessions",
    "session/ends": "session/test_session: "
    "test_a_result_has_attributes_as_a_view_has_and_is_a_record_s_all_the_same",
    "session/game": "session/test_session: test_with_one_side_left_the_game_ends_at_once",
    "session/kept": "session/test_session: "
    "test_texts_of_faults_are_kept_like_prints_the_first_of_each_kind_whole",
    "site/stats_games": "site/test_stats_pool: test_a_team_of_one_bot_twice_sits_in_two_seats",
    "store/follow": "cli/test_watch: test_a_running_tournament_is_followed_and_not_disturbed",
    "store/guard": "store/test_caps: test_a_cell_longer_than_any_of_ours_is_stepped_over",
    "store/logs": "whole/test_tournament: "
    "test_logs_tell_the_author_where_it_failed_and_what_it_printed",
    "store/opening": "store/test_store: "
    "test_a_file_of_another_schema_or_program_is_refused_as_it_is",
    "store/plans": "schedule/test_choices: test_looks_that_nobody_plans_are_damage",
    "store/public": "audit/test_verify: test_a_public_store_tells_all_but_secret_logs_and_sources",
    "store/secret": "runner/test_reveal: "
    "test_what_it_writes_is_the_secret_and_how_it_gives_the_commitment",
    "store/row_ids": "store/test_store: "
    "test_a_batch_that_fails_is_not_there_and_the_next_one_is_whole",
    "store/salvage": "audit/test_verify: "
    "test_a_damaged_page_is_found_and_what_it_held_is_played_again",
    "store/scan": "store/test_store: test_a_game_is_whole_whatever_the_order_of_its_faults",
    "store/schema": "store/test_store: "
    "test_a_file_of_another_schema_or_program_is_refused_as_it_is",
    "system/atomic": "cli/test_app: test_records_never_replace_a_folder_or_a_device",
    "tables/against_formats": "tables/test_against: test_every_format_tells_the_same",
    "tables/document_pool": "tables/test_document: "
    "test_every_part_and_every_key_that_needs_it_is_described",
    "tables/document_ranking": "tables/test_document: "
    "test_every_part_and_every_key_that_needs_it_is_described",
    "tables/document_values": "tables/test_document: "
    "test_every_part_and_every_key_that_needs_it_is_described",
    "tables/from_store": "whole/test_tournament: "
    "test_standings_print_the_tables_again_in_every_format",
    "tables/layout": "tables/test_formats: test_the_text_is_the_kept_one",
    "tables/pool_table": "tables/test_standings: test_a_shared_win_is_divided_among_its_sharers",
    "tables/ranking": "tables/test_standings: test_the_document_is_the_kept_one",
    "tables/publish": "whole/test_tournament: test_a_tournament_publishes_all_its_files",
    "tables/settling": "schedule/test_stages: test_equals_are_seldom_told_apart",
    "tables/terminal": "tables/test_formats: test_the_terminals_lines_fit",
    "store/shards": "whole/test_shards: test_they_merge_into_a_new_folder_where_nobody_planned",
    "store/merge": "whole/test_shards: test_three_shards_merged_are_one_run_to_the_byte",
    "store/survey": "whole/test_shards: "
    "test_shards_that_are_missing_are_named_and_nothing_is_written",
    "cli/shards": "whole/test_shards: test_words_that_do_not_go_together_are_said",
}
"""Modules without a test file of their name: by module, the test that fails if it goes wrong."""

FILES = sorted(TESTS.rglob("test_*.py"))
MODULES = {
    str(file.relative_to(ARENA).with_suffix("")): file
    for file in ARENA.rglob("*.py")
    if file.name != "__init__.py"
}


def own_test(module: str) -> Path:
    wing, _, name = module.rpartition("/")
    return TESTS / wing / f"test_{name}.py"


def test_every_folder_of_tests_with_tests_in_it_is_a_wing() -> None:
    wings = {file.relative_to(ARENA).parts[0] for file in ARENA.glob("*/__init__.py")}
    folders = {part for file in FILES for part in file.relative_to(TESTS).parts[:-1][:1]}
    assert folders - OF_NO_WING <= wings


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(TESTS)))
def test_a_wing_s_test_file_has_the_name_of_a_module(file: Path) -> None:
    wing = file.relative_to(TESTS).parts[:-1]
    if wing and wing[0] not in OF_NO_WING:
        assert "/".join((*wing, file.stem.removeprefix("test_"))) in MODULES


def test_every_module_has_a_test_of_its_name_or_says_which_test_holds_it() -> None:
    without = {module for module in MODULES if not own_test(module).exists()}
    assert without - HELD_BY.keys() == set(), "write tests for them, or name the test in HELD_BY"
    assert HELD_BY.keys() - without == set(), "they are gone, or have tests of their own now"


@pytest.mark.parametrize("module", HELD_BY)
def test_the_test_that_holds_a_module_is_there(module: str) -> None:
    file, _, name = HELD_BY[module].partition(": ")
    assert f"def {name}(" in (TESTS / f"{file}.py").read_text()


@pytest.mark.parametrize("file", sorted(BOTS.glob("*.py")), ids=lambda file: file.stem)
def test_a_bot_of_the_tests_says_in_one_sentence_what_it_does(file: Path) -> None:
    text = ast.get_docstring(ast.parse(file.read_text())) or ""
    assert text.endswith(".")
    assert ". " not in text
    assert "\n" not in text


def test_no_file_of_tests_is_longer_than_one_reads() -> None:
    """But for a game's rules, which are as long as they are."""
    lines = {file: file.read_bytes().count(b"\n") for file in TESTS.rglob("*.py")}
    long = {file for file, count in lines.items() if count > MOST_LINES}
    assert {file for file in long if not file.is_relative_to(TESTS / "games")} == set()
