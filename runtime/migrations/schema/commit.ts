import { chainFunctions } from './chain.js';
import { commitText, namesOf } from './commit-text.js';
import { mustHaveStandby } from './must-have-standby.js';
import {
  isOpen,
  lockAndFindSegment,
  mayBeSealed,
  prepareSegments,
  segmentVariables,
} from './open-segment.js';

/** What a flush consists of, up to the digests that hosts of earlier versions send. */
const content = /* sql */ `
  p_writer uuid, p_flush bigint, p_host text,
  d_stream uuid[],
  u_pairs int[], u_events int[], u_records int[],
  u_key bytea[], u_print bytea[], u_code smallint[], u_body text[],
  p_stream int[], p_expected bigint[],
  e_stream int[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_at timestamptz[],
  s_id uuid[], s_type text[], s_data json[], s_meta json[], s_publish boolean[]`;

const parameters = `${content}, s_of int[]`;
const earlierParameters = `${content}, s_digest bytea[], s_of int[]`;

const names = namesOf(parameters);

/**
 * Decides, numbers and chains every unit of a flush in one ordered pass under one lock.
 * d_ = distinct streams, u_ = units, p_ = expected positions, e_ = events, s_ = system records (s_of = n-th event of its unit).
 * r_at = when the flush was recorded. Status of a unit: 1 committed, 2 conflict, 3 key taken, 4 the same events are already stored.
 */
