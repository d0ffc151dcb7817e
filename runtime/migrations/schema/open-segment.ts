/**
 * Takes the lock of the log and reads the lowest open segment: rows of sealed ones are not looked at again. Without
 * segments its range is everything. A conversion changes the key of the lock: a call that waited for the one before waits
 * for the new one, too; a statement that reads a table learns of the change.
 */
export const lockAndFindSegment = /* sql */ `
  LOOP
    lock_key := 'svc_events'::regclass::oid::int;
    -- An assignment costs less than a statement.
    plain := pg_advisory_xact_lock(hashtext('svc'), lock_key) IS NULL;
    SELECT lock_key = 'svc_events'::regclass::oid::int, v.low, v.high, v.first_system - 1, v.prev_hash, v.prev_at, v.ids_from
      INTO plain, lo, hi, prev_p, prev_h, prev_at, ids_from FROM svc_segments v WHERE v.state = 'open' ORDER BY v.low LIMIT 1;
    IF NOT FOUND THEN
      SELECT lock_key = 'svc_events'::regclass::oid::int, 0, 9223372036854775807, 0, '\\x00'
        INTO plain, lo, hi, prev_p, prev_h FROM svc_store v;
    END IF;
    EXIT WHEN plain;
  END LOOP;
  IF ids_from IS NOT NULL THEN ids_to := svc_first_id(clock_timestamp() + interval '10 minutes'); END IF;`;

/** The variables of the above. */
export const segmentVariables = `
  lock_key int; lo bigint; hi bigint; top bigint; prev_p bigint; prev_h bytea; prev_at timestamptz; ids_from uuid; ids_to uuid; is_old boolean; seen_from bigint;`;

/** Rows of the open range. */
export const isOpen = 'v.global_position >= lo AND v.global_position < top';

/** An id that a sealed segment may hold: its time lies before the open one, or it says nothing about its time. */
export const mayBeSealed = (id: string): string =>
  `coalesce(${id} < ids_from OR ${id} > ids_to OR substr(${id}::text, 15, 1) <> '7', false)`;

/**
 * The keys of a segment know its own rows only: what may stand in another one is looked up, in all that are attached. An
 * append that finds no segment for its rows makes it.
 */
export const prepareSegments = /* sql */ `
  IF g >= hi THEN PERFORM svc_make_segments_to(g); END IF;
  IF is_old OR g >= hi THEN
    -- Not part of the condition above: PL/pgSQL runs a condition with a subquery as a full query, even if the rest is false.
    IF (SELECT count(DISTINCT e_id[i]) < count(*) FROM generate_series(1, cardinality(e_id)) i WHERE e_p[i] IS NOT NULL)
      OR EXISTS (SELECT 1 FROM generate_series(1, cardinality(e_id)) i CROSS JOIN LATERAL (
        SELECT 1 FROM svc_events w WHERE w.event_id = e_id[i] AND w.origin = 0 LIMIT 1) v WHERE e_p[i] IS NOT NULL) THEN
      RAISE unique_violation USING MESSAGE = 'an event id is stored already';
    END IF;
  END IF;
`;
