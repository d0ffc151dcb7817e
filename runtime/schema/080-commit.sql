-- The commit: decides, numbers, chains and stores every unit of a flush in one ordered pass under one lock.
--
-- A flush is what one host sends at once; p_writer and p_flush say which one it is. Its units come from different callers, and
-- each is accepted or refused on its own. Every array of a flush covers all units, one after another:
--   streams       the distinct streams; the other arrays refer to them by index
--   unit_…        how many pairs, events and records a unit has; its idempotency key, the fingerprint of the request, and
--                 the status and body of its answer; those four are null for a unit without a key
--   pair_…        a stream and the position it must be at
--   event_…       the events; an event that states no time happens when it is stored
--   record_…      the records of the system stream; record_about = the n-th event of its unit, or 0
--   p_lists       everything else; null for most flushes (see 070-commit-lists.sql)
-- An array is empty if no unit has an entry in it, except the three counts.
--
-- Status of a unit: 1 committed, 2 conflict, 3 key taken, 4 the same events are already stored, 5 overtaken or already
-- handled, 6 timer gone, 7 reserved. r_position and r_global are the positions of all events, r_at is when the flush was
-- decided.
-- Lock: takes the log lock until the transaction ends.
CREATE FUNCTION svc_append(
  p_writer uuid, p_flush bigint, p_host text,
  streams uuid[],
  unit_pairs int[], unit_events int[], unit_records int[],
  unit_keys bytea[], unit_prints bytea[], unit_codes smallint[], unit_bodies text[],
  pair_streams int[], pair_positions bigint[],
  event_streams int[], event_ids uuid[], event_types text[], event_bodies json[], event_metas json[], event_times timestamptz[],
  record_ids uuid[], record_types text[], record_bodies text[], record_metas text[], record_published boolean[], record_about int[],
  p_lists svc_lists,
  OUT r_status smallint[], OUT r_position bigint[], OUT r_global bigint[], OUT r_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER
-- With long streams, a plan that sorts would search the whole open segment for the head of one.
SET search_path FROM CURRENT SET enable_seqscan = off SET enable_sort = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  event_count int := cardinality(event_ids); record_count int := cardinality(record_ids); unit_count int := cardinality(unit_pairs);
  -- The bounds of the lowest open segment; whether a sealed one may hold one of the ids; where to search from.
  low bigint; high bigint; has_old_id boolean; search_from bigint;
  -- The current state of the log, the streams and the chain.
  head bigint; stream_heads bigint[]; chain_position bigint; chain_hash bytea; at timestamptz; future timestamptz; taken_keys bytea[];
  -- What is decided for each record; null = not stored. Of events, those behind stored_to are stored.
  stored_to bigint;
  record_positions bigint[]; record_globals bigint[]; record_originals bigint[]; record_digests bytea[]; record_hashes bytea[];
  -- Events of a unit that are already stored.
  same_positions bigint[]; same_globals bigint[]; is_same boolean;
  status smallint; pairs_done int := 0; events_done int := 0; events_before int; records_done int := 0;
  -- (p_lists IS NOT NULL would be false as soon as one of its fields is null.)
  is_locked boolean; is_plain boolean; is_dated boolean; one_by_one boolean := false; has_lists boolean := NOT (p_lists IS NULL);
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'svc_append needs read committed';
  END IF;
  IF current_setting('svc.durability', true) = 'sync' THEN PERFORM svc_require_standby(); END IF;
  -- A digest covers no position, so it can be made before the lock.
  IF record_count = 1 THEN
    record_digests := ARRAY[svc_digest(record_types[1], record_bodies[1], record_metas[1], p_host, record_published[1])];
  ELSIF record_count > 0 THEN
    record_digests := ARRAY(SELECT svc_digest(record_types[i], record_bodies[i], record_metas[i], p_host, record_published[i])
      FROM generate_series(1, record_count) i);
  END IF;

  -- 1. Lock. Every later statement has a snapshot taken after the grant. (An assignment costs less than a statement.)
  is_locked := pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int) IS NULL;

  -- 2. Heads, in one statement: every extra statement would cost as much as its lookups. The lowest open segment is read
  -- by name, because a plan over all segments would lock each one. A flush can only be plain (see 3) if its n-th event and
  -- its n-th pair are for the n-th stream.
  SELECT f.status, f.position, f.global, f.at, n.latest, l.low, l.high,
      greatest(l.global_position, c.global_position), greatest(l.recorded_at, c.recorded_at, clock_timestamp()),
      coalesce(c.stream_position, l.prev_position), coalesce(c.hash, l.prev_hash), h.positions, h.is_in_order,
      -- An id that a sealed segment may hold: its time is before the open one or ahead of now, or it has no time.
      CASE WHEN l.ids_from IS NULL THEN false ELSE (SELECT bool_or(x < l.ids_from OR get_byte(uuid_send(x), 6) >> 4 <> 7
        OR x > (SELECT svc_first_id(clock_timestamp() + interval '10 minutes'))) FROM unnest(event_ids) x) END
    INTO r_status, r_position, r_global, r_at, future, low, high, head, at, chain_position, chain_hash, stream_heads, is_plain, has_old_id
    FROM svc_future n LEFT JOIN svc_flushes f ON f.writer = p_writer AND f.flush = p_flush
      LEFT JOIN (SELECT * FROM svc_open_events v ORDER BY v.global_position DESC LIMIT 1) l ON true
      LEFT JOIN (SELECT * FROM svc_open_records v ORDER BY v.global_position DESC LIMIT 1) c ON true
      CROSS JOIN (SELECT bool_and(event_streams[i] = i AND coalesce(pair_streams[i], i) = i) AS is_in_order,
          array_agg(coalesce((SELECT v.stream_position FROM svc_open_events v WHERE v.stream_id = streams[i] AND v.origin = 0
              ORDER BY v.stream_position DESC LIMIT 1),
            (SELECT q.position FROM svc_stream_heads q WHERE q.stream_id = streams[i] AND q.origin = 0), 0)) AS positions
        FROM generate_series(1, cardinality(streams)) i) h
    WHERE n.single;
  IF coalesce(head + event_count + record_count >= high - 1, true) THEN
    -- That segment has no event yet, it ends here, or it is full: read all open segments, and look up every id.
    has_old_id := true; is_plain := false;
    SELECT v.low, v.high, v.first_system - 1, v.prev_hash, v.prev_at
      INTO low, high, chain_position, chain_hash, at FROM svc_segments v WHERE v.state = 'open' ORDER BY v.low LIMIT 1;
    SELECT greatest(l.global_position, c.global_position, low - 1, 0), greatest(l.recorded_at, c.recorded_at, at, clock_timestamp()),
        coalesce(c.stream_position, chain_position), coalesce(c.hash, chain_hash),
        ARRAY(SELECT coalesce((SELECT v.stream_position FROM svc_events v WHERE v.stream_id = streams[i] AND v.origin = 0
            AND v.global_position >= low ORDER BY v.stream_position DESC LIMIT 1),
          (SELECT q.position FROM svc_stream_heads q WHERE q.stream_id = streams[i] AND q.origin = 0), 0)
          FROM generate_series(1, cardinality(streams)) i)
      INTO head, at, chain_position, chain_hash, stream_heads
      FROM svc_future n LEFT JOIN (SELECT * FROM svc_events v WHERE v.global_position >= low ORDER BY v.global_position DESC LIMIT 1) l ON true
        LEFT JOIN (SELECT * FROM svc_system_events v WHERE v.global_position >= low ORDER BY v.global_position DESC LIMIT 1) c ON true
      WHERE n.single;
  END IF;
  IF r_status IS NOT NULL THEN
    -- Sent again: the same answer. A read-only commit would not wait for a standby; an empty message in the WAL makes it
    -- wait as the first one did.
    PERFORM pg_logical_emit_message(true, 'svc', '');
    RETURN;
  END IF;

  -- 3. Decide.
  r_status := array_fill(1::smallint, ARRAY[unit_count]);
  IF has_lists THEN
    -- Usually no entry is refused and no two units touch the same thing: then all are stored at once, at the end.
    one_by_one := coalesce(p_lists.is_mixed, true);
    IF NOT one_by_one THEN one_by_one := svc_check_lists(p_lists, NULL, at) <> 1; END IF;
  END IF;
  -- Most flushes are plain: events without records or keys, each for a different stream that is at the expected position.
  -- A single unit is not plain: it may have been stored before.
  is_plain := is_plain AND unit_count > 1 AND event_count = cardinality(streams) AND NOT one_by_one AND NOT has_old_id
    AND record_count + cardinality(unit_keys) + cardinality(event_times) = 0
    AND (cardinality(pair_positions) = 0 OR (pair_positions = stream_heads AND unit_pairs = unit_events)) AND coalesce(future < at, true);
  IF is_plain THEN
    WITH stored AS (
      INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
        -- By subscript: unnest would copy every array once more.
        SELECT head + i, streams[i], stream_heads[i] + 1, event_ids[i], event_types[i], event_bodies[i], event_metas[i], p_host, at, at
        FROM generate_series(1, event_count) i)
    INSERT INTO svc_flushes VALUES (p_writer, p_flush, r_status, ARRAY(SELECT stream_heads[i] + 1 FROM generate_series(1, event_count) i),
        ARRAY(SELECT head + i FROM generate_series(1, event_count) i), at)
      RETURNING position, global, svc_flushes.at INTO r_position, r_global, r_at;
    IF has_lists THEN
      PERFORM svc_store_progress(p_lists, NULL, r_status), svc_store_lists(p_lists, NULL, r_status, at);
    END IF;
    RETURN;
  END IF;
  stored_to := head; r_position := array_fill(NULL::bigint, ARRAY[event_count]); r_global := r_position;
  IF cardinality(unit_keys) > 0 THEN
    taken_keys := ARRAY(SELECT q.key FROM svc_idempotency q WHERE q.key = ANY(unit_keys) AND q.expires_at > clock_timestamp());
  END IF;
  record_positions := array_fill(NULL::bigint, ARRAY[record_count]); record_globals := record_positions;
  record_originals := record_positions; record_hashes := array_fill(NULL::bytea, ARRAY[record_count]);

  FOR u IN 1 .. unit_count LOOP
    status := 1; events_before := events_done;
    FOR n IN 1 .. unit_pairs[u] LOOP
      pairs_done := pairs_done + 1;
      IF pair_positions[pairs_done] IS DISTINCT FROM stream_heads[pair_streams[pairs_done]] THEN status := 2; END IF;
    END LOOP;
    IF one_by_one THEN
      -- A reserved name is the reason only if nothing else refuses the unit.
      status := CASE WHEN status = 1 THEN svc_check_lists(p_lists, u, at)
        ELSE coalesce(nullif(nullif(svc_check_lists(p_lists, u, at), 1), 7), status) END;
    END IF;
    -- A flush of many units leaves repeated ids to the unique index; its host then sends each unit on its own.
    IF unit_events[u] > 0 AND (status <> 1 OR unit_count = 1) THEN
      search_from := CASE WHEN status <> 1 OR has_old_id THEN 0 ELSE low END;
      SELECT array_agg(v.stream_position ORDER BY i), array_agg(v.global_position ORDER BY i),
          bool_and(v.stream_id = streams[event_streams[i]] AND v.data::text = event_bodies[i]::text)
        INTO same_positions, same_globals, is_same
        -- Looked up one by one: a join planned while the table was empty would scan it forever.
        FROM generate_series(events_before + 1, events_before + unit_events[u]) i CROSS JOIN LATERAL (
          -- The order keeps every plan, even one made while a segment was empty, from walking through the positions.
          SELECT w.* FROM svc_events w WHERE w.event_id >= event_ids[i] AND w.event_id <= event_ids[i] AND w.origin = 0
            AND w.global_position >= search_from ORDER BY w.event_id LIMIT 1) v;
      IF is_same AND cardinality(same_positions) = unit_events[u] THEN status := 4;
      ELSIF same_positions IS NOT NULL THEN status := 2;
      ELSIF event_ids[1 : events_before] && event_ids[events_before + 1 : events_before + unit_events[u]] THEN
        RAISE unique_violation USING MESSAGE = 'an event id occurs twice in one flush';
      END IF;
    END IF;
    IF unit_keys[u] = ANY(taken_keys) THEN status := 3; END IF;
    IF status <> 1 THEN r_status[u] := status; END IF;
    IF one_by_one AND status = 1 THEN
      PERFORM svc_store_progress(p_lists, u, r_status), svc_store_lists(p_lists, u, r_status, at);
    END IF;

    -- 4. Number and chain: positions without gaps, first the events of the unit, then its records.
    FOR n IN 1 .. unit_events[u] LOOP
      events_done := events_done + 1;
      IF status = 1 THEN
        head := head + 1;
        stream_heads[event_streams[events_done]] := stream_heads[event_streams[events_done]] + 1;
        r_position[events_done] := stream_heads[event_streams[events_done]]; r_global[events_done] := head;
      ELSIF status = 4 THEN
        r_position[events_done] := same_positions[n]; r_global[events_done] := same_globals[n];
      END IF;
    END LOOP;
    FOR n IN 1 .. unit_records[u] LOOP
      records_done := records_done + 1;
      CONTINUE WHEN status <> 1;
      chain_position := chain_position + 1; head := head + 1;
      record_positions[records_done] := chain_position; record_globals[records_done] := head;
      record_originals[records_done] := r_position[events_before + nullif(record_about[records_done], 0)];
      chain_hash := svc_chain_hash(chain_hash, chain_position, head, record_originals[records_done], at, record_ids[records_done],
        record_digests[records_done]);
      record_hashes[records_done] := chain_hash;
    END LOOP;
    IF status = 1 AND unit_keys[u] IS NOT NULL THEN taken_keys := taken_keys || unit_keys[u]; END IF;
  END LOOP;
  IF (pairs_done, events_done, records_done) <> (cardinality(pair_positions), event_count, record_count) THEN
    RAISE data_exception USING MESSAGE = 'the counts of the units are not those of the flush';
  END IF;

  -- 5. Store. An append that finds no segment for its rows makes one. The keys of a segment cover only its own rows, so
  -- an id that another segment may hold is looked up in all.
  IF head >= high THEN PERFORM svc_make_segments_to(head); END IF;
  IF has_old_id THEN
    -- Not part of the condition above: PL/pgSQL runs a condition with a subquery as a full query, even if the rest is false.
    IF (SELECT count(DISTINCT event_ids[i]) < count(*) FROM generate_series(1, event_count) i WHERE r_global[i] > stored_to)
      OR EXISTS (SELECT 1 FROM generate_series(1, event_count) i CROSS JOIN LATERAL (
        SELECT 1 FROM svc_events w WHERE w.event_id = event_ids[i] AND w.origin = 0 LIMIT 1) v WHERE r_global[i] > stored_to) THEN
      RAISE unique_violation USING MESSAGE = 'an event id is stored already';
    END IF;
  END IF;
  -- A stream without events from the future is not affected by those of others.
  IF future >= at THEN
    SELECT max(v.occurred_at) INTO future FROM svc_events v
      WHERE v.occurred_at > v.recorded_at AND v.stream_id = ANY(streams) AND v.occurred_at >= at;
  END IF;
  is_dated := coalesce(future >= at, false) OR array_remove(event_times, NULL) <> '{}';
  IF is_dated THEN
    FOR i IN 1 .. event_count LOOP
      CONTINUE WHEN coalesce(r_global[i] <= stored_to, true);
      PERFORM svc_store_dated(r_global[i], streams[event_streams[i]], r_position[i], event_ids[i], event_types[i],
        event_bodies[i], event_metas[i], p_host, event_times[i], at);
    END LOOP;
  END IF;
  IF array_remove(unit_keys, NULL) <> '{}' THEN
    INSERT INTO svc_idempotency(key, fingerprint, status, body, expires_at)
      SELECT r.key, r.fingerprint, r.code, r.body, at + interval '24 hours'
      FROM unnest(unit_keys, unit_prints, unit_codes, unit_bodies, r_status) r(key, fingerprint, code, body, unit_status)
      WHERE r.unit_status = 1 AND r.key IS NOT NULL
      ON CONFLICT (key) DO UPDATE SET (key, fingerprint, status, body, expires_at) = ROW(excluded.*);
  END IF;
  IF has_lists THEN
    PERFORM svc_store_progress(p_lists, NULL, r_status);
    IF NOT one_by_one THEN PERFORM svc_store_lists(p_lists, NULL, r_status, at); END IF;
  END IF;
  r_at := at;
  WITH stored_events AS (
    INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
      SELECT r_global[i], streams[event_streams[i]], r_position[i], event_ids[i], event_types[i], event_bodies[i], event_metas[i],
        p_host, at, at
      FROM generate_series(1, CASE WHEN is_dated THEN 0 ELSE event_count END) i WHERE r_global[i] > stored_to),
  stored_records AS (
    INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, original_position, publish,
        digest, hash, host, recorded_at)
      SELECT record_positions[i], record_globals[i], record_ids[i], record_types[i], record_bodies[i]::json, record_metas[i]::json, record_originals[i],
        record_published[i], record_digests[i], record_hashes[i], p_host, at
      FROM generate_series(1, record_count) i WHERE record_positions[i] IS NOT NULL)
  INSERT INTO svc_flushes VALUES (p_writer, p_flush, r_status, r_position, r_global, at);
