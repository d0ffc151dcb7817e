-- What operators do to reactions, processes, timers and reservations, and which of them hosts run. Everything is one call
-- that commits in the server: an operator who stalls holds no lock of the log.

-- What the hosts of the last versions have; one that the last start did not have was renamed or removed.
CREATE TABLE svc_reactions (
  kind text,
  name text,
  types text[] NOT NULL,
  version text NOT NULL,
  registered_at timestamptz NOT NULL,
  PRIMARY KEY (kind, name)
);

-- All at once at the time of the statement: what was registered earlier is not part of the last start.
-- Lock: takes that of the log when a reaction is new.
CREATE FUNCTION svc_note_reactions(p_version text, p_list json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  fresh text[] := ARRAY(SELECT l.kind || '/' || l.name || '/' || i
    FROM json_to_recordset(p_list) l(kind text, name text, start text), generate_series(0, 7) i WHERE l.start IS NOT NULL
    EXCEPT SELECT v.name FROM svc_progress v);
BEGIN
  INSERT INTO svc_reactions AS r (kind, name, types, version, registered_at)
    SELECT l.kind, l.name, l.types, p_version, statement_timestamp() FROM json_to_recordset(p_list) l(kind text, name text, types text[])
      ORDER BY l.kind, l.name
    ON CONFLICT (kind, name) DO UPDATE SET (types, version, registered_at) = (excluded.types, excluded.version, excluded.registered_at);
  -- Before the host serves: what its first request leads to lies behind the head at which a new reaction starts.
  IF fresh <> '{}' THEN
    PERFORM svc_lock_log();
    INSERT INTO svc_progress(name, epoch, position)
      SELECT f, svc_next_epoch(0), CASE WHEN l.start = 'head' THEN svc_head() ELSE 0 END
        FROM unnest(fresh) f JOIN json_to_recordset(p_list) l(kind text, name text, start text)
          ON f = concat_ws('/', l.kind, l.name, right(f, 1))
      ON CONFLICT DO NOTHING;
  END IF;
END $$;
-- Records what this host runs.
-- Lock: as svc_note_reactions.
CREATE PROCEDURE svc_register_reactions(p_version text, p_list json) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM svc_note_reactions(p_version, p_list);
  COMMIT;
END $$;

-- Parked keys of a reaction or process, or one of them, are tried again at once.
-- Lock: its caller holds that of the log.
CREATE FUNCTION svc_release_keys(p_cursors text[], p_key text) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE n bigint;
BEGIN
  UPDATE svc_aside v SET state = 'retrying', attempts = 0, next_attempt_at = clock_timestamp()
    WHERE v.cursor = ANY(p_cursors) AND v.state = 'parked' AND (p_key IS NULL OR v.key = p_key);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

-- The cursors of a reaction or a process: one for each of its eight partitions.
-- Lock: none.
CREATE FUNCTION svc_cursors_of(p_name text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT array_agg(k || '/' || p_name || '/' || n) FROM unnest('{reaction,process}'::text[]) k, generate_series(0, 7) n
$$;

-- Gives up the event that parked a key, and no other: hosts skip it and continue with the next event of the key.
-- Lock: its caller holds that of the log.
CREATE FUNCTION svc_skip_key(p_name text, p_key text, p_position bigint) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE found_cursor text;
BEGIN
  UPDATE svc_aside v SET state = 'retrying', attempts = 0, next_attempt_at = clock_timestamp(), given_up = v.position
    WHERE v.cursor = ANY(svc_cursors_of(p_name)) AND v.key = p_key AND v.state = 'parked' AND v.position = p_position
    RETURNING v.cursor INTO found_cursor;
  IF found_cursor IS NULL THEN RETURN 0; END IF;
  IF found_cursor LIKE 'process/%' THEN
    -- A process that never started has no state to continue from; the next event may start it.
    DELETE FROM svc_processes v WHERE v.name = p_name AND v.key = p_key AND v.status = 'parked' AND json_typeof(v.snapshot) = 'null';
    UPDATE svc_processes v SET status = 'running', error = NULL, revision = v.revision + 1, updated_at = clock_timestamp()
      WHERE v.name = p_name AND v.key = p_key AND v.status = 'parked';
  END IF;
  RETURN 1;
END $$;

-- Due now, parked or not; the occurrence stays the one that it was set for.
-- Lock: its caller holds that of the log.
CREATE FUNCTION svc_run_timers(p_ids uuid[]) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE n bigint;
BEGIN
  UPDATE svc_timers v SET due_at = clock_timestamp(), attempts = 0, parked = false, error = NULL,
      context = CASE WHEN v.context ->> 'due' IS NULL THEN (v.context::jsonb || jsonb_build_object('due',
        to_char(v.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')))::json ELSE v.context END
    WHERE v.id = ANY(p_ids);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

-- What stopped it is tried again: an event, or a timer. When neither waits any more, it goes on with its next event.
-- Lock: its caller holds that of the log.
CREATE FUNCTION svc_retry_process(p_name text, p_key text) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  n bigint;
  cursors text[] := ARRAY(SELECT 'process/' || p_name || '/' || i FROM generate_series(0, 7) i);
BEGIN
  n := svc_release_keys(cursors, p_key)
    + svc_run_timers(ARRAY(SELECT v.id FROM svc_timers v WHERE v.key = p_key AND v.name = p_name AND v.kind = 'process' AND v.parked));
  IF n > 0 THEN RETURN n; END IF;
  UPDATE svc_processes v SET status = 'running', error = NULL, revision = v.revision + 1, updated_at = clock_timestamp()
    WHERE v.name = p_name AND v.key = p_key AND v.status = 'parked' AND json_typeof(v.snapshot) <> 'null'
      AND NOT EXISTS (SELECT 1 FROM svc_aside w WHERE w.cursor = ANY(cursors) AND w.key = p_key);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN n;
END $$;

-- 0: there is no such reaction, -1: a host runs it, -2: the new one has progress of its own.
-- Lock: its caller holds that of the log.
CREATE FUNCTION svc_adopt_reaction(p_old text, p_new text, p_force boolean) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  n bigint;
  olds text[] := ARRAY(SELECT 'reaction/' || p_old || '/' || i FROM generate_series(0, 7) i);
  news text[] := ARRAY(SELECT 'reaction/' || p_new || '/' || i FROM generate_series(0, 7) i);
BEGIN
  IF NOT EXISTS (SELECT 1 FROM svc_progress v WHERE v.name = ANY(olds) AND v.adopted_by IS NULL) THEN RETURN 0; END IF;
  IF NOT p_force AND EXISTS (SELECT 1 FROM svc_cursors v WHERE v.name = ANY(olds) AND v.lease_until > clock_timestamp()) THEN RETURN -1; END IF;
  IF NOT p_force AND EXISTS (SELECT 1 FROM svc_progress v WHERE v.name = ANY(news) AND v.adopted_by IS NULL) THEN RETURN -2; END IF;
  -- A new epoch: the host that runs the new one takes it again.
  INSERT INTO svc_progress AS g (name, epoch, position, done, version)
    SELECT news[array_position(olds, v.name)], svc_next_epoch(0), v.position, v.done, v.version FROM svc_progress v WHERE v.name = ANY(olds) AND v.adopted_by IS NULL
    ON CONFLICT (name) DO UPDATE SET epoch = svc_next_epoch(g.epoch), position = excluded.position, done = excluded.done,
      version = excluded.version, adopted_by = NULL;
  GET DIAGNOSTICS n = ROW_COUNT;
  DELETE FROM svc_aside v WHERE v.cursor = ANY(news);
  UPDATE svc_aside v SET cursor = news[array_position(olds, v.cursor)] WHERE v.cursor = ANY(olds);
  UPDATE svc_progress v SET adopted_by = p_new, epoch = svc_next_epoch(v.epoch) WHERE v.name = ANY(olds);
  RETURN n;
END $$;

-- What it changes and its record are stored together; nothing changed: no record. s_id NULL: system events are not registered.
-- Lock: takes that of the log.
CREATE FUNCTION svc_operator_acts(p_action text, p_args text[], p_host text,
  s_id uuid, s_type text, s_data json, s_meta json, s_publish boolean) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE n bigint;
BEGIN
  PERFORM svc_lock_log();
  IF p_action = 'release-keys' THEN n := svc_release_keys(svc_cursors_of(p_args[1]), p_args[2]);
  ELSIF p_action = 'skip-key' THEN n := svc_skip_key(p_args[1], p_args[2], p_args[3]::bigint);
  ELSIF p_action = 'retry-process' THEN n := svc_retry_process(p_args[1], p_args[2]);
  ELSIF p_action = 'adopt-reaction' THEN n := svc_adopt_reaction(p_args[1], p_args[2], p_args[3]::boolean);
  ELSIF p_action = 'run-timer' THEN n := svc_run_timers(ARRAY[p_args[1]::uuid]);
  ELSIF p_action = 'cancel-timer' THEN
    DELETE FROM svc_timers v WHERE v.id = p_args[1]::uuid;
    GET DIAGNOSTICS n = ROW_COUNT;
  ELSIF p_action = 'release-reservation' THEN
    DELETE FROM svc_reservations v WHERE v.key = p_args[1]::uuid AND coalesce(v.until > clock_timestamp(), true);
    GET DIAGNOSTICS n = ROW_COUNT;
  ELSE
    RAISE EXCEPTION 'no operator action is named %', p_action;
  END IF;
  IF n > 0 AND s_id IS NOT NULL THEN
    PERFORM svc_append(gen_random_uuid(), 1, p_host, '{}', '{0}', '{0}', '{1}', '{}', '{}', '{}', '{}', '{}', '{}',
      '{}', '{}', '{}', '{}', '{}', '{}', ARRAY[s_id], ARRAY[s_type], ARRAY[s_data::text], ARRAY[s_meta::text], ARRAY[s_publish], '{0}', NULL);
  END IF;
  -- Runners look for released keys when leases change, for timers and processes when the log grows.
  IF n > 0 THEN
    NOTIFY svc;
    NOTIFY svc_lease;
  END IF;
  RETURN n;
END $$;

-- What an operator does, and its record, in one commit; returns how many rows it changed.
-- Lock: as svc_operator_acts.
CREATE PROCEDURE svc_operate(p_action text, p_args text[], p_host text,
  s_id uuid, s_type text, s_data json, s_meta json, s_publish boolean, INOUT r_count bigint DEFAULT NULL)
LANGUAGE plpgsql AS $$
BEGIN
  r_count := svc_operator_acts(p_action, p_args, p_host, s_id, s_type, s_data, s_meta, s_publish);
  COMMIT;
END $$;

-- The host that has taken a cursor runs this version; what an earlier one has parked may succeed with a newer one.
-- Lock: takes that of the log.
CREATE FUNCTION svc_cursor_taken_by(p_name text, p_epoch int, p_version text, p_release boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM svc_lock_log();
  UPDATE svc_progress v SET version = p_version WHERE v.name = p_name AND v.epoch = p_epoch;
  IF FOUND AND p_release THEN PERFORM svc_release_keys(ARRAY[p_name], NULL); END IF;
END $$;

-- Records the version that has taken a cursor.
-- Lock: as svc_cursor_taken_by.
CREATE PROCEDURE svc_note_version(p_name text, p_epoch int, p_version text, p_release boolean) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM svc_cursor_taken_by(p_name, p_epoch, p_version, p_release);
  COMMIT;
END $$;
