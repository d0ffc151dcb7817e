/** The role of all connections but the migrating one: it may read, and call the functions that change the store. */
export const runtimeRole = 'svc_runtime';

const functions = [
  'svc_append',
  'svc_append_v2',
  'svc_append_v3',
  'svc_append_one_v3',
  'svc_append_v4',
  'svc_take_progress',
  'svc_reservation_key',
  'svc_worker_turn',
  'svc_worker_left',
  'svc_prune_ended',
  'svc_operator_acts',
  'svc_cursor_taken_by',
  'svc_note_reactions',
  'svc_prune',
  'svc_make_segments',
  'svc_gather_segment',
  'svc_seal_segment',
  'svc_segment_digest',
  'svc_take_lease',
  'svc_release_lease',
  'svc_advance_cursor',
  'svc_outbox_turn',
  'svc_outbox_republish',
  'svc_outbox_refused',
  'svc_outbox_dead_letter',
  'svc_resolve_dead_letter',
  'svc_perspective_turn',
  'svc_models',
  'svc_snapshot',
  'svc_read_rows',
  'svc_release_parked',
  'svc_claim_rewinds',
  'svc_rewind_announced',
  'svc_rewind_told',
  'svc_close_rewind',
  'svc_receive',
  'svc_receive_system',
  'svc_receive_system_v2',
  'svc_receive_head',
  'svc_receive_head_v2',
  'svc_receive_head_v3',
  'svc_inbox_turn',
  'svc_inbox_dead_letter',
  'svc_receive_v2',
  'svc_receive_v3',
  'svc_admit_origin',
  'svc_inbox_begin',
  'svc_inbox_end',
  'svc_inbox_dead_letters',
  'svc_inbox_dead_letters_v2',
  'svc_inbox_replays',
  'svc_inbox_replayed',
  'svc_replay_dead_letters',
  'svc_set_flag',
  'svc_declare_flags',
  'svc_keep_store_key',
  'svc_meet_stores',
  'svc_pin_key',
  'svc_trust_store',
  'svc_forget_store',
  'svc_new_epoch',
  'svc_unreported_losses',
  'svc_accept_loss',
  'svc_receive_epochs',
  'svc_receive_epochs_v2',
  'svc_release_origin',
  'svc_subject_key',
  'svc_subject_check',
  'svc_subject_turn',
  'svc_keep_state',
  'svc_record_namespace',
  'svc_inbox_stream',
].join(', ');

/** Called by the functions above alone. */
const innerFunctions = [
  'svc_advance_perspective',
  'svc_release_keys',
  'svc_retry_process',
  'svc_run_timers',
  'svc_adopt_reaction',
  'svc_rewound',
  'svc_store_dated',
  'svc_note_late',
  'svc_chain_record',
  'svc_note_waiting',
  'svc_begin_epoch',
  'svc_next_epoch',
  'svc_head',
  'svc_note_signed_epoch',
  'svc_thin_signed_heads',
  'svc_forget_subject',
  'svc_subject_digest',
  'svc_lock_log',
  'svc_protect_segment',
  'svc_make_segment',
  'svc_make_segments_to',
  'svc_next_segment_size',
  'svc_show_open_segment',
  'svc_chain_hash',
  'svc_note_dropped',
  'svc_keep_unconfirmed',
  'svc_confirm_records',
  'svc_note_forgotten',
  'svc_subject_models',
  'svc_row_condition',
  'svc_row_conditions',
  'svc_row_order',
  'svc_row_key',
  'svc_selected_rows',
  'svc_page_statement',
].join(', ');

const procedures = [
  'svc_commit',
  'svc_commit_v2',
  'svc_commit_v3',
  'svc_commit_one_v3',
  'svc_commit_v4',
  'svc_take_cursor',
  'svc_prune_lists',
  'svc_operate',
  'svc_note_version',
  'svc_register_reactions',
].join(', ');

export const privileges = /* sql */ `
REVOKE ALL ON FUNCTION ${functions} FROM PUBLIC;
REVOKE ALL ON FUNCTION ${innerFunctions} FROM PUBLIC;
REVOKE ALL ON PROCEDURE ${procedures} FROM PUBLIC;
DO $$
DECLARE
  place text := quote_ident(current_schema());
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${runtimeRole}') THEN
    EXECUTE format('GRANT USAGE ON SCHEMA %s TO ${runtimeRole}', place);
    EXECUTE 'GRANT SELECT ON svc_store, svc_epochs, svc_origins, svc_events, svc_system_events, svc_segments, svc_stream_heads, svc_idempotency, svc_flushes,
      svc_event_stream, svc_system_stream, svc_schema_migrations, svc_rewinds, svc_rewind_replays, svc_perspectives, svc_parked, svc_rebuilds,
      svc_received_system_events, svc_unconfirmed_records, svc_signed_heads, svc_waiting_stores, svc_api_keys, svc_deployments,
      svc_roles, svc_role_assignments, svc_roles_version,
      svc_flags, svc_flag_names, svc_flags_version, svc_subject_keys, svc_subject_rewinds,
      svc_progress, svc_aside, svc_timers, svc_processes, svc_reservations, svc_states, svc_workers, svc_reactions,
      svc_cursors, svc_outbox_failures, svc_dead_letter_records, svc_outbox_pending, svc_dead_letters TO ${runtimeRole}';
    EXECUTE 'GRANT INSERT, UPDATE, DELETE ON svc_workers TO ${runtimeRole}';
    EXECUTE 'GRANT EXECUTE ON FUNCTION ${functions} TO ${runtimeRole}';
    EXECUTE 'GRANT EXECUTE ON PROCEDURE ${procedures} TO ${runtimeRole}';
  END IF;
END $$;
`;