END $$;

-- Refuses a commit that two servers must hold where the settings of this one name no synchronous standby: it would commit on
-- one disk and report success.
-- Lock: none.
CREATE FUNCTION svc_require_standby() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') THEN
    RAISE EXCEPTION 'no synchronous standby' USING ERRCODE = 'SV001';
  END IF;
END $$;

-- The commit that hosts of this version call. It commits in the server, so a client that stalls after sending holds no
-- lock. NOTIFY has its own transaction, which need not reach the disk: inside the commit it would hold a lock, which all
-- databases of the server share, until the commit is on disk. Its payload says if nothing but events was committed.
-- Lock: same as svc_append.
CREATE PROCEDURE svc_commit_v1(
  p_writer uuid, p_flush bigint, p_host text,
  streams uuid[],
  unit_pairs int[], unit_events int[], unit_records int[],
  unit_keys bytea[], unit_prints bytea[], unit_codes smallint[], unit_bodies text[],
  pair_streams int[], pair_positions bigint[],
  event_streams int[], event_ids uuid[], event_types text[], event_bodies json[], event_metas json[], event_times timestamptz[],
  record_ids uuid[], record_types text[], record_bodies text[], record_metas text[], record_published boolean[], record_about int[],
  p_lists svc_lists,
  INOUT r_status smallint[] DEFAULT NULL, INOUT r_position bigint[] DEFAULT NULL, INOUT r_global bigint[] DEFAULT NULL,
  INOUT r_at timestamptz DEFAULT NULL)
