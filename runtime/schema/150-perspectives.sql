-- What all perspectives share: their registration, their parked keys, and how a cursor moves.

CREATE TABLE svc_perspectives (
  table_name text PRIMARY KEY,
  name text NOT NULL,
  hash text NOT NULL,
  types text[] NOT NULL,
  by_stream boolean NOT NULL,
  -- Whose events it follows: own, others or all.
  origin text NOT NULL DEFAULT 'own',
  registered_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A key whose apply failed waits here; its events stay in the log until it is released.
CREATE TABLE svc_parked (
  perspective text,
  key text,
  event_id uuid NOT NULL,
  global_position bigint NOT NULL,
  error text NOT NULL,
  attempts int NOT NULL,
  at timestamptz NOT NULL,
  released boolean NOT NULL DEFAULT false,
  PRIMARY KEY (perspective, key)
);

-- One question per host and turn: keeps its leases, takes what is free, and says where everything stands.
-- Lock: the rows of its cursors, by name.
CREATE FUNCTION svc_perspective_turn(p_owner uuid, p_names text[], p_ms int)
RETURNS TABLE(name text, held boolean, at_position bigint, remaining_ms int, head bigint, parked bigint, released boolean, owed boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  last bigint;
BEGIN
  -- A lease that is lost with the server is a lease that has ended.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE svc_cursors c SET owner = p_owner, lease_until = clock_timestamp() + p_ms * interval '1 ms'
    FROM (SELECT k.name FROM svc_cursors k WHERE k.name = ANY(p_names) ORDER BY k.name FOR UPDATE) mine
    WHERE c.name = mine.name AND (c.owner = p_owner OR svc_lease_is_over(c.lease_until, p_ms));
  last := svc_head();
  RETURN QUERY SELECT c.name, c.owner IS NOT DISTINCT FROM p_owner, c.position,
      svc_lease_remaining_ms(c.lease_until), last, w.n, w.r,
      EXISTS (SELECT 1 FROM svc_rewinds r WHERE r.started_at IS NOT NULL)
    FROM svc_cursors c CROSS JOIN LATERAL (
      SELECT count(*) n, coalesce(bool_or(k.released), false) r FROM svc_parked k WHERE k.perspective = c.name) w
    WHERE c.name = ANY(p_names);
END $$;

-- Whether the log has this event at this position.
-- Lock: none.
CREATE FUNCTION svc_holds_event(p_position bigint, p_event uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM svc_events WHERE global_position = p_position AND event_id = p_event)
    OR EXISTS (SELECT 1 FROM svc_system_events WHERE global_position = p_position AND event_id = p_event)
$$;

-- Moves the cursor of a perspective in the transaction that writes its models; false: the models must not be written.
-- Lock: the row of the cursor.
CREATE FUNCTION svc_advance_perspective(p_name text, p_owner uuid, p_from bigint, p_to bigint, p_ms int, p_batch json)
RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $$
BEGIN
  -- What is lost with the server is folded again: models and cursor are lost together.
  PERFORM set_config('synchronous_commit', 'off', true);
  -- What a host remembers of a server that was lost is not folded into the one that took over.
  IF p_to > svc_head()
    OR (p_batch ->> 'seen' IS NOT NULL
      AND NOT svc_holds_event((p_batch -> 'seen' ->> 'position')::bigint, (p_batch -> 'seen' ->> 'event_id')::uuid)) THEN
    RETURN false;
  END IF;
  UPDATE svc_cursors SET position = p_to, updated_at = clock_timestamp(),
      refolds = refolds + CASE WHEN json_array_length(p_batch -> 'released') > 0 THEN 1 ELSE 0 END,
      lease_until = CASE WHEN owner = p_owner THEN clock_timestamp() + p_ms * interval '1 ms' ELSE lease_until END
    WHERE name = p_name AND position = p_from AND p_to >= p_from
      AND generation = coalesce((p_batch ->> 'generation')::int, generation)
      AND (owner IS NULL OR owner = p_owner OR lease_until <= clock_timestamp());
  IF NOT FOUND THEN RETURN false; END IF;
  IF json_array_length(p_batch -> 'released') > 0 THEN
    DELETE FROM svc_parked WHERE perspective = p_name AND key IN (SELECT json_array_elements_text(p_batch -> 'released'));
  END IF;
  IF json_array_length(p_batch -> 'parked') > 0 THEN
    INSERT INTO svc_parked(perspective, key, event_id, global_position, error, attempts, at)
      SELECT p_name, r.key, r.event_id, r.global_position, r.error, r.attempts, clock_timestamp()
      FROM json_to_recordset(p_batch -> 'parked') r(key text, event_id uuid, global_position bigint, error text, attempts int)
      ON CONFLICT (perspective, key) DO UPDATE SET event_id = excluded.event_id, global_position = excluded.global_position,
        error = excluded.error, attempts = svc_parked.attempts + excluded.attempts, released = false;
  END IF;
  IF EXISTS (SELECT 1 FROM svc_rewinds WHERE global_position <= p_to) THEN PERFORM svc_rewound(p_name, p_to, p_batch -> 'rewound'); END IF;
  RETURN true;
END $$;

-- Lets the next host fold parked keys again: one, or all; returns how many.
-- Lock: the rows of the keys.
CREATE FUNCTION svc_release_parked(p_perspective text, p_key text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  n bigint;
BEGIN
  UPDATE svc_parked SET released = true WHERE perspective = p_perspective AND (p_key IS NULL OR key = p_key);
  GET DIAGNOSTICS n = ROW_COUNT;
  IF n > 0 THEN NOTIFY svc_lease; END IF;
  RETURN n;
END $$;
