-- Seals a full segment in separate steps: whatever dies in between, the next call continues from there.

-- Extends the digests of both logs over a range of positions. Every 1,024 positions are hashed together with the digest
-- before them, which keeps memory small.
-- Lock: none.
CREATE FUNCTION svc_segment_digest(p_from bigint, p_to bigint,
  INOUT r_events bigint, INOUT r_records bigint, INOUT r_events_sha256 bytea, INOUT r_records_sha256 bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE row_count bigint; rows bytea; at bigint := p_from;
BEGIN
  WHILE at < p_to LOOP
    SELECT count(*), string_agg(sha256(int8send(v.global_position) || uuid_send(v.stream_id) || int2send(v.origin)
        || int8send(v.stream_position) || uuid_send(v.event_id) || timestamptz_send(v.occurred_at) || timestamptz_send(v.recorded_at)
        || svc_digest(v.event_type, v.data::text, v.metadata::text, v.host, v.late)), '' ORDER BY v.global_position)
      INTO row_count, rows FROM svc_events v WHERE v.global_position >= at AND v.global_position < least(at + 1024, p_to);
    IF row_count > 0 THEN r_events := r_events + row_count; r_events_sha256 := sha256(r_events_sha256 || rows); END IF;
    SELECT count(*), string_agg(sha256(int8send(v.global_position) || int8send(v.stream_position) || uuid_send(v.event_id)
        || int8send(coalesce(v.original_position, 0)) || timestamptz_send(v.recorded_at) || v.digest || v.hash
        || svc_digest(v.event_type, v.data::text, v.metadata::text, v.host, v.publish)), '' ORDER BY v.global_position)
      INTO row_count, rows FROM svc_system_events v WHERE v.global_position >= at AND v.global_position < least(at + 1024, p_to);
    IF row_count > 0 THEN r_records := r_records + row_count; r_records_sha256 := sha256(r_records_sha256 || rows); END IF;
    at := at + 1024;
  END LOOP;
END $$;

-- Takes the next step of the lowest open segment once it is full: digests a stretch of it and keeps the heads of its
-- streams. Nobody asks for such a head while its stream has a row in an open segment. Returns nothing when there is
-- nothing to do, or when another host is doing it.
-- Lock: the row of the segment.
CREATE FUNCTION svc_gather_segment() RETURNS TABLE(segment bigint, is_ready boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE filled svc_segments; upto bigint; digests record;
BEGIN
  SELECT * INTO filled FROM svc_segments v WHERE v.low = (SELECT min(o.low) FROM svc_segments o WHERE o.state = 'open')
    FOR UPDATE SKIP LOCKED;
  -- Positions become visible in order: once the last is there, all are.
  IF NOT FOUND OR filled.state <> 'open' OR svc_head() < filled.high - 1 THEN RETURN; END IF;
  upto := least(filled.gathered + 16384, filled.high);
  IF filled.gathered < filled.high THEN
    INSERT INTO svc_stream_heads AS h
      SELECT v.stream_id, v.origin, max(v.stream_position), min(v.global_position), max(v.occurred_at) FROM svc_events v
        WHERE v.global_position >= filled.gathered AND v.global_position < upto GROUP BY 1, 2
      ON CONFLICT (stream_id, origin) DO UPDATE SET position = greatest(h.position, excluded.position),
        first_global = least(h.first_global, excluded.first_global), latest = greatest(h.latest, excluded.latest);
    digests := svc_segment_digest(filled.gathered, upto, filled.events, filled.records, filled.events_sha256, filled.records_sha256);
    UPDATE svc_segments v SET gathered = upto, events = digests.r_events, records = digests.r_records,
      events_sha256 = digests.r_events_sha256, records_sha256 = digests.r_records_sha256 WHERE v.low = filled.low;
  END IF;
  segment := filled.low; is_ready := upto = filled.high;
  RETURN NEXT;
END $$;

-- Seals a segment that is fully gathered. From now on the next segment holds what an append must know of the chain.
-- Lock: the row of the segment, then the log lock, then ACCESS EXCLUSIVE on the views of the open segment.
CREATE FUNCTION svc_seal_segment(p_low bigint, OUT r_high bigint, OUT r_events bigint, OUT r_records bigint,
  OUT r_last_hash text, OUT r_events_sha256 text, OUT r_records_sha256 text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE filled svc_segments; last_hash bytea; last_position bigint; last_at timestamptz;
BEGIN
  SELECT * INTO filled FROM svc_segments v WHERE v.low = p_low AND v.state = 'open' AND v.gathered = v.high
    AND NOT EXISTS (SELECT 1 FROM svc_segments o WHERE o.state = 'open' AND o.low < p_low) FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  -- Who adds records to the search holds the row of the next one: commits must not wait for that.
  PERFORM 1 FROM svc_segments v WHERE v.low = filled.high FOR UPDATE;
  -- Before any segment is made, as in an append that makes one.
  PERFORM svc_lock_log();
  PERFORM svc_make_segments_to(filled.high);
  SELECT v.stream_position, v.hash INTO last_position, last_hash FROM svc_system_events v
    WHERE v.global_position >= filled.low AND v.global_position < filled.high ORDER BY v.global_position DESC LIMIT 1;
  last_position := coalesce(last_position, filled.first_system - 1); last_hash := coalesce(last_hash, filled.prev_hash);
  last_at := greatest((SELECT v.recorded_at FROM svc_events v WHERE v.global_position < filled.high ORDER BY v.global_position DESC LIMIT 1),
    (SELECT v.recorded_at FROM svc_system_events v WHERE v.global_position < filled.high ORDER BY v.global_position DESC LIMIT 1));
  UPDATE svc_segments SET state = 'sealed', sealed_at = clock_timestamp() WHERE low = filled.low;
  UPDATE svc_segments SET first_system = last_position + 1, prev_hash = last_hash, prev_at = last_at,
    -- The clocks of hosts may be ahead.
    ids_from = svc_first_id(last_at + interval '10 minutes') WHERE low = filled.high;
  PERFORM svc_show_open_segment();
  r_high := filled.high; r_events := filled.events; r_records := filled.records; r_last_hash := encode(last_hash, 'hex');
  r_events_sha256 := encode(filled.events_sha256, 'hex'); r_records_sha256 := encode(filled.records_sha256, 'hex');
END $$;
