-- Received records that no signed head covers yet. Anybody may have sent them, so several may wait for one position; a head
-- decides which of them count, and the others are dropped. A store without a key signs nothing: its records count at once.

CREATE TABLE svc_unconfirmed_records (
  origin smallint NOT NULL,
  stream_position bigint NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  data json NOT NULL,
  metadata json NOT NULL,
  original_position bigint,
  omitted boolean NOT NULL,
  digest bytea NOT NULL,
  hash bytea NOT NULL,
  host text NOT NULL,
  recorded_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  global_position bigint NOT NULL,
  bytes int NOT NULL DEFAULT 0,
  PRIMARY KEY (origin, stream_position, hash, digest)
);
-- Counts records that were thrown away.
-- Lock: its caller holds that of the log.
CREATE FUNCTION svc_note_dropped(p_origin smallint, p_count bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE svc_origins SET dropped_records = dropped_records + p_count, dropped_at = clock_timestamp()
    WHERE origin = p_origin AND p_count > 0
$$;

-- Keeps a record until a head covers it; false = it was waiting already, or there is no room. A head comes every second: at
-- most 100,000 and 256 MiB wait, so that as many forgeries must come in a second to shut out a real one, and none that is
-- further ahead. Of one hash 3 wait: it cannot be known before the real record was sent, so that one comes first.
-- Lock: its caller holds that of the log.
CREATE FUNCTION svc_keep_unconfirmed(p svc_unconfirmed_records) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE known bigint;
BEGIN
  IF EXISTS (SELECT 1 FROM svc_unconfirmed_records u WHERE u.origin = p.origin AND u.stream_position = p.stream_position
    AND u.hash = p.hash AND u.digest = p.digest) THEN RETURN false; END IF;
  SELECT coalesce(greatest(v.last_position, v.head_position), (SELECT min(u.stream_position) FROM svc_unconfirmed_records u
    WHERE u.origin = p.origin), p.stream_position) INTO known FROM svc_origins v WHERE v.origin = p.origin;
  p.bytes := octet_length(p.data::text) + octet_length(p.metadata::text);
  UPDATE svc_origins SET unconfirmed = unconfirmed + 1, unconfirmed_bytes = unconfirmed_bytes + p.bytes
    WHERE origin = p.origin AND unconfirmed < 100000 AND p.stream_position <= known + 100000 AND unconfirmed_bytes < 268435456
      AND (SELECT count(*) FROM svc_unconfirmed_records u WHERE u.origin = p.origin AND u.stream_position = p.stream_position
        AND u.hash = p.hash) < 3;
  IF NOT FOUND THEN
    PERFORM svc_note_dropped(p.origin, 1);
    RETURN false;
  END IF;
  INSERT INTO svc_unconfirmed_records SELECT p.*;
  RETURN true;
END $$;

-- Counts what a signed head covers. The head proves the hash of the last record; each hash proves the one before it, and
-- the content of its own record. Below a record that is missing nothing is proved: those wait for it.
-- Lock: its caller holds that of the log.
CREATE FUNCTION svc_confirm_records(p_origin smallint, p_position bigint, p_hash bytea) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE n bigint; moved bigint; removed bigint; forged bigint; lowest bigint; highest bigint;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM svc_unconfirmed_records u WHERE u.origin = p_origin AND u.stream_position <= p_position) THEN RETURN; END IF;
  SELECT coalesce(max(id), 0) INTO n FROM svc_received_system_events;
  WITH RECURSIVE proved AS (
    SELECT u.stream_position, u.hash, u.digest, u.global_position, u.original_position, u.recorded_at, u.event_id
      FROM svc_unconfirmed_records u
        LEFT JOIN svc_received_system_events a ON a.origin = p_origin AND a.stream_position = u.stream_position + 1
      WHERE u.origin = p_origin AND u.stream_position <= p_position
        AND CASE WHEN u.stream_position = p_position THEN u.hash = p_hash
          ELSE svc_chain_hash(u.hash, a.stream_position, a.global_position, a.original_position, a.recorded_at, a.event_id, a.digest) = a.hash END
    UNION
    SELECT u.stream_position, u.hash, u.digest, u.global_position, u.original_position, u.recorded_at, u.event_id
      FROM proved a JOIN svc_unconfirmed_records u ON u.origin = p_origin AND u.stream_position = a.stream_position - 1
        AND svc_chain_hash(u.hash, a.stream_position, a.global_position, a.original_position, a.recorded_at, a.event_id, a.digest) = a.hash
  ), graded AS (
    SELECT v.*, count(*) OVER (PARTITION BY v.stream_position) AS rivals,
      CASE
        WHEN v.stream_position = 1 THEN v.hash = svc_chain_hash('\x00', 1, v.global_position, v.original_position, v.recorded_at, v.event_id, v.digest)
        WHEN r.hash IS NOT NULL THEN v.hash = svc_chain_hash(r.hash, v.stream_position, v.global_position, v.original_position, v.recorded_at, v.event_id, v.digest)
        WHEN b.hash IS NOT NULL THEN true END AS holds
    FROM proved v
      LEFT JOIN svc_received_system_events r ON r.origin = p_origin AND r.stream_position = v.stream_position - 1
      LEFT JOIN proved b ON b.stream_position = v.stream_position - 1
        AND v.hash = svc_chain_hash(b.hash, v.stream_position, v.global_position, v.original_position, v.recorded_at, v.event_id, v.digest)
  ), counted AS (
    INSERT INTO svc_received_system_events
      SELECT n + row_number() OVER (ORDER BY u.stream_position), u.origin, u.stream_position, u.event_id, u.event_type, u.data, u.metadata,
        u.original_position, u.omitted, u.digest, u.hash, u.host, u.recorded_at, u.received_at, u.global_position
      FROM (SELECT DISTINCT ON (stream_position) * FROM graded
          -- The content of the first record after a gap cannot be proved: it counts if no other claims to be it.
          WHERE holds OR (holds IS NULL AND rivals = 1) ORDER BY stream_position) g
        JOIN svc_unconfirmed_records u ON u.origin = p_origin AND u.stream_position = g.stream_position AND u.hash = g.hash AND u.digest = g.digest
      ON CONFLICT DO NOTHING RETURNING stream_position)
  SELECT count(*), min(stream_position), max(stream_position) INTO moved, lowest, highest FROM counted;
  DELETE FROM svc_unconfirmed_records u USING svc_received_system_events r
    WHERE u.origin = p_origin AND r.origin = p_origin AND r.stream_position = u.stream_position;
  GET DIAGNOSTICS removed = ROW_COUNT;
  DELETE FROM svc_unconfirmed_records u WHERE u.origin = p_origin AND u.stream_position = p_position AND u.hash <> p_hash;
  GET DIAGNOSTICS forged = ROW_COUNT;
  removed := removed + forged;
  DELETE FROM svc_unconfirmed_records u USING svc_received_system_events a
    WHERE u.origin = p_origin AND a.origin = p_origin AND a.stream_position = u.stream_position + 1
      AND svc_chain_hash(u.hash, a.stream_position, a.global_position, a.original_position, a.recorded_at, a.event_id, a.digest) <> a.hash;
  GET DIAGNOSTICS forged = ROW_COUNT;
  PERFORM svc_note_dropped(p_origin, removed + forged - moved);
  UPDATE svc_origins v SET (unconfirmed, unconfirmed_bytes) = (SELECT count(*), coalesce(sum(u.bytes), 0)
    FROM svc_unconfirmed_records u WHERE u.origin = p_origin) WHERE v.origin = p_origin;
  IF moved = 0 THEN RETURN; END IF;
  UPDATE svc_origins v SET records = coalesce(v.records, 0) + moved,
    first_position = least(v.first_position, lowest), last_position = greatest(v.last_position, highest) WHERE v.origin = p_origin;
  NOTIFY svc;
END $$;
