-- What operators do to reactions, processes, timers and reservations, and which of them hosts run. Each action is one
-- statement with a transaction of its own: an operator who stalls does not hold the log lock.

-- What hosts of recent versions run; an entry that the last start lacked was renamed or removed.
CREATE TABLE svc_reactions (
  kind text,
  name text,
  registered_at timestamptz NOT NULL,
  PRIMARY KEY (kind, name)
);

-- Records what this host runs, all with the time of the statement: what was registered earlier is not part of the last start.
-- Lock: takes the log lock when a reaction is new.
CREATE FUNCTION svc_register_reactions(p_list json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  fresh text[] := ARRAY(SELECT c FROM json_to_recordset(p_list) l(kind text, name text, start text), unnest(svc_cursors_of(l.kind, l.name)) c
    WHERE l.start IS NOT NULL EXCEPT SELECT v.name FROM svc_progress v);
BEGIN
  INSERT INTO svc_reactions(kind, name, registered_at)
    SELECT l.kind, l.name, statement_timestamp() FROM json_to_recordset(p_list) l(kind text, name text) ORDER BY l.kind, l.name
    ON CONFLICT (kind, name) DO UPDATE SET registered_at = excluded.registered_at;
  -- Before the host serves, so that whatever its first request causes comes after the head where a new reaction starts.
  IF fresh <> '{}' THEN
    PERFORM svc_lock_log();
    INSERT INTO svc_progress(name, epoch, position)
      SELECT f, svc_next_epoch(0), CASE WHEN l.start = 'head' THEN svc_head() ELSE 0 END
        FROM json_to_recordset(p_list) l(kind text, name text, start text), unnest(fresh) f WHERE f = ANY(svc_cursors_of(l.kind, l.name))
      ON CONFLICT DO NOTHING;
  END IF;
END $$;

-- Retries parked keys of a reaction or process at once; returns them.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_release_keys(p_cursors text[], p_keys text[]) RETURNS SETOF text LANGUAGE sql AS $$
  UPDATE svc_stuck_work v SET state = 'retrying', attempts = 0, next_attempt_at = clock_timestamp()
    WHERE v.follower = ANY(p_cursors) AND v.state = 'parked' AND v.key = ANY(p_keys) RETURNING v.key
$$;

-- The cursors of a reaction or a process: one for each of its eight partitions.
-- Lock: none.
CREATE FUNCTION svc_cursors_of(p_kind text, p_name text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT array_agg(p_kind || '/' || p_name || '/' || i ORDER BY i) FROM generate_series(0, 7) i
$$;

-- Gives up the event that parked a key, and no other: hosts skip it and continue with the next event of the key. Returns
-- the cursor.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_skip_key(p_cursors text[], p_key text, p_position bigint) RETURNS SETOF text LANGUAGE sql AS $$
  WITH skipped AS (
    UPDATE svc_stuck_work v SET state = 'retrying', attempts = 0, next_attempt_at = clock_timestamp(), given_up = v.position
      WHERE v.follower = ANY(p_cursors) AND v.key = p_key AND v.state = 'parked' AND v.position = p_position
      RETURNING v.follower, CASE WHEN starts_with(v.follower, 'process/') THEN split_part(v.follower, '/', 2) END AS process),
  -- A process that never started has no state to continue from; the next event may start it.
  unstarted AS (
    DELETE FROM svc_processes v USING skipped s
      WHERE v.name = s.process AND v.key = p_key AND v.status = 'parked' AND json_typeof(v.snapshot) = 'null'),
  continued AS (
    UPDATE svc_processes v SET status = 'running', error = NULL, revision = v.revision + 1, updated_at = clock_timestamp() FROM skipped s
      WHERE v.name = s.process AND v.key = p_key AND v.status = 'parked' AND json_typeof(v.snapshot) <> 'null')
  SELECT s.follower FROM skipped s
$$;

-- Makes timers and effects due now, parked or not; each keeps the occurrence it was set for. Not while an effect is in
-- flight: another host would call the other system too. Returns their ids.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_run_timers(p_ids uuid[]) RETURNS SETOF uuid LANGUAGE sql AS $$
  UPDATE svc_timers v SET due_at = clock_timestamp(), attempts = 0, claims = 0, parked = false, error = NULL,
      context = CASE WHEN v.context ->> 'due' IS NULL THEN (v.context::jsonb || jsonb_build_object('due',
        svc_iso_time(v.due_at)))::json ELSE v.context END
    WHERE v.id = ANY(p_ids) AND (v.claimed_by IS NULL OR v.due_at <= clock_timestamp()) RETURNING v.id
$$;

-- Lets a parked process continue with its next event, unless an event or timer that stopped it is still waiting. Returns its
-- key.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_continue_process(p_name text, p_key text) RETURNS SETOF text LANGUAGE sql AS $$
  UPDATE svc_processes v SET status = 'running', error = NULL, revision = v.revision + 1, updated_at = clock_timestamp()
    WHERE v.name = p_name AND v.key = p_key AND v.status = 'parked' AND json_typeof(v.snapshot) <> 'null'
      AND NOT EXISTS (SELECT 1 FROM svc_stuck_work w WHERE w.key = p_key AND w.follower = ANY(svc_cursors_of('process', p_name)))
      AND NOT EXISTS (SELECT 1 FROM svc_timers w WHERE w.key = p_key AND w.name = p_name AND w.kind = 'process' AND w.parked) RETURNING v.key
$$;

-- Retries what stopped a process: an event or a timer. If neither is waiting, the process continues with its next event.
-- Returns what was retried.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_retry_process(p_name text, p_key text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT svc_release_keys(svc_cursors_of('process', p_name), ARRAY[p_key]) UNION ALL SELECT svc_run_timers(ARRAY(
    SELECT v.id FROM svc_timers v WHERE v.key = p_key AND v.name = p_name AND v.kind = 'process' AND v.parked))::text;
  IF NOT FOUND THEN RETURN QUERY SELECT svc_continue_process(p_name, p_key); END IF;
END $$;

-- Hands over progress. Returns 0: no such reaction, -1: a host runs it, -2: the new one has its own progress.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_adopt_reaction(p_old text, p_new text, p_force boolean) RETURNS bigint
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE adopted bigint; olds text[] := svc_cursors_of('reaction', p_old); news text[] := svc_cursors_of('reaction', p_new);
BEGIN
  IF NOT EXISTS (SELECT 1 FROM svc_progress v WHERE v.name = ANY(olds) AND v.adopted_by IS NULL) THEN RETURN 0; END IF;
  IF NOT p_force AND EXISTS (SELECT 1 FROM svc_leases v WHERE v.name = ANY(olds) AND v.lease_until > clock_timestamp()) THEN RETURN -1; END IF;
  IF NOT p_force AND EXISTS (SELECT 1 FROM svc_progress v WHERE v.name = ANY(news) AND v.adopted_by IS NULL) THEN RETURN -2; END IF;
  -- A new epoch, so that the host that runs the new reaction takes it again.
  INSERT INTO svc_progress AS g (name, epoch, position, done, version)
    SELECT news[array_position(olds, v.name)], svc_next_epoch(0), v.position, v.done, v.version FROM svc_progress v WHERE v.name = ANY(olds) AND v.adopted_by IS NULL
    ON CONFLICT (name) DO UPDATE SET epoch = svc_next_epoch(g.epoch), position = excluded.position, done = excluded.done,
      version = excluded.version, adopted_by = NULL;
  GET DIAGNOSTICS adopted = ROW_COUNT;
  DELETE FROM svc_stuck_work v WHERE v.follower = ANY(news);
  UPDATE svc_stuck_work v SET follower = news[array_position(olds, v.follower)] WHERE v.follower = ANY(olds);
  UPDATE svc_progress v SET adopted_by = p_new, epoch = svc_next_epoch(v.epoch) WHERE v.name = ANY(olds);
  RETURN adopted;
END $$;

-- Stores the record of what an operator did, in the same transaction. s_id is null when system events are not registered.
-- Lock: takes the log lock.
CREATE FUNCTION svc_record_action(p_host text, s_id uuid, s_type text, s_data json, s_meta json, s_publish boolean) RETURNS void
LANGUAGE sql AS $$
  SELECT svc_append(gen_random_uuid(), 1, p_host, '{}', '{0}', '{0}', '{1}', '{}', '{}', '{}', '{}', '{}', '{}',
    '{}', '{}', '{}', '{}', '{}', '{}', ARRAY[s_id], ARRAY[s_type], ARRAY[s_data::text], ARRAY[s_meta::text], ARRAY[s_publish], '{0}', NULL)
    WHERE s_id IS NOT NULL
$$;

-- Stores what an operator does together with its record; returns how many rows changed. Without a change there is no record.
-- Lock: takes the log lock.
CREATE FUNCTION svc_operate(p_action text, p_args text[], p_host text,
  s_id uuid, s_type text, s_data json, s_meta json, s_publish boolean) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  changed bigint;
  cursors text[] := svc_cursors_of('reaction', p_args[1]) || svc_cursors_of('process', p_args[1]);
BEGIN
  PERFORM svc_lock_log();
  CASE p_action
    WHEN 'release-keys' THEN PERFORM svc_release_keys(cursors, p_args[2:2]);
    WHEN 'skip-key' THEN PERFORM svc_skip_key(cursors, p_args[2], p_args[3]::bigint);
    WHEN 'retry-process' THEN PERFORM svc_retry_process(p_args[1], p_args[2]);
    WHEN 'adopt-reaction' THEN changed := svc_adopt_reaction(p_args[1], p_args[2], p_args[3]::boolean);
    WHEN 'run-timer', 'run-effect', 'release-effect' THEN PERFORM svc_run_timers(ARRAY(
      SELECT v.id FROM svc_timers v WHERE v.id = p_args[1]::uuid AND (v.kind = 'effect') = (p_action <> 'run-timer')
        AND (p_action <> 'release-effect' OR v.parked)));
    WHEN 'cancel-timer', 'cancel-effect' THEN
      DELETE FROM svc_timers v WHERE v.id = p_args[1]::uuid AND (v.kind = 'effect') = (p_action = 'cancel-effect');
    WHEN 'pause-effect' THEN INSERT INTO svc_paused(name, lane) VALUES (p_args[1], p_args[2]) ON CONFLICT DO NOTHING;
    WHEN 'resume-effect' THEN DELETE FROM svc_paused v WHERE v.name = p_args[1] AND v.lane = p_args[2];
    WHEN 'release-reservation' THEN
      DELETE FROM svc_reservations v WHERE v.key = p_args[1]::uuid AND coalesce(v.until > clock_timestamp(), true);
    ELSE RAISE EXCEPTION 'no operator action is named %', p_action;
  END CASE;
  IF changed IS NULL THEN GET DIAGNOSTICS changed = ROW_COUNT; END IF;
  IF changed > 0 THEN PERFORM svc_record_action(p_host, s_id, s_type, s_data, s_meta, s_publish); END IF;
  RETURN changed;
END $$;

-- Releases up to 50 keys that an earlier version parked, as they may succeed with a newer one; if there are none, records
-- the version of the host that took the cursor. False: call it again. A host that dies in between has handled none of them.
-- Lock: takes the log lock.
CREATE FUNCTION svc_note_version(p_name text, p_epoch int, p_version text, p_release boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  -- Looked for before the log is locked. Nobody else parks keys of this cursor.
  found_keys text[] := ARRAY(SELECT v.key FROM svc_stuck_work v WHERE p_release AND v.follower = p_name AND v.state = 'parked' ORDER BY v.key LIMIT 50);
BEGIN
  PERFORM svc_lock_log();
  IF NOT EXISTS (SELECT 1 FROM svc_progress v WHERE v.name = p_name AND v.epoch = p_epoch) THEN RETURN true; END IF;
  PERFORM svc_release_keys(ARRAY[p_name], found_keys);
  -- Not what was released: an operator may have released these meanwhile, and others are left.
  IF cardinality(found_keys) > 0 THEN RETURN false; END IF;
  UPDATE svc_progress v SET version = p_version WHERE v.name = p_name;
  RETURN true;
END $$;
