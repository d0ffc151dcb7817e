-- What waits for an operator or is retried, in one list with what is stuck in timers and processes, and how it is repaired.

-- One row for each entry. Its id says where it is stuck, at what, and with which key: an entry that has moved on, or is stuck
-- again at something else, has another id. The fingerprint is null where no host has stored one: svc stuck computes it from
-- the error. A null in next_attempt_at does not apply, or means at once.
CREATE VIEW svc_stuck AS
SELECT s.follower, s.key, s.id,
  CASE WHEN s.position IS NULL THEN s.tenant ELSE coalesce(
    (SELECT v.metadata -> 'scope' ->> 'tenantId' FROM svc_events v WHERE v.global_position = s.position),
    (SELECT v.metadata -> 'scope' ->> 'tenantId' FROM svc_system_events v WHERE v.global_position = s.position)) END AS tenant,
  s.position, s.state, s.since, s.attempts, s.next_attempt_at, s.error, s.fingerprint
FROM (
  -- A key without an error is only slow. Of the versions of a perspective, the newest and those that still run.
  SELECT coalesce('perspective/' || v.name, concat_ws('/', split_part(w.follower, '/', 1), nullif(split_part(w.follower, '/', 2), ''))) AS follower,
    CASE WHEN w.id IS NOT NULL THEN w.destination WHEN w.follower <> 'outbox' THEN w.key
      ELSE coalesce((SELECT e.stream_id::text FROM svc_events e WHERE e.global_position = w.position), '$svc-system') END AS key,
    CASE WHEN w.id IS NOT NULL THEN w.follower || '/dead-letter@' || w.id WHEN w.follower = 'outbox' THEN 'outbox@' || w.position
      ELSE concat(CASE WHEN v.name IS NOT NULL THEN 'perspective/' END, w.follower, '@', w.position, '/', w.key) END AS id,
    w.tenant, w.position, w.state, w.since, w.attempts, w.next_attempt_at, w.error, w.fingerprint
  FROM svc_stuck_work w LEFT JOIN svc_perspectives v ON v.table_name = w.follower LEFT JOIN svc_leases c ON c.name = w.follower
  WHERE (w.state = 'parked' OR w.state = 'retrying' AND w.error IS NOT NULL)
    AND (NOT starts_with(w.follower, 'svc_') OR v.name IS NOT NULL AND c.lease_until > clock_timestamp()
      OR v.registered_at = (SELECT max(n.registered_at) FROM svc_perspectives n WHERE n.name = v.name))
  UNION ALL
  -- What stopped the other processes is a row above or below.
  SELECT 'process/' || p.name, p.key, 'process/' || p.name || '@' || p.revision || '/' || p.key,
    p.tenant, NULL, p.status, p.updated_at, NULL, NULL, p.error, NULL
  FROM svc_processes p WHERE p.status = 'parked'
    AND NOT EXISTS (SELECT 1 FROM generate_series(0, 7) i JOIN svc_stuck_work w ON w.follower = 'process/' || p.name || '/' || i AND w.key = p.key)
    AND NOT EXISTS (SELECT 1 FROM svc_timers t WHERE t.name = p.name AND t.key = p.key AND t.kind = 'process' AND t.parked)
  UNION ALL
  -- The due time of a timer or an effect that is parked is the time at which it was parked. Each kind has an index of its own.
  SELECT 'timers', concat_ws(' ', nullif(t.name, ''), nullif(t.key, '')), 'timers@' || svc_micros(t.due_at) || '/' || t.id,
    t.context -> 'scope' ->> 'tenantId', NULL, 'parked', t.due_at, t.attempts, NULL, t.error, NULL
  FROM svc_timers t WHERE t.parked AND t.kind <> 'effect'
  UNION ALL
  SELECT 'effect/' || t.name, coalesce(nullif(t.key, ''), t.id::text), 'timers@' || svc_micros(t.due_at) || '/' || t.id,
    t.context -> 'scope' ->> 'tenantId', NULL, 'parked', t.due_at, t.attempts, NULL, t.error, NULL
  FROM svc_timers t WHERE t.parked AND t.kind = 'effect'
) s;

-- The ids that an operator has seen and may act on, in chunks: a chunk is deleted in the transaction that acts on it, so
-- an interrupted plan continues after it.
CREATE TABLE svc_stuck_plans (
  -- A digest of the action and the ids.
  token text,
  chunk int,
  action text NOT NULL CHECK (action IN ('retry', 'skip')),
  -- What the ids were found by, in words.
  selection text NOT NULL,
  ids text[] NOT NULL,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (token, chunk)
);

