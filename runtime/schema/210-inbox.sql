-- Messages of other stores: domain events next to our own, system records in their own table, as their store chained
-- them. A position (stream, origin, position) is stored once; that makes the inbox idempotent.

CREATE TABLE svc_received_system_events (
  id bigint NOT NULL UNIQUE,
  origin smallint NOT NULL,
  stream_position bigint NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  data json NOT NULL,
  metadata json NOT NULL,
  original_position bigint,
  -- The body was too large to travel: the digest tells about the whole one.
  omitted boolean NOT NULL,
  digest bytea NOT NULL,
  hash bytea NOT NULL,
  host text NOT NULL,
  recorded_at timestamptz NOT NULL,
  global_position bigint NOT NULL,
  PRIMARY KEY (origin, stream_position),
  UNIQUE (event_id, origin)
);
CREATE TRIGGER svc_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON svc_received_system_events
  FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change();

-- An attempt to take a message by itself that has not ended: the host ended first.
CREATE TABLE svc_inbox_attempts (
  digest bytea PRIMARY KEY,
  attempts int NOT NULL,
  owner uuid NOT NULL,
  at timestamptz NOT NULL
);

-- The next number for a store; null: 10,000 are known.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_add_origin(p_store uuid) RETURNS smallint LANGUAGE sql AS $$
  INSERT INTO svc_origins(origin, store, first_seen)
    SELECT max(origin) + 1, p_store, clock_timestamp() FROM svc_origins HAVING max(origin) < 10000 RETURNING origin
$$;

-- The number of a store; 0 = our own or a forgotten one, of which nothing is taken; null = it has none. p_add: one that is
-- not known yet gets a number. The row stays for ever, and anybody can make up a store: the first 1,000 are taken as they
-- come, then 20 an hour, so that those who make them up never use all 10,000, and a real one gets in.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_origin_of(p_store uuid, p_add boolean) RETURNS smallint LANGUAGE plpgsql AS $$
DECLARE known smallint;
BEGIN
  SELECT CASE state WHEN 'forgotten' THEN 0 ELSE origin END INTO known FROM svc_origins WHERE store = p_store;
  IF FOUND OR NOT p_add THEN RETURN known; END IF;
  IF (SELECT max(origin) FROM svc_origins) >= 1000 AND (SELECT first_seen FROM svc_origins ORDER BY origin DESC OFFSET 19 LIMIT 1)
    > clock_timestamp() - interval '1 hour' THEN RETURN NULL; END IF;
  RETURN svc_add_origin(p_store);
END $$;

-- Records when the broker created a stream that is read.
-- Lock: the row of svc_broker.
CREATE FUNCTION svc_inbox_stream(p_owner uuid, p_stream text, p_created text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE svc_broker SET streams = streams || jsonb_build_object(p_stream, p_created) WHERE svc_holds_lease('inbox', p_owner)
$$;

-- Takes the lock of the log and keeps the lease; every later statement sees what was committed before.
-- Lock: takes the log lock.
CREATE FUNCTION svc_open_inbox(p_owner uuid, p_ms int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM svc_lock_log();
  PERFORM svc_keep_lease('inbox', p_owner, p_ms);
  RETURN svc_holds_lease('inbox', p_owner);
END $$;

-- What an operator replays may come from a store beyond the limit.
-- Lock: takes the log lock.
CREATE FUNCTION svc_admit_origin(p_owner uuid, p_ms int, p_store uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  IF NOT svc_open_inbox(p_owner, p_ms) THEN RETURN false; END IF;
  IF NOT EXISTS (SELECT 1 FROM svc_origins WHERE store = p_store) THEN PERFORM svc_add_origin(p_store); END IF;
  RETURN true;
END $$;

-- How many hosts have begun to take this message by itself and have not ended it, this one included.
-- Lock: the row of the attempt.
CREATE FUNCTION svc_inbox_begin(p_owner uuid, p_digest bytea, OUT held boolean, OUT begun int)
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  DELETE FROM svc_inbox_attempts WHERE at < clock_timestamp() - interval '30 days';
  INSERT INTO svc_inbox_attempts AS a SELECT p_digest, 1, p_owner, clock_timestamp() WHERE svc_holds_lease('inbox', p_owner)
    -- A host that tries again after the store was away is still the same host.
    ON CONFLICT (digest) DO UPDATE SET attempts = a.attempts + CASE WHEN a.owner = p_owner THEN 0 ELSE 1 END,
      owner = p_owner, at = clock_timestamp();
  SELECT svc_holds_lease('inbox', p_owner), (SELECT a.attempts FROM svc_inbox_attempts a WHERE a.digest = p_digest)
$$;

-- The message was handled.
-- Lock: the row of the attempt.
CREATE FUNCTION svc_inbox_end(p_owner uuid, p_digest bytea) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DELETE FROM svc_inbox_attempts WHERE digest = p_digest AND owner = p_owner
$$;
