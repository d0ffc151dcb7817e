-- One row per rewind of a stream: the late events from global_position to last_position that arrived before any
-- perspective began to rewind, and the perspectives that still have to. A rewind ends when every replay has been
-- reported.

CREATE TABLE svc_rewinds (
  global_position bigint PRIMARY KEY,
  stream_id uuid NOT NULL,
  last_position bigint NOT NULL DEFAULT 0,
  names text[] NOT NULL DEFAULT '{}',
  pending text[] NOT NULL DEFAULT '{}',
  started_at timestamptz,
  announced boolean NOT NULL DEFAULT false
);
CREATE INDEX svc_rewinds_stream ON svc_rewinds(stream_id);

-- What each perspective did; told = its PerspectiveRewindCompleted is stored.
CREATE TABLE svc_rewind_replays (
  rewind bigint,
  perspective text,
  from_position bigint,
  trigger_event_id uuid NOT NULL,
  final_event_id uuid NOT NULL,
  replayed int NOT NULL,
  started_at timestamptz NOT NULL,
  completed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  told boolean NOT NULL DEFAULT false,
  PRIMARY KEY (rewind, perspective, from_position)
);

-- Notes a late event for perspectives that take its type and gather one stream per row: the newest of each name, and
-- older ones still running.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_note_late(p_global bigint, p_stream uuid, p_type text, p_foreign boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_names text[]; v_tables text[];
BEGIN
  SELECT array_agg(DISTINCT p.name ORDER BY p.name), array_agg(p.table_name ORDER BY p.table_name) INTO v_names, v_tables
    FROM svc_perspectives p LEFT JOIN svc_leases l ON l.name = p.table_name
    WHERE p.by_stream AND p_type = ANY(p.types) AND (p.origin = 'all' OR p_foreign = (p.origin = 'others')) AND (l.lease_until > clock_timestamp() OR p.registered_at =
      (SELECT max(q.registered_at) FROM svc_perspectives q WHERE q.name = p.name));
  IF v_tables IS NULL THEN RETURN; END IF;
  UPDATE svc_rewinds r SET last_position = p_global,
      names = ARRAY(SELECT DISTINCT n FROM unnest(r.names || v_names) n ORDER BY n),
      pending = ARRAY(SELECT DISTINCT n FROM unnest(r.pending || v_tables) n ORDER BY n)
    -- Who holds the row is about to start this rewind or to end it, and may stall: the event makes the next one.
    WHERE r.global_position = (SELECT w.global_position FROM svc_rewinds w WHERE w.stream_id = p_stream AND w.started_at IS NULL
      ORDER BY w.global_position DESC LIMIT 1 FOR UPDATE SKIP LOCKED);
  IF FOUND THEN RETURN; END IF;
  INSERT INTO svc_rewinds(global_position, last_position, stream_id, names, pending)
    VALUES (p_global, p_global, p_stream, v_names, v_tables) ON CONFLICT DO NOTHING;
END $$;

-- Claims rewinds. Once claimed, a rewind takes no more late events: later arrivals make the next one.
-- Lock: the rows of the rewinds.
CREATE FUNCTION svc_claim_rewinds(p_perspective text, p_to bigint)
RETURNS TABLE(rewind bigint, stream_id uuid, names text[], started_at timestamptz, announced boolean, trigger_id uuid)
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE svc_rewinds r SET started_at = clock_timestamp()
    WHERE r.started_at IS NULL AND r.global_position <= p_to AND p_perspective = ANY(r.pending);
  SELECT r.global_position, r.stream_id, r.names, r.started_at, r.announced, t.event_id
    FROM svc_rewinds r CROSS JOIN LATERAL (
      SELECT v.event_id FROM svc_events v JOIN svc_origins o USING (origin)
      WHERE v.stream_id = r.stream_id AND v.late AND v.global_position BETWEEN r.global_position AND r.last_position
      ORDER BY v.occurred_at, o.store, v.stream_position LIMIT 1) t
    WHERE r.started_at IS NOT NULL AND r.global_position <= p_to AND p_perspective = ANY(r.pending)
$$;

-- Records that the rewind was reported as started.
-- Lock: the row of the rewind.
CREATE FUNCTION svc_rewind_announced(p_rewind bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE svc_rewinds SET announced = true WHERE global_position = p_rewind
$$;

-- Records, in the transaction that writes the models, what was replayed and which perspective is done.
-- Lock: the rows of the rewinds.
CREATE FUNCTION svc_rewound(p_perspective text, p_to bigint, p_replays json) RETURNS void
LANGUAGE sql SET search_path FROM CURRENT AS $$
  INSERT INTO svc_rewind_replays(rewind, perspective, from_position, trigger_event_id, final_event_id, replayed, started_at)
    SELECT r.rewind, p_perspective, r.from_position, r.trigger_event_id, r.final_event_id, r.replayed, r.started_at
    FROM json_to_recordset(p_replays) r(rewind bigint, from_position bigint, trigger_event_id uuid, final_event_id uuid,
      replayed int, started_at timestamptz)
    WHERE EXISTS (SELECT 1 FROM svc_rewinds w WHERE w.global_position = r.rewind)
    ON CONFLICT DO NOTHING;
  UPDATE svc_rewinds SET pending = array_remove(pending, p_perspective)
    WHERE last_position <= p_to AND p_perspective = ANY(pending);
  -- All passed it without a replay, as a rebuild does: there is nothing to report.
  DELETE FROM svc_rewinds WHERE pending = '{}' AND started_at IS NULL
$$;

-- Records that the completion of a replay was reported.
-- Lock: the row of the replay.
CREATE FUNCTION svc_rewind_told(p_rewind bigint, p_perspective text, p_from bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE svc_rewind_replays SET told = true WHERE rewind = p_rewind AND perspective = p_perspective AND from_position = p_from
$$;

-- Removes a rewind that every perspective has finished.
-- Lock: the row of the rewind.
CREATE FUNCTION svc_close_rewind(p_rewind bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DELETE FROM svc_rewinds WHERE global_position = p_rewind AND pending = '{}';
  DELETE FROM svc_rewind_replays WHERE rewind = p_rewind;
$$;
