-- Received records that no signed head covers yet. Anyone may have sent them, so several may wait for one position; a
-- head decides which of them count, and the others are dropped. A store without a key signs nothing: its records count at
-- once.

-- The id of such a record means nothing: it gets another one when it counts.
CREATE TABLE svc_unconfirmed_records (
  LIKE svc_received_system_events,
  bytes int NOT NULL,
  PRIMARY KEY (origin, stream_position, hash, digest)
);

-- Keeps a record until a head covers it; false = it was already waiting, or there is no room. A head comes every second.
-- At most 100,000 records and 256 MiB wait, none more than 100,000 positions ahead, so it takes that many forgeries in a
-- second to shut out a real record. At most 3 wait with the same hash: nobody knows a hash before the real record is
-- sent, so that record comes first.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_keep_unconfirmed(p_record svc_received_system_events) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known bigint; size int := octet_length(p_record.data::text) + octet_length(p_record.metadata::text);
  alike bytea[] := ARRAY(SELECT u.digest FROM svc_unconfirmed_records u
    WHERE u.origin = p_record.origin AND u.stream_position = p_record.stream_position AND u.hash = p_record.hash);
BEGIN
  IF p_record.digest = ANY(alike) THEN RETURN false; END IF;
  SELECT coalesce(greatest(v.last_position, v.head_position), (SELECT min(u.stream_position) FROM svc_unconfirmed_records u
    WHERE u.origin = v.origin), p_record.stream_position) INTO known FROM svc_origins v WHERE v.origin = p_record.origin;
  IF cardinality(alike) < 3 AND p_record.stream_position <= known + 100000 THEN
    UPDATE svc_origins SET unconfirmed = unconfirmed + 1, unconfirmed_bytes = unconfirmed_bytes + size
      WHERE origin = p_record.origin AND unconfirmed < 100000 AND unconfirmed_bytes < 268435456;
    IF FOUND THEN
      INSERT INTO svc_unconfirmed_records SELECT p_record.*, size;
      RETURN true;
    END IF;
  END IF;
  UPDATE svc_origins SET dropped_records = dropped_records + 1 WHERE origin = p_record.origin;
  RETURN false;
END $$;

-- Confirms what a signed head covers. The head proves the hash of the last record; each hash proves the one before it,
-- and the content of its own record. Nothing below a missing record is proved: those records wait for it. Returns whether
-- any was confirmed.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_confirm_records(p_origin smallint, p_position bigint, p_hash bytea) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE last_id bigint; moved bigint; removed bigint; lowest bigint; highest bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM svc_unconfirmed_records u WHERE u.origin = p_origin AND u.stream_position <= p_position) THEN RETURN false; END IF;
  SELECT coalesce(max(id), 0) INTO last_id FROM svc_received_system_events;
  -- u = a record that waits, next = the one after it. If its hash makes that of the next, it proves the content of the next.
  WITH RECURSIVE proved AS (
    SELECT u.stream_position, u.hash, u.digest, u.global_position, u.original_position, u.recorded_at, u.event_id, NULL::bytea AS proves
      FROM svc_unconfirmed_records u
        LEFT JOIN svc_received_system_events next ON next.origin = p_origin AND next.stream_position = u.stream_position + 1
      WHERE u.origin = p_origin AND u.stream_position <= p_position
        AND CASE WHEN u.stream_position = p_position THEN u.hash = p_hash ELSE next.hash = svc_chain_hash(u.hash, next.stream_position,
          next.global_position, next.original_position, next.recorded_at, next.event_id, next.digest) END
    UNION
    SELECT u.stream_position, u.hash, u.digest, u.global_position, u.original_position, u.recorded_at, u.event_id, next.digest
      FROM proved next JOIN svc_unconfirmed_records u ON u.origin = p_origin AND u.stream_position = next.stream_position - 1
        AND next.hash = svc_chain_hash(u.hash, next.stream_position,
          next.global_position, next.original_position, next.recorded_at, next.event_id, next.digest)
  ), graded AS (
    SELECT v.*, count(*) OVER (PARTITION BY v.stream_position) AS rivals,
      coalesce(v.hash = svc_chain_hash(CASE v.stream_position WHEN 1 THEN '\x00' ELSE counted.hash END, v.stream_position,
        v.global_position, v.original_position, v.recorded_at, v.event_id, v.digest), CASE WHEN before.hash IS NOT NULL THEN true END) AS holds
    FROM proved v
      LEFT JOIN svc_received_system_events counted ON counted.origin = p_origin AND counted.stream_position = v.stream_position - 1
      LEFT JOIN proved before ON before.stream_position = v.stream_position - 1 AND before.proves = v.digest
  ), moving AS (
    INSERT INTO svc_received_system_events
      SELECT last_id + row_number() OVER (ORDER BY u.stream_position), u.origin, u.stream_position, u.event_id, u.event_type, u.data, u.metadata,
        u.original_position, u.omitted, u.digest, u.hash, u.host, u.recorded_at, u.global_position
      FROM (SELECT DISTINCT ON (stream_position) * FROM graded
          -- The content of the first record after a gap cannot be proved: it counts if no other record claims its
          -- position.
          WHERE holds OR (holds IS NULL AND rivals = 1) ORDER BY stream_position) g
        JOIN svc_unconfirmed_records u ON u.origin = p_origin AND u.stream_position = g.stream_position AND u.hash = g.hash AND u.digest = g.digest
      ON CONFLICT DO NOTHING RETURNING stream_position)
  SELECT count(*), min(stream_position), max(stream_position) INTO moved, lowest, highest FROM moving;
  -- What can no longer count: its position is taken, or its hash does not fit the head or the record after it.
  DELETE FROM svc_unconfirmed_records u WHERE u.origin = p_origin AND (u.stream_position = p_position AND u.hash <> p_hash
    OR (SELECT bool_or(next.stream_position = u.stream_position OR next.hash <> svc_chain_hash(u.hash, next.stream_position,
          next.global_position, next.original_position, next.recorded_at, next.event_id, next.digest))
        FROM svc_received_system_events next
        WHERE next.origin = p_origin AND next.stream_position BETWEEN u.stream_position AND u.stream_position + 1));
  GET DIAGNOSTICS removed = ROW_COUNT;
  UPDATE svc_origins v SET (unconfirmed, unconfirmed_bytes) =
      (SELECT count(*), coalesce(sum(u.bytes), 0) FROM svc_unconfirmed_records u WHERE u.origin = p_origin),
    dropped_records = v.dropped_records + removed - moved, records = coalesce(v.records, 0) + moved,
    first_position = least(v.first_position, lowest), last_position = greatest(v.last_position, highest) WHERE v.origin = p_origin;
  RETURN moved > 0;
END $$;
