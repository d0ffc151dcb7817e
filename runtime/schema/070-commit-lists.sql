-- What units store besides events and records, and how the commit decides on it. Most flushes have none of it.
--
-- Everything is looked up entry by entry: a join, or an EXISTS that may be hashed, would scan a table forever if it was
-- planned while the table was empty.

-- The lists of all units of a flush. Each entry names its unit, counted from 1; a cursor is named by its index in
-- cursor_names. A duration of -1 means none.
CREATE TYPE svc_lists AS (
  -- Two units touch the same thing: they are decided one after the other.
  is_mixed boolean,
  -- Every event up to the low position is settled.
  cursor_names text[], cursor_epochs int[], cursor_lows bigint[],
  -- Events that a cursor has handled.
  handled_units int[], handled_cursors int[], handled_positions bigint[], handled_keys text[],
  -- Keys that are set aside at an event, or move on from one to the next (0: none is left).
  aside_units int[], aside_cursors int[], aside_keys text[], aside_from bigint[], aside_next bigint[], aside_states text[],
  aside_attempts int[], aside_delays bigint[], aside_errors text[],
  -- Timers that are set; kept = a timer that is already set stays as it is.
  timer_units int[], timer_ids uuid[], timer_parts smallint[], timer_kinds text[], timer_names text[], timer_keys text[],
  timer_delays bigint[], timer_times timestamptz[], timer_kept boolean[], timer_expiries bigint[], timer_attempts int[],
  timer_parked boolean[], timer_errors text[], timer_bodies json[], timer_contexts json[],
  -- Timers that fired or are cancelled; with a due time, only if it is still due then.
  ended_units int[], ended_ids uuid[], ended_dues timestamptz[],
  -- Reserved names; without an owner, the name that the released owner held is freed.
  name_units int[], name_keys uuid[], name_names text[], name_released text[], name_owners text[], name_durations bigint[],
  -- Processes, each with the revision at which it was read.
  process_units int[], process_names text[], process_keys text[], process_revisions bigint[], process_versions int[],
  process_states text[], process_statuses text[], process_snapshots json[], process_trails json[], process_errors text[],
  process_tenants text[]
);

-- Why the lists of a unit, or of all units (null), are refused: 5 overtaken or already handled, 6 its timer is gone,
-- 2 its process has moved on, 7 a name is reserved; 1 = not refused.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_check_lists(lists svc_lists, p_unit int, p_at timestamptz) RETURNS smallint LANGUAGE plpgsql AS $$
BEGIN
  -- A query is prepared even if its list is empty, so only lists with entries are queried.
  IF cardinality(lists.handled_units) > 0 THEN
    IF EXISTS (SELECT 1
      FROM unnest(lists.handled_units, lists.handled_cursors, lists.handled_positions, lists.handled_keys) h(unit, cursor, position, key)
        LEFT JOIN LATERAL (SELECT v.epoch, v.position, v.done FROM svc_progress v WHERE v.name = lists.cursor_names[h.cursor] LIMIT 1) v ON true
      WHERE coalesce(h.unit = p_unit, true)
        AND (coalesce(v.epoch <> lists.cursor_epochs[h.cursor] OR h.position <= v.position OR h.position = ANY(v.done), true)
          OR (SELECT true FROM svc_stuck_work w WHERE w.follower = lists.cursor_names[h.cursor] AND w.key = h.key))) THEN RETURN 5; END IF;
  END IF;
  IF cardinality(lists.aside_units) > 0 THEN
    IF EXISTS (SELECT 1
      FROM unnest(lists.aside_units, lists.aside_cursors, lists.aside_keys, lists.aside_from) a(unit, cursor, key, was)
      WHERE coalesce(a.unit = p_unit, true)
        AND coalesce((SELECT v.epoch FROM svc_progress v WHERE v.name = lists.cursor_names[a.cursor]) <> lists.cursor_epochs[a.cursor]
          OR coalesce((SELECT w.position FROM svc_stuck_work w WHERE w.follower = lists.cursor_names[a.cursor] AND w.key = a.key), 0)
            <> a.was, true)) THEN RETURN 5; END IF;
  END IF;
  IF cardinality(lists.ended_units) > 0 THEN
    IF EXISTS (SELECT 1 FROM unnest(lists.ended_units, lists.ended_ids, lists.ended_dues) x(unit, id, due)
      WHERE coalesce(x.unit = p_unit, true) AND x.due IS NOT NULL
        AND (SELECT v.due_at FROM svc_timers v WHERE v.id = x.id) IS DISTINCT FROM x.due) THEN RETURN 6; END IF;
  END IF;
  IF cardinality(lists.process_units) > 0 THEN
    IF EXISTS (SELECT 1
      FROM unnest(lists.process_units, lists.process_names, lists.process_keys, lists.process_revisions) m(unit, name, key, revision)
      WHERE coalesce(m.unit = p_unit, true) AND coalesce(
        (SELECT v.revision FROM svc_processes v WHERE v.name = m.name AND v.key = m.key), 0) <> m.revision) THEN RETURN 2; END IF;
  END IF;
  IF cardinality(lists.name_units) > 0 THEN
    IF EXISTS (SELECT 1 FROM unnest(lists.name_units, lists.name_keys, lists.name_released, lists.name_owners) n(unit, key, released, owner)
      WHERE coalesce(n.unit = p_unit, true) AND n.owner IS NOT NULL
        AND (SELECT v.owner <> n.owner AND v.owner IS DISTINCT FROM n.released FROM svc_reservations v
          WHERE v.key = n.key AND coalesce(v.until > p_at, true))) THEN RETURN 7; END IF;
  END IF;
  RETURN 1;