const text = /* sql */ `
CREATE OR REPLACE FUNCTION svc_append_/* lists: version */(${parameters}/* lists: parameters */,
  OUT r_status smallint[], OUT r_position bigint[], OUT r_global bigint[], OUT r_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER
-- Where streams are long, a plan that sorts would look for the head of one in the whole open segment.
SET search_path FROM CURRENT SET enable_seqscan = off SET enable_sort = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  head bigint[]; taken bytea[];
  e_p bigint[]; e_g bigint[]; s_p bigint[]; s_g bigint[]; s_o bigint[]; s_h bytea[]; s_digest bytea[]; formula int;
  same_p bigint[]; same_g bigint[]; same boolean; again int[] := '{}'; again_p bigint[]; again_g bigint[];
  g bigint; sp bigint; h bytea; us bytea; at timestamptz; future timestamptz;
  st smallint; p int := 0; e int := 0; e0 int; s int := 0; plain boolean;${segmentVariables}/* lists: variables */
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'svc_append needs read committed';
  END IF;${mustHaveStandby}
  -- Positions are not part of a digest: it can be made before the lock.
  IF cardinality(s_id) = 1 THEN
    s_digest := ARRAY[svc_digest(s_type[1], s_data[1], s_meta[1], p_host, s_publish[1])];
  ELSIF cardinality(s_id) > 0 THEN
    s_digest := ARRAY(SELECT svc_digest(s_type[i], s_data[i], s_meta[i], p_host, s_publish[i])
      FROM generate_series(1, cardinality(s_id)) i);
  END IF;
  -- Every later statement has a snapshot taken after the grant of this lock.
${lockAndFindSegment}
  top := hi;
  LOOP
    -- One statement for all that must be known: each statement more would cost as much as its look-ups.
    SELECT f.status, f.position, f.global, f.at,
        ARRAY(SELECT coalesce((SELECT v.stream_position FROM svc_events v WHERE v.stream_id = d AND v.origin = 0 AND ${isOpen}
          ORDER BY v.stream_position DESC LIMIT 1), (SELECT q.position FROM svc_stream_heads q WHERE q.stream_id = d AND q.origin = 0), 0)
          FROM unnest(d_stream) d),
        n.future_to, greatest(l.global_position, c.global_position, lo - 1, 0),
        greatest(l.recorded_at, c.recorded_at, prev_at, clock_timestamp()),
        coalesce(c.stream_position, prev_p), coalesce(c.hash, prev_h), CASE WHEN n.formula2_from IS NULL THEN 1 ELSE 2 END,
        CASE WHEN ids_from IS NOT NULL THEN (SELECT bool_or(${mayBeSealed('x')}) FROM unnest(e_id) x) END
      INTO r_status, r_position, r_global, r_at, head, future, g, at, sp, h, formula, is_old
      FROM svc_store n LEFT JOIN svc_flushes f ON f.writer = p_writer AND f.flush = p_flush
        LEFT JOIN (SELECT * FROM svc_events v WHERE ${isOpen} ORDER BY v.global_position DESC LIMIT 1) l ON true
        LEFT JOIN (SELECT * FROM svc_system_events v WHERE ${isOpen} ORDER BY v.global_position DESC LIMIT 1) c ON true
      WHERE n.single;
    -- Full, and not sealed yet: the rest of the open range is looked at, too.
    EXIT WHEN g < hi - 1 OR top > hi;
    top := 9223372036854775807;
  END LOOP;
  IF r_status IS NOT NULL THEN
    -- A commit that only reads would not wait for a standby; an empty message in the log makes it wait as the first one did.
    PERFORM pg_logical_emit_message(true, 'svc', '');
    RETURN;
  END IF;
  IF formula = 1 AND cardinality(s_id) > 0 THEN
    s_digest := ARRAY(SELECT svc_digest_1(s_type[i], s_data[i]) FROM generate_series(1, cardinality(s_id)) i);
  END IF;
  us := int8send((extract(epoch FROM at) * 1000000)::bigint);

  r_status := array_fill(1::smallint, ARRAY[cardinality(u_pairs)]);/* lists: before */
  -- As most flushes are: every event goes to a stream of its own, and every stream is where it was expected.
  plain := false;
  IF cardinality(u_pairs) > 1 AND cardinality(s_id) + cardinality(u_key) = 0/* lists: plain */ THEN
    SELECT bool_and(e_stream[i] = i) AND NOT EXISTS (
        SELECT 1 FROM generate_series(1, cardinality(p_stream)) k WHERE p_expected[k] <> head[p_stream[k]]),
        array_agg(head[i] + 1), array_agg(g + i)
      INTO plain, e_p, e_g FROM generate_series(1, cardinality(e_id)) i;
  END IF;
  IF plain THEN g := g + cardinality(e_id);
  ELSE
    e_p := array_fill(NULL::bigint, ARRAY[cardinality(e_id)]); e_g := e_p;
  END IF;
  IF cardinality(u_key) > 0 THEN
    taken := ARRAY(SELECT q.key FROM svc_idempotency q WHERE q.key = ANY(u_key) AND q.expires_at > clock_timestamp());
  END IF;
  s_p := array_fill(NULL::bigint, ARRAY[cardinality(s_id)]); s_g := s_p; s_o := s_p;
  s_h := array_fill(NULL::bytea, ARRAY[cardinality(s_id)]);

  FOR u IN 1 .. CASE WHEN plain THEN 0 ELSE cardinality(u_pairs) END LOOP
    st := 1; e0 := e;
    FOR k IN p + 1 .. p + u_pairs[u] LOOP
      IF p_expected[k] <> head[p_stream[k]] THEN st := 2; END IF;
    END LOOP;
    p := p + u_pairs[u];/* lists: check */
    -- A flush of many units leaves repeated ids to the unique index and is then re-run unit by unit.
    IF u_events[u] > 0 AND (st <> 1 OR cardinality(u_pairs) = 1) THEN
      seen_from := CASE WHEN st <> 1 OR is_old OR g + cardinality(e_id) + cardinality(s_id) >= hi THEN 0 ELSE lo END;
      SELECT array_agg(v.stream_position ORDER BY i), array_agg(v.global_position ORDER BY i),
          bool_and(v.stream_id = d_stream[e_stream[i]] AND v.data::text = e_data[i]::text)
        INTO same_p, same_g, same
        -- Looked up one by one: a join planned while the table was empty would scan it for ever after.
        FROM generate_series(e0 + 1, e0 + u_events[u]) i CROSS JOIN LATERAL (
          -- The order lets no plan walk through the positions, not even one that was made while a segment was empty.
          SELECT w.* FROM svc_events w WHERE w.event_id >= e_id[i] AND w.event_id <= e_id[i] AND w.origin = 0
            AND w.global_position >= seen_from ORDER BY w.event_id LIMIT 1) v;
      IF same AND cardinality(same_p) = u_events[u] THEN st := 4;
      ELSIF same_p IS NOT NULL THEN st := 2;
      ELSIF e_id[1 : e0] && e_id[e0 + 1 : e0 + u_events[u]] THEN
        RAISE unique_violation USING MESSAGE = 'an event id stands twice in one flush';
      END IF;
    END IF;
    IF u_key[u] = ANY(taken) THEN st := 3; END IF;
    IF st <> 1 THEN r_status[u] := st; END IF;/* lists: store */
    FOR n IN 1 .. u_events[u] LOOP
      e := e + 1;
      IF st = 1 THEN
        g := g + 1;
        head[e_stream[e]] := head[e_stream[e]] + 1;
        e_p[e] := head[e_stream[e]]; e_g[e] := g;
      ELSIF st = 4 THEN
        again := again || e; again_p := again_p || same_p[n]; again_g := again_g || same_g[n];
      END IF;
    END LOOP;
    FOR k IN s + 1 .. s + u_records[u] LOOP
      CONTINUE WHEN st <> 1;
      sp := sp + 1; g := g + 1; s_p[k] := sp; s_g[k] := g; s_o[k] := e_p[e0 + nullif(s_of[k], 0)];
      h := sha256(h || int8send(sp) || CASE WHEN formula = 1 THEN ''::bytea ELSE int8send(g) END
        || int8send(coalesce(s_o[k], 0)) || us || uuid_send(s_id[k]) || s_digest[k]);
      s_h[k] := h;
    END LOOP;
    s := s + u_records[u];
    IF st = 1 AND u_key[u] IS NOT NULL THEN taken := taken || u_key[u]; END IF;
  END LOOP;

${prepareSegments}
  -- A stream that holds nothing from the future need not mind what others hold.
  IF future >= at THEN
    SELECT max(v.occurred_at) INTO future FROM svc_events v WHERE v.occurred_at > v.recorded_at AND v.stream_id = ANY(d_stream);
  END IF;
  IF future >= at OR array_remove(e_at, NULL) <> '{}' THEN
    FOR i IN 1 .. cardinality(e_id) LOOP
      CONTINUE WHEN e_p[i] IS NULL;
      PERFORM svc_store_dated(e_g[i], d_stream[e_stream[i]], e_p[i], e_id[i], e_type[i], e_data[i], e_meta[i], p_host, e_at[i], at);
    END LOOP;
  ELSIF cardinality(e_id) > 0 THEN
    INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at)
      -- By subscript: unnest would copy every array once more.
      SELECT e_g[i], d_stream[e_stream[i]], e_p[i], e_id[i], e_type[i], e_data[i], e_meta[i], p_host, at, at
      FROM generate_series(1, cardinality(e_id)) i WHERE e_p[i] IS NOT NULL;
  END IF;
  IF cardinality(s_id) > 0 THEN
    INSERT INTO svc_system_events(stream_position, global_position, event_id, event_type, data, metadata, original_position, publish, digest, hash, host, recorded_at)
      SELECT s_p[i], s_g[i], s_id[i], s_type[i], s_data[i], s_meta[i], s_o[i], s_publish[i], s_digest[i], s_h[i], p_host, at
      FROM generate_series(1, cardinality(s_id)) i WHERE s_p[i] IS NOT NULL;
  END IF;
  IF array_remove(u_key, NULL) <> '{}' THEN
    INSERT INTO svc_idempotency(key, fingerprint, status, body, expires_at)
      SELECT r.k, r.f, r.c, r.b, at + interval '24 hours'
      FROM unnest(u_key, u_print, u_code, u_body, r_status) r(k, f, c, b, st) WHERE r.st = 1 AND r.k IS NOT NULL
      ON CONFLICT (key) DO UPDATE SET (fingerprint, status, body, expires_at) =
        (excluded.fingerprint, excluded.status, excluded.body, excluded.expires_at);
  END IF;
  /* lists: after */r_position := e_p; r_global := e_g; r_at := at;
  FOR n IN 1 .. cardinality(again) LOOP
    r_position[again[n]] := again_p[n]; r_global[again[n]] := again_g[n];
  END LOOP;
  INSERT INTO svc_flushes VALUES (p_writer, p_flush, r_status, r_position, r_global, at);
  IF cardinality(e_id) + cardinality(s_id)/* lists: notify */ > 0 THEN NOTIFY svc; END IF;
END $$;

-- COMMIT in the server: no lock survives a client that stalls after sending.
CREATE OR REPLACE PROCEDURE svc_commit_/* lists: version */(${parameters}/* lists: parameters */,
  INOUT r_status smallint[] DEFAULT NULL, INOUT r_position bigint[] DEFAULT NULL, INOUT r_global bigint[] DEFAULT NULL,
  INOUT r_at timestamptz DEFAULT NULL)
LANGUAGE plpgsql AS $$
DECLARE a record;
BEGIN
  a := svc_append_/* lists: version */(${names}/* lists: names */);
  r_status := a.r_status; r_position := a.r_position; r_global := a.r_global; r_at := a.r_at;
  COMMIT;
END $$;
`;

