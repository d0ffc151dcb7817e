-- Both logs consist of segments with the same bounds: a table of each for the positions from low to below high. A segment
-- is open, then sealed: full, with the heads of its streams in svc_stream_heads and its digests in the chain. Appends look
-- at open segments only.

CREATE TABLE svc_segments (
  low bigint PRIMARY KEY,
  high bigint NOT NULL CHECK (high > low),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'sealed')),
  -- Of the rows below gathered; once it is sealed, of all.
  gathered bigint NOT NULL,
  events bigint NOT NULL DEFAULT 0,
  records bigint NOT NULL DEFAULT 0,
  events_sha256 bytea NOT NULL DEFAULT '',
  records_sha256 bytea NOT NULL DEFAULT '',
  -- Where the chain stood before it; known when the segment before it is sealed.
  first_system bigint NOT NULL DEFAULT 1,
  prev_hash bytea NOT NULL DEFAULT '\x00',
  prev_at timestamptz,
  -- No event before this segment has an id of version 7 from here on.
  ids_from uuid,
  last_system bigint,
  last_hash bytea,
  sealed_at timestamptz
);
CREATE INDEX svc_segments_open ON svc_segments(low) WHERE state = 'open';

-- The last event of each stream in sealed segments.
CREATE TABLE svc_stream_heads (
  stream_id uuid,
  origin smallint,
  position bigint NOT NULL,
  first_global bigint NOT NULL,
  last_global bigint NOT NULL,
  PRIMARY KEY (stream_id, origin)
);

-- The lock of the log: whoever holds it gives positions, or changes what a commit decides by. Every later statement of
-- the transaction has a snapshot taken after the grant.
-- Lock: takes that of the log.
CREATE FUNCTION svc_lock_log() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int)
$$;

-- The last position that was given.
-- Lock: none.
CREATE FUNCTION svc_head() RETURNS bigint LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT greatest((SELECT max(v.global_position) FROM svc_events v), (SELECT max(v.global_position) FROM svc_system_events v),
    (SELECT max(v.high) - 1 FROM svc_segments v WHERE v.state <> 'open'), 0)
$$;

-- The lowest id of version 7 that is made at a time.
-- Lock: none.
CREATE FUNCTION svc_first_id(p_at timestamptz) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM p_at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

-- Triggers and keys that do not hold the position are not inherited: each segment gets its own.
-- Lock: both tables, which nobody else knows yet.
CREATE FUNCTION svc_protect_segment(p_events text, p_records text) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER svc_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change()', p_events);
  EXECUTE format('CREATE OR REPLACE TRIGGER svc_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
    FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change()', p_records);
END $$;

-- Makes the tables of a segment and attaches them.
-- Lock: SHARE UPDATE EXCLUSIVE on both logs, which lets readers and writers continue.
CREATE FUNCTION svc_make_segment(p_low bigint, p_high bigint) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  events text := 'svc_events_' || p_low; records text := 'svc_system_events_' || p_low;
BEGIN
  -- A table of its own that is attached then: PARTITION OF would wait for every reader.
  EXECUTE format('CREATE TABLE %I (LIKE svc_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
    UNIQUE (stream_id, origin, stream_position), UNIQUE (event_id, origin))', events);
  EXECUTE format('CREATE TABLE %I (LIKE svc_system_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
    UNIQUE (stream_position), UNIQUE (event_id))', records);
  PERFORM svc_protect_segment(events, records);
  EXECUTE format('ALTER TABLE svc_events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', events, p_low, p_high);
  EXECUTE format('ALTER TABLE svc_system_events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', records, p_low, p_high);
  INSERT INTO svc_segments(low, high, gathered) VALUES (p_low, p_high, p_low);
END $$;

-- Twice as large as the last one when segments fill up in less than 12 hours, or when there are many.
-- Lock: none.
CREATE FUNCTION svc_next_segment_size(p_low bigint, p_high bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  wanted bigint := (SELECT segment_size FROM svc_store); last bigint := 16777216; fast boolean;
BEGIN
  IF p_low IS NOT NULL THEN last := p_high - p_low; END IF;
  SELECT n.prev_at - s.prev_at < interval '12 hours' INTO fast FROM svc_segments n JOIN svc_segments s ON s.high = n.low
    WHERE n.state = 'open' ORDER BY n.low LIMIT 1;
  IF (SELECT count(*) FROM svc_segments) >= 16 OR (wanted IS NULL AND fast) THEN
    RETURN least(2 * last, 1099511627776);
  END IF;
  RETURN coalesce(wanted, last);
END $$;

-- Makes the segment of a position and one ahead of it; returns where the last one ends.
-- Lock: an advisory lock of its own, so that one host makes a segment.
CREATE FUNCTION svc_make_segments_to(p_position bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE last_low bigint; last_high bigint := 0; size bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('svc'), 'svc_segments'::regclass::oid::int);
  SELECT low, high INTO last_low, last_high FROM svc_segments ORDER BY low DESC LIMIT 1;
  WHILE last_low IS NULL OR last_low <= p_position LOOP
    size := svc_next_segment_size(last_low, last_high);
    last_low := coalesce(last_high, 0); last_high := last_low + size;
    PERFORM svc_make_segment(last_low, last_high);
  END LOOP;
  RETURN last_high;
END $$;

-- A flush reads the lowest open segment by its own name: a plan over all segments would lock each. What is
-- known of it stands in the text of the view. A view of a segment that was sealed since shows a full one.
-- Lock: takes that of the log.
CREATE FUNCTION svc_show_open_segment() RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE s svc_segments;
BEGIN
  PERFORM svc_lock_log();
  SELECT * INTO s FROM svc_segments v WHERE v.state = 'open' ORDER BY v.low LIMIT 1;
  EXECUTE format('CREATE OR REPLACE VIEW svc_open_events AS
    SELECT v.global_position, v.stream_id, v.origin, v.stream_position, v.event_id, v.recorded_at, %L::bigint AS low,
      %L::bigint AS high, %L::uuid AS ids_from, %L::bigint AS prev_position, %L::bytea AS prev_hash FROM %I v',
    s.low, s.high, s.ids_from, s.first_system - 1, s.prev_hash, 'svc_events_' || s.low);
  EXECUTE format('CREATE OR REPLACE VIEW svc_open_records AS
    SELECT v.global_position, v.stream_position, v.hash, v.recorded_at FROM %I v', 'svc_system_events_' || s.low);
END $$;

-- Makes the next segment ahead of time; returns where the last one ends.
-- Lock: as svc_make_segments_to.
CREATE FUNCTION svc_make_segments() RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT svc_make_segments_to(svc_head())
$$;
SELECT svc_make_segments();
SELECT svc_show_open_segment();
