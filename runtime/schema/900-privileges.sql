-- What the role of all connections but the migrating one may do: read, and call the functions that change the store. Runs
-- again when that role has come into being.

-- Whatever runs with the rights of the owner, and the procedures that call it. All else runs with those of its caller. A
-- function keeps the search_path of the migration: this schema, then pg_temp.
DO $revokes$
DECLARE routine regprocedure;
BEGIN
  FOR routine IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = quote_ident(current_schema())::regnamespace AND p.proname LIKE 'svc\_%'
    AND (p.prosecdef OR p.prokind = 'p') AND p.proowner = quote_ident(current_user)::regrole
  LOOP
    EXECUTE format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', routine);
  END LOOP;
END $revokes$;

DO $grants$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'svc_runtime') THEN RETURN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO svc_runtime', current_schema());
  GRANT SELECT ON
    svc_store, svc_epochs, svc_origins, svc_events, svc_system_events, svc_segments, svc_stream_heads,
    svc_idempotency, svc_flushes, svc_event_stream, svc_system_stream, svc_schema_migrations, svc_rewinds,
    svc_rewind_replays, svc_perspectives, svc_parked, svc_rebuilds, svc_received_system_events,
    svc_unconfirmed_records, svc_signed_heads, svc_waiting_stores, svc_api_keys, svc_deployments, svc_roles,
    svc_role_assignments, svc_roles_version, svc_flags, svc_flag_names, svc_flags_version, svc_subject_keys,
    svc_subject_rewinds, svc_progress, svc_aside, svc_timers, svc_processes, svc_reservations, svc_states,
    svc_workers, svc_reactions, svc_cursors, svc_outbox_failures, svc_dead_letter_records, svc_outbox_pending,
    svc_dead_letters
    TO svc_runtime;
  GRANT INSERT, UPDATE, DELETE ON svc_workers TO svc_runtime;
  GRANT EXECUTE ON FUNCTION
    svc_append, svc_append_one, svc_take_progress, svc_reservation_key, svc_worker_turn, svc_worker_left,
    svc_prune_ended, svc_operator_acts, svc_cursor_taken_by, svc_note_reactions, svc_prune, svc_make_segments,
    svc_gather_segment, svc_seal_segment, svc_segment_digest, svc_take_lease, svc_release_lease, svc_advance_cursor,
    svc_outbox_turn, svc_outbox_republish, svc_outbox_refused, svc_outbox_dead_letter, svc_resolve_dead_letter,
    svc_perspective_turn, svc_models, svc_snapshot, svc_read_rows, svc_release_parked, svc_claim_rewinds,
    svc_rewind_announced, svc_rewind_told, svc_close_rewind, svc_receive, svc_receive_system, svc_receive_head,
    svc_inbox_turn, svc_admit_origin, svc_inbox_begin, svc_inbox_end, svc_inbox_dead_letters, svc_inbox_replays,
    svc_inbox_replayed, svc_replay_dead_letters, svc_set_flag, svc_declare_flags, svc_keep_store_key, svc_meet_stores,
    svc_pin_key, svc_trust_store, svc_forget_store, svc_new_epoch, svc_unreported_losses, svc_accept_loss,
    svc_receive_epochs, svc_release_origin, svc_subject_key, svc_subject_check, svc_subject_turn, svc_keep_state,
    svc_record_namespace, svc_inbox_stream, svc_note_host, svc_forget_host, svc_set_broadcast, svc_cluster
    TO svc_runtime;
  GRANT EXECUTE ON PROCEDURE
    svc_commit_v1, svc_commit_one_v1, svc_take_cursor, svc_prune_lists, svc_operate, svc_note_version,
    svc_register_reactions
    TO svc_runtime;
END $grants$;