const prune = /* sql */ `
CREATE OR REPLACE FUNCTION svc_prune() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  DELETE FROM svc_flushes WHERE at < clock_timestamp() - interval '1 hour';
  DELETE FROM svc_idempotency WHERE expires_at < clock_timestamp();
$$;
`;

/** The commit procedure of a version. */
export const append = (marked: Parameters<typeof commitText>[1]): string => commitText(text, marked);

/** As hosts of earlier versions call it. The digests that they send are not used. */
const earlier = /* sql */ `
CREATE OR REPLACE FUNCTION svc_append_v2(${earlierParameters},
  OUT r_status smallint[], OUT r_position bigint[], OUT r_global bigint[], OUT r_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE a record;
BEGIN
  a := svc_append_v3(${names});
  r_status := a.r_status; r_position := a.r_position; r_global := a.r_global; r_at := a.r_at;
END $$;

CREATE OR REPLACE FUNCTION svc_append(${earlierParameters},
  OUT r_status smallint[], OUT r_position bigint[], OUT r_global bigint[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE a record;
BEGIN
  a := svc_append_v3(${names});
  r_status := a.r_status; r_position := a.r_position; r_global := a.r_global;
END $$;

CREATE OR REPLACE PROCEDURE svc_commit_v2(${earlierParameters},
  INOUT r_status smallint[] DEFAULT NULL, INOUT r_position bigint[] DEFAULT NULL, INOUT r_global bigint[] DEFAULT NULL,
  INOUT r_at timestamptz DEFAULT NULL)
LANGUAGE plpgsql AS $$
DECLARE a record;
BEGIN
  a := svc_append_v2(${names.replace('s_of', 's_digest, s_of')});
  r_status := a.r_status; r_position := a.r_position; r_global := a.r_global; r_at := a.r_at;
  COMMIT;
END $$;

CREATE OR REPLACE PROCEDURE svc_commit(${earlierParameters},
  INOUT r_status smallint[] DEFAULT NULL, INOUT r_position bigint[] DEFAULT NULL, INOUT r_global bigint[] DEFAULT NULL)
LANGUAGE plpgsql AS $$
DECLARE a record;
BEGIN
  a := svc_append(${names.replace('s_of', 's_digest, s_of')});
  r_status := a.r_status; r_position := a.r_position; r_global := a.r_global;
  COMMIT;
END $$;
`;

/** All in one transaction: an earlier host never meets a function that hashes in its own way. */
export const commit = `${chainFunctions}${append({ version: 'v3' })}${prune}${earlier}`;
