-- What all perspectives share: their registration, their parked keys, and how their position moves.

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

-- Where perspectives are, and what waits for them. Of very many parked rows 10,000 are counted: every host asks at each turn.
-- Lock: none.
CREATE FUNCTION svc_perspective_states(p_names text[])
RETURNS TABLE(name text, at_position bigint, parked bigint, released boolean, owed boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $$
  SELECT p.name, p.position, (SELECT count(*) FROM (SELECT FROM svc_stuck_work k WHERE k.follower = p.name LIMIT 10000) k),
      EXISTS (SELECT 1 FROM svc_stuck_work k WHERE k.follower = p.name AND k.state = 'retrying'),
      EXISTS (SELECT 1 FROM svc_rewinds r WHERE r.started_at IS NOT NULL)
    FROM svc_progress p WHERE p.name = ANY(p_names)
$$;

-- Whether the log has this event at this position; an archived one counts as there.
-- Lock: none.
CREATE FUNCTION svc_holds_event(p_position bigint, p_event uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM svc_events WHERE global_position = p_position AND event_id = p_event)
    OR EXISTS (SELECT 1 FROM svc_system_events WHERE global_position = p_position AND event_id = p_event)
    OR p_position < svc_archived_to()
$$;

-- Moves a perspective on in the transaction that writes its models; false: the models must not be written.
-- Lock: the row of the progress, and those of its stuck work and its rewinds that change.
CREATE FUNCTION svc_advance_perspective(p_name text, p_owner uuid, p_from bigint, p_to bigint, p_batch json)
RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off AS $$
BEGIN
  -- What is lost with the server is folded again: models and position are lost together.
  PERFORM set_config('synchronous_commit', 'off', true);
  -- What a host remembers of a server that was lost is not folded into the one that took over.
  IF p_to > svc_head()
    OR (p_batch ->> 'seen' IS NOT NULL
      AND NOT svc_holds_event((p_batch -> 'seen' ->> 'position')::bigint, (p_batch -> 'seen' ->> 'event_id')::uuid)) THEN
    RETURN false;
  END IF;
  UPDATE svc_progress SET position = p_to,
      refolds = refolds + CASE WHEN json_array_length(p_batch -> 'released') > 0 THEN 1 ELSE 0 END
    WHERE name = p_name AND position = p_from AND p_to >= p_from AND epoch = coalesce((p_batch ->> 'epoch')::int, epoch)
      AND NOT EXISTS (SELECT 1 FROM svc_leases l
        WHERE l.name = p_name AND l.owner IS DISTINCT FROM p_owner AND l.lease_until > clock_timestamp());
  IF NOT FOUND THEN RETURN false; END IF;
  IF json_array_length(p_batch -> 'released') > 0 THEN
    DELETE FROM svc_stuck_work WHERE follower = p_name AND key IN (SELECT json_array_elements_text(p_batch -> 'released'));
  END IF;
  IF json_array_length(p_batch -> 'parked') > 0 THEN
    INSERT INTO svc_stuck_work AS w (follower, key, message_id, position, error, attempts, state)
      SELECT p_name, r.key, r.event_id, r.global_position, r.error, r.attempts, 'parked'
      FROM json_to_recordset(p_batch -> 'parked') r(key text, event_id uuid, global_position bigint, error text, attempts int)
      ON CONFLICT (follower, key) DO UPDATE SET message_id = excluded.message_id, position = excluded.position,
        error = excluded.error, attempts = w.attempts + excluded.attempts, state = 'parked';
  END IF;
  IF EXISTS (SELECT 1 FROM svc_rewinds WHERE global_position <= p_to) THEN PERFORM svc_rewound(p_name, p_to, p_batch -> 'rewound'); END IF;
  RETURN true;
END $$;

-- Lets the next host fold parked keys of a perspective again, one or all; returns them. Those of reactions and processes are
-- changed under the log lock.
-- Lock: the rows of the keys.
CREATE FUNCTION svc_release_parked(p_perspective text, p_key text) RETURNS SETOF text
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  UPDATE svc_stuck_work SET state = 'retrying' WHERE follower = p_perspective AND starts_with(p_perspective, 'svc_')
    AND state = 'parked' AND (p_key IS NULL OR key = p_key) RETURNING key
$$;
