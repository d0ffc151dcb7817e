-- What units store beside events and records. All but the last two tables are written by the commit procedure alone, under
-- the lock of the log: a row lock that a stalled host could hold would stop all commits.

-- Everything up to position is settled, and what done lists above it. A commit with another epoch is refused.
CREATE TABLE svc_progress (
  name text PRIMARY KEY,
  epoch int NOT NULL DEFAULT 1,
  position bigint NOT NULL,
  done bigint[] NOT NULL DEFAULT '{}',
  -- The version of the application that took it last.
  version text,
  -- The reaction that continues in its place.
  adopted_by text
) WITH (fillfactor = 50);

-- The next event of a key that stands aside.
CREATE TABLE svc_aside (
  cursor text,
  key text,
  position bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('retrying', 'parked')),
  attempts int NOT NULL,
  next_attempt_at timestamptz NOT NULL,
  error text,
  -- The event that an operator gave up: hosts skip it.
  given_up bigint,
  PRIMARY KEY (cursor, key)
) WITH (fillfactor = 80);

CREATE TABLE svc_timers (
  id uuid PRIMARY KEY,
  part smallint NOT NULL,
  due_at timestamptz NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  key text NOT NULL,
  set_at timestamptz NOT NULL,
  expires_ms bigint,
  attempts int NOT NULL,
  parked boolean NOT NULL,
  error text,
  data json NOT NULL,
  context json NOT NULL
);
CREATE INDEX svc_timers_due ON svc_timers(part, due_at, id) WHERE NOT parked;
CREATE INDEX svc_timers_parked ON svc_timers(name, key) WHERE parked;
CREATE INDEX svc_timers_of ON svc_timers(key, name);

CREATE TABLE svc_processes (
  name text,
  key text,
  revision bigint NOT NULL,
  version int NOT NULL,
  state text NOT NULL,
  status text NOT NULL CHECK (status IN ('running', 'ended', 'parked')),
  snapshot json NOT NULL,
  trail json NOT NULL,
  error text,
  started_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (name, key)
) WITH (fillfactor = 80);

-- The key is a keyed digest: no value can be read or guessed from it.
CREATE TABLE svc_reservations (
  key uuid PRIMARY KEY,
  name text NOT NULL,
  owner text NOT NULL,
  reserved_at timestamptz NOT NULL,
  until timestamptz
);
CREATE TABLE svc_reservation_secret (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  key bytea NOT NULL CHECK (octet_length(key) = 32)
);
REVOKE ALL ON svc_reservation_secret FROM PUBLIC;
-- Each identifier has 122 random bits.
INSERT INTO svc_reservation_secret(key)
  SELECT sha256(string_agg(uuid_send(gen_random_uuid()), ''::bytea)) FROM generate_series(1, 4);
-- The secret that the keys of reservations are made with.
-- Lock: none.
CREATE FUNCTION svc_reservation_key() RETURNS bytea
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$ SELECT key FROM svc_reservation_secret $$;

-- The hosts that share out partitions.
CREATE TABLE svc_workers (
  owner text PRIMARY KEY,
  host text NOT NULL,
  version text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

-- Drawn, not counted: after a failover that lost the last take, a count would give its number out again.
-- Lock: none.
CREATE FUNCTION svc_next_epoch(p_epoch int) RETURNS int LANGUAGE sql VOLATILE AS $$
  SELECT (1 + (p_epoch + floor(random() * 2147483646)::bigint) % 2147483647)::int
$$;

-- Takes a cursor over for this host: from now on a commit with an earlier epoch is refused.
-- Lock: takes that of the log.
CREATE FUNCTION svc_take_progress(p_name text, p_from_head boolean,
  OUT r_epoch int, OUT r_position bigint, OUT r_done bigint[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM svc_lock_log();
  -- A host that slept while it was handed over would handle again what the other one handles.
  IF EXISTS (SELECT 1 FROM svc_progress v WHERE v.name = p_name AND v.adopted_by IS NOT NULL) THEN
    RAISE EXCEPTION '% was handed over to %; svc reactions adopt hands it back', split_part(p_name, '/', 2),
      (SELECT v.adopted_by FROM svc_progress v WHERE v.name = p_name);
  END IF;
  INSERT INTO svc_progress AS g (name, epoch, position)
    SELECT p_name, svc_next_epoch(0), CASE WHEN p_from_head THEN svc_head() ELSE 0 END
    ON CONFLICT (name) DO UPDATE SET epoch = svc_next_epoch(g.epoch)
    RETURNING g.epoch, g.position, ARRAY(SELECT DISTINCT d FROM unnest(g.done) d ORDER BY d) INTO r_epoch, r_position, r_done;
END $$;

-- COMMIT in the server: a host that stalls now does not hold the lock of the log.
-- Lock: as svc_take_progress.
CREATE PROCEDURE svc_take_cursor(p_name text, p_from_head boolean,
  INOUT r_epoch int DEFAULT NULL, INOUT r_position bigint DEFAULT NULL, INOUT r_done bigint[] DEFAULT NULL)
LANGUAGE plpgsql AS $$
DECLARE a record;
BEGIN
  a := svc_take_progress(p_name, p_from_head);
  r_epoch := a.r_epoch; r_position := a.r_position; r_done := a.r_done;
  COMMIT;
END $$;

-- Removes up to 1,000 processes that ended a week ago, and as many holds that are over; returns how many.
-- Lock: takes that of the log.
CREATE FUNCTION svc_prune_ended() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE ended bigint; held bigint;
BEGIN
  PERFORM svc_lock_log();
  -- An ended process stays for a while, so that a late event does not start it again.
  DELETE FROM svc_processes v WHERE (v.name, v.key) IN (SELECT w.name, w.key FROM svc_processes w
    WHERE w.status = 'ended' AND w.updated_at < clock_timestamp() - interval '168 hours' LIMIT 1000);
  GET DIAGNOSTICS ended = ROW_COUNT;
  DELETE FROM svc_reservations v WHERE v.key IN (SELECT w.key FROM svc_reservations w
    WHERE w.until < clock_timestamp() LIMIT 1000);
  GET DIAGNOSTICS held = ROW_COUNT;
  RETURN ended + held;
END $$;
CREATE INDEX svc_processes_ended ON svc_processes(updated_at) WHERE status = 'ended';
CREATE INDEX svc_reservations_until ON svc_reservations(until) WHERE until IS NOT NULL;

-- Removes processes and holds that ended, some at a time; returns how many.
-- Lock: as svc_prune_ended.
CREATE PROCEDURE svc_prune_lists(INOUT r_count bigint DEFAULT NULL) LANGUAGE plpgsql AS $$
BEGIN
  r_count := svc_prune_ended();
  COMMIT;
END $$;
