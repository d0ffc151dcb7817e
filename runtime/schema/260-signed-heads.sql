-- Heads that other stores have signed, kept where those stores cannot change them. Per store: the first and the last of
-- every hour, and after 30 days the last of every day. Only the function removes the others.

CREATE TABLE svc_signed_heads (
  origin smallint NOT NULL,
  position bigint NOT NULL,
  hash bytea NOT NULL,
  -- As it was signed.
  at text NOT NULL,
  public_key bytea NOT NULL,
  signature bytea NOT NULL,
  -- The history that was signed with it.
  epoch int NOT NULL,
  forks text NOT NULL,
  published_to bigint NOT NULL,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (origin, position)
);
CREATE TRIGGER svc_append_only BEFORE UPDATE OR TRUNCATE ON svc_signed_heads
  FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change();

-- Removes heads that nobody needs once another arrives: those of this hour but the first, or, when an hour begins, those of
-- days long ago but the last.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_thin_signed_heads(p_origin smallint, p_key bytea) RETURNS void LANGUAGE sql AS $$
  WITH times AS MATERIALIZED (SELECT date_trunc('hour', clock_timestamp()) AS hour),
  this_hour AS (
    SELECT min(h.position) AS first FROM svc_signed_heads h, times t
      WHERE h.origin = p_origin AND h.public_key = p_key AND h.received_at >= t.hour)
  DELETE FROM svc_signed_heads h USING times t, this_hour WHERE h.origin = p_origin AND h.public_key = p_key AND CASE
    WHEN this_hour.first IS NOT NULL THEN h.received_at >= t.hour AND h.position > this_hour.first
    ELSE h.received_at < t.hour - interval '30 days' AND EXISTS (SELECT 1 FROM svc_signed_heads later WHERE later.origin = p_origin
      AND later.public_key = p_key AND later.position > h.position AND date_trunc('day', later.received_at) = date_trunc('day', h.received_at)) END
$$;

-- Takes a head that another store announced. The caller has checked the signature: p_key signed it; null = none did.
-- Result: 1 kept, 2 differs from the hash of the record we hold, 3 older than the newest, 4 contradicts a kept head,
-- 5 forged, 6 from an unknown store.
-- Lock: takes the log lock.
CREATE FUNCTION svc_receive_head(p_owner uuid, p_ms int, p_store uuid, p_position bigint, p_hash bytea,
  p_at text, p_key bytea, p_signature bytea, p_epoch int, p_forks text, p_published_to bigint,
  OUT held boolean, OUT result smallint, OUT confirmed boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE from_origin smallint; pinned bytea; keys bytea[]; newest svc_signed_heads;
BEGIN
  held := svc_open_inbox(p_owner, p_ms);
  IF NOT held THEN RETURN; END IF;
  SELECT v.origin, v.public_key INTO from_origin, pinned FROM svc_origins v WHERE v.store = p_store AND v.origin <> 0 AND v.state = 'trusted';
  -- A signature by a key that an operator has replaced proves nothing; one by a key that the store itself has replaced does.
  keys := p_key || ARRAY(SELECT r.public_key FROM svc_key_rotations r WHERE r.origin = from_origin);
  SELECT * INTO newest FROM svc_signed_heads h WHERE h.origin = from_origin AND h.public_key = ANY(keys) ORDER BY h.position DESC LIMIT 1;
  result := CASE
    WHEN from_origin IS NULL THEN 6
    WHEN p_key IS NULL OR p_key <> pinned THEN 5
    WHEN EXISTS (SELECT 1 FROM svc_signed_heads h
      WHERE h.origin = from_origin AND h.position = p_position AND h.public_key = ANY(keys) AND h.hash <> p_hash) THEN 4
    -- A database whose clock was set back a little has not gone back itself.
    WHEN p_position < newest.position AND p_at::timestamptz > newest.at::timestamptz + interval '1 minute' THEN 4
    WHEN p_position < newest.position THEN 3
    WHEN EXISTS (SELECT 1 FROM svc_received_system_events v
      WHERE v.origin = from_origin AND v.stream_position = p_position AND v.hash <> p_hash) THEN 2
    ELSE 1 END;
  IF result IN (4, 5) THEN
    UPDATE svc_origins SET refused_heads = refused_heads + 1,
        contradicted_at = CASE WHEN result = 4 THEN clock_timestamp() ELSE contradicted_at END,
        forged_head_at = CASE WHEN result = 5 THEN clock_timestamp() ELSE forged_head_at END
      WHERE origin = from_origin;
  ELSIF result IN (1, 2) THEN
    UPDATE svc_origins SET head_position = p_position, head_hash = p_hash, head_at = clock_timestamp(), public_key = p_key
      WHERE origin = from_origin;
    IF result = 1 THEN confirmed := svc_confirm_records(from_origin, p_position, p_hash); END IF;
    IF p_position IS DISTINCT FROM newest.position THEN
      PERFORM svc_thin_signed_heads(from_origin, p_key);
      DELETE FROM svc_signed_heads h WHERE h.origin = from_origin AND h.position = p_position AND h.public_key <> p_key;
      INSERT INTO svc_signed_heads(origin, position, hash, at, public_key, signature, epoch, forks, published_to)
        VALUES (from_origin, p_position, p_hash, p_at, p_key, p_signature, p_epoch, p_forks, p_published_to);
    END IF;
  END IF;
END $$;
