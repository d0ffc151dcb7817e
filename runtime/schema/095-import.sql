-- The import of events that happened elsewhere. Its rows are copied to a temporary table outside the lock of the log, and
-- numbered and stored under it, a few at a time.

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

-- Stores rows of svc_staged_events, the temporary table of an import, if none of these streams has a new event after
-- p_known; otherwise r_head is null, and nothing is stored. The rows, and which of them are late, are decided on what the log
-- held at p_known.
-- Lock: takes the log lock.
CREATE FUNCTION svc_import(p_known bigint, p_streams uuid[], p_from int, p_to int, p_late int[], p_publish boolean,
  OUT r_head bigint, OUT r_waited_ms double precision, OUT r_locked_ms double precision)
LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  head bigint; at timestamptz; last_at timestamptz; called timestamptz := clock_timestamp(); locked timestamptz;
  row_count int := p_to - p_from + 1;
BEGIN
  -- The lock is not held until the disk has it. The EventsImported of the chunk waits for the disk, and with it for these rows.
  PERFORM set_config('synchronous_commit', 'off', true), svc_lock_log();
  locked := clock_timestamp(); head := svc_head();
  IF head > p_known THEN
    -- By position alone: streams would be looked up one by one.
    IF EXISTS (SELECT 1 FROM (SELECT v.stream_id FROM svc_events v WHERE v.global_position > p_known OFFSET 0) n
      WHERE n.stream_id = ANY(p_streams)) THEN RETURN; END IF;
  END IF;
  IF head + row_count >= (SELECT max(v.high) FROM svc_segments v) THEN PERFORM svc_make_segments_to(head + row_count); END IF;
  at := greatest(locked, (SELECT v.recorded_at FROM svc_events v ORDER BY v.global_position DESC LIMIT 1),
    (SELECT v.recorded_at FROM svc_system_events v ORDER BY v.global_position DESC LIMIT 1));
  INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at,
      late, imported, publish)
    SELECT head + s.line - p_from + 1, s.stream_id, s.stream_position, s.event_id, s.event_type, s.data, s.metadata, s.host, s.occurred_at, at,
      s.line = ANY(p_late), true, p_publish
    FROM svc_staged_events s WHERE s.line BETWEEN p_from AND p_to;
  PERFORM svc_note_late(head + s.line - p_from + 1, s.stream_id, s.event_type, false)
    FROM svc_staged_events s WHERE s.line = ANY(p_late) ORDER BY s.line;
  SELECT max(s.occurred_at) INTO last_at FROM svc_staged_events s WHERE s.line BETWEEN p_from AND p_to;
  IF last_at > at THEN UPDATE svc_future SET latest = greatest(latest, last_at); END IF;
  UPDATE svc_imports v SET high = head + row_count
    WHERE v.low = (SELECT max(w.low) FROM svc_imports w) AND v.publish = p_publish AND (v.high = head OR v.high = head - 1
      AND EXISTS (SELECT 1 FROM svc_system_events r WHERE r.global_position = head AND r.event_type = 'EventsImported'));
  IF NOT FOUND THEN INSERT INTO svc_imports(low, high, publish, recorded_to) VALUES (head + 1, head + row_count, p_publish, head); END IF;
  r_head := head + row_count;
  r_waited_ms := extract(epoch FROM locked - called) * 1000; r_locked_ms := extract(epoch FROM clock_timestamp() - locked) * 1000;
END $$;
