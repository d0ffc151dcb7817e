-- Sealed segments leave the database for files, the oldest first: everything from svc_archived_to() on is here. A segment
-- is marked as archived before its tables are removed, and attached in one transaction, so a reader never finds less
-- than it asked for: it refuses.

-- The files of each segment that has left; one that is attached again keeps its row and its files.
CREATE TABLE svc_archives (
  low bigint PRIMARY KEY,
  location text NOT NULL,
  -- The id and the key of the store at the time: a copy of it has others, and the same archives.
  store uuid NOT NULL,
  public_key bytea NOT NULL,
  -- Of the file that lists the others.
  manifest_sha256 bytea NOT NULL CHECK (octet_length(manifest_sha256) = 32),
  bytes bigint NOT NULL,
  -- Which types its events and its records have.
  event_types text[] NOT NULL,
  record_types text[] NOT NULL
);

-- The first position that is not archived; 0 if nothing is.
-- Lock: none.
CREATE FUNCTION svc_archived_to() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT v.high FROM svc_segments v WHERE v.state = 'archived' ORDER BY v.low DESC LIMIT 1), 0)
$$;

-- Refuses if events of these types (null: of any) behind a position are archived, and names the segments; otherwise true.
-- Lock: none.
CREATE FUNCTION svc_must_hold(p_after bigint, p_types text[]) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE first bigint;
BEGIN
  SELECT v.low INTO first FROM svc_segments v JOIN svc_archives a USING (low)
    WHERE v.state = 'archived' AND v.high > p_after + 1 AND (p_types IS NULL OR (a.event_types || a.record_types) && p_types) ORDER BY v.low LIMIT 1;
  IF FOUND THEN PERFORM svc_refuse_archived(first); END IF;
  RETURN true;
END $$;

