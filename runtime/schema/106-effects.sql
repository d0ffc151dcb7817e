-- Effects: calls to other systems that wait, run, or are parked. The commit that asks for one inserts its row, and the commit
-- of its outcome deletes it, if it is still due at the time that its host knows. Claiming moves that time to the end of a
-- claim: the row of a host that dies is due again, and a host that was overtaken holds a due time that is gone.

-- A lane is named by whether it is ordered (1 or n), the effect, the tenant, and the lane that the effect gives, with | between.
-- Operators see the last two.
-- Lock: none.
CREATE FUNCTION svc_lane_shown(p_lane text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT substr(p_lane, length(split_part(p_lane, '|', 2)) + 4)
$$;

-- The lanes of an effect that are ordered, or those that are not, begin with this and |.
-- Lock: none.
CREATE FUNCTION svc_lane_effect(p_lane text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT substr(p_lane, 1, length(split_part(p_lane, '|', 2)) + 2)
$$;

-- What operators have paused: an effect (lane '*'), or one of its lanes as they see it. Claims look it up by parts of
-- svc_timers.lane, which only an index with the same collation allows.
CREATE TABLE svc_paused (
  name text COLLATE "C",
  lane text COLLATE "C",
  PRIMARY KEY (name, lane)
);

-- Claims due effects in the partitions whose leases the host has. Of each effect that the host has room for, it walks over the
-- lanes from its hand on, p_lanes in a partition at most, and takes from each in turn: of the effect as many as p_room says, of a
-- lane as many as p_each, or as p_left says for a lane that has some in flight. Of requests under whose calls three hosts or
-- more have ended in a row, it claims one, if p_suspect says so, and leaves the others for a moment: the one that kills its
-- hosts is found, and those that were in flight beside it are not parked as well. Returns the lanes from which the next
-- claims continue ('': from the first one), in how many milliseconds the next one of these lanes is due, and the ids alone: a host that is
-- frozen while it receives an answer keeps the rows locked, and a commit that cancels one of them would wait for it under the
-- log lock. An answer this small is sent.
-- Lock: the rows that it claims; it waits for none.
CREATE FUNCTION svc_claim_effects(p_owner uuid, p_parts int[], p_lanes int, p_names text[], p_hands text[], p_room int[], p_each int[],
  p_left jsonb, p_suspect boolean, p_ms int)
RETURNS TABLE(hands json, next_ms float8, ids uuid[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
-- A plan that sorts, or that collects rows first, would read everything that waits in a lane.
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE picked uuid[]; suspects uuid[]; new_hands text[]; next_at timestamptz; now timestamptz := statement_timestamp();
BEGIN
  -- A claim that is lost with the server has ended.
  PERFORM set_config('synchronous_commit', 'off', true);
  -- From the first lane of each effect to that of the next: } comes after |.
  WITH RECURSIVE effects AS (
    SELECT p.part, (SELECT v.lane FROM svc_timers v WHERE v.part = p.part AND NOT v.parked AND v.kind = 'effect'
        ORDER BY v.part, v.lane LIMIT 1) AS lane
      FROM unnest(p_parts) p(part) WHERE EXISTS (SELECT 1 FROM svc_leases l WHERE l.name = 'timers/' || p.part AND l.owner = p_owner)
    UNION ALL
    SELECT n.part, (SELECT v.lane FROM svc_timers v WHERE v.part = n.part AND NOT v.parked AND v.kind = 'effect'
        AND v.lane > svc_lane_effect(n.lane) || '}' ORDER BY v.part, v.lane LIMIT 1)
      FROM effects n WHERE n.lane IS NOT NULL
  ), known AS (
    SELECT n.part, svc_lane_effect(n.lane) AS effect, array_position(p_names, split_part(n.lane, '|', 2)) AS at
      FROM effects n WHERE n.lane IS NOT NULL
  ), walk AS (
    SELECT k.*, 1 AS nth, (SELECT v.lane FROM svc_timers v WHERE v.part = k.part AND NOT v.parked AND v.kind = 'effect'
        AND v.lane >= greatest(k.effect || '|', p_hands[k.at] COLLATE "C") AND v.lane < k.effect || '}' ORDER BY v.part, v.lane LIMIT 1) AS lane
      FROM known k WHERE k.at IS NOT NULL
    UNION ALL
    SELECT n.part, n.effect, n.at, n.nth + 1, (SELECT v.lane FROM svc_timers v WHERE v.part = n.part AND NOT v.parked AND v.kind = 'effect'
        AND v.lane > n.lane AND v.lane < n.effect || '}' ORDER BY v.part, v.lane LIMIT 1)
      FROM walk n WHERE n.lane IS NOT NULL AND n.nth < p_lanes
  ), lanes AS (
    -- From a hand on one of each: the lanes before it have their turn next.
    SELECT n.*, least(coalesce((p_left ->> n.lane)::int, p_each[n.at]), p_room[n.at], CASE WHEN p_hands[n.at] <> '' THEN 1 END) AS room
      FROM walk n WHERE n.lane IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM svc_paused s WHERE s.name = p_names[n.at] AND s.lane IN ('*', svc_lane_shown(n.lane)))
  ), found AS (
    SELECT l.at, l.lane, d.id, d.nth FROM lanes l CROSS JOIN LATERAL (
      (SELECT v.id, row_number() OVER () AS nth FROM (SELECT w.id FROM svc_timers w
        WHERE NOT starts_with(l.lane, '1|') AND w.part = l.part AND w.lane = l.lane AND NOT w.parked AND w.kind = 'effect' AND w.due_at <= now
        ORDER BY w.part, w.lane, w.due_at, w.id LIMIT l.room) v)
      UNION ALL
      -- Of an ordered lane the first one, due or not: while it waits or is parked, it holds those behind it.
      (SELECT w.id, 1 FROM (SELECT x.* FROM svc_timers x WHERE starts_with(x.lane, '1|') AND x.lane = l.lane AND x.kind = 'effect'
          ORDER BY x.lane, x.seq LIMIT least(l.room, 1)) w
        WHERE starts_with(l.lane, '1|') AND NOT w.parked AND w.due_at <= now)) d
  ), ranked AS (
    SELECT f.*, row_number() OVER (PARTITION BY f.at ORDER BY f.nth, f.lane, f.id) <= p_room[f.at] AS is_taken FROM found f)
  SELECT (SELECT array_agg(r.id) FROM ranked r WHERE r.is_taken),
    -- The first lane that got nothing, or the last one that was looked at.
    ARRAY(SELECT coalesce(least(
        (SELECT min(o.lane) FROM (SELECT r.lane FROM ranked r WHERE r.at = a.at GROUP BY r.lane HAVING NOT bool_or(r.is_taken)) o),
        (SELECT min(n.lane) FROM walk n WHERE n.at = a.at AND n.nth = p_lanes)), '') FROM generate_subscripts(p_names, 1) a(at) ORDER BY a.at),
    (SELECT min((SELECT v.due_at FROM svc_timers v WHERE v.part = l.part AND v.lane = l.lane AND NOT v.parked AND v.kind = 'effect'
      AND v.due_at > now ORDER BY v.part, v.lane, v.due_at, v.id LIMIT 1)) FROM lanes l)
    INTO picked, new_hands, next_at;
  hands := to_json(new_hands); next_ms := extract(epoch FROM next_at - now) * 1000;
  suspects := ARRAY(SELECT w.id FROM svc_timers w WHERE w.id = ANY(picked) AND w.claims - w.attempts IN (3, 4));
  IF p_suspect AND suspects <> '{}' THEN suspects := array_remove(suspects, (SELECT s FROM unnest(suspects) s ORDER BY s LIMIT 1)); END IF;
  IF suspects <> '{}' THEN
    UPDATE svc_timers v SET due_at = clock_timestamp() + interval '200 ms' WHERE v.id = ANY(ARRAY(
      SELECT w.id FROM svc_timers w WHERE w.id = ANY(suspects) AND NOT w.parked AND w.due_at <= now FOR UPDATE SKIP LOCKED));
    next_ms := least(next_ms, 200);
  END IF;
  WITH claimed AS (
    UPDATE svc_timers v SET due_at = clock_timestamp() + p_ms * interval '1 ms', claimed_by = p_owner, claims = v.claims + 1
      FROM (SELECT w.id FROM svc_timers w WHERE w.id = ANY(picked) AND NOT w.id = ANY(suspects) AND NOT w.parked AND w.due_at <= now
        FOR UPDATE SKIP LOCKED) k
      WHERE v.id = k.id RETURNING v.id)
  SELECT coalesce(array_agg(c.id), '{}') FROM claimed c INTO ids;
  RETURN NEXT;
END $$;

-- Prolongs claims, each if its due time is the one that its host knows; without a due time the host missed the last answer, and
-- the request must be the one that it claimed. Returns the new due times; a row that another session holds at that moment
-- keeps its own, and one that is not the host's any more has none. p_progress is stored with all of them.
-- Lock: the rows; it waits for none.
CREATE FUNCTION svc_beat_effects(p_owner uuid, p_ids uuid[], p_dues timestamptz[], p_ms int, p_progress json)
RETURNS TABLE(id uuid, due_at timestamptz)
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
  WITH ours AS (
    SELECT w.id, w.due_at FROM unnest(p_ids, p_dues) c(id, due)
      CROSS JOIN LATERAL (SELECT v.* FROM svc_timers v WHERE v.id = c.id OFFSET 0) w
      WHERE w.kind = 'effect' AND w.claimed_by = p_owner AND w.due_at = coalesce(c.due, w.due_at)),
  free AS (
    SELECT w.id FROM ours o CROSS JOIN LATERAL (SELECT v.id FROM svc_timers v
      WHERE v.id = o.id AND v.due_at = o.due_at AND v.claimed_by = p_owner FOR UPDATE SKIP LOCKED) w),
  kept AS (
    UPDATE svc_timers v SET due_at = clock_timestamp() + p_ms * interval '1 ms', progress = coalesce(p_progress, v.progress)
      WHERE v.id = ANY(ARRAY(SELECT f.id FROM free f)) RETURNING v.id, v.due_at)
  -- Sorted, as a join of so many, planned for few, would compare each with each.
  SELECT DISTINCT ON (e.id) e.id, e.due_at FROM (SELECT k.*, 1 AS nth FROM kept k UNION ALL SELECT o.*, 2 FROM ours o) e ORDER BY e.id, e.nth
$$;

-- The last nine failed attempts and this one; unchanged without an error.
-- Lock: none.
CREATE FUNCTION svc_tries(p_tries jsonb, p_claim int, p_error text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT CASE WHEN p_error IS NULL THEN p_tries ELSE jsonb_path_query_array(p_tries, '$[last - 8 to last]')
    || jsonb_build_object('at', svc_iso_time(clock_timestamp()), 'claim', p_claim, 'error', left(p_error, 300)) END
$$;

-- Sets when a claimed effect is tried again; null: it is not the host's any more. p_attempts = how many tries have counted.
-- Lock: the row; it waits for it.
CREATE FUNCTION svc_retry_effect(p_owner uuid, p_id uuid, p_due timestamptz, p_in_ms bigint, p_error text, p_attempts int) RETURNS boolean
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE svc_timers v SET due_at = clock_timestamp() + p_in_ms * interval '1 ms', claimed_by = NULL, error = coalesce(p_error, v.error),
      tries = svc_tries(v.tries, v.claims, p_error), attempts = p_attempts, claims = p_attempts
    WHERE v.id = p_id AND v.due_at = p_due AND v.claimed_by = p_owner RETURNING true
$$;

-- Parks a claimed effect together with its record. In place: it keeps its turn in an ordered lane.
-- Lock: the log lock, then the row.
CREATE FUNCTION svc_park_effect(p_owner uuid, p_id uuid, p_due timestamptz, p_error text, p_attempts int, p_version text, p_host text,
  s_id uuid, s_type text, s_data json, s_meta json, s_publish boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM svc_lock_log();
  UPDATE svc_timers v SET parked = true, due_at = clock_timestamp(), claimed_by = NULL, error = p_error, attempts = p_attempts, claims = p_attempts,
      tries = svc_tries(v.tries, v.claims, p_error), context = (v.context::jsonb || jsonb_build_object('parkedBy', p_version))::json
    WHERE v.id = p_id AND v.due_at = p_due AND v.claimed_by = p_owner;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM svc_record_action(p_host, s_id, s_type, s_data, s_meta, s_publish);
  RETURN true;
END $$;

-- Tries again what another version could not read, when a host takes partitions: 50 at a time, so that the log is locked
-- for about as long as by a flush. Returns how many.
-- Lock: takes the log lock if there is any.
CREATE FUNCTION svc_release_effects(p_parts int[], p_names text[], p_version text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE ids uuid[] := ARRAY(SELECT v.id FROM svc_timers v WHERE v.parked AND v.kind = 'effect' AND v.name = ANY(p_names)
  AND v.part = ANY(p_parts) AND starts_with(v.error, 'request-version: ') AND v.context ->> 'parkedBy' <> p_version LIMIT 50);
BEGIN
  IF ids = '{}' THEN RETURN 0; END IF;
  PERFORM svc_lock_log();
  -- An operator may have released one meanwhile, and a host has it.
  RETURN (SELECT count(*) FROM svc_run_timers(ARRAY(SELECT v.id FROM svc_timers v WHERE v.id = ANY(ids) AND v.parked)));
END $$;
