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

/**
 * Begins formula 2 in a store that has records of formula 1. Its own transaction, after the functions were replaced: a
 * call that began before goes on with the earlier text, and must have ended.
 */
export const chainSwitch = /* sql */ `
DO $$
DECLARE
  running text[]; patience timestamptz := clock_timestamp() + interval '10 seconds';
BEGIN
  IF EXISTS (SELECT 1 FROM svc_store WHERE formula2_from IS NOT NULL) THEN RETURN; END IF;
  running := ARRAY(SELECT l.virtualtransaction FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'virtualxid' AND l.granted AND a.datname = current_database() AND l.pid <> pg_backend_pid());
  WHILE EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'virtualxid' AND l.granted AND l.virtualtransaction = ANY(running)) LOOP
    -- What takes longer is no append, or one that waits for the lock before us.
    EXIT WHEN clock_timestamp() > patience;
    PERFORM pg_sleep(0.01);
  END LOOP;
  PERFORM pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int);
  UPDATE svc_store SET formula2_from = 1 + coalesce((SELECT max(stream_position) FROM svc_system_events), 0);
END $$;
`;
