-- What the role of every connection but the migrating one may do: read, and call the functions that change the store.
-- Runs again once that role exists.

-- What runs with the owner's rights is what the runtime may call, together with the procedures; nobody else may. Everything
-- else runs with its caller's rights. A function keeps the migration's search_path: this schema, then pg_temp.
DO $privileges$
DECLARE routine regprocedure; has_role boolean := EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'svc_runtime');
BEGIN
  FOR routine IN SELECT p.oid FROM pg_proc p WHERE p.pronamespace = quote_ident(current_schema())::regnamespace AND p.proname LIKE 'svc\_%'
    AND (p.prosecdef OR p.prokind = 'p') AND p.proowner = quote_ident(current_user)::regrole
  LOOP
    EXECUTE format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', routine);
    IF has_role THEN EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO svc_runtime', routine); END IF;
  END LOOP;
  IF NOT has_role THEN RETURN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO svc_runtime', current_schema());
  GRANT SELECT ON
    svc_store, svc_epochs, svc_origins, svc_events, svc_system_events, svc_segments, svc_stream_heads, svc_archives,
    svc_idempotency, svc_flushes, svc_event_stream, svc_system_stream, svc_schema_migrations, svc_rewinds,
    svc_rewind_replays, svc_perspectives, svc_stuck_work, svc_rebuilds, svc_received_system_events,
    svc_unconfirmed_records, svc_signed_heads, svc_waiting_stores, svc_key_rotations, svc_api_keys, svc_deployments, svc_roles,
    svc_role_assignments, svc_versions, svc_flags, svc_flag_names, svc_subject_keys,
    svc_subject_rewinds, svc_progress, svc_timers, svc_paused, svc_processes, svc_reservations, svc_states,
    svc_hosts, svc_leases, svc_broker, svc_reactions, svc_outbox_pending, svc_dead_letters, svc_stuck, svc_stuck_plans
    TO svc_runtime;
END $privileges$;
