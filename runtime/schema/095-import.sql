-- The import of events that happened elsewhere.

-- Ranges of positions that hold only imported events and their EventsImported: what passes imported events skips a range
-- without reading it.
CREATE TABLE svc_imports (
  low bigint PRIMARY KEY,
  high bigint NOT NULL,
  publish boolean NOT NULL,
  -- The last position that an EventsImported covers. If an import was killed, the next one records the rest first.
  recorded_to bigint NOT NULL
);

-- The last position of the range that continues after a position; null if there is none. Ranges whose events the relay sends
-- count only if p_sent is true.
-- Lock: none.
CREATE FUNCTION svc_imported_to(p_after bigint, p_sent boolean) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT r.high FROM (SELECT * FROM svc_imports v WHERE v.low <= p_after + 1 ORDER BY v.low DESC LIMIT 1) r
    WHERE r.high > p_after AND (p_sent OR NOT r.publish)
$$;

-- Stores rows, given column by column, if none of these streams has a new event after p_known; otherwise r_head is null, and
-- nothing is stored. The rows, and which of them are late, are decided on what the log held at p_known.
-- Lock: takes the log lock.
CREATE FUNCTION svc_import(p_known bigint, p_streams uuid[], e_stream uuid[], e_position bigint[], e_id uuid[], e_at timestamptz[],
  e_type text[], e_host text[], e_meta json[], e_data json[], e_late boolean[], p_publish boolean,
  OUT r_head bigint, OUT r_waited_ms double precision, OUT r_locked_ms double precision)
LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  head bigint; at timestamptz; last_at timestamptz; called timestamptz := clock_timestamp(); locked timestamptz;
  row_count int := cardinality(e_id);
BEGIN
  -- The lock is not held until the disk has it. The EventsImported of the chunk waits for the disk, and with it for these rows.
  -- What the relay sends must be there first.
  IF NOT p_publish THEN PERFORM set_config('synchronous_commit', 'off', true); END IF;
  PERFORM svc_lock_log();
  locked := clock_timestamp(); head := svc_head();
  IF head > p_known THEN
    -- By position alone: streams would be looked up one by one.
    IF EXISTS (SELECT 1 FROM (SELECT v.stream_id FROM svc_events v WHERE v.global_position > p_known OFFSET 0) n
      WHERE n.stream_id = ANY(p_streams)) THEN RETURN; END IF;
  END IF;
  IF head + row_count >= (SELECT max(v.high) FROM svc_segments v) THEN PERFORM svc_make_segments_to(head + row_count); END IF;
  at := greatest(locked, (SELECT v.recorded_at FROM svc_events v ORDER BY v.global_position DESC LIMIT 1),
    (SELECT v.recorded_at FROM svc_system_events v ORDER BY v.global_position DESC LIMIT 1));
  INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, occurred_at, event_type, host, metadata, data, late,
      recorded_at, imported, publish)
    SELECT head + e.line, e.stream, e.nth, e.id, e.happened, e.type, e.host, e.meta, e.data, e.is_late, at, true, p_publish
    FROM unnest(e_stream, e_position, e_id, e_at, e_type, e_host, e_meta, e_data, e_late)
      WITH ORDINALITY e(stream, nth, id, happened, type, host, meta, data, is_late, line);
  PERFORM svc_note_late(head + e.line, e.stream, e.type, false)
    FROM unnest(e_stream, e_type, e_late) WITH ORDINALITY e(stream, type, is_late, line) WHERE e.is_late ORDER BY e.line;
  last_at := (SELECT max(e.happened) FROM unnest(e_at) e(happened));
  IF last_at > at THEN UPDATE svc_future SET latest = greatest(latest, last_at); END IF;
  UPDATE svc_imports v SET high = head + row_count
    WHERE v.low = (SELECT max(w.low) FROM svc_imports w) AND v.publish = p_publish AND (v.high = head OR v.high = head - 1
      AND EXISTS (SELECT 1 FROM svc_system_events r WHERE r.global_position = head AND r.event_type = 'EventsImported'));
  IF NOT FOUND THEN INSERT INTO svc_imports(low, high, publish, recorded_to) VALUES (head + 1, head + row_count, p_publish, head); END IF;
  r_head := head + row_count;
  r_waited_ms := extract(epoch FROM locked - called) * 1000; r_locked_ms := extract(epoch FROM clock_timestamp() - locked) * 1000;
END $$;
