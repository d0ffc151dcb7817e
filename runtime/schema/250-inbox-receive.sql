-- Stores received messages. Status of a message: 1 stored, 2 duplicate, 3 position taken, 4 in the future, 5 too many
-- stores. No status: another subscriber holds the lease.

-- Adds one record to our own chain; its caller holds the lock of the log.
-- Lock: its caller holds that of the log.
CREATE FUNCTION svc_chain_record(p_global bigint, p_at timestamptz, p_id uuid, p_type text, p_data json, p_meta json,
  p_host text, p_publish boolean) RETURNS void LANGUAGE sql AS $$
  INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, publish, digest, hash, host, recorded_at)
    SELECT n.position, p_global, p_id, p_type, p_data, p_meta, p_publish, n.digest,
      svc_chain_hash(n.hash, n.position, p_global, 0, p_at, p_id, n.digest), p_host, p_at
    FROM (SELECT coalesce(c.stream_position, 0) + 1 AS position, coalesce(c.hash, '\x00') AS hash,
        svc_digest(p_type, p_data::text, p_meta::text, p_host, p_publish) AS digest
      FROM (VALUES (1)) one
        LEFT JOIN (SELECT * FROM svc_system_events v ORDER BY v.global_position DESC LIMIT 1) c ON true) n
$$;

-- How far ahead a message may lie is judged by the clock of the store that recorded it: one whose clock ran ahead for a
-- while goes on from there, and is not shut off until our clock has come as far. A day ahead, nobody is believed.
-- a_ = the audit of the n-th event, without an id where it is not audited; p_host = who records it here.
-- Lock: takes that of the log.
CREATE FUNCTION svc_receive(p_owner uuid, p_ms int,
  e_store uuid[], e_stream uuid[], e_position bigint[], e_id uuid[], e_type text[], e_data json[], e_meta json[],
  e_host text[], e_at text[], e_recorded text[],
  p_host text, a_id uuid[], a_data json[], a_meta json[], a_publish boolean[], OUT r_status smallint[])
LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  g bigint; g2 bigint; now_at timestamptz; at2 timestamptz; happened timestamptz;
  o smallint; gone boolean; same boolean; is_late boolean; st smallint; segments_end bigint;
BEGIN
  IF NOT svc_open_inbox(p_owner, p_ms) THEN RETURN; END IF;
  SELECT v.global_position, v.recorded_at INTO g, now_at FROM svc_events v ORDER BY v.global_position DESC LIMIT 1;
  SELECT v.global_position, v.recorded_at INTO g2, at2 FROM svc_system_events v ORDER BY v.global_position DESC LIMIT 1;
  g := greatest(g, g2, 0); now_at := greatest(now_at, at2, clock_timestamp());
  segments_end := (SELECT max(v.high) FROM svc_segments v);
  r_status := '{}';
  FOR i IN 1 .. cardinality(e_id) LOOP
    st := 1; happened := e_at[i]::timestamptz;
    SELECT v.origin, v.state = 'forgotten' INTO o, gone FROM svc_origins v WHERE v.store = e_store[i];
    -- Forgotten while it was under way: it is read again once its store is trusted.
    IF o = 0 OR gone THEN st := 2;
    ELSIF happened > interval '5 minutes' + greatest(now_at,
      least(coalesce(e_recorded[i]::timestamptz, now_at), now_at + interval '1 day')) THEN st := 4;
    ELSIF o IS NOT NULL THEN
      SELECT v.event_id = e_id[i] AND v.event_type = e_type[i] AND v.data::text = e_data[i]::text INTO same
        FROM svc_events v WHERE v.stream_id = e_stream[i] AND v.origin = o AND v.stream_position = e_position[i];
      IF FOUND THEN st := CASE WHEN same THEN 2 ELSE 3 END;
      ELSIF EXISTS (SELECT 1 FROM svc_events v WHERE v.event_id = e_id[i] AND v.origin = o) THEN st := 3;
      ELSIF EXISTS (SELECT 1 FROM svc_origins v WHERE v.origin = o AND v.is_original)
        AND EXISTS (SELECT 1 FROM svc_events v WHERE v.event_id = e_id[i] AND v.origin = 0) THEN st := 2;
      END IF;
    END IF;
    IF st = 1 AND o IS NULL THEN
      o := svc_origin_of(e_store[i]);
      IF o IS NULL THEN st := 5; END IF;
    END IF;
    IF st = 1 THEN
      g := g + 1;
      -- Its audit stands behind it.
      IF g + 1 >= segments_end THEN segments_end := svc_make_segments_to(g + 1); END IF;
      is_late := svc_is_late(e_stream[i], happened, e_store[i], e_position[i]);
      INSERT INTO svc_events(global_position, stream_id, origin, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at, late)
        VALUES (g, e_stream[i], o, e_position[i], e_id[i], e_type[i], e_data[i], e_meta[i], e_host[i], happened, now_at, is_late);
      IF happened > now_at THEN UPDATE svc_store SET future_to = greatest(future_to, happened); END IF;
      IF is_late THEN PERFORM svc_note_late(g, e_stream[i], e_id[i], e_type[i], true); END IF;
      IF a_id[i] IS NOT NULL THEN
        g := g + 1;
        PERFORM svc_chain_record(g, now_at, a_id[i], 'EventAudited', a_data[i], a_meta[i], p_host, a_publish[i]);
      END IF;
    END IF;
    r_status := r_status || st;
  END LOOP;
  IF 1 = ANY(r_status) THEN NOTIFY svc; END IF;
