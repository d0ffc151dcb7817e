-- Commits one event, with at most one record and nothing else: what a host with one caller sends. The cost of a small
-- flush is the cost of its statements and their parts, so there are few, and the id of the event replaces the row in
-- svc_flushes. Anything unusual stores nothing here and takes the general path: an event that is already stored, an
-- unexpected position, an event from the future, a segment without events or at its end. If the id is stored although the
-- position is as expected, the unique index raises an error: looking up every id would cost more.
--
-- record_about = 1: the record is about the event. The answer has the results of svc_append, separated by |.
-- Lock: takes the log lock until the transaction ends.
CREATE FUNCTION svc_append_one(
  p_writer uuid, p_flush bigint, p_host text, p_stream uuid, p_expected bigint,
  p_event uuid, event_type text, event_body json, event_meta json,
  p_record uuid, record_type text, record_body text, record_meta text, record_published boolean, record_about int,
  OUT r_answer text)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  is_locked boolean; is_plain boolean; record_digest bytea;
  head bigint; at timestamptz; high bigint; low bigint; ids_from uuid; future timestamptz; at_stream bigint;
  record_head bigint; record_at timestamptz; chain_position bigint; chain_hash bytea; before_position bigint; before_hash bytea;
BEGIN
  IF current_setting('svc.durability', true) = 'sync' THEN PERFORM svc_require_standby(); END IF;
  IF p_record IS NOT NULL THEN
    record_digest := svc_digest(record_type, record_body, record_meta, p_host, record_published);
  END IF;
  -- An assignment costs less than a statement. Every later statement has a snapshot taken after the grant of this lock.
  is_locked := pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int) IS NULL;
  -- The heads of both logs and of the stream. One statement each: joining them costs half as much again.
  SELECT v.global_position, v.recorded_at, v.low, v.high, v.ids_from, v.prev_position, v.prev_hash
    INTO head, at, low, high, ids_from, before_position, before_hash FROM svc_open_events v ORDER BY v.global_position DESC LIMIT 1;
  SELECT v.global_position, v.recorded_at, v.stream_position, v.hash INTO record_head, record_at, chain_position, chain_hash
    FROM svc_open_records v ORDER BY v.global_position DESC LIMIT 1;
  SELECT v.stream_position INTO at_stream FROM svc_open_events v WHERE v.stream_id = p_stream AND v.origin = 0 ORDER BY v.stream_position DESC LIMIT 1;
  IF at_stream IS NULL AND low > 0 THEN
    SELECT v.position INTO at_stream FROM svc_stream_heads v WHERE v.stream_id = p_stream AND v.origin = 0;
  END IF;
  SELECT v.latest INTO future FROM svc_future v WHERE v.single;
  head := greatest(head, record_head) + 1; at_stream := coalesce(at_stream, 0) + 1; at := greatest(at, record_at, clock_timestamp());
  is_plain := coalesce(head < high - 1, false) AND coalesce(p_expected = at_stream - 1, true) AND coalesce(future < at, true)
    AND current_setting('transaction_isolation') = 'read committed';
  IF is_plain AND ids_from IS NOT NULL THEN
    -- A sealed segment may hold an id whose time is before the open one, or that has no time.
    is_plain := p_event >= ids_from AND p_event <= svc_first_id(at + interval '10 minutes') AND get_byte(uuid_send(p_event), 6) >> 4 = 7;
  END IF;
  -- With an expected position, a flush that is sent again finds a different one.
  IF is_plain AND p_expected IS NULL THEN
    is_plain := NOT EXISTS (SELECT 1 FROM svc_open_events v WHERE v.event_id = p_event AND v.origin = 0);
  END IF;
  IF is_plain THEN
    INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
      VALUES (head, p_stream, at_stream, p_event, svc_append_one.event_type, event_body, event_meta, p_host, at, at);
    IF p_record IS NOT NULL THEN
      chain_position := coalesce(chain_position, before_position) + 1;
      INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, original_position, publish,
          digest, hash, host, recorded_at)
        VALUES (chain_position, head + 1, p_record, record_type, record_body::json, record_meta::json, CASE record_about WHEN 1 THEN at_stream END,
          record_published, record_digest, svc_chain_hash(coalesce(chain_hash, before_hash), chain_position, head + 1,
            CASE record_about WHEN 1 THEN at_stream END, at, p_record, record_digest), p_host, at);
    END IF;
    r_answer := concat_ws('|', '{1}', ARRAY[at_stream], ARRAY[head], at);
    RETURN;
  END IF;
  -- Sent again: the event and its record are stored.
  SELECT concat_ws('|', '{1}', ARRAY[v.stream_position], ARRAY[v.global_position], v.recorded_at) INTO r_answer FROM svc_events v
    WHERE v.event_id = p_event AND v.origin = 0 AND v.stream_id = p_stream AND v.data::text = event_body::text
      AND (p_record IS NULL OR EXISTS (SELECT 1 FROM svc_system_events c WHERE c.event_id = p_record)) LIMIT 1;
  IF FOUND THEN
    -- A read-only commit would not wait for a standby.
    PERFORM pg_logical_emit_message(true, 'svc', '');
    RETURN;
  END IF;
  SELECT concat_ws('|', a.r_status, a.r_position, a.r_global, a.r_at) INTO r_answer FROM svc_append(p_writer, p_flush, p_host, ARRAY[p_stream],
    ARRAY[(p_expected IS NOT NULL)::int], '{1}', ARRAY[(p_record IS NOT NULL)::int], '{}', '{}', '{}', '{}',
    array_remove(ARRAY[CASE WHEN p_expected IS NOT NULL THEN 1 END], NULL), array_remove(ARRAY[p_expected], NULL),
    '{1}', ARRAY[p_event], ARRAY[svc_append_one.event_type], ARRAY[event_body], ARRAY[event_meta], '{}',
    array_remove(ARRAY[p_record], NULL), array_remove(ARRAY[record_type], NULL), array_remove(ARRAY[record_body], NULL),
    array_remove(ARRAY[record_meta], NULL), array_remove(ARRAY[record_published], NULL), array_remove(ARRAY[record_about], NULL), NULL) a;
END $$;

-- The same as svc_commit_v1 for one event.
-- Lock: same as svc_append_one.
CREATE PROCEDURE svc_commit_one_v1(
  p_writer uuid, p_flush bigint, p_host text, p_stream uuid, p_expected bigint,
  p_event uuid, event_type text, event_body json, event_meta json,
  p_record uuid, record_type text, record_body text, record_meta text, record_published boolean, record_about int,
  INOUT r_answer text DEFAULT NULL)
LANGUAGE plpgsql AS $$
BEGIN
  r_answer := svc_append_one(p_writer, p_flush, p_host, p_stream, p_expected, p_event, event_type, event_body, event_meta,
    p_record, record_type, record_body, record_meta, record_published, record_about);
  COMMIT;
  IF pg_notification_queue_usage() < 0.9 THEN NOTIFY svc, 'events'; END IF;
END $$;
