-- Both logs consist of segments with the same bounds: one table per log for the positions from low to high - 1. A segment
-- is open, then sealed: full, with the heads of its streams in svc_stream_heads and its digests in the chain. Appends
-- read only open segments. A sealed one may be archived (058-archive.sql).

CREATE TABLE svc_segments (
  low bigint PRIMARY KEY,
  high bigint NOT NULL CHECK (high > low),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'sealed', 'archived')),
  -- Counts and digests cover the rows below gathered; once sealed, all rows.
  gathered bigint NOT NULL,
  events bigint NOT NULL DEFAULT 0,
  records bigint NOT NULL DEFAULT 0,
  events_sha256 bytea NOT NULL DEFAULT '',
  records_sha256 bytea NOT NULL DEFAULT '',
  -- The head of the chain before this segment; known once the previous segment is sealed.
  first_system bigint NOT NULL DEFAULT 1,
  prev_hash bytea NOT NULL DEFAULT '\x00',
  prev_at timestamptz,
  -- No event in an earlier segment has a version 7 id from here on.
  ids_from uuid,
  sealed_at timestamptz,
  -- The search covers the records below it.
  indexed bigint NOT NULL
);

-- Takes the log lock, whose holder assigns positions or changes what a commit decides by. Every later statement of the
-- transaction has a snapshot taken after the grant.
-- Lock: takes the log lock.
CREATE FUNCTION svc_lock_log() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int)
$$;

-- The last position assigned.
-- Lock: none.
CREATE FUNCTION svc_head() RETURNS bigint LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT greatest((SELECT max(v.global_position) FROM svc_events v), (SELECT max(v.global_position) FROM svc_system_events v), 0)
$$;

-- The lowest version 7 id that can be made at this time.
-- Lock: none.
CREATE FUNCTION svc_first_id(p_at timestamptz) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM p_at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

-- Makes the tables of a segment, apart from the logs: PARTITION OF would wait for every reader. Triggers, and keys without
-- the position, are not inherited: each segment gets its own. p_high is given for tables that are filled before they are
-- attached: thanks to a check of their bounds, PostgreSQL does not read them then.
-- Lock: none.
CREATE FUNCTION svc_make_segment_tables(p_low bigint, p_high bigint DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE log text; keys text;
BEGIN
  FOR log, keys IN VALUES ('svc_events', 'UNIQUE (stream_id, origin, stream_position), UNIQUE (event_id, origin)'),
    ('svc_system_events', 'UNIQUE (stream_position), UNIQUE (event_id)')
  LOOP
    EXECUTE format('CREATE TABLE %1$s_%2$s (LIKE %1$s INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES, %3$s)', log, p_low, keys);
    EXECUTE format('CREATE TRIGGER svc_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %s_%s
      FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change()', log, p_low);
    CONTINUE WHEN p_high IS NULL;
    EXECUTE format('ALTER TABLE %1$s_%2$s ADD CONSTRAINT svc_bounds CHECK (global_position IS NOT NULL AND global_position >= %2$s
      AND global_position < %3$s)', log, p_low, p_high);
  END LOOP;
END $$;

-- Attaches the tables of a segment to both logs.
-- Lock: SHARE UPDATE EXCLUSIVE on both logs, which lets readers and writers continue.
CREATE FUNCTION svc_attach_segment_tables(p_low bigint, p_high bigint) RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE log text;
BEGIN
  FOREACH log IN ARRAY ARRAY['svc_events', 'svc_system_events'] LOOP
    EXECUTE format('ALTER TABLE %1$s ATTACH PARTITION %1$s_%2$s FOR VALUES FROM (%2$s) TO (%3$s)', log, p_low, p_high);
  END LOOP;
END $$;

-- The size of the next segment: twice the last when segments fill up in under 12 hours, or when there are many.
-- Lock: none.
CREATE FUNCTION svc_next_segment_size(p_low bigint, p_high bigint) RETURNS bigint LANGUAGE sql AS $$
  SELECT CASE WHEN segments.many OR store.segment_size IS NULL AND segments.fast
      THEN least(2 * segments.last, 1099511627776) ELSE coalesce(store.segment_size, segments.last) END
    FROM svc_store store, (SELECT count(*) FILTER (WHERE state <> 'archived') >= 16 AS many, coalesce(p_high - p_low, 16777216) AS last,
      (SELECT n.prev_at - s.prev_at < interval '12 hours' FROM svc_segments n JOIN svc_segments s ON s.high = n.low
        WHERE n.state = 'open' ORDER BY n.low LIMIT 1) AS fast FROM svc_segments) segments
$$;

-- Makes the segment for a position and one ahead of it; returns where the last one ends.
-- Lock: an advisory lock of its own, so that only one host makes a segment; SHARE UPDATE EXCLUSIVE on the logs.
CREATE FUNCTION svc_make_segments_to(p_position bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE last_low bigint; last_high bigint := 0; size bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('svc'), 'svc_segments'::regclass::oid::int);
  SELECT low, high INTO last_low, last_high FROM svc_segments ORDER BY low DESC LIMIT 1;
  WHILE last_low IS NULL OR last_low <= p_position LOOP
    size := svc_next_segment_size(last_low, last_high);
    last_low := coalesce(last_high, 0); last_high := last_low + size;
    PERFORM svc_make_segment_tables(last_low), svc_attach_segment_tables(last_low, last_high);
    INSERT INTO svc_segments(low, high, gathered, indexed) VALUES (last_low, last_high, last_low, last_low);
  END LOOP;
  RETURN last_high;
END $$;

-- Points two views at the lowest open segment, so that a flush reads it by name: a plan over all segments would lock each
-- one. The text of the view contains what is known of the segment. If that has been sealed since, the view shows a full
-- one.
-- Lock: takes the log lock, then ACCESS EXCLUSIVE on the two views.
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
-- Lock: same as svc_make_segments_to.
CREATE FUNCTION svc_make_segments() RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT svc_make_segments_to(svc_head())
$$;
SELECT svc_make_segments();
SELECT svc_show_open_segment();
