-- Sealing of a full segment, in steps of their own: whatever dies in between, the next call continues from there.

-- Carries the digests of both logs on over a range of positions. Every 1,024 positions are hashed together with what was
-- before them, so that memory stays small.
-- Lock: none.
CREATE FUNCTION svc_segment_digest(p_from bigint, p_to bigint,
  INOUT r_events bigint, INOUT r_records bigint, INOUT r_events_sha256 bytea, INOUT r_records_sha256 bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE n bigint; rows bytea; at bigint := p_from;
BEGIN
  WHILE at < p_to LOOP
    SELECT count(*), string_agg(sha256(int8send(v.global_position) || uuid_send(v.stream_id) || int2send(v.origin)
        || int8send(v.stream_position) || uuid_send(v.event_id) || timestamptz_send(v.occurred_at) || timestamptz_send(v.recorded_at)
        || svc_digest(v.event_type, v.data::text, v.metadata::text, v.host, v.late)), '' ORDER BY v.global_position)
      INTO n, rows FROM svc_events v WHERE v.global_position >= at AND v.global_position < least(at + 1024, p_to);
    IF n > 0 THEN r_events := r_events + n; r_events_sha256 := sha256(r_events_sha256 || rows); END IF;
    SELECT count(*), string_agg(sha256(int8send(v.global_position) || int8send(v.stream_position) || uuid_send(v.event_id)
        || int8send(coalesce(v.original_position, 0)) || timestamptz_send(v.recorded_at) || v.digest || v.hash
        || svc_digest(v.event_type, v.data::text, v.metadata::text, v.host, v.publish)), '' ORDER BY v.global_position)
      INTO n, rows FROM svc_system_events v WHERE v.global_position >= at AND v.global_position < least(at + 1024, p_to);
    IF n > 0 THEN r_records := r_records + n; r_records_sha256 := sha256(r_records_sha256 || rows); END IF;
    at := at + 1024;
  END LOOP;
END $$;

-- The next step of the lowest open segment, when it is full: a stretch of it is digested, and the heads of its streams are
-- kept. Of a stream with a row in an open segment nobody asks for that head yet. Returns nothing when there is nothing to
-- do, or when another host is at it.
-- Lock: the row of the segment.
CREATE FUNCTION svc_gather_segment() RETURNS TABLE(segment bigint, is_ready boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE s svc_segments; upto bigint; d record;
BEGIN
  SELECT * INTO s FROM svc_segments v WHERE v.low = (SELECT min(o.low) FROM svc_segments o WHERE o.state = 'open')
    FOR UPDATE SKIP LOCKED;
  -- Positions become visible in order: with the last one all are there.
  IF NOT FOUND OR s.state <> 'open' OR NOT (EXISTS (SELECT 1 FROM svc_events v WHERE v.global_position >= s.high - 1)
    OR EXISTS (SELECT 1 FROM svc_system_events v WHERE v.global_position >= s.high - 1)) THEN RETURN; END IF;
  upto := least(s.gathered + 16384, s.high);
  IF s.gathered < s.high THEN
    INSERT INTO svc_stream_heads AS h
      SELECT v.stream_id, v.origin, max(v.stream_position), min(v.global_position), max(v.global_position) FROM svc_events v
        WHERE v.global_position >= s.gathered AND v.global_position < upto GROUP BY 1, 2
      ON CONFLICT (stream_id, origin) DO UPDATE SET position = greatest(h.position, excluded.position),
        first_global = least(h.first_global, excluded.first_global), last_global = greatest(h.last_global, excluded.last_global);
    d := svc_segment_digest(s.gathered, upto, s.events, s.records, s.events_sha256, s.records_sha256);
    UPDATE svc_segments v SET gathered = upto, events = d.r_events, records = d.r_records,
      events_sha256 = d.r_events_sha256, records_sha256 = d.r_records_sha256 WHERE v.low = s.low;
  END IF;
  segment := s.low; is_ready := upto = s.high;
  RETURN NEXT;
END $$;

-- Ends a segment of which all is gathered. What an append must know of the chain stands with the next one from now on.
-- Lock: the row of the segment, then takes that of the log.
CREATE FUNCTION svc_seal_segment(p_low bigint, OUT r_high bigint, OUT r_events bigint, OUT r_records bigint,
  OUT r_last_hash text, OUT r_events_sha256 text, OUT r_records_sha256 text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE s svc_segments; last_h bytea; last_p bigint; last_at timestamptz;
BEGIN
  SELECT * INTO s FROM svc_segments v WHERE v.low = p_low AND v.state = 'open' AND v.gathered = v.high
    AND NOT EXISTS (SELECT 1 FROM svc_segments o WHERE o.state = 'open' AND o.low < p_low) FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  -- First, as an append that makes a segment has it, too.
  PERFORM svc_lock_log();
  PERFORM svc_make_segments_to(s.high);
  SELECT v.stream_position, v.hash INTO last_p, last_h FROM svc_system_events v
    WHERE v.global_position >= s.low AND v.global_position < s.high ORDER BY v.global_position DESC LIMIT 1;
  last_p := coalesce(last_p, s.first_system - 1); last_h := coalesce(last_h, s.prev_hash);
  last_at := greatest((SELECT v.recorded_at FROM svc_events v WHERE v.global_position < s.high ORDER BY v.global_position DESC LIMIT 1),
    (SELECT v.recorded_at FROM svc_system_events v WHERE v.global_position < s.high ORDER BY v.global_position DESC LIMIT 1));
  UPDATE svc_segments SET state = 'sealed', last_system = last_p, last_hash = last_h, sealed_at = clock_timestamp() WHERE low = s.low;
  UPDATE svc_segments SET first_system = last_p + 1, prev_hash = last_h, prev_at = last_at,
    -- Clocks of hosts may be ahead.
    ids_from = svc_first_id(last_at + interval '10 minutes') WHERE low = s.high;
  PERFORM svc_show_open_segment();
  r_high := s.high; r_events := s.events; r_records := s.records; r_last_hash := encode(last_h, 'hex');
  r_events_sha256 := encode(s.events_sha256, 'hex'); r_records_sha256 := encode(s.records_sha256, 'hex');
END $$;