END $$;

-- Settles what the accepted units (status 1) have handled: for one unit, or for all (null), then also up to the low
-- position of each cursor.
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_store_progress(lists svc_lists, p_unit int, p_statuses smallint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE used text[] := lists.cursor_names;
BEGIN
  IF cardinality(used) = 0 THEN RETURN; END IF;
  -- An accepted unit has the epoch of its cursor; what a refused unit considers settled is not.
  IF p_unit IS NOT NULL OR NOT 1 = ALL(p_statuses) THEN
    used := ARRAY(
      SELECT lists.cursor_names[h.cursor] FROM unnest(lists.handled_units, lists.handled_cursors) h(unit, cursor)
        WHERE coalesce(h.unit = p_unit, p_statuses[h.unit] = 1)
      UNION SELECT lists.cursor_names[a.cursor] FROM unnest(lists.aside_units, lists.aside_cursors) a(unit, cursor)
        WHERE coalesce(a.unit = p_unit, p_statuses[a.unit] = 1));
  END IF;
  UPDATE svc_progress v SET (position, done) = (
    SELECT greatest(v.position, c.low), ARRAY(SELECT d FROM unnest(v.done
        || ARRAY(SELECT h.position
          FROM unnest(lists.handled_units, lists.handled_cursors, lists.handled_positions) h(unit, cursor, position)
          WHERE h.cursor = c.place AND coalesce(h.unit = p_unit, p_statuses[h.unit] = 1) AND NOT h.position = ANY(v.done))
        -- What a key that is set aside has settled is done for its cursor too: another owner must not handle it again.
        || ARRAY(SELECT a.was
          FROM unnest(lists.aside_units, lists.aside_cursors, lists.aside_from, lists.aside_next) a(unit, cursor, was, next)
          WHERE a.cursor = c.place AND coalesce(a.unit = p_unit, p_statuses[a.unit] = 1)
            AND a.was > v.position AND a.was <> a.next AND NOT a.was = ANY(v.done))) d
      WHERE d > greatest(v.position, c.low))
    FROM (SELECT r.place, CASE WHEN p_unit IS NULL THEN r.low ELSE 0 END AS low
      FROM unnest(lists.cursor_names, lists.cursor_epochs, lists.cursor_lows) WITH ORDINALITY r(name, epoch, low, place)
      WHERE r.name = v.name AND r.epoch = v.epoch) c)
    WHERE v.name = ANY(used);
END $$;

-- Stores the other lists of one unit, or of all accepted units (null).
-- Lock: the caller holds the log lock.
CREATE FUNCTION svc_store_lists(lists svc_lists, p_unit int, p_statuses smallint[], p_at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(lists.aside_units) > 0 THEN
    DELETE FROM svc_stuck_work v WHERE v.ctid = ANY(ARRAY(
      SELECT (SELECT w.ctid FROM svc_stuck_work w WHERE w.follower = lists.cursor_names[a.cursor] AND w.key = a.key)
      FROM unnest(lists.aside_units, lists.aside_cursors, lists.aside_keys, lists.aside_next) a(unit, cursor, key, next)
      WHERE coalesce(a.unit = p_unit, p_statuses[a.unit] = 1) AND a.next = 0));
    INSERT INTO svc_stuck_work AS w (follower, key, position, state, since, attempts, next_attempt_at, error)
      SELECT lists.cursor_names[a.cursor], a.key, a.next, a.state, p_at, a.attempts,
        CASE WHEN a.state = 'retrying' THEN p_at + a.delay * interval '1 millisecond' END, a.error
      FROM unnest(lists.aside_units, lists.aside_cursors, lists.aside_keys, lists.aside_next, lists.aside_states, lists.aside_attempts,
        lists.aside_delays, lists.aside_errors) a(unit, cursor, key, next, state, attempts, delay, error)
      WHERE coalesce(a.unit = p_unit, p_statuses[a.unit] = 1) AND a.next <> 0
      ON CONFLICT (follower, key) DO UPDATE SET (position, state, attempts, next_attempt_at, error, since) =
        (excluded.position, excluded.state, excluded.attempts, excluded.next_attempt_at, excluded.error,
          CASE WHEN (w.position, w.state) = (excluded.position, excluded.state) THEN w.since ELSE excluded.since END);
  END IF;
  IF cardinality(lists.ended_units) > 0 THEN
    DELETE FROM svc_timers v WHERE v.id = ANY(ARRAY(SELECT x.id FROM unnest(lists.ended_units, lists.ended_ids) x(unit, id)
      WHERE coalesce(x.unit = p_unit, p_statuses[x.unit] = 1)));
  END IF;
  IF cardinality(lists.timer_units) > 0 THEN
    -- A due time is never before the commit, so the next read of due timers can start where the last one ended.
    INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, expires_ms, attempts, parked, error, data, context)
      SELECT t.id, t.part, least(greatest(coalesce(t.stated, p_at + t.delay * interval '1 millisecond'), p_at), p_at + interval '87672 hours'),
        t.kind, t.name, t.key, p_at, nullif(t.expiry, -1), t.attempts, t.is_parked, t.error, t.body, t.context
      FROM unnest(lists.timer_units, lists.timer_ids, lists.timer_parts, lists.timer_kinds, lists.timer_names, lists.timer_keys,
        lists.timer_delays, lists.timer_times, lists.timer_kept, lists.timer_expiries, lists.timer_attempts, lists.timer_parked,
        lists.timer_errors, lists.timer_bodies, lists.timer_contexts)
        t(unit, id, part, kind, name, key, delay, stated, is_kept, expiry, attempts, is_parked, error, body, context)
      WHERE coalesce(t.unit = p_unit, p_statuses[t.unit] = 1)
        AND (NOT t.is_kept OR (SELECT true FROM svc_timers v WHERE v.id = t.id) IS NULL)
      -- What replaces a request begins without its claim, what it kept, and its failed attempts.
      ON CONFLICT (id) DO UPDATE SET (part, due_at, kind, name, key, set_at, expires_ms, attempts, parked, error, data, context,
          claimed_by, claims, progress, tries) =
        (excluded.part, excluded.due_at, excluded.kind, excluded.name, excluded.key, excluded.set_at, excluded.expires_ms,
          excluded.attempts, excluded.parked, excluded.error, excluded.data, excluded.context, NULL, 0, NULL, '[]');
  END IF;
  IF cardinality(lists.name_units) > 0 THEN
    IF array_position(lists.name_owners, NULL) > 0 THEN
      DELETE FROM svc_reservations v WHERE v.ctid = ANY(ARRAY(
        SELECT (SELECT w.ctid FROM svc_reservations w WHERE w.key = n.key AND w.owner = n.released)
        FROM unnest(lists.name_units, lists.name_keys, lists.name_released, lists.name_owners) n(unit, key, released, owner)
        WHERE coalesce(n.unit = p_unit, p_statuses[n.unit] = 1) AND n.owner IS NULL));
    END IF;
    INSERT INTO svc_reservations(key, name, owner, reserved_at, until)
      SELECT n.key, n.name, n.owner, p_at, CASE WHEN n.duration >= 0 THEN p_at + n.duration * interval '1 millisecond' END
      FROM unnest(lists.name_units, lists.name_keys, lists.name_names, lists.name_owners, lists.name_durations)
        n(unit, key, name, owner, duration)
      WHERE coalesce(n.unit = p_unit, p_statuses[n.unit] = 1) AND n.owner IS NOT NULL
      ON CONFLICT (key) DO UPDATE SET (key, name, owner, reserved_at, until) = ROW(excluded.*);
  END IF;
  IF cardinality(lists.process_units) > 0 THEN
    INSERT INTO svc_processes(name, key, tenant, revision, version, state, status, snapshot, trail, error, started_at, updated_at)
      SELECT m.name, m.key, m.tenant, m.revision + 1, m.version, m.state, m.status, m.snapshot, m.trail, m.error, p_at, p_at
      FROM unnest(lists.process_units, lists.process_names, lists.process_keys, lists.process_revisions, lists.process_versions,
        lists.process_states, lists.process_statuses, lists.process_snapshots, lists.process_trails, lists.process_errors,
        lists.process_tenants) m(unit, name, key, revision, version, state, status, snapshot, trail, error, tenant)
      WHERE coalesce(m.unit = p_unit, p_statuses[m.unit] = 1)
      ON CONFLICT (name, key) DO UPDATE SET (revision, version, state, status, snapshot, trail, error, updated_at) =
        (excluded.revision, excluded.version, excluded.state, excluded.status, excluded.snapshot, excluded.trail, excluded.error, excluded.updated_at);
  END IF;
END $$;
