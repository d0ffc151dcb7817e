-- Which stores are trusted, and the key each is known by.

-- Stores waiting for an operator. They have no origin yet: anyone can make up an id, and origins are few.
CREATE TABLE svc_waiting_stores (
  store uuid PRIMARY KEY,
  last_seen timestamptz NOT NULL,
  messages bigint NOT NULL
);

-- How stores replaced their keys. An earlier key counts for what its store has signed up to a position of its log.
CREATE TABLE svc_key_rotations (
  -- 0 is this store.
  origin smallint NOT NULL,
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 32),
  next_key bytea NOT NULL CHECK (octet_length(next_key) = 32),
  -- The last position that the earlier key signs.
  up_to bigint NOT NULL,
  -- The signatures of both keys.
  proof bytea NOT NULL CHECK (octet_length(proof) = 128),
  -- A key is replaced once: whoever replaces it again has stolen it.
  PRIMARY KEY (origin, public_key),
  UNIQUE (origin, next_key)
);

-- Lets a store wait. At most 100 do; those silent for an hour make room.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_note_waiting(p_store uuid, p_messages int) RETURNS void LANGUAGE sql AS $$
  DELETE FROM svc_waiting_stores WHERE store <> p_store AND last_seen < clock_timestamp() - interval '1 hour'
    AND (SELECT count(*) FROM svc_waiting_stores) >= 100;
  INSERT INTO svc_waiting_stores AS w SELECT p_store, clock_timestamp(), p_messages
    WHERE (SELECT count(*) FROM svc_waiting_stores WHERE store <> p_store) < 100
    ON CONFLICT (store) DO UPDATE SET messages = w.messages + excluded.messages, last_seen = excluded.last_seen
$$;

