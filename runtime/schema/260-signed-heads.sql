-- The heads that other stores have signed, kept where those cannot change them. Of each store: the first and the last
-- of every hour, and after 30 days the last of every day. The function alone removes the others.

CREATE TABLE svc_signed_heads (
  origin smallint NOT NULL,
  position bigint NOT NULL,
  hash bytea NOT NULL,
  -- As it was signed.
  at text NOT NULL,
  public_key bytea NOT NULL,
  signature bytea NOT NULL,
  -- The history that was signed with it.
  epoch int,
  forks text,
  published_to bigint,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (origin, position)
);
CREATE TRIGGER svc_append_only BEFORE UPDATE OR TRUNCATE ON svc_signed_heads
  FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change();

-- Removes heads that nobody needs any more; see the top of this file.
-- Lock: its caller holds that of the log.
CREATE FUNCTION svc_thin_signed_heads(p_origin smallint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz := clock_timestamp(); first_of_hour bigint; k bytea;
BEGIN
  SELECT public_key INTO k FROM svc_origins WHERE origin = p_origin;
  SELECT min(position) INTO first_of_hour FROM svc_signed_heads
    WHERE origin = p_origin AND public_key = k AND received_at >= date_trunc('hour', now_at);
  DELETE FROM svc_signed_heads
    WHERE origin = p_origin AND public_key = k AND received_at >= date_trunc('hour', now_at) AND position > first_of_hour;
  IF first_of_hour IS NULL THEN
    DELETE FROM svc_signed_heads h WHERE origin = p_origin AND public_key = k AND received_at < now_at - interval '30 days'
      AND EXISTS (SELECT 1 FROM svc_signed_heads l WHERE l.origin = p_origin AND l.public_key = k AND l.position > h.position
        AND date_trunc('day', l.received_at) = date_trunc('day', h.received_at));
  END IF;
END $$;

-- A head that another store announced. The caller has checked the signature: p_valid = the key that it names has signed it.
-- Result: 1 kept, 2 another hash than the record that we hold, 3 older than the newest, 4 contradicts a kept one,
-- 5 forged, 6 not signed though its store signs, 7 of a store that is not known.
-- Lock: takes that of the log.
CREATE FUNCTION svc_receive_head(p_owner uuid, p_ms int, p_store uuid, p_position bigint, p_hash bytea,
  p_at text, p_key bytea, p_signature bytea, p_valid boolean, p_epoch int, p_forks text, p_published_to bigint,
  OUT held boolean, OUT result smallint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE o smallint; pinned bytea; newest svc_signed_heads;
BEGIN
  held := svc_open_inbox(p_owner, p_ms);
  IF NOT held THEN RETURN; END IF;
  result := 7;
  SELECT v.origin, v.public_key INTO o, pinned FROM svc_origins v WHERE v.store = p_store AND v.origin <> 0 AND v.state = 'trusted';
  IF NOT FOUND THEN RETURN; END IF;
  -- What was signed with a key that an operator has replaced proves nothing.
  SELECT * INTO newest FROM svc_signed_heads h WHERE h.origin = o AND h.public_key = coalesce(pinned, p_key) ORDER BY h.position DESC LIMIT 1;
  result := CASE
    WHEN NOT p_valid OR p_key <> pinned THEN 5
    WHEN p_key IS NULL AND pinned IS NOT NULL THEN 6
    WHEN EXISTS (SELECT 1 FROM svc_signed_heads h WHERE h.origin = o AND h.position = p_position AND h.public_key = p_key AND h.hash <> p_hash) THEN 4
    -- A database whose clock was set back a little has not gone back itself.
    WHEN p_position < newest.position AND p_at::timestamptz > newest.at::timestamptz + interval '1 minute' THEN 4
    WHEN p_position < newest.position THEN 3
    WHEN EXISTS (SELECT 1 FROM svc_received_system_events v
      WHERE v.origin = o AND v.stream_position = p_position AND v.hash <> p_hash) THEN 2
    ELSE 1 END;
  IF result IN (4, 5, 6) THEN
    UPDATE svc_origins SET refused_heads = refused_heads + 1,
        contradicted_at = CASE WHEN result = 4 THEN clock_timestamp() ELSE contradicted_at END,
        forged_head_at = CASE WHEN result = 5 THEN clock_timestamp() ELSE forged_head_at END
      WHERE origin = o;
  ELSIF result IN (1, 2) THEN
    UPDATE svc_origins SET head_position = p_position, head_hash = p_hash, head_at = clock_timestamp(),
        public_key = coalesce(public_key, p_key)
      WHERE origin = o AND (coalesce(head_position, 0) <= p_position OR public_key IS NULL AND p_key IS NOT NULL);
    IF p_key IS NOT NULL AND result = 1 THEN PERFORM svc_confirm_records(o, p_position, p_hash); END IF;
    IF p_key IS NOT NULL AND p_position IS DISTINCT FROM newest.position THEN
      PERFORM svc_thin_signed_heads(o);
      DELETE FROM svc_signed_heads h WHERE h.origin = o AND h.position = p_position AND h.public_key <> p_key;
      INSERT INTO svc_signed_heads(origin, position, hash, at, public_key, signature, epoch, forks, published_to)
        VALUES (o, p_position, p_hash, p_at, p_key, p_signature, p_epoch, p_forks, p_published_to);
    END IF;
  END IF;
END $$;
