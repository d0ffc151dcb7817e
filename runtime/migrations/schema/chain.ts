/**
 * The digest of a record covers every column but its positions, time and id, which its hash covers. It is made here, so
 * that no host can make one up. Formula 1 covers type and data only.
 */
export const chainFunctions = /* sql */ `
CREATE OR REPLACE FUNCTION svc_digest(p_type text, p_data json, p_meta json, p_host text, p_publish boolean) RETURNS bytea
LANGUAGE sql STABLE AS $$
  -- With their lengths in front, no text can pass for a part of its neighbor.
  SELECT sha256(int4send(octet_length(p_type)) || int4send(octet_length(p_data::text)) || int4send(octet_length(p_meta::text))
    || int4send(octet_length(p_host)) || boolsend(p_publish) || convert_to(concat(p_type, p_data, p_meta, p_host), 'UTF8'))
$$;

CREATE OR REPLACE FUNCTION svc_digest_1(p_type text, p_data json) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(convert_to(concat(p_type, p_data), 'UTF8'))
$$;
`;

/** Seconds. */
interface SwitchLimits {
  /** How long every transaction that runs is waited for. */
  readonly any: number;
  /** From then on, how long those that may be inside an append, or about to call it. */
  readonly appending: number;
}

/**
 * Begins formula 2 in a store that has records of formula 1. Its own transaction, after the functions were replaced: a
 * call that began before goes on with the earlier text, and must have ended. So must a transaction that has yet to call
 * it: until it locks another table it may see the earlier functions.
 */
export const chainSwitchWithin = ({ any, appending }: SwitchLimits): string => /* sql */ `
DO $$
DECLARE
  running text[]; pids text; unread boolean; began timestamptz := clock_timestamp();
BEGIN
  IF EXISTS (SELECT 1 FROM svc_store WHERE formula2_from IS NOT NULL) THEN RETURN; END IF;
  running := ARRAY(SELECT l.virtualtransaction FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'virtualxid' AND l.granted AND a.datname = current_database() AND l.pid <> pg_backend_pid()
      AND a.usesysid IS NOT NULL);
  LOOP
    -- Within a transaction the view would show the same sessions for ever.
    PERFORM pg_stat_clear_snapshot();
    SELECT string_agg(a.pid::text, ', ' ORDER BY a.pid), bool_or(a.state IS NULL) INTO pids, unread
      FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'virtualxid' AND l.granted AND l.virtualtransaction = ANY(running)
        AND (clock_timestamp() < began + interval '${any} seconds' OR a.state IS NULL OR a.query ~* 'svc_(append|commit)'
          OR a.state LIKE 'idle in transaction%' AND a.query ~* 'svc_|^\\s*(begin|start)\\M');
    EXIT WHEN pids IS NULL;
    IF clock_timestamp() > began + interval '${any + appending} seconds' THEN
      RAISE EXCEPTION 'sessions with process id % may still append in the earlier way; end them (pg_terminate_backend) and migrate again%', pids,
        CASE WHEN unread THEN format('; GRANT pg_read_all_stats TO %I lets the migration see what they run', current_user) ELSE '' END
        USING ERRCODE = 'query_canceled';
    END IF;
    PERFORM pg_sleep(0.01);
  END LOOP;
  PERFORM pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int);
  UPDATE svc_store SET formula2_from = 1 + coalesce((SELECT max(stream_position) FROM svc_system_events), 0);
END $$;
`;

export const chainSwitch = chainSwitchWithin({ any: 10, appending: 60 });
