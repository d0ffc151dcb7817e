/** The role that all connections but the migrating one take: it may read, and call the commit. */
export const runtimeRole = 'svc_runtime';

export const privileges = /* sql */ `
REVOKE ALL ON FUNCTION svc_append FROM PUBLIC;
REVOKE ALL ON PROCEDURE svc_commit FROM PUBLIC;
REVOKE ALL ON FUNCTION svc_prune FROM PUBLIC;
DO $$
DECLARE
  place text := quote_ident(current_schema());
BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${runtimeRole}') THEN
    EXECUTE format('GRANT USAGE ON SCHEMA %s TO ${runtimeRole}', place);
    EXECUTE 'GRANT SELECT ON svc_store, svc_events, svc_system_events, svc_idempotency, svc_flushes,
      svc_event_stream, svc_system_stream, svc_schema_migrations TO ${runtimeRole}';
    EXECUTE 'GRANT EXECUTE ON FUNCTION svc_append, svc_prune TO ${runtimeRole}';
    EXECUTE 'GRANT EXECUTE ON PROCEDURE svc_commit TO ${runtimeRole}';
  END IF;
END $$;
`;