END $$;

-- Stores records of the system streams of other stores.
-- Lock: takes that of the log.
CREATE FUNCTION svc_receive_system(p_owner uuid, p_ms int,
  s_store uuid[], s_position bigint[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_original bigint[],
  s_omitted boolean[], s_digest bytea[], s_hash bytea[], s_host text[], s_at text[], s_global bigint[],
  OUT r_status smallint[])
LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE n bigint; o smallint; gone boolean; same boolean; st smallint; has_key boolean; counts boolean[] := '{}';
BEGIN
  IF NOT svc_open_inbox(p_owner, p_ms) THEN RETURN; END IF;
  SELECT coalesce(max(id), 0) INTO n FROM svc_received_system_events;
  r_status := '{}';
  FOR i IN 1 .. cardinality(s_id) LOOP
    st := 1;
    SELECT v.origin, v.state = 'forgotten' INTO o, gone FROM svc_origins v WHERE v.store = s_store[i];
    -- Forgotten while it was under way: it is read again once its store is trusted.
    IF o = 0 OR gone THEN st := 2;
    ELSIF o IS NOT NULL THEN
      SELECT v.event_id = s_id[i] AND v.hash = s_hash[i] AND v.digest = s_digest[i] INTO same
        FROM svc_received_system_events v WHERE v.origin = o AND v.stream_position = s_position[i];
      IF FOUND THEN st := CASE WHEN same THEN 2 ELSE 3 END;
      ELSIF EXISTS (SELECT 1 FROM svc_received_system_events v WHERE v.event_id = s_id[i] AND v.origin = o) THEN st := 3;
      END IF;
    END IF;
    IF st = 1 AND o IS NULL THEN
      o := svc_origin_of(s_store[i]);
      IF o IS NULL THEN st := 5; END IF;
    END IF;
    has_key := st = 1 AND EXISTS (SELECT 1 FROM svc_origins v WHERE v.origin = o AND v.public_key IS NOT NULL);
    IF has_key THEN
      -- It counts once a signed head covers it.
      IF NOT svc_keep_unconfirmed(ROW(o, s_position[i], s_id[i], s_type[i], s_data[i], s_meta[i], nullif(s_original[i], 0), s_omitted[i],
        s_digest[i], s_hash[i], s_host[i], s_at[i]::timestamptz, clock_timestamp(), s_global[i], 0)) THEN st := 2; END IF;
    ELSIF st = 1 THEN
      n := n + 1;
      INSERT INTO svc_received_system_events
        VALUES (n, o, s_position[i], s_id[i], s_type[i], s_data[i], s_meta[i], nullif(s_original[i], 0), s_omitted[i],
          s_digest[i], s_hash[i], s_host[i], s_at[i]::timestamptz, clock_timestamp(), s_global[i]);
    END IF;
    r_status := r_status || st; counts := counts || (st = 1 AND NOT has_key);
  END LOOP;
  IF NOT true = ANY(counts) THEN RETURN; END IF;
  UPDATE svc_origins v SET records = coalesce(v.records, 0) + c.n,
      first_position = least(v.first_position, c.first), last_position = greatest(v.last_position, c.last)
    FROM (SELECT s_store[i] AS store, count(*) AS n, min(s_position[i]) AS first, max(s_position[i]) AS last
      FROM generate_subscripts(s_id, 1) i WHERE counts[i] GROUP BY 1) c
    WHERE v.store = c.store;
  NOTIFY svc;
END $$;