-- Notes that these stores sent messages; p_pin = an unknown store does not wait. Returns those from which something was
-- stored for the first time.
-- Lock: takes the log lock.
CREATE FUNCTION svc_meet_stores(p_owner uuid, p_ms int, p_stores uuid[], p_messages int[], p_pin boolean,
  OUT held boolean, OUT pinned uuid[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE is_new boolean;
BEGIN
  held := svc_open_inbox(p_owner, p_ms); pinned := '{}';
  IF NOT held THEN RETURN; END IF;
  FOR i IN 1 .. cardinality(p_stores) LOOP
    SELECT trusted_at IS NULL INTO is_new FROM svc_origins WHERE store = p_stores[i];
    IF FOUND THEN
      UPDATE svc_origins SET last_seen = clock_timestamp(), trusted_at = coalesce(trusted_at, clock_timestamp())
        WHERE store = p_stores[i];
      IF is_new THEN pinned := pinned || p_stores[i]; END IF;
    ELSIF NOT p_pin THEN PERFORM svc_note_waiting(p_stores[i], p_messages[i]);
    END IF;
  END LOOP;
END $$;

-- Sets the key of a trusted store that had none, and notes that it has signed a message.
-- Lock: takes the log lock.
CREATE FUNCTION svc_pin_key(p_owner uuid, p_ms int, p_store uuid, p_key bytea,
  OUT held boolean, OUT pinned boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  held := svc_open_inbox(p_owner, p_ms); pinned := false;
  IF NOT held THEN RETURN; END IF;
  UPDATE svc_origins SET public_key = p_key WHERE store = p_store AND origin <> 0 AND state = 'trusted' AND public_key IS NULL;
  pinned := FOUND;
  UPDATE svc_origins SET signs = true WHERE store = p_store AND public_key = p_key AND NOT signs;
END $$;

-- Follows a store to its new key. The caller has checked the signatures: each key of p_keys was replaced by the one of
-- p_next. The last 64 are kept.
-- Lock: takes the log lock.
CREATE FUNCTION svc_follow_keys(p_owner uuid, p_ms int, p_store uuid, p_keys bytea[], p_next bytea[], p_up_to bigint[],
  p_proofs bytea[], OUT held boolean, OUT followed boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE from_origin smallint;
BEGIN
  held := svc_open_inbox(p_owner, p_ms); followed := false;
  IF NOT held THEN RETURN; END IF;
  UPDATE svc_origins v SET public_key = p_next[cardinality(p_next)] WHERE v.store = p_store AND v.origin <> 0
    AND v.state = 'trusted' AND coalesce(v.public_key = ANY(p_keys || p_next), true) RETURNING v.origin INTO from_origin;
  followed := FOUND;
  IF NOT followed THEN RETURN; END IF;
  INSERT INTO svc_key_rotations(origin, public_key, next_key, up_to, proof)
    SELECT from_origin, k.key, k.next, k.up_to, k.proof FROM unnest(p_keys, p_next, p_up_to, p_proofs) AS k(key, next, up_to, proof)
    ON CONFLICT DO NOTHING;
  DELETE FROM svc_key_rotations r WHERE r.origin = from_origin AND r.public_key NOT IN (
    SELECT k.public_key FROM svc_key_rotations k WHERE k.origin = from_origin ORDER BY k.up_to DESC LIMIT 64);
END $$;

-- Trusts a store; returns whether anything changed. Skipped messages are read again. A given key counts alone: the ones
-- that it replaced do not count any more.
-- Lock: takes the log lock.
CREATE FUNCTION svc_trust_store(p_store uuid, p_key bytea, p_actor text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE its_origin smallint; was text; known bytea;
BEGIN
  PERFORM svc_lock_log();
  SELECT origin, state, public_key INTO its_origin, was, known FROM svc_origins WHERE store = p_store;
  IF its_origin = 0 THEN RETURN false; END IF;
  DELETE FROM svc_key_rotations r WHERE r.origin = its_origin AND p_key IS NOT NULL;
  IF was = 'trusted' AND coalesce(p_key = known, p_key IS NULL) AND NOT FOUND THEN RETURN false; END IF;
  IF its_origin IS NULL THEN its_origin := svc_add_origin(p_store); END IF;
  IF its_origin IS NULL THEN RAISE EXCEPTION 'too many stores are known'; END IF;
  UPDATE svc_origins SET state = 'trusted', public_key = coalesce(p_key, public_key), trusted_at = clock_timestamp(),
    trusted_by = p_actor, rereads = rereads + CASE WHEN was = 'trusted' THEN 0 ELSE 1 END WHERE origin = its_origin;
  -- Another key signed these.
  UPDATE svc_origins SET head_position = NULL, head_hash = NULL, head_at = NULL, signed_epoch = NULL, signed_forks = NULL,
    signed_to = NULL WHERE origin = its_origin AND p_key <> known;
  DELETE FROM svc_waiting_stores WHERE store = p_store;
  RETURN true;
END $$;

-- Forgets a store: what was received stays, and nothing more is received.
-- Lock: takes the log lock.
CREATE FUNCTION svc_forget_store(p_store uuid, p_actor text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  PERFORM svc_lock_log();
  DELETE FROM svc_waiting_stores WHERE store = p_store;
  IF FOUND THEN RETURN true; END IF;
  UPDATE svc_origins SET state = 'forgotten', public_key = NULL, signs = false, unconfirmed = 0, unconfirmed_bytes = 0,
      head_position = NULL, head_hash = NULL, head_at = NULL, signed_epoch = NULL, signed_forks = NULL, signed_to = NULL, trusted_at = clock_timestamp(), trusted_by = p_actor
    WHERE store = p_store AND origin <> 0 AND state <> 'forgotten';
  IF NOT FOUND THEN RETURN false; END IF;
  DELETE FROM svc_unconfirmed_records WHERE origin = (SELECT origin FROM svc_origins WHERE store = p_store);
  DELETE FROM svc_key_rotations WHERE origin = (SELECT origin FROM svc_origins WHERE store = p_store);
  RETURN true;
END $$;
