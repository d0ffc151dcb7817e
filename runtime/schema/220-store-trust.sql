-- Which stores are believed, and by which key each is known.

-- Stores that wait for an operator. They have no origin yet: anybody can make up an id, and origins are few.
CREATE TABLE svc_waiting_stores (
  store uuid PRIMARY KEY,
  first_seen timestamptz NOT NULL,
  last_seen timestamptz NOT NULL,
  messages bigint NOT NULL
);

-- At most 100 wait; one that was silent for an hour makes room for the next.
-- Lock: its caller holds that of the log.
CREATE FUNCTION svc_note_waiting(p_store uuid, p_messages int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE svc_waiting_stores SET messages = messages + p_messages, last_seen = clock_timestamp() WHERE store = p_store;
  IF FOUND THEN RETURN; END IF;
  IF (SELECT count(*) FROM svc_waiting_stores) >= 100 THEN
    DELETE FROM svc_waiting_stores WHERE last_seen < clock_timestamp() - interval '1 hour';
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  INSERT INTO svc_waiting_stores VALUES (p_store, clock_timestamp(), clock_timestamp(), p_messages);
END $$;

-- Notes that these stores sent messages; p_pin = a store that is not known does not wait. Returns those of which something
-- was stored for the first time.
-- Lock: takes that of the log.
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

-- The key of a trusted store that had none; p_signs = it has signed a message.
-- Lock: takes that of the log.
CREATE FUNCTION svc_pin_key(p_owner uuid, p_ms int, p_store uuid, p_key bytea, p_signs boolean,
  OUT held boolean, OUT pinned boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  held := svc_open_inbox(p_owner, p_ms); pinned := false;
  IF NOT held THEN RETURN; END IF;
  UPDATE svc_origins SET public_key = p_key WHERE store = p_store AND origin <> 0 AND state = 'trusted' AND public_key IS NULL;
  pinned := FOUND;
  IF p_signs THEN UPDATE svc_origins SET signs = true WHERE store = p_store AND public_key = p_key AND NOT signs; END IF;
END $$;

-- Returns whether anything changed. What was passed over is read again.
-- Lock: takes that of the log.
CREATE FUNCTION svc_trust_store(p_store uuid, p_key bytea, p_actor text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE o smallint; was text; known bytea;
BEGIN
  PERFORM svc_lock_log();
  SELECT origin, state, public_key INTO o, was, known FROM svc_origins WHERE store = p_store;
  IF o = 0 THEN RETURN false; END IF;
  IF was = 'trusted' AND coalesce(p_key = known, p_key IS NULL) THEN RETURN false; END IF;
  IF o IS NULL THEN o := svc_add_origin(p_store); END IF;
  IF o IS NULL THEN RAISE EXCEPTION 'too many stores are known'; END IF;
  UPDATE svc_origins SET state = 'trusted', public_key = coalesce(p_key, public_key), trusted_at = clock_timestamp(),
    trusted_by = p_actor, rereads = rereads + CASE WHEN was = 'trusted' THEN 0 ELSE 1 END WHERE origin = o;
  -- Another key has signed these.
  UPDATE svc_origins SET head_position = NULL, head_hash = NULL, head_at = NULL, signed_epoch = NULL, signed_forks = NULL,
    signed_to = NULL WHERE origin = o AND p_key <> known;
  DELETE FROM svc_waiting_stores WHERE store = p_store;
  RETURN true;
END $$;

-- What was received stays; nothing more is received.
-- Lock: takes that of the log.
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
  RETURN true;
END $$;
