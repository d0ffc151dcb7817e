-- The order key of an event is (occurred_at, store, stream_position); late = its stream already holds a greater one. An
-- event that happened before it was recorded and is not late has a greater key than all earlier events of its own store.
-- Checking the last of these is enough; only the other events need an index.

CREATE INDEX svc_events_order ON svc_events(stream_id, occurred_at)
  WHERE origin <> 0 OR occurred_at > recorded_at;

-- A time as hosts compare it: microseconds since 1970.
-- Lock: none.
CREATE FUNCTION svc_micros(p_time timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (extract(epoch FROM p_time) * 1000000)::bigint
$$;

-- A time as it is written in JSON: to the microsecond (US), or to the millisecond (MS).
-- Lock: none.
CREATE FUNCTION svc_iso_time(p_time timestamptz, p_digits text DEFAULT 'US') RETURNS text LANGUAGE sql STABLE AS $$
  SELECT to_char(p_time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.' || p_digits || '"Z"')
$$;

-- A time as hosts write it in JSON: without zeros at its end.
-- Lock: none.
CREATE FUNCTION svc_time_text(p_time timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT (to_json(p_time AT TIME ZONE 'UTC') #>> '{}') || 'Z'
$$;

-- Whether the stream already holds an event with a greater order key.
-- Lock: none.
CREATE FUNCTION svc_is_late(p_stream uuid, p_at timestamptz, p_store uuid, p_position bigint)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT 1 FROM (
      SELECT v.occurred_at, v.origin, v.stream_position FROM svc_events v
      WHERE v.stream_id = p_stream AND v.origin = 0 AND NOT v.late AND v.occurred_at <= v.recorded_at
      ORDER BY v.stream_position DESC LIMIT 1) own JOIN svc_origins o USING (origin)
    WHERE (own.occurred_at, o.store, own.stream_position) > (p_at, p_store, p_position)
  ) OR EXISTS (
    SELECT 1 FROM svc_events v JOIN svc_origins o USING (origin)
    WHERE v.stream_id = p_stream AND (v.origin <> 0 OR v.occurred_at > v.recorded_at) AND v.occurred_at >= p_at
      AND (v.occurred_at, o.store, v.stream_position) > (p_at, p_store, p_position)
  ) OR EXISTS (
    -- All that is left of archived events. Of those of one store at the same time, the one received last is not late.
    SELECT 1 FROM svc_stream_heads h JOIN svc_origins o USING (origin)
    WHERE h.stream_id = p_stream AND (h.latest, o.store) > (p_at, p_store))
$$;

-- The latest time of an event that was stored before it happened; nearly always there is none. Only a session that holds the
-- log lock changes this row: if it were part of svc_store, every commit might wait for a session that changes that row and stalls.
CREATE TABLE svc_future (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  latest timestamptz
);
INSERT INTO svc_future DEFAULT VALUES;

-- Stores one event of a flush in which some state when they happened, or that follows an event from the future. An event
-- that states no time is never late: it is dated after everything in its stream.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_store_dated(p_global bigint, p_stream uuid, p_position bigint, p_event uuid, p_type text,
  p_data json, p_meta json, p_host text, p_stated timestamptz, p_at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE v_late boolean := false; v_occurred timestamptz := p_stated;
BEGIN
  IF p_stated IS NULL THEN
    SELECT greatest(p_at, max(v.occurred_at) + interval '1 microsecond') INTO v_occurred FROM svc_events v
      WHERE v.stream_id = p_stream AND (v.origin <> 0 OR v.occurred_at > v.recorded_at);
  ELSE
    v_late := svc_is_late(p_stream, p_stated, (SELECT id FROM svc_store), p_position);
  END IF;
  INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at, late)
    VALUES (p_global, p_stream, p_position, p_event, p_type, p_data, p_meta, p_host, v_occurred, p_at, v_late);
  IF v_occurred > p_at THEN UPDATE svc_future SET latest = greatest(latest, v_occurred); END IF;
  IF v_late THEN PERFORM svc_note_late(p_global, p_stream, p_type, false); END IF;
END $$;
