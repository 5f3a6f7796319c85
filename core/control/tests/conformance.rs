//! The suite for stores, on SQLite.
#![allow(missing_docs, clippy::unwrap_used, unreachable_pub)]

mod common;
mod suite;

use isobox_control::{Options, SqliteStore};
use std::sync::Arc;

macro_rules! cases {
    ($($case:ident),+ $(,)?) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $case() {
            let home = tempfile::tempdir().unwrap();
            let store = SqliteStore::open(home.path().join("control.db"), Options::default()).await.unwrap();
            suite::$case(Arc::new(store)).await;
        }
    )+};
}

cases! {
    a_sandbox_is_written_down_before_it_is_made_and_after,
    values_of_secrets_are_not_kept,
    a_name_is_taken_until_its_sandbox_is_deleted,
    a_key_gives_the_same_answer_and_no_other,
    a_key_of_what_was_broken_off_is_free_once_that_is_undone,
    one_operation_at_a_time_has_a_sandbox,
    many_who_delete_one_sandbox_all_succeed,
    an_operation_of_a_dead_process_is_taken_over_once,
    what_changed_since_it_was_read_is_not_acted_on,
    a_failure_is_kept_and_says_where_it_left_the_sandbox,
    states_move_only_as_the_table_says,
    every_refused_create_leaves_nothing,
    a_death_is_kept_with_its_cause,
    what_dies_while_it_is_deleted_is_deleted,
    lists_are_filtered_and_paged,
    a_sandbox_changes_hands,
    what_dead_processes_have_left_is_found,
    lifetimes_of_any_length_are_kept,
    a_volume_in_use_is_not_deleted,
    a_volume_is_moved_from_the_state_that_was_seen_and_tells_it,
    snapshots_and_commands_are_remembered,
    the_images_of_a_provider_are_written_down_as_they_were_last_seen,
    an_image_that_came_with_a_sandbox_is_a_change,
    a_name_that_an_engine_does_not_list_is_looked_for_once,
    operations_are_found_by_who_does_them,
    a_follower_gets_every_event_once,
    events_are_filtered_by_kind,
    a_command_starts_and_ends_once_whoever_tells_of_it,
    that_a_sandbox_expires_is_told_once_for_each_time,
    a_chore_is_for_one_at_a_time,
    retention_drops_the_old_and_says_so,
    a_closed_store_refuses,
    limits_are_the_same_for_all_and_bad_ones_are_refused_by_name,
    a_request_without_room_waits_and_begins_when_there_is_some,
    what_does_not_mind_the_limits_is_not_held_up,
    turns_go_round_over_processes,
    the_background_comes_last,
    a_full_queue_is_overloaded_and_nothing_is_left,
    a_dead_process_holds_no_room_and_no_turn,
    a_ticket_that_is_taken_back_holds_nobody_up,
    a_name_that_is_taken_meanwhile_is_found_when_the_turn_comes,
    live_sandboxes_are_counted_until_they_are_stopped_or_gone,
    copies_need_room_for_all_of_them,
    what_a_pool_keeps_ready_is_handed_out_once,
    what_a_pool_offers_is_taken_once_by_any_process,
    one_that_died_is_not_offered,
    a_pool_has_its_name_while_its_process_lives,
    a_pool_says_what_is_wrong_with_it_and_that_it_is_to_end,
}