-- Refuses if a part of one of these streams is archived that may have happened after a time (null: ever); otherwise true.
-- Lock: none.
CREATE FUNCTION svc_must_hold_streams(p_streams uuid[], p_after timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE archived_to bigint := svc_archived_to(); first bigint;
BEGIN
  -- An event may be dated a day after it was recorded, and what follows it in its stream later still.
  IF archived_to = 0 OR p_after > (SELECT v.prev_at + interval '1 day 10 minutes' FROM svc_segments v WHERE v.low = archived_to) THEN
    RETURN true;
  END IF;
  SELECT min(h.first_global) INTO first FROM svc_stream_heads h WHERE h.stream_id = ANY(p_streams) AND h.first_global < archived_to;
  IF '00000000-0000-0000-0000-000000000001' = ANY(p_streams) THEN first := 0; END IF;
  IF first IS NOT NULL THEN
    PERFORM svc_refuse_archived((SELECT max(v.low) FROM svc_segments v WHERE v.low <= first));
  END IF;
  RETURN true;
END $$;

-- Refuses: the history from this segment on is needed.
-- Lock: none.
CREATE FUNCTION svc_refuse_archived(p_low bigint) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  RAISE EXCEPTION 'The positions % to % are archived; to read them again: svc segments attach %', p_low, svc_archived_to() - 1, p_low
    USING ERRCODE = 'SV002';
END $$;

-- The last position assigned, for a reader of these types that continues behind p_after; refuses what is archived.
-- Lock: none.
CREATE FUNCTION svc_head_after(p_after bigint, p_types text[]) RETURNS bigint LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM svc_must_hold(p_after, p_types);
  RETURN svc_head();
END $$;

-- Why a segment cannot be archived now; null if it can. Whatever reads the log in order, and whatever waits for an event,
-- must be past it.
-- Lock: none.
CREATE FUNCTION svc_archive_obstacle(p_low bigint, p_days int) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE s svc_segments;
BEGIN
  SELECT * INTO s FROM svc_segments v WHERE v.low = p_low;
  IF s.state IS DISTINCT FROM 'sealed' THEN RETURN 'it is not sealed'; END IF;
  RETURN coalesce(
    (SELECT 'an older segment is not archived' FROM svc_segments v WHERE v.low < p_low AND v.state <> 'archived' LIMIT 1),
    CASE WHEN s.sealed_at > clock_timestamp() - p_days * interval '1 day'
      THEN format('it was sealed less than %s days ago', p_days) END,
    CASE WHEN NOT EXISTS (SELECT 1 FROM svc_system_events v WHERE v.global_position >= s.high)
      THEN 'the system stream has no record after it' END,
    (SELECT format('%s is at position %s', p.name, p.position) FROM svc_progress p
      WHERE p.position < s.high - 1 AND p.adopted_by IS NULL ORDER BY p.position LIMIT 1),
    -- A received event that waits has no position of this log, and belongs before those of its stream that are here.
    (SELECT format('%s of %s waits in svc stuck', w.key, w.follower) FROM svc_stuck_work w
      WHERE (w.position < s.high OR w.follower = 'inbox' AND w.state IN ('parked', 'retrying')) AND w.resolved_at IS NULL LIMIT 1),
    CASE WHEN s.indexed < s.high THEN 'its records are not in the search of the audit yet' END,
    (SELECT 'an import that was interrupted is not recorded: run it again' FROM svc_imports i
      WHERE i.high > i.recorded_to AND i.recorded_to < s.high - 1 LIMIT 1),
    (SELECT format('the stream %s is being rewound', r.stream_id) FROM svc_rewinds r WHERE r.global_position < s.high LIMIT 1),
    (SELECT format('%s is being rebuilt', r.name) FROM svc_rebuilds r WHERE r.ended_at IS NULL LIMIT 1),
    (SELECT format('%s still holds values of a forgotten subject', r.name) FROM svc_subject_rewinds r LIMIT 1));
END $$;

-- Marks a segment as archived: from now on readers refuse it, and its tables can be removed. Only the owner calls it.
-- Lock: SHARE on the rebuilds, so that none begins meanwhile; the row of the segment.
CREATE FUNCTION svc_archive_segment(p_low bigint, p_days int, p_location text, p_key bytea, p_manifest bytea, p_bytes bigint,
  p_event_types text[], p_record_types text[]) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE obstacle text;
BEGIN
  LOCK TABLE svc_rebuilds IN SHARE MODE;
  PERFORM 1 FROM svc_segments v WHERE v.low = p_low FOR UPDATE;
  obstacle := svc_archive_obstacle(p_low, p_days);
  IF obstacle IS NOT NULL THEN RETURN obstacle; END IF;
  INSERT INTO svc_archives(low, location, store, public_key, manifest_sha256, bytes, event_types, record_types)
    SELECT p_low, p_location, v.id, p_key, p_manifest, p_bytes, p_event_types, p_record_types FROM svc_store v
    ON CONFLICT (low) DO UPDATE SET (location, store, public_key, manifest_sha256, bytes, event_types, record_types) =
      (excluded.location, excluded.store, excluded.public_key, excluded.manifest_sha256, excluded.bytes, excluded.event_types,
        excluded.record_types);
  UPDATE svc_segments SET state = 'archived' WHERE low = p_low;
  RETURN NULL;
END $$;

-- Attaches a loaded segment to both logs; refuses it if a newer one is archived. Only the owner calls it.
-- Lock: the row of the segment; SHARE UPDATE EXCLUSIVE on both logs, which lets readers and writers continue.
CREATE FUNCTION svc_attach_segment(p_low bigint) RETURNS boolean LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE log text; s svc_segments;
BEGIN
  SELECT * INTO s FROM svc_segments v WHERE v.low = p_low AND v.state = 'archived' AND v.high = svc_archived_to() FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM svc_attach_segment_tables(s.low, s.high);
  FOREACH log IN ARRAY ARRAY['svc_events', 'svc_system_events'] LOOP
    EXECUTE format('ALTER TABLE %s_%s DROP CONSTRAINT svc_bounds', log, s.low);
  END LOOP;
  UPDATE svc_segments SET state = 'sealed' WHERE low = s.low;
  RETURN true;
END $$;