LANGUAGE plpgsql AS $$
DECLARE answer record;
BEGIN
  answer := svc_append(p_writer, p_flush, p_host, streams, unit_pairs, unit_events, unit_records, unit_keys, unit_prints, unit_codes,
    unit_bodies, pair_streams, pair_positions, event_streams, event_ids, event_types, event_bodies, event_metas, event_times,
    record_ids, record_types, record_bodies, record_metas, record_published, record_about, p_lists);
  r_status := answer.r_status; r_position := answer.r_position; r_global := answer.r_global; r_at := answer.r_at;
  COMMIT;
  -- A full queue would fail a call that has already committed.
  IF pg_notification_queue_usage() < 0.9 THEN
    IF p_lists IS NULL THEN NOTIFY svc, 'events'; ELSE NOTIFY svc; END IF;
  END IF;
END $$;

-- Removes answers that nobody asks for any more, and dead letters that were settled 30 days ago: no broker still has them, and
-- the relay is behind none. It takes 128 pages of each table; returns the page to continue with, or null. A commit that uses
-- an expired key again waits for the rows that are being removed, so there must be few at a time.
-- Lock: the rows that it removes.
CREATE FUNCTION svc_prune(p_page bigint DEFAULT 0) RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DELETE FROM svc_flushes WHERE at < clock_timestamp() - interval '1 hour'
    AND ctid >= format('(%s,0)', p_page)::tid AND ctid < format('(%s,0)', p_page + 128)::tid;
  DELETE FROM svc_idempotency WHERE expires_at < clock_timestamp()
    AND ctid >= format('(%s,0)', p_page)::tid AND ctid < format('(%s,0)', p_page + 128)::tid;
  DELETE FROM svc_stuck_work w WHERE w.resolved_at < clock_timestamp() - interval '30 days'
    AND (w.follower <> 'outbox' OR w.position <= (SELECT p.position FROM svc_progress p WHERE p.name = 'outbox'))
    AND w.ctid >= format('(%s,0)', p_page)::tid AND w.ctid < format('(%s,0)', p_page + 128)::tid;
  SELECT p_page + 128 WHERE (p_page + 128) * current_setting('block_size')::bigint
    < greatest(pg_relation_size('svc_flushes'), pg_relation_size('svc_idempotency'), pg_relation_size('svc_stuck_work'))
$$;
