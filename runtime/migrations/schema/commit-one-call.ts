import { mustHaveStandby } from './must-have-standby.js';
import { mayBeSealed } from './open-segment.js';

/** A flush of one event, with one record or none, and no list. s_of = 1: the record is about the event. */
const parameters = /* sql */ `
  p_writer uuid, p_flush bigint, p_host text, p_stream uuid, p_expected bigint,
  e_id uuid, e_type text, e_data json, e_meta json,
  s_id uuid, s_type text, s_data json, s_meta json, s_publish boolean, s_of int`;

const names = parameters.replaceAll(/ (?:uuid|bigint|text|int|json|boolean)(?=,|$)/gm, '');

/** The heads of both logs and of the stream. One statement each: a join of them costs half as much again. */
const readHeads = /* sql */ `
  SELECT lock_key = 'svc_events'::regclass::oid::int, v.global_position, v.recorded_at, v.low, v.high, v.ids_from, v.prev_position, v.prev_hash
    INTO plain, g, at, lo, hi, ids_from, sp, h FROM svc_open_events v ORDER BY v.global_position DESC LIMIT 1;
  SELECT v.global_position, v.recorded_at, v.stream_position, v.hash INTO last_g, last_at, last_p, last_h
    FROM svc_open_records v ORDER BY v.global_position DESC LIMIT 1;
  SELECT v.stream_position INTO p FROM svc_open_events v WHERE v.stream_id = p_stream AND v.origin = 0 ORDER BY v.stream_position DESC LIMIT 1;
  IF p IS NULL AND lo > 0 THEN
    SELECT v.position INTO p FROM svc_stream_heads v WHERE v.stream_id = p_stream AND v.origin = 0;
  END IF;
  SELECT v.future_to INTO future FROM svc_store v WHERE v.single;`;

const eventColumns =
  'global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at';
const recordColumns =
  'stream_position, global_position, event_id, event_type, data, metadata, original_position, publish, digest, hash, host, recorded_at';

const ifAudited = (list: string, type: string): string =>
  `CASE WHEN s_id IS NULL THEN '{}' ELSE ARRAY[${list}] END::${type}[]`;

/** The same flush for svc_append_v3. */
const lists = /* sql */ `p_writer, p_flush, p_host, ARRAY[p_stream],
      ARRAY[(p_expected IS NOT NULL)::int], '{1}', ARRAY[(s_id IS NOT NULL)::int], '{}', '{}', '{}', '{}',
      CASE WHEN p_expected IS NULL THEN '{}' ELSE '{1}' END::int[], array_remove(ARRAY[p_expected], NULL),
      '{1}', ARRAY[e_id], ARRAY[e_type], ARRAY[e_data], ARRAY[e_meta], '{}',
      ${ifAudited('s_id', 'uuid')}, ${ifAudited('s_type', 'text')}, ${ifAudited('s_data', 'json')},
      ${ifAudited('s_meta', 'json')}, ${ifAudited('s_publish', 'boolean')}, ${ifAudited('s_of', 'int')}`;

/**
 * What a host with one caller sends. A small flush costs what its statements and their parts cost, so there are few, and
 * the event's id stands for the row in svc_flushes. Anything unusual stores nothing here and takes the general path: an
 * event that is stored already, another position than the expected one, an event from the future, a segment
 * without events or at its end. An id that is stored although the position is the expected one is an error of the unique
 * index: to ask for each one costs more.
 * It knows formula 2 only, and so is made after svc/chain.
 */
export const commitOneCall = /* sql */ `
SELECT svc_show_open_segment();

CREATE OR REPLACE FUNCTION svc_append_one_v3(${parameters}, OUT r_answer text)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  lock_key int := 'svc_events'::regclass::oid::int; plain boolean; s_digest bytea;
  g bigint; at timestamptz; p bigint; sp bigint; h bytea; lo bigint; hi bigint; ids_from uuid; ids_to uuid; future timestamptz;
  last_g bigint; last_at timestamptz; last_p bigint; last_h bytea;
BEGIN${mustHaveStandby}
  IF s_id IS NOT NULL THEN s_digest := svc_digest(s_type, s_data, s_meta, p_host, s_publish); END IF;
  -- An assignment costs less than a statement. Every later statement has a snapshot taken after the grant of this lock.
  plain := pg_advisory_xact_lock(hashtext('svc'), lock_key) IS NULL;${readHeads}
  g := greatest(g, last_g) + 1; p := coalesce(p, 0) + 1; at := greatest(at, last_at, clock_timestamp());
  plain := plain AND g < hi - 1 AND coalesce(p_expected = p - 1, true) AND coalesce(future < at, true)
    AND current_setting('transaction_isolation') = 'read committed';
  IF plain AND ids_from IS NOT NULL THEN
    ids_to := svc_first_id(at + interval '10 minutes');
    plain := NOT ${mayBeSealed('e_id')};
  END IF;
  -- With an expected position, a flush that is sent again finds another one.
  IF plain AND p_expected IS NULL THEN
    plain := NOT EXISTS (SELECT 1 FROM svc_open_events v WHERE v.event_id = e_id AND v.origin = 0);
  END IF;
  IF plain THEN
    INSERT INTO svc_events(${eventColumns}) VALUES (g, p_stream, p, e_id, e_type, e_data, e_meta, p_host, at, at);
    IF s_id IS NOT NULL THEN
      sp := coalesce(last_p, sp) + 1;
      INSERT INTO svc_system_events(${recordColumns})
        VALUES (sp, g + 1, s_id, s_type, s_data, s_meta, CASE s_of WHEN 1 THEN p END, s_publish, s_digest,
          sha256(coalesce(last_h, h) || int8send(sp) || int8send(g + 1) || int8send(CASE s_of WHEN 1 THEN p ELSE 0 END)
            || int8send((extract(epoch FROM at) * 1000000)::bigint) || uuid_send(s_id) || s_digest), p_host, at);
    END IF;
    r_answer := concat_ws('|', '{1}', ARRAY[p], ARRAY[g], at, pg_notify('svc', ''));
    RETURN;
  END IF;
  -- Sent again: the event is stored, and so is its record.
  SELECT concat_ws('|', '{1}', ARRAY[v.stream_position], ARRAY[v.global_position], v.recorded_at) INTO r_answer FROM svc_events v
    WHERE v.event_id = e_id AND v.origin = 0 AND v.stream_id = p_stream AND v.data::text = e_data::text
      AND (s_id IS NULL OR EXISTS (SELECT 1 FROM svc_system_events c WHERE c.event_id = s_id)) LIMIT 1;
  IF FOUND THEN
    -- A commit that only reads would not wait for a standby.
    PERFORM pg_logical_emit_message(true, 'svc', '');
    RETURN;
  END IF;
  SELECT concat_ws('|', a.r_status, a.r_position, a.r_global, a.r_at) INTO r_answer FROM svc_append_v3(${lists}) a;
END $$;

-- COMMIT in the server, as in svc_commit_v3.
CREATE OR REPLACE PROCEDURE svc_commit_one_v3(${parameters}, INOUT r_answer text DEFAULT NULL)
LANGUAGE plpgsql AS $$
BEGIN
  r_answer := svc_append_one_v3(${names});
  COMMIT;
END $$;
`;
