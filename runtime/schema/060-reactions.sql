-- What units store besides events and records. The rows of reactions and processes are written under the log
-- lock alone: a row lock that a stalled host could hold would stop all commits. Rows of effects are also claimed and
-- prolonged without it, by statements that wait for none and send little (106).

-- How far each follower of the log is: perspectives, reactions, processes and the relay. Everything up to position is
-- settled, and what done lists above it. A write with another epoch is refused: what its host knows is out of date.
CREATE TABLE svc_progress (
  name text PRIMARY KEY,
  epoch int NOT NULL DEFAULT 1,
  position bigint NOT NULL DEFAULT 0,
  done bigint[] NOT NULL DEFAULT '{}',
  -- Of a perspective: how often rows were written that no new event changed, because they were parked and are folded again.
  refolds int NOT NULL DEFAULT 0,
  -- The application version that last took it.
  version text,
  -- The reaction that continues in its place.
  adopted_by text
) WITH (fillfactor = 50);

-- Work that is due at some time: timers, schedules and effects. Whoever reads it names the kinds that it means. A fillfactor
-- would not help: a claim moves due_at, which is indexed. Without any vacuum, a claim reads half as many pages again after
-- 50,000 effects. So it is vacuumed before a fifth of it has changed, which is the default.
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
  context json NOT NULL,
  -- The rest is for effects, see 106-effects.sql.
  lane text COLLATE "C" NOT NULL GENERATED ALWAYS AS (coalesce(context ->> 'lane', '')) STORED,
  -- Given under the log lock: the order in which effects were asked for.
  seq bigint GENERATED ALWAYS AS IDENTITY,
  -- The owner of leases that has it. What replaces a request is nobody's.
  claimed_by uuid,
  claims int NOT NULL DEFAULT 0,
  progress json,
  -- The last attempts that failed, oldest first: when, the number of the claim, and the error.
  tries jsonb NOT NULL DEFAULT '[]'
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX svc_timers_due ON svc_timers(part, due_at, id) WHERE NOT parked AND kind <> 'effect';
-- Neither do effects that wait lie before timers, nor those of one lane before those of another.
CREATE INDEX svc_effects_due ON svc_timers(part, lane, due_at, id) WHERE NOT parked AND kind = 'effect';
CREATE INDEX svc_effects_order ON svc_timers(lane, seq) WHERE kind = 'effect' AND starts_with(lane, '1|');
CREATE INDEX svc_timers_parked ON svc_timers(name, key) WHERE parked AND kind <> 'effect';
CREATE INDEX svc_effects_parked ON svc_timers(name, part) WHERE parked AND kind = 'effect';
CREATE INDEX svc_timers_of ON svc_timers(key, name) WHERE kind <> 'effect';

CREATE TABLE svc_processes (
  name text,
  key text,
  -- Of the event that started it.
  tenant text,
  revision bigint NOT NULL,
  version int NOT NULL,
  state text NOT NULL,
  status text NOT NULL CHECK (status IN ('running', 'ended', 'parked')),
  snapshot json NOT NULL,
  trail json NOT NULL,
  error text,
  started_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Null until it ends: an index on updated_at would end the updates within a page.
  ended_at timestamptz GENERATED ALWAYS AS (CASE WHEN status = 'ended' THEN updated_at END) STORED,
  PRIMARY KEY (name, key)
) WITH (fillfactor = 80);
CREATE INDEX svc_processes_ended ON svc_processes(ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX svc_processes_parked ON svc_processes(name, key) WHERE status = 'parked';

-- The key is a keyed digest: no value can be read or guessed from it.
CREATE TABLE svc_reservations (
  key uuid PRIMARY KEY,
  name text NOT NULL,
  owner text NOT NULL,
  reserved_at timestamptz NOT NULL,
  until timestamptz
);
CREATE INDEX svc_reservations_until ON svc_reservations(until) WHERE until IS NOT NULL;

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

-- Drawn at random, not counted: after a failover that lost the last takeover, a counter would issue its number again.
-- Lock: none.
CREATE FUNCTION svc_next_epoch(p_epoch int) RETURNS int LANGUAGE sql VOLATILE AS $$
  SELECT (1 + (p_epoch + floor(random() * 2147483646)::bigint) % 2147483647)::int
$$;

-- Takes over a cursor for this host: from now on a commit with an earlier epoch is refused.
-- Lock: takes the log lock.
CREATE FUNCTION svc_take_cursor(p_name text, p_from_head boolean,
  OUT r_epoch int, OUT r_position bigint, OUT r_done bigint[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM svc_lock_log();
  -- A host that slept through the handover would repeat what the other reaction handles.
  IF EXISTS (SELECT 1 FROM svc_progress v WHERE v.name = p_name AND v.adopted_by IS NOT NULL) THEN
    RAISE EXCEPTION '% was handed over to %; svc reactions adopt hands it back', split_part(p_name, '/', 2),
      (SELECT v.adopted_by FROM svc_progress v WHERE v.name = p_name);
  END IF;
  INSERT INTO svc_progress AS g (name, epoch, position)
    SELECT p_name, svc_next_epoch(0), CASE WHEN p_from_head THEN svc_head() ELSE 0 END
    ON CONFLICT (name) DO UPDATE SET epoch = svc_next_epoch(g.epoch)
    RETURNING g.epoch, g.position, ARRAY(SELECT DISTINCT d FROM unnest(g.done) d ORDER BY d) INTO r_epoch, r_position, r_done;
END $$;

-- Removes up to 100 processes that ended a week ago, so that a late event starts none again, or else as many expired
-- reservations; returns how many. No index can be searched by a volatile time.
-- Lock: takes the log lock if there is any.
CREATE FUNCTION svc_prune_lists() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE removed bigint := 0; now timestamptz := statement_timestamp();
BEGIN
  IF EXISTS (SELECT 1 FROM svc_processes v WHERE v.ended_at < now - interval '168 hours') THEN
    PERFORM svc_lock_log();
    DELETE FROM svc_processes v WHERE v.ctid = ANY(ARRAY(
      SELECT w.ctid FROM svc_processes w WHERE w.ended_at < now - interval '168 hours' LIMIT 100));
    GET DIAGNOSTICS removed = ROW_COUNT;
  ELSIF EXISTS (SELECT 1 FROM svc_reservations v WHERE v.until < now) THEN
    PERFORM svc_lock_log();
    DELETE FROM svc_reservations v WHERE v.ctid = ANY(ARRAY(SELECT w.ctid FROM svc_reservations w WHERE w.until < now LIMIT 100));
    GET DIAGNOSTICS removed = ROW_COUNT;
  END IF;
  RETURN removed;
END $$;
