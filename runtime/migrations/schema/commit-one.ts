import { isOpen, mayBeSealed } from './open-segment.js';

/**
 * A flush of one event, with one record or none, as nearly every flush of a host with one caller is. It is one statement:
 * in a small flush each statement costs more than its work. Anything unusual stores nothing here and takes the general
 * path: an event that is stored already (as after a flush that is sent again), another position than the expected one,
 * an event from the future.
 */
const storeOne = (record: boolean): string => /* sql */ `
      WITH stored AS (
        INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
          SELECT k.g, d_stream[1], k.p, e_id[1], e_type[1], e_data[1], e_meta[1], p_host, k.at, k.at FROM (
            SELECT greatest(l.global_position, c.global_position, lo - 1, 0) + 1 AS g,
              coalesce(h.stream_position, (SELECT q.position FROM svc_stream_heads q WHERE q.stream_id = d_stream[1] AND q.origin = 0), 0) + 1 AS p,
              greatest(l.recorded_at, c.recorded_at, prev_at, clock_timestamp()) AS at
            FROM (VALUES (1)) one
              LEFT JOIN (SELECT * FROM svc_events v WHERE ${isOpen} ORDER BY v.global_position DESC LIMIT 1) l ON true
              LEFT JOIN (SELECT * FROM svc_system_events v WHERE ${isOpen} ORDER BY v.global_position DESC LIMIT 1) c ON true
              LEFT JOIN (SELECT v.stream_position FROM svc_events v WHERE v.stream_id = d_stream[1] AND v.origin = 0 AND ${isOpen}
                ORDER BY v.stream_position DESC LIMIT 1) h ON true) k
          WHERE coalesce(p_expected[1] = k.p - 1, true) AND k.g < hi - 1
            AND EXISTS (SELECT 1 FROM svc_store v WHERE v.single AND coalesce(v.future_to < k.at, true)${record ? formula2 : ''})
          ON CONFLICT DO NOTHING RETURNING global_position AS g, stream_position AS p, recorded_at AS at
      )${record ? chained : ''}
      INSERT INTO svc_flushes AS a SELECT p_writer, p_flush, '{1}', ARRAY[n.p], ARRAY[n.g], n.at FROM stored n
        RETURNING a.status, a.position, a.global, a.at, pg_notify('svc', '') IS NULL INTO r_status, r_position, r_global, r_at, plain;`;

const formula2 = ' AND v.formula2_from IS NOT NULL';

const chained = /* sql */ `, chained AS (
        INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, original_position, publish, digest, hash, host, recorded_at)
          SELECT coalesce(c.stream_position, prev_p) + 1, n.g + 1, s_id[1], s_type[1], s_data[1], s_meta[1], CASE s_of[1] WHEN 1 THEN n.p END,
            s_publish[1], s_digest[1],
            sha256(coalesce(c.hash, prev_h) || int8send(coalesce(c.stream_position, prev_p) + 1) || int8send(n.g + 1)
              || int8send(CASE s_of[1] WHEN 1 THEN n.p ELSE 0 END) || int8send((extract(epoch FROM n.at) * 1000000)::bigint)
              || uuid_send(s_id[1]) || s_digest[1]), p_host, n.at
          FROM stored n LEFT JOIN (SELECT * FROM svc_system_events v WHERE ${isOpen} ORDER BY v.global_position DESC LIMIT 1) c ON true
      )`;

export const commitOne = /* sql */ `
  IF cardinality(e_id) = 1 AND cardinality(u_pairs) = 1 AND cardinality(d_stream) = 1 AND cardinality(s_id) <= 1
    AND cardinality(u_key) + cardinality(e_at) = 0 AND NOT ${mayBeSealed('e_id[1]')} THEN
    IF cardinality(s_id) = 0 THEN${storeOne(false)}
    ELSE${storeOne(true)}
    END IF;
    IF FOUND THEN RETURN; END IF;
  END IF;`;