-- Keeps a plan for a day, 50 ids in a chunk: it locks the log for about as long as a flush.
-- Lock: the rows of the plan.
CREATE FUNCTION svc_keep_plan(p_token text, p_action text, p_selection text, p_ids text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DELETE FROM svc_stuck_plans v WHERE v.made_at < clock_timestamp() - interval '24 hours';
  INSERT INTO svc_stuck_plans(token, chunk, action, selection, ids)
    SELECT p_token, (i.n - 1) / 50, p_action, p_selection, array_agg(i.id ORDER BY i.n)
      FROM unnest(p_ids) WITH ORDINALITY i(id, n) GROUP BY 2
    ON CONFLICT (token, chunk) DO UPDATE SET made_at = excluded.made_at
$$;

-- The parts of ids: the place, a number there, and the key.
-- Lock: none.
CREATE FUNCTION svc_stuck_parts(p_ids text[]) RETURNS TABLE(id text, place text, at bigint, key text)
LANGUAGE sql IMMUTABLE AS $$
  SELECT i, split_part(i, '@', 1), CASE WHEN n ~ '^\d{1,18}$' THEN n::bigint END, substr(i, strpos(i, '@') + length(n) + 2)
    FROM unnest(p_ids) i, split_part(substr(i, strpos(i, '@') + 1), '/', 1) n
$$;

-- Repairs what hosts change without the log lock: rows of perspectives and dead letters. Returns the ids of what it changed.
-- It leaves out what a host is changing at that moment, and waits for none.
-- Lock: the rows.
CREATE FUNCTION svc_repair_rows(p_action text, p_ids text[], p_by text, p_reason text) RETURNS text[]
LANGUAGE sql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  WITH released AS (
    UPDATE svc_stuck_work w SET state = 'retrying' FROM (
      SELECT i.id, v.follower, v.key FROM svc_stuck_parts(p_ids) i JOIN svc_stuck_work v
        ON v.follower = substr(i.place, 13) AND v.key = i.key AND v.position = i.at AND v.state = 'parked'
      WHERE p_action = 'retry' AND starts_with(i.place, 'perspective/svc_') FOR UPDATE OF v SKIP LOCKED) f
      WHERE w.follower = f.follower AND w.key = f.key RETURNING f.id)
  SELECT ARRAY(SELECT r.id FROM released r) || svc_resolve_dead_letters(ARRAY(
      SELECT w.id FROM svc_stuck_parts(p_ids) i JOIN svc_stuck_work w ON w.id = i.at
      WHERE i.place = w.follower || '/dead-letter' FOR UPDATE OF w SKIP LOCKED),
    CASE p_action WHEN 'retry' THEN 'retrying' ELSE 'discarded' END, p_by, p_reason)
$$;

-- Repairs keys of reactions and processes, timers and processes. Returns the ids of what it changed. Each is looked up by its
-- key, also by a plan made while the tables were empty.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_repair_lists(p_action text, p_ids text[]) RETURNS text[]
LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE one record; timer svc_timers; repaired text[] := '{}';
BEGIN
  FOR one IN SELECT * FROM svc_stuck_parts(p_ids) LOOP
    CONTINUE WHEN one.place = 'timers' AND one.key !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
    timer := NULL;
    IF one.place = 'timers' AND p_action = 'retry' THEN
      PERFORM svc_run_timers(ARRAY(SELECT v.id FROM svc_timers v WHERE v.id = one.key::uuid AND svc_micros(v.due_at) = one.at AND v.parked));
    ELSIF one.place = 'timers' THEN
      DELETE FROM svc_timers v WHERE v.id = one.key::uuid AND svc_micros(v.due_at) = one.at AND v.parked RETURNING v.* INTO timer;
    ELSIF one.place LIKE ANY('{reaction/%/%,process/%/%}') AND p_action = 'retry' THEN
      UPDATE svc_stuck_work w SET state = 'retrying', attempts = 0, next_attempt_at = clock_timestamp()
        WHERE w.follower = one.place AND w.key = one.key AND w.position = one.at AND w.state = 'parked';
    ELSIF one.place LIKE ANY('{reaction/%/%,process/%/%}') THEN
      PERFORM svc_skip_key(ARRAY[one.place], one.key, one.at);
    ELSIF one.place LIKE 'process/%' AND p_action = 'retry' THEN
      PERFORM svc_retry_process(v.name, v.key) FROM svc_processes v
        WHERE v.name = split_part(one.place, '/', 2) AND v.key = one.key AND v.revision = one.at AND v.status = 'parked';
    ELSE CONTINUE;
    END IF;
    CONTINUE WHEN NOT FOUND;
    repaired := repaired || one.id;
    IF timer.kind = 'process' THEN PERFORM svc_continue_process(timer.name, timer.key); END IF;
  END LOOP;
  RETURN repaired;
END $$;

-- Retries or skips these ids, or the next chunk of a plan (p_token), and records it with how many it changed. Returns that
-- number and the ids it left: those entries have changed since. Null: the plan has no chunk left.
-- Lock: the rows of perspectives and dead letters, then the log lock.
CREATE FUNCTION svc_repair_stuck(p_action text, p_ids text[], p_token text, p_by text, p_reason text, p_host text,
  s_id uuid, s_type text, s_data json, s_meta json, s_publish boolean) RETURNS json
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE wanted text[] := p_ids; repaired text[];
BEGIN
  IF p_action NOT IN ('retry', 'skip') THEN RAISE EXCEPTION 'no repair is named %', p_action; END IF;
  IF p_token IS NOT NULL THEN
    DELETE FROM svc_stuck_plans v WHERE v.token = p_token AND v.action = p_action AND v.chunk = (
      SELECT w.chunk FROM svc_stuck_plans w WHERE w.token = p_token ORDER BY w.chunk LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING v.ids INTO wanted;
    IF NOT FOUND THEN RETURN NULL; END IF;
  END IF;
  -- Before the log is locked: a host that stalls may have locked such a row.
  repaired := svc_repair_rows(p_action, wanted, p_by, p_reason);
  IF EXISTS (SELECT 1 FROM unnest(wanted) i WHERE i LIKE ANY('{reaction/%,process/%,timers@%}')) THEN
    PERFORM svc_lock_log();
    repaired := repaired || svc_repair_lists(p_action, wanted);
  END IF;
  IF repaired <> '{}' THEN
    PERFORM svc_record_action(p_host, s_id, s_type,
      jsonb_set(s_data::jsonb, '{details,entries}', to_jsonb(cardinality(repaired)::text))::json, s_meta, s_publish);
  END IF;
  RETURN json_build_object('repaired', cardinality(repaired), 'left', ARRAY(SELECT unnest(wanted) EXCEPT SELECT unnest(repaired) ORDER BY 1));
END $$;
