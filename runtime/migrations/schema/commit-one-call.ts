import { mustHaveStandby } from './must-have-standby.js';
import { isOpen, lockAndFindSegment, mayBeSealed, segmentVariables } from './open-segment.js';

/** A flush of one event, with one record or none, and no list. s_of = 1: the record is about the event. */
const parameters = /* sql */ `
  p_writer uuid, p_flush bigint, p_host text, p_stream uuid, p_expected bigint,
  e_id uuid, e_type text, e_data json, e_meta json,
  s_id uuid, s_type text, s_data json, s_meta json, s_publish boolean, s_of int`;

const names = parameters.replaceAll(/ (?:uuid|bigint|text|int|json|boolean)(?=,|$)/gm, '');

/** The heads of both logs and of the stream, and where the event goes; none when the flush is not a plain one. */
const place = /* sql */ `
      FROM (SELECT greatest(l.global_position, c.global_position) + 1 AS g,
          coalesce(h.stream_position, (SELECT q.position FROM svc_stream_heads q WHERE q.stream_id = p_stream AND q.origin = 0), 0) + 1 AS p,
          greatest(l.recorded_at, c.recorded_at, prev_at, clock_timestamp()) AS at, c.stream_position AS sp, c.hash AS h
        FROM (SELECT * FROM svc_events v WHERE ${isOpen} ORDER BY v.global_position DESC LIMIT 1) l
          LEFT JOIN (SELECT * FROM svc_system_events v WHERE ${isOpen} ORDER BY v.global_position DESC LIMIT 1) c ON true
          LEFT JOIN (SELECT v.stream_position FROM svc_events v WHERE v.stream_id = p_stream AND v.origin = 0 AND ${isOpen}
            ORDER BY v.stream_position DESC LIMIT 1) h ON true) k
      WHERE coalesce(p_expected = k.p - 1, true) AND k.g < hi - 1 AND current_setting('transaction_isolation') = 'read committed'
        AND NOT ${mayBeSealed('e_id')}
        AND EXISTS (SELECT 1 FROM svc_store v WHERE v.single AND coalesce(v.future_to < k.at, true))`;

const eventColumns =
  'global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at';
const recordColumns =
  'stream_position, global_position, event_id, event_type, data, metadata, original_position, publish, digest, hash, host, recorded_at';

/** The answer of svc_commit_v3 as one text. */
const answer = (position: string, global: string, at: string): string =>
  `concat_ws('|', '{1}', ARRAY[${position}], ARRAY[${global}], ${at}, pg_notify('svc', ''))`;

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
 * without events or at its end.
 * It knows formula 2 only, and so is made after svc/chain.
 */
export const commitOneCall = /* sql */ `
CREATE OR REPLACE FUNCTION svc_append_one_v3(${parameters}, OUT r_answer text)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  s_digest bytea; g bigint; p bigint; at timestamptz; sp bigint; h bytea; plain boolean;${segmentVariables}
BEGIN${mustHaveStandby}
  IF s_id IS NOT NULL THEN s_digest := svc_digest(s_type, s_data, s_meta, p_host, s_publish); END IF;
  -- Every later statement has a snapshot taken after the grant of this lock.${lockAndFindSegment}
  top := hi;
  IF s_id IS NULL THEN
    INSERT INTO svc_events(${eventColumns})
      SELECT k.g, p_stream, k.p, e_id, e_type, e_data, e_meta, p_host, k.at, k.at${place}
      ON CONFLICT DO NOTHING
      RETURNING ${answer('stream_position', 'global_position', 'recorded_at')} INTO r_answer;
    IF FOUND THEN RETURN; END IF;
  ELSE
    -- Two rows from the same heads: to look them up once costs less than one statement for all.
    SELECT k.g, k.p, k.at, coalesce(k.sp, prev_p) + 1, coalesce(k.h, prev_h) INTO g, p, at, sp, h${place};
    IF FOUND THEN
      INSERT INTO svc_events(${eventColumns}) VALUES (g, p_stream, p, e_id, e_type, e_data, e_meta, p_host, at, at)
        ON CONFLICT DO NOTHING;
      IF FOUND THEN
        INSERT INTO svc_system_events(${recordColumns})
          VALUES (sp, g + 1, s_id, s_type, s_data, s_meta, CASE s_of WHEN 1 THEN p END, s_publish, s_digest,
            sha256(h || int8send(sp) || int8send(g + 1) || int8send(CASE s_of WHEN 1 THEN p ELSE 0 END)
              || int8send((extract(epoch FROM at) * 1000000)::bigint) || uuid_send(s_id) || s_digest), p_host, at)
          RETURNING ${answer('p', 'g', 'at')} INTO r_answer;
        RETURN;
      END IF;
    END IF;
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
