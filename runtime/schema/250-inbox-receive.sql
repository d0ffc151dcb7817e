-- Stores received messages. Status of a message: 1 stored, 2 duplicate, 3 position taken, 4 in the future, 5 too many
-- stores. No status: another subscriber holds the lease.

-- Stores events. How far ahead one may be is judged by the clock of the store that recorded it: a store whose clock ran
-- ahead for a while can continue, instead of being shut out until our clock catches up. No clock is trusted more than a
-- day ahead.
-- a_ = the audit of the n-th event, without an id if it is not audited; p_host = who records it here.
-- Lock: takes the log lock.
CREATE FUNCTION svc_receive(p_owner uuid, p_ms int,
  e_store uuid[], e_stream uuid[], e_position bigint[], e_id uuid[], e_type text[], e_data json[], e_meta json[],
  e_host text[], e_at text[], e_recorded text[],
  p_host text, a_id uuid[], a_data json[], a_meta json[], a_publish boolean[], OUT r_status smallint[])
LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  head bigint; now_at timestamptz; segments_end bigint; chain_position bigint; chain_hash bytea; digest bytea;
  from_origin smallint; happened timestamptz; is_ahead boolean; is_same boolean; is_late boolean; status smallint;
  archived_to bigint;
BEGIN
  IF NOT svc_open_inbox(p_owner, p_ms) THEN RETURN; END IF;
  archived_to := svc_archived_to(); head := svc_head(); segments_end := (SELECT max(v.high) FROM svc_segments v);
  SELECT v.stream_position, v.hash, v.recorded_at INTO chain_position, chain_hash, now_at
    FROM svc_system_events v ORDER BY v.global_position DESC LIMIT 1;
  now_at := greatest(now_at, (SELECT v.recorded_at FROM svc_events v ORDER BY v.global_position DESC LIMIT 1), clock_timestamp());
  r_status := '{}';
  FOR i IN 1 .. cardinality(e_id) LOOP
    happened := e_at[i]::timestamptz;
    is_ahead := happened > interval '5 minutes' + greatest(now_at,
      least(coalesce(e_recorded[i]::timestamptz, now_at), now_at + interval '1 day'));
    from_origin := svc_origin_of(e_store[i], NOT is_ahead);
    SELECT v.event_id = e_id[i] AND v.event_type = e_type[i] AND v.data::text = e_data[i]::text INTO is_same
      FROM svc_events v WHERE v.stream_id = e_stream[i] AND v.origin = from_origin AND v.stream_position = e_position[i];
    status := CASE
      -- If its store was forgotten while it was in flight, it is read again once the store is trusted.
      WHEN from_origin = 0 THEN 2
      WHEN is_ahead THEN 4
      WHEN from_origin IS NULL THEN 5
      WHEN is_same THEN 2
      -- What is archived cannot be compared: a position before all that are here was received.
      WHEN archived_to > 0 AND is_same IS NULL AND EXISTS (SELECT 1 FROM svc_stream_heads h WHERE h.stream_id = e_stream[i]
        AND h.origin = from_origin AND h.first_global < archived_to AND e_position[i] < coalesce((SELECT min(v.stream_position) FROM svc_events v
          WHERE v.stream_id = e_stream[i] AND v.origin = from_origin), h.position + 1)) THEN 2
      WHEN NOT is_same OR EXISTS (SELECT 1 FROM svc_events v WHERE v.event_id = e_id[i] AND v.origin = from_origin) THEN 3
      WHEN EXISTS (SELECT 1 FROM svc_origins v WHERE v.origin = from_origin AND v.is_original)
        AND EXISTS (SELECT 1 FROM svc_events v WHERE v.event_id = e_id[i] AND v.origin = 0) THEN 2
      ELSE 1 END;
    r_status := r_status || status;
    CONTINUE WHEN status <> 1;
    head := head + 1;
    -- Its audit takes the next position.
    IF head + 1 >= segments_end THEN segments_end := svc_make_segments_to(head + 1); END IF;
    is_late := svc_is_late(e_stream[i], happened, e_store[i], e_position[i]);
    INSERT INTO svc_events(global_position, stream_id, origin, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at, late)
      VALUES (head, e_stream[i], from_origin, e_position[i], e_id[i], e_type[i], e_data[i], e_meta[i], e_host[i], happened, now_at, is_late);
    IF happened > now_at THEN UPDATE svc_future SET latest = greatest(latest, happened); END IF;
    IF is_late THEN PERFORM svc_note_late(head, e_stream[i], e_type[i], true); END IF;
    IF a_id[i] IS NOT NULL THEN
      head := head + 1; chain_position := coalesce(chain_position, 0) + 1;
      digest := svc_digest('EventAudited', a_data[i]::text, a_meta[i]::text, p_host, a_publish[i]);
      chain_hash := svc_chain_hash(coalesce(chain_hash, '\x00'), chain_position, head, 0, now_at, a_id[i], digest);
      INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, publish, digest, hash, host, recorded_at)
        VALUES (chain_position, head, a_id[i], 'EventAudited', a_data[i], a_meta[i], a_publish[i], digest, chain_hash, p_host, now_at);
    END IF;
  END LOOP;
END $$;

-- Stores records of the system streams of other stores. Those of a store whose key is known count once a signed head
-- covers them, the others at once.
-- Lock: takes the log lock.
CREATE FUNCTION svc_receive_system(p_owner uuid, p_ms int,
  s_store uuid[], s_position bigint[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_original bigint[],
  s_omitted boolean[], s_digest bytea[], s_hash bytea[], s_host text[], s_at text[], s_global bigint[],
  OUT r_status smallint[])
LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE last_id bigint; from_origin smallint; is_same boolean; status smallint; received svc_received_system_events;
BEGIN
  IF NOT svc_open_inbox(p_owner, p_ms) THEN RETURN; END IF;
  SELECT coalesce(max(id), 0) INTO last_id FROM svc_received_system_events;
  r_status := '{}';
  FOR i IN 1 .. cardinality(s_id) LOOP
    from_origin := svc_origin_of(s_store[i], true);
    SELECT v.event_id = s_id[i] AND v.hash = s_hash[i] AND v.digest = s_digest[i] INTO is_same
      FROM svc_received_system_events v WHERE v.origin = from_origin AND v.stream_position = s_position[i];
    status := CASE
      WHEN from_origin IS NULL THEN 5
      -- If its store was forgotten while it was in flight, it is read again once the store is trusted.
      WHEN from_origin = 0 OR is_same THEN 2
      WHEN NOT is_same OR EXISTS (SELECT 1 FROM svc_received_system_events v WHERE v.event_id = s_id[i] AND v.origin = from_origin) THEN 3
      ELSE 1 END;
    IF status = 1 THEN
      received := ROW(last_id + 1, from_origin, s_position[i], s_id[i], s_type[i], s_data[i], s_meta[i], nullif(s_original[i], 0), s_omitted[i],
        s_digest[i], s_hash[i], s_host[i], s_at[i]::timestamptz, s_global[i]);
      UPDATE svc_origins v SET records = coalesce(v.records, 0) + 1, first_position = least(v.first_position, s_position[i]),
        last_position = greatest(v.last_position, s_position[i]) WHERE v.origin = from_origin AND v.public_key IS NULL;
      IF FOUND THEN
        INSERT INTO svc_received_system_events SELECT received.*;
        last_id := last_id + 1;
      ELSIF NOT svc_keep_unconfirmed(received) THEN status := 2;
      END IF;
    END IF;
    r_status := r_status || status;
  END LOOP;
END $$;
