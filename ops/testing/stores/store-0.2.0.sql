-- A store of version 0.1.0 that the last version with schema level 1 has migrated and gone on with: what store-0.1.0.sql
-- holds, with the tables and functions of level 1 as they became, and orders of that version.
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'svc_runtime') THEN CREATE ROLE svc_runtime NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE FUNCTION public.svc_add_origin(p_store uuid) RETURNS smallint
    LANGUAGE sql
    AS $$
  INSERT INTO svc_origins(origin, store, first_seen)
    SELECT max(origin) + 1, p_store, clock_timestamp() FROM svc_origins HAVING max(origin) < 10000 RETURNING origin
$$;
CREATE FUNCTION public.svc_admit_origin(p_owner uuid, p_ms integer, p_store uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  IF NOT svc_open_inbox(p_owner, p_ms) THEN RETURN false; END IF;
  IF NOT EXISTS (SELECT 1 FROM svc_origins WHERE store = p_store) THEN PERFORM svc_add_origin(p_store); END IF;
  RETURN true;
END $$;
CREATE FUNCTION public.svc_advance_cursor(p_name text, p_owner uuid, p_from bigint, p_to bigint, p_ms integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  -- An advance that is lost with the server repeats messages and skips none.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE svc_cursors SET position = p_to, lease_until = clock_timestamp() + p_ms * interval '1 ms', updated_at = clock_timestamp()
    WHERE name = p_name AND owner = p_owner AND position = p_from AND p_to >= p_from;
  IF NOT FOUND THEN RETURN false; END IF;
  IF p_name = 'outbox' THEN DELETE FROM svc_outbox_failures WHERE global_position <= p_to; END IF;
  RETURN true;
END $$;
CREATE FUNCTION public.svc_advance_perspective(p_name text, p_owner uuid, p_from bigint, p_to bigint, p_ms integer, p_batch json) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  -- What is lost with the server is folded again: models and cursor are lost together.
  PERFORM set_config('synchronous_commit', 'off', true);
  -- What a host remembers of a server that was lost is not folded into the one that took over.
  IF p_to > greatest((SELECT max(global_position) FROM svc_events), (SELECT max(global_position) FROM svc_system_events), 0)
    OR (p_batch ->> 'seen' IS NOT NULL
      AND NOT svc_holds_event((p_batch -> 'seen' ->> 'position')::bigint, (p_batch -> 'seen' ->> 'event_id')::uuid)) THEN
    RETURN false;
  END IF;
  UPDATE svc_cursors SET position = p_to, updated_at = clock_timestamp(),
      refolds = refolds + CASE WHEN json_array_length(p_batch -> 'released') > 0 THEN 1 ELSE 0 END,
      lease_until = CASE WHEN owner = p_owner THEN clock_timestamp() + p_ms * interval '1 ms' ELSE lease_until END
    WHERE name = p_name AND position = p_from AND p_to >= p_from
      AND generation = coalesce((p_batch ->> 'generation')::int, generation)
      AND (owner IS NULL OR owner = p_owner OR lease_until <= clock_timestamp());
  IF NOT FOUND THEN RETURN false; END IF;
  IF json_array_length(p_batch -> 'released') > 0 THEN
    DELETE FROM svc_parked WHERE perspective = p_name AND key IN (SELECT json_array_elements_text(p_batch -> 'released'));
  END IF;
  IF json_array_length(p_batch -> 'parked') > 0 THEN
    INSERT INTO svc_parked(perspective, key, event_id, global_position, error, attempts, at)
      SELECT p_name, r.key, r.event_id, r.global_position, r.error, r.attempts, clock_timestamp()
      FROM json_to_recordset(p_batch -> 'parked') r(key text, event_id uuid, global_position bigint, error text, attempts int)
      ON CONFLICT (perspective, key) DO UPDATE SET event_id = excluded.event_id, global_position = excluded.global_position,
        error = excluded.error, attempts = svc_parked.attempts + excluded.attempts, released = false;
  END IF;
  IF EXISTS (SELECT 1 FROM svc_rewinds WHERE global_position <= p_to) THEN PERFORM svc_rewound(p_name, p_to, p_batch -> 'rewound'); END IF;
  RETURN true;
END $$;
CREATE FUNCTION public.svc_api_keys_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  NOTIFY svc_access;
  RETURN NULL;
END $$;
CREATE FUNCTION public.svc_append(p_writer uuid, p_flush bigint, p_host text, d_stream uuid[], u_pairs integer[], u_events integer[], u_records integer[], u_key bytea[], u_print bytea[], u_code smallint[], u_body text[], p_stream integer[], p_expected bigint[], e_stream integer[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_at timestamp with time zone[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_publish boolean[], s_digest bytea[], s_of integer[], OUT r_status smallint[], OUT r_position bigint[], OUT r_global bigint[]) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE a record;
BEGIN
  a := svc_append_v2(
  p_writer, p_flush, p_host,
  d_stream,
  u_pairs, u_events, u_records,
  u_key, u_print, u_code, u_body,
  p_stream, p_expected,
  e_stream, e_id, e_type, e_data, e_meta, e_at,
  s_id, s_type, s_data, s_meta, s_publish, s_digest, s_of);
  r_status := a.r_status; r_position := a.r_position; r_global := a.r_global;
END $$;
CREATE FUNCTION public.svc_append_v2(p_writer uuid, p_flush bigint, p_host text, d_stream uuid[], u_pairs integer[], u_events integer[], u_records integer[], u_key bytea[], u_print bytea[], u_code smallint[], u_body text[], p_stream integer[], p_expected bigint[], e_stream integer[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_at timestamp with time zone[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_publish boolean[], s_digest bytea[], s_of integer[], OUT r_status smallint[], OUT r_position bigint[], OUT r_global bigint[], OUT r_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  head bigint[]; taken bytea[];
  e_p bigint[]; e_g bigint[]; s_p bigint[]; s_g bigint[]; s_o bigint[]; s_h bytea[];
  same_p bigint[]; same_g bigint[]; same boolean; again int[] := '{}'; again_p bigint[]; again_g bigint[];
  g bigint; sp bigint; h bytea; us bytea; at timestamptz; future timestamptz;
  st smallint; p int := 0; e int := 0; e0 int; s int := 0; plain boolean := false;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'svc_append needs read committed';
  END IF;
  -- Every later statement has a snapshot taken after the grant of this lock.
  PERFORM pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int);
  -- One statement for all that must be known: each statement more would cost as much as its look-ups.
  SELECT f.status, f.position, f.global, f.at,
      ARRAY(SELECT coalesce((SELECT v.stream_position FROM svc_events v WHERE v.stream_id = d AND v.origin = 0
        ORDER BY v.stream_position DESC LIMIT 1), 0) FROM unnest(d_stream) d),
      (SELECT max(v.occurred_at) FROM svc_events v WHERE v.occurred_at > v.recorded_at),
      greatest(l.global_position, c.global_position, 0), greatest(l.recorded_at, c.recorded_at, clock_timestamp()),
      coalesce(c.stream_position, 0), coalesce(c.hash, '\x00')
    INTO r_status, r_position, r_global, r_at, head, future, g, at, sp, h
    FROM (VALUES (1)) one LEFT JOIN svc_flushes f ON f.writer = p_writer AND f.flush = p_flush
      LEFT JOIN (SELECT * FROM svc_events v ORDER BY v.global_position DESC LIMIT 1) l ON true
      LEFT JOIN (SELECT * FROM svc_system_events v ORDER BY v.stream_position DESC LIMIT 1) c ON true;
  IF r_status IS NOT NULL THEN
    -- A commit that only reads would not wait for a standby; an empty message in the log makes it wait as the first one did.
    PERFORM pg_logical_emit_message(true, 'svc', '');
    RETURN;
  END IF;
  us := int8send((extract(epoch FROM at) * 1000000)::bigint);
  r_status := array_fill(1::smallint, ARRAY[cardinality(u_pairs)]);
  -- As most flushes are: every event goes to a stream of its own, and every stream is where it was expected.
  IF cardinality(u_pairs) > 1 AND cardinality(s_id) + cardinality(u_key) = 0 THEN
    SELECT bool_and(e_stream[i] = i) AND NOT EXISTS (
        SELECT 1 FROM generate_series(1, cardinality(p_stream)) k WHERE p_expected[k] <> head[p_stream[k]]),
        array_agg(head[i] + 1), array_agg(g + i)
      INTO plain, e_p, e_g FROM generate_series(1, cardinality(e_id)) i;
  END IF;
  IF plain IS NOT TRUE THEN
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
    p := p + u_pairs[u];
    -- A flush of many units leaves repeated ids to the unique index and is then re-run unit by unit.
    IF u_events[u] > 0 AND (st = 2 OR cardinality(u_pairs) = 1) THEN
      SELECT array_agg(v.stream_position ORDER BY i), array_agg(v.global_position ORDER BY i),
          bool_and(v.stream_id = d_stream[e_stream[i]] AND v.data::text = e_data[i]::text)
        INTO same_p, same_g, same
        -- Looked up one by one: a join planned while the table was empty would scan it for ever after.
        FROM generate_series(e0 + 1, e0 + u_events[u]) i CROSS JOIN LATERAL (
          SELECT w.* FROM svc_events w WHERE w.event_id = e_id[i] AND w.origin = 0 LIMIT 1) v;
      IF same AND cardinality(same_p) = u_events[u] THEN st := 4;
      ELSIF same_p IS NOT NULL THEN st := 2;
      ELSIF e_id[1 : e0] && e_id[e0 + 1 : e0 + u_events[u]] THEN
        RAISE unique_violation USING MESSAGE = 'an event id stands twice in one flush';
      END IF;
    END IF;
    IF u_key[u] = ANY(taken) THEN st := 3; END IF;
    IF st <> 1 THEN r_status[u] := st; END IF;
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
      h := sha256(h || int8send(sp) || int8send(coalesce(s_o[k], 0)) || us || uuid_send(s_id[k]) || s_digest[k]);
      s_h[k] := h;
    END LOOP;
    s := s + u_records[u];
    IF st = 1 AND u_key[u] IS NOT NULL THEN taken := taken || u_key[u]; END IF;
  END LOOP;
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
  r_position := e_p; r_global := e_g; r_at := at;
  FOR n IN 1 .. cardinality(again) LOOP
    r_position[again[n]] := again_p[n]; r_global[again[n]] := again_g[n];
  END LOOP;
  INSERT INTO svc_flushes VALUES (p_writer, p_flush, r_status, r_position, r_global, at);
  IF cardinality(e_id) + cardinality(s_id) > 0 THEN NOTIFY svc; END IF;
END $$;
CREATE FUNCTION public.svc_claim_rewinds(p_perspective text, p_to bigint) RETURNS TABLE(rewind bigint, stream_id uuid, names text[], last_position bigint, started_at timestamp with time zone, announced boolean, trigger_id uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
#variable_conflict use_column
BEGIN
  UPDATE svc_rewinds r SET started_at = clock_timestamp()
    WHERE r.started_at IS NULL AND r.global_position <= p_to AND p_perspective = ANY(r.pending);
  RETURN QUERY SELECT r.global_position, r.stream_id, r.names, r.last_position, r.started_at, r.announced, t.event_id
    FROM svc_rewinds r CROSS JOIN LATERAL (
      SELECT v.event_id FROM svc_events v JOIN svc_origins o USING (origin)
      WHERE v.stream_id = r.stream_id AND v.late AND v.global_position BETWEEN r.global_position AND r.last_position
      ORDER BY v.occurred_at, o.store, v.stream_position LIMIT 1) t
    WHERE r.started_at IS NOT NULL AND r.global_position <= p_to AND p_perspective = ANY(r.pending);
END $$;
CREATE FUNCTION public.svc_close_rewind(p_rewind bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  DELETE FROM svc_rewinds WHERE global_position = p_rewind AND pending = '{}';
  DELETE FROM svc_rewind_replays WHERE rewind = p_rewind;
$$;
CREATE PROCEDURE public.svc_commit(IN p_writer uuid, IN p_flush bigint, IN p_host text, IN d_stream uuid[], IN u_pairs integer[], IN u_events integer[], IN u_records integer[], IN u_key bytea[], IN u_print bytea[], IN u_code smallint[], IN u_body text[], IN p_stream integer[], IN p_expected bigint[], IN e_stream integer[], IN e_id uuid[], IN e_type text[], IN e_data json[], IN e_meta json[], IN e_at timestamp with time zone[], IN s_id uuid[], IN s_type text[], IN s_data json[], IN s_meta json[], IN s_publish boolean[], IN s_digest bytea[], IN s_of integer[], INOUT r_status smallint[] DEFAULT NULL::smallint[], INOUT r_position bigint[] DEFAULT NULL::bigint[], INOUT r_global bigint[] DEFAULT NULL::bigint[])
    LANGUAGE plpgsql
    AS $$
DECLARE a record;
BEGIN
  a := svc_append(
  p_writer, p_flush, p_host,
  d_stream,
  u_pairs, u_events, u_records,
  u_key, u_print, u_code, u_body,
  p_stream, p_expected,
  e_stream, e_id, e_type, e_data, e_meta, e_at,
  s_id, s_type, s_data, s_meta, s_publish, s_digest, s_of);
  r_status := a.r_status; r_position := a.r_position; r_global := a.r_global;
  COMMIT;
END $$;
CREATE PROCEDURE public.svc_commit_v2(IN p_writer uuid, IN p_flush bigint, IN p_host text, IN d_stream uuid[], IN u_pairs integer[], IN u_events integer[], IN u_records integer[], IN u_key bytea[], IN u_print bytea[], IN u_code smallint[], IN u_body text[], IN p_stream integer[], IN p_expected bigint[], IN e_stream integer[], IN e_id uuid[], IN e_type text[], IN e_data json[], IN e_meta json[], IN e_at timestamp with time zone[], IN s_id uuid[], IN s_type text[], IN s_data json[], IN s_meta json[], IN s_publish boolean[], IN s_digest bytea[], IN s_of integer[], INOUT r_status smallint[] DEFAULT NULL::smallint[], INOUT r_position bigint[] DEFAULT NULL::bigint[], INOUT r_global bigint[] DEFAULT NULL::bigint[], INOUT r_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
DECLARE a record;
BEGIN
  a := svc_append_v2(
  p_writer, p_flush, p_host,
  d_stream,
  u_pairs, u_events, u_records,
  u_key, u_print, u_code, u_body,
  p_stream, p_expected,
  e_stream, e_id, e_type, e_data, e_meta, e_at,
  s_id, s_type, s_data, s_meta, s_publish, s_digest, s_of);
  r_status := a.r_status; r_position := a.r_position; r_global := a.r_global; r_at := a.r_at;
  COMMIT;
END $$;
CREATE FUNCTION public.svc_declare_flags(names text[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  INSERT INTO svc_flag_names(name) SELECT DISTINCT n FROM unnest(names) n ORDER BY n
  ON CONFLICT (name) DO UPDATE SET declared_at = excluded.declared_at;
$$;
CREATE FUNCTION public.svc_destination(event_type text, system boolean) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT CASE WHEN NOT system THEN 'svc.events.' || event_type
    WHEN event_type IN ('EventAudited', 'CommandAudited') THEN 'svc.core.auditevents'
    ELSE 'svc.system.' || event_type END
$$;
CREATE FUNCTION public.svc_flags_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE svc_flags_version SET version = version + 1;
  NOTIFY svc_flags;
  RETURN NULL;
END $$;
CREATE FUNCTION public.svc_holds_event(p_position bigint, p_event uuid) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  SELECT EXISTS (SELECT 1 FROM svc_events WHERE global_position = p_position AND event_id = p_event)
    OR EXISTS (SELECT 1 FROM svc_system_events WHERE global_position = p_position AND event_id = p_event)
$$;
CREATE FUNCTION public.svc_holds_outbox(p_owner uuid) RETURNS boolean
    LANGUAGE sql
    AS $$
  SELECT EXISTS (SELECT 1 FROM svc_cursors WHERE name = 'outbox' AND owner = p_owner)
$$;
CREATE FUNCTION public.svc_inbox_begin(p_owner uuid, p_digest bytea, OUT held boolean, OUT begun integer) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  held := EXISTS (SELECT 1 FROM svc_cursors WHERE name = 'inbox' AND owner = p_owner);
  IF NOT held THEN RETURN; END IF;
  DELETE FROM svc_inbox_attempts WHERE at < clock_timestamp() - interval '30 days';
  INSERT INTO svc_inbox_attempts AS a VALUES (p_digest, 1, p_owner, clock_timestamp())
    -- A host that tries again after the store was away is still the same host.
    ON CONFLICT (digest) DO UPDATE SET attempts = a.attempts + CASE WHEN a.owner = p_owner THEN 0 ELSE 1 END,
      owner = p_owner, at = clock_timestamp()
    RETURNING attempts INTO begun;
END $$;
CREATE FUNCTION public.svc_inbox_dead_letter(p_owner uuid, p_message uuid, p_type text, p_subject text, p_error text, p_fingerprint text, p_headers json, p_body bytea, p_bytes integer, p_digest bytea, OUT held boolean, OUT dead_id bigint, OUT fresh boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  held := EXISTS (SELECT 1 FROM svc_cursors WHERE name = 'inbox' AND owner = p_owner);
  IF NOT held THEN RETURN; END IF;
  UPDATE svc_dead_letter_records d SET attempts = d.attempts + 1, last_error = p_error, fingerprint = p_fingerprint,
      dead_at = clock_timestamp(), state = CASE WHEN d.state IN ('dead', 'replaying') THEN 'dead' ELSE d.state END
    WHERE d.source = 'inbox' AND d.destination = p_subject AND d.digest = p_digest RETURNING d.id INTO dead_id;
  fresh := NOT FOUND;
  IF fresh AND (SELECT count(*) FROM svc_dead_letter_records d WHERE d.source = 'inbox' AND d.state IN ('dead', 'replaying')) < 10000 THEN
    INSERT INTO svc_dead_letter_records(source, message_id, message_type, destination, attempts, last_error, fingerprint, dead_at, headers, body, bytes, digest)
      VALUES ('inbox', p_message, p_type, p_subject, 1, p_error, p_fingerprint, clock_timestamp(), p_headers, p_body, p_bytes, p_digest)
      RETURNING id INTO dead_id;
  END IF;
END $$;
CREATE FUNCTION public.svc_inbox_dead_letters(p_owner uuid, l_message uuid[], l_type text[], l_subject text[], l_error text[], l_fingerprint text[], l_headers json[], l_body bytea[], l_bytes integer[], l_digest bytea[], OUT r_status smallint[]) RETURNS smallint[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE room int;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM svc_cursors WHERE name = 'inbox' AND owner = p_owner) THEN RETURN; END IF;
  SELECT 10000 - count(*) INTO room FROM svc_dead_letter_records WHERE source = 'inbox' AND state IN ('dead', 'replaying');
  r_status := '{}';
  FOR i IN 1 .. cardinality(l_type) LOOP
    UPDATE svc_dead_letter_records d SET attempts = d.attempts + 1, last_error = l_error[i], fingerprint = l_fingerprint[i],
        dead_at = clock_timestamp(), state = CASE WHEN d.state = 'replaying' THEN 'dead' ELSE d.state END, replays = 0
      WHERE d.source = 'inbox' AND d.destination = l_subject[i] AND d.digest = l_digest[i];
    IF FOUND THEN
      r_status := r_status || 2::smallint;
    ELSIF room > 0 THEN
      INSERT INTO svc_dead_letter_records(source, message_id, message_type, destination, attempts, last_error, fingerprint, dead_at, headers, body, bytes, digest)
        VALUES ('inbox', l_message[i], l_type[i], l_subject[i], 1, l_error[i], l_fingerprint[i], clock_timestamp(), l_headers[i], l_body[i], l_bytes[i], l_digest[i]);
      room := room - 1;
      r_status := r_status || 1::smallint;
    ELSE
      r_status := r_status || 3::smallint;
    END IF;
  END LOOP;
END $$;
CREATE FUNCTION public.svc_inbox_end(p_owner uuid, p_digest bytea) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  DELETE FROM svc_inbox_attempts WHERE digest = p_digest AND owner = p_owner
$$;
CREATE FUNCTION public.svc_inbox_replayed(p_ids bigint[]) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
  UPDATE svc_dead_letter_records SET state = 'replayed', resolved_at = clock_timestamp()
    WHERE id = ANY(p_ids) AND state = 'replaying'
$$;
CREATE FUNCTION public.svc_inbox_replays(p_owner uuid, p_limit integer) RETURNS TABLE(id bigint, destination text, headers json, body bytea, replays integer)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
  UPDATE svc_dead_letter_records d SET replays = d.replays + 1
    WHERE EXISTS (SELECT 1 FROM svc_cursors WHERE name = 'inbox' AND owner = p_owner) AND d.id = ANY(ARRAY(
      SELECT w.id FROM svc_dead_letter_records w WHERE w.state = 'replaying' AND w.source = 'inbox' ORDER BY w.id LIMIT p_limit))
    RETURNING d.id, d.destination, d.headers, d.body, d.replays
$$;
CREATE FUNCTION public.svc_inbox_turn(p_owner uuid, p_ms integer, OUT held boolean, OUT remaining_ms integer, OUT replays boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  SELECT l.held, l.remaining_ms INTO held, remaining_ms FROM svc_take_lease('inbox', p_owner, p_ms) l;
  replays := held AND EXISTS (SELECT 1 FROM svc_dead_letter_records WHERE state = 'replaying' AND source = 'inbox');
END $$;
CREATE FUNCTION public.svc_is_late(p_stream uuid, p_at timestamp with time zone, p_store uuid, p_position bigint) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  SELECT EXISTS (
    SELECT 1 FROM (
      SELECT v.occurred_at, v.origin, v.stream_position FROM svc_events v
      WHERE v.stream_id = p_stream AND v.origin = 0 AND NOT v.late AND v.occurred_at <= v.recorded_at
      ORDER BY v.stream_position DESC LIMIT 1) own JOIN svc_origins o USING (origin)
    WHERE (own.occurred_at, o.store, own.stream_position) > (p_at, p_store, p_position)
  ) OR EXISTS (
    SELECT 1 FROM svc_events v JOIN svc_origins o USING (origin)
    WHERE v.stream_id = p_stream AND (v.origin <> 0 OR v.occurred_at > v.recorded_at) AND v.occurred_at >= p_at
      AND (v.occurred_at, o.store, v.stream_position) > (p_at, p_store, p_position))
$$;
CREATE FUNCTION public.svc_lease_is_over(p_until timestamp with time zone, p_ms integer) RETURNS boolean
    LANGUAGE sql
    AS $$
  SELECT p_until <= clock_timestamp() OR p_until > clock_timestamp() + greatest(p_ms * 2, 10000) * interval '1 ms'
$$;
CREATE FUNCTION public.svc_lease_remaining_ms(p_until timestamp with time zone) RETURNS integer
    LANGUAGE sql
    AS $$
  SELECT least(greatest(0, ceil(extract(epoch FROM p_until - clock_timestamp()) * 1000)), 2147483647)::int
$$;
CREATE FUNCTION public.svc_models(p_table text, p_keys text[]) RETURNS TABLE(id text, model text, tenant text, "position" bigint, applied integer)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $_$
BEGIN
  IF p_table !~ '^svc_(new_)?per_[a-z0-9_]+$' THEN RAISE EXCEPTION '% is not the table of a perspective', p_table; END IF;
  RETURN QUERY EXECUTE format('SELECT id, model::text, tenant, position, applied FROM %I WHERE id = ANY($1)', p_table)
    USING p_keys;
END $_$;
CREATE FUNCTION public.svc_note_late(p_global bigint, p_stream uuid, p_event uuid, p_type text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_names text[]; v_tables text[];
BEGIN
  SELECT array_agg(DISTINCT p.name ORDER BY p.name), array_agg(p.table_name ORDER BY p.table_name) INTO v_names, v_tables
    FROM svc_perspectives p JOIN svc_cursors c ON c.name = p.table_name
    WHERE p.by_stream AND p_type = ANY(p.types) AND (c.lease_until > clock_timestamp() OR p.registered_at =
      (SELECT max(q.registered_at) FROM svc_perspectives q WHERE q.name = p.name));
  IF v_tables IS NULL THEN RETURN; END IF;
  UPDATE svc_rewinds r SET last_position = p_global,
      names = ARRAY(SELECT DISTINCT n FROM unnest(r.names || v_names) n ORDER BY n),
      pending = ARRAY(SELECT DISTINCT n FROM unnest(r.pending || v_tables) n ORDER BY n)
    WHERE r.stream_id = p_stream AND r.started_at IS NULL;
  IF FOUND THEN RETURN; END IF;
  INSERT INTO svc_rewinds(global_position, last_position, stream_id, event_id, event_type, names, pending)
    VALUES (p_global, p_global, p_stream, p_event, p_type, v_names, v_tables) ON CONFLICT DO NOTHING;
END $$;
CREATE FUNCTION public.svc_open_inbox(p_owner uuid, p_ms integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int);
  UPDATE svc_cursors SET lease_until = clock_timestamp() + p_ms * interval '1 ms', updated_at = clock_timestamp()
    WHERE name = 'inbox' AND owner = p_owner;
  RETURN FOUND;
END $$;
CREATE FUNCTION public.svc_origin_of(p_store uuid) RETURNS smallint
    LANGUAGE plpgsql
    AS $$
DECLARE known smallint;
BEGIN
  SELECT origin INTO known FROM svc_origins WHERE store = p_store;
  IF FOUND THEN RETURN known; END IF;
  IF (SELECT max(origin) FROM svc_origins) >= 1000 AND (SELECT first_seen FROM svc_origins ORDER BY origin DESC OFFSET 19 LIMIT 1)
    > clock_timestamp() - interval '1 hour' THEN RETURN NULL; END IF;
  RETURN svc_add_origin(p_store);
END $$;
CREATE FUNCTION public.svc_outbox_dead_letter(p_owner uuid, p_position bigint, p_attempts integer, p_error text, p_fingerprint text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
DECLARE dead bigint;
BEGIN
  INSERT INTO svc_dead_letter_records(global_position, message_id, message_type, destination, attempts, last_error, fingerprint, dead_at)
    SELECT p_position, m.event_id, m.event_type, svc_destination(m.event_type, m.system), p_attempts, p_error, p_fingerprint, clock_timestamp()
    FROM (
      SELECT event_id, event_type, false AS system FROM svc_events WHERE global_position = p_position
      UNION ALL
      SELECT event_id, event_type, true FROM svc_system_events WHERE global_position = p_position
    ) m WHERE svc_holds_outbox(p_owner)
    ON CONFLICT (global_position) DO UPDATE SET attempts = excluded.attempts, last_error = excluded.last_error,
      fingerprint = excluded.fingerprint, dead_at = excluded.dead_at, state = 'dead'
      WHERE svc_dead_letter_records.state <> 'discarded'
    RETURNING id INTO dead;
  DELETE FROM svc_outbox_failures WHERE global_position = p_position AND dead IS NOT NULL;
  RETURN dead;
END $$;
CREATE FUNCTION public.svc_outbox_refused(p_owner uuid, p_position bigint, p_error text, p_again_ms integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO svc_outbox_failures
    SELECT p_position, 1, clock_timestamp() + p_again_ms * interval '1 ms', p_error WHERE svc_holds_outbox(p_owner)
    ON CONFLICT (global_position) DO UPDATE SET attempts = svc_outbox_failures.attempts + 1,
      next_attempt_at = excluded.next_attempt_at, last_error = excluded.last_error;
  RETURN FOUND;
END $$;
CREATE FUNCTION public.svc_outbox_republish(p_from bigint, OUT cursor_was bigint, OUT messages bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  SELECT c.position INTO cursor_was FROM svc_cursors c WHERE c.name = 'outbox' FOR UPDATE;
  IF p_from < 1 OR p_from > cursor_was THEN RETURN; END IF;
  UPDATE svc_cursors c SET position = p_from - 1, updated_at = clock_timestamp() WHERE c.name = 'outbox';
  SELECT count(*) INTO messages FROM svc_outbox_pending p WHERE p.global_position <= cursor_was;
  NOTIFY svc;
END $$;
CREATE FUNCTION public.svc_outbox_turn(p_owner uuid, p_ms integer, OUT held boolean, OUT at_position bigint, OUT remaining_ms integer, OUT head bigint, OUT replays boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  SELECT l.held, l.at_position, l.remaining_ms INTO held, at_position, remaining_ms FROM svc_take_lease('outbox', p_owner, p_ms) l;
  SELECT greatest((SELECT max(global_position) FROM svc_events), (SELECT max(global_position) FROM svc_system_events), 0),
      EXISTS (SELECT 1 FROM svc_dead_letter_records WHERE state = 'replaying' AND source = 'outbox')
    INTO head, replays;
  -- Nothing is published that only one disk holds: with something to send, this commit waits for the standby.
  IF held AND head > at_position THEN SET LOCAL synchronous_commit TO DEFAULT; END IF;
END $$;
CREATE FUNCTION public.svc_page_statement(p_selected text, p_query jsonb, p_part jsonb, p_limit bigint, p_offset bigint) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  SELECT format('SELECT coalesce(array_agg(r.model::text), ''{}''), coalesce(array_agg(%s), ''{}'')
    FROM (SELECT * %s ORDER BY %s LIMIT %s OFFSET %s) r', svc_row_key(p_query -> 'keys'),
    concat_ws(' AND ', p_selected, svc_row_conditions(p_part -> 'where')), svc_row_order(p_part), p_limit, p_offset)
$$;
CREATE FUNCTION public.svc_perspective_turn(p_owner uuid, p_names text[], p_ms integer) RETURNS TABLE(name text, held boolean, at_position bigint, remaining_ms integer, head bigint, parked bigint, released boolean, owed boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
  last bigint;
BEGIN
  -- A lease that is lost with the server is a lease that has ended.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE svc_cursors c SET owner = p_owner, lease_until = clock_timestamp() + p_ms * interval '1 ms'
    FROM (SELECT k.name FROM svc_cursors k WHERE k.name = ANY(p_names) ORDER BY k.name FOR UPDATE) mine
    WHERE c.name = mine.name AND (c.owner = p_owner OR svc_lease_is_over(c.lease_until, p_ms));
  last := greatest((SELECT max(global_position) FROM svc_events), (SELECT max(global_position) FROM svc_system_events), 0);
  RETURN QUERY SELECT c.name, c.owner IS NOT DISTINCT FROM p_owner, c.position,
      svc_lease_remaining_ms(c.lease_until), last, w.n, w.r,
      EXISTS (SELECT 1 FROM svc_rewinds r WHERE r.started_at IS NOT NULL)
    FROM svc_cursors c CROSS JOIN LATERAL (
      SELECT count(*) n, coalesce(bool_or(k.released), false) r FROM svc_parked k WHERE k.perspective = c.name) w
    WHERE c.name = ANY(p_names);
END $$;
CREATE FUNCTION public.svc_protect_rows(p_table text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM pg_class WHERE oid = to_regclass(p_table) AND NOT relrowsecurity) THEN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', p_table);
    EXECUTE format('DROP POLICY IF EXISTS svc_tenant ON %I', p_table);
    EXECUTE format('CREATE POLICY svc_tenant ON %I FOR SELECT
      USING (tenant IS NOT DISTINCT FROM nullif(current_setting(''svc.tenant'', true), ''''))', p_table);
  END IF;
END $$;
CREATE FUNCTION public.svc_prune() RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  DELETE FROM svc_flushes WHERE at < clock_timestamp() - interval '1 hour';
  DELETE FROM svc_idempotency WHERE expires_at < clock_timestamp();
$$;
CREATE FUNCTION public.svc_read_rows(p_from text, p_query jsonb) RETURNS TABLE(models text, keys text, has_more boolean, total bigint, is_exact boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET jit TO 'off'
    AS $$
DECLARE
  page int := (p_query ->> 'limit')::int;
  first bigint := (p_query ->> 'offset')::bigint;
  skip bigint := first;
  counted int := (p_query ->> 'counted')::int;
  selected text := svc_selected_rows(p_from, p_query);
  part jsonb;
  part_models text[];
  part_keys text[];
  found_models text[] := '{}';
  found_keys text[] := '{}';
  proven bigint;
  plan json;
BEGIN
  FOR part IN SELECT jsonb_array_elements(p_query -> 'segments') LOOP
    -- One more than the page shows whether there is a next one.
    EXECUTE svc_page_statement(selected, p_query, part, page + 1 - cardinality(found_models), skip) INTO part_models, part_keys;
    found_models := found_models || part_models;
    found_keys := found_keys || part_keys;
    EXIT WHEN cardinality(found_models) > page;
    IF cardinality(part_models) > 0 THEN skip := 0; END IF;
    IF skip > 0 THEN
      EXECUTE concat_ws(' AND ', 'SELECT count(*) ' || selected, svc_row_conditions(part -> 'where')) INTO total;
      skip := greatest(skip - total, 0);
    END IF;
  END LOOP;
  has_more := cardinality(found_models) > page;
  models := '[' || array_to_string(found_models[:page], ', ') || ']';
  keys := '[' || array_to_string(found_keys[:page], ', ') || ']';
  -- An empty page beyond the end proves nothing.
  proven := CASE WHEN cardinality(found_models) > 0 THEN first + cardinality(found_models) ELSE 0 END;
  total := proven;
  is_exact := NOT has_more AND (p_query ->> 'isWhole')::boolean AND (first = 0 OR cardinality(found_models) > 0);
  IF NOT is_exact AND p_query ->> 'count' = 'exact' THEN
    EXECUTE 'SELECT count(*) ' || selected INTO total;
    is_exact := true;
  ELSIF NOT is_exact AND p_query ->> 'count' = 'bounded' THEN
    EXECUTE format('SELECT count(*) FROM (SELECT 1 %s LIMIT %s) n', selected, counted + 1) INTO total;
    is_exact := total <= counted;
    IF NOT is_exact THEN
      EXECUTE 'EXPLAIN (FORMAT JSON) SELECT 1 ' || selected INTO plan;
      total := greatest(total, proven, (plan -> 0 -> 'Plan' ->> 'Plan Rows')::numeric::bigint);
    END IF;
  END IF;
  RETURN NEXT;
END $$;
CREATE FUNCTION public.svc_receive(p_owner uuid, p_ms integer, e_store uuid[], e_stream uuid[], e_position bigint[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_host text[], e_at text[], OUT r_status smallint[]) RETURNS smallint[]
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  SELECT svc_receive_v2(p_owner, p_ms, e_store, e_stream, e_position, e_id, e_type, e_data, e_meta, e_host, e_at, '{}')
$$;
CREATE FUNCTION public.svc_receive_head(p_owner uuid, p_ms integer, p_store uuid, p_position bigint, p_hash bytea, OUT held boolean, OUT differs boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $$
DECLARE o smallint;
BEGIN
  held := svc_open_inbox(p_owner, p_ms);
  IF NOT held THEN RETURN; END IF;
  -- A store of which nothing was taken is not known by its head alone.
  SELECT v.origin INTO o FROM svc_origins v WHERE v.store = p_store;
  UPDATE svc_origins SET head_position = p_position, head_hash = p_hash, head_at = clock_timestamp()
    WHERE origin = o AND o <> 0 AND coalesce(head_position, 0) <= p_position;
  SELECT v.hash <> p_hash INTO differs FROM svc_received_system_events v
    WHERE v.origin = o AND v.stream_position = p_position;
  differs := coalesce(differs, false);
END $$;
CREATE FUNCTION public.svc_receive_system(p_owner uuid, p_ms integer, s_store uuid[], s_position bigint[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_original bigint[], s_omitted boolean[], s_digest bytea[], s_hash bytea[], s_host text[], s_at text[], OUT r_status smallint[]) RETURNS smallint[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE n bigint; o smallint; same boolean; st smallint;
BEGIN
  IF NOT svc_open_inbox(p_owner, p_ms) THEN RETURN; END IF;
  SELECT coalesce(max(id), 0) INTO n FROM svc_received_system_events;
  r_status := '{}';
  FOR i IN 1 .. cardinality(s_id) LOOP
    st := 1;
    SELECT v.origin INTO o FROM svc_origins v WHERE v.store = s_store[i];
    IF o = 0 THEN st := 2;
    ELSIF o IS NOT NULL THEN
      SELECT v.event_id = s_id[i] AND v.hash = s_hash[i] AND v.digest = s_digest[i] INTO same
        FROM svc_received_system_events v WHERE v.origin = o AND v.stream_position = s_position[i];
      IF FOUND THEN st := CASE WHEN same THEN 2 ELSE 3 END;
      ELSIF EXISTS (SELECT 1 FROM svc_received_system_events v WHERE v.event_id = s_id[i] AND v.origin = o) THEN st := 3;
      END IF;
    END IF;
    IF st = 1 AND o IS NULL THEN
      o := svc_origin_of(s_store[i]);
      IF o IS NULL THEN st := 5; END IF;
    END IF;
    IF st = 1 THEN
      n := n + 1;
      INSERT INTO svc_received_system_events
        VALUES (n, o, s_position[i], s_id[i], s_type[i], s_data[i], s_meta[i], nullif(s_original[i], 0), s_omitted[i],
          s_digest[i], s_hash[i], s_host[i], s_at[i]::timestamptz, clock_timestamp());
    END IF;
    r_status := r_status || st;
  END LOOP;
  IF NOT 1 = ANY(r_status) THEN RETURN; END IF;
  UPDATE svc_origins v SET records = coalesce(v.records, 0) + c.n,
      first_position = least(v.first_position, c.first), last_position = greatest(v.last_position, c.last)
    FROM (SELECT s_store[i] AS store, count(*) AS n, min(s_position[i]) AS first, max(s_position[i]) AS last
      FROM generate_subscripts(s_id, 1) i WHERE r_status[i] = 1 GROUP BY 1) c
    WHERE v.store = c.store;
  NOTIFY svc;
END $$;
CREATE FUNCTION public.svc_receive_v2(p_owner uuid, p_ms integer, e_store uuid[], e_stream uuid[], e_position bigint[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_host text[], e_at text[], e_recorded text[], OUT r_status smallint[]) RETURNS smallint[]
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
DECLARE
  g bigint; g2 bigint; now_at timestamptz; at2 timestamptz; happened timestamptz;
  o smallint; same boolean; is_late boolean; st smallint;
BEGIN
  IF NOT svc_open_inbox(p_owner, p_ms) THEN RETURN; END IF;
  SELECT v.global_position, v.recorded_at INTO g, now_at FROM svc_events v ORDER BY v.global_position DESC LIMIT 1;
  SELECT v.global_position, v.recorded_at INTO g2, at2 FROM svc_system_events v ORDER BY v.stream_position DESC LIMIT 1;
  g := greatest(g, g2, 0); now_at := greatest(now_at, at2, clock_timestamp());
  r_status := '{}';
  FOR i IN 1 .. cardinality(e_id) LOOP
    st := 1; happened := e_at[i]::timestamptz;
    SELECT v.origin INTO o FROM svc_origins v WHERE v.store = e_store[i];
    IF o = 0 THEN st := 2;
    ELSIF happened > interval '5 minutes' + greatest(now_at,
      least(coalesce(e_recorded[i]::timestamptz, now_at), now_at + interval '1 day')) THEN st := 4;
    ELSIF o IS NOT NULL THEN
      SELECT v.event_id = e_id[i] AND v.event_type = e_type[i] AND v.data::text = e_data[i]::text INTO same
        FROM svc_events v WHERE v.stream_id = e_stream[i] AND v.origin = o AND v.stream_position = e_position[i];
      IF FOUND THEN st := CASE WHEN same THEN 2 ELSE 3 END;
      ELSIF EXISTS (SELECT 1 FROM svc_events v WHERE v.event_id = e_id[i] AND v.origin = o) THEN st := 3;
      END IF;
    END IF;
    IF st = 1 AND o IS NULL THEN
      o := svc_origin_of(e_store[i]);
      IF o IS NULL THEN st := 5; END IF;
    END IF;
    IF st = 1 THEN
      g := g + 1;
      is_late := svc_is_late(e_stream[i], happened, e_store[i], e_position[i]);
      INSERT INTO svc_events(global_position, stream_id, origin, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at, late)
        VALUES (g, e_stream[i], o, e_position[i], e_id[i], e_type[i], e_data[i], e_meta[i], e_host[i], happened, now_at, is_late);
      IF is_late THEN PERFORM svc_note_late(g, e_stream[i], e_id[i], e_type[i]); END IF;
    END IF;
    r_status := r_status || st;
  END LOOP;
  IF 1 = ANY(r_status) THEN NOTIFY svc; END IF;
END $$;
CREATE FUNCTION public.svc_refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE FUNCTION public.svc_release_lease(p_name text, p_owner uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE svc_cursors SET owner = NULL, lease_until = '-infinity' WHERE name = p_name AND owner = p_owner;
  IF FOUND THEN NOTIFY svc_lease; END IF;
END $$;
CREATE FUNCTION public.svc_release_parked(p_perspective text, p_key text) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
  n bigint;
BEGIN
  UPDATE svc_parked SET released = true WHERE perspective = p_perspective AND (p_key IS NULL OR key = p_key);
  GET DIAGNOSTICS n = ROW_COUNT;
  IF n > 0 THEN NOTIFY svc_lease; END IF;
  RETURN n;
END $$;
CREATE FUNCTION public.svc_replay_dead_letters(p_fingerprint text, p_error text, p_by text, OUT replaying bigint, OUT cut bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  SELECT count(*) INTO cut FROM svc_dead_letter_records
    WHERE state = 'dead' AND bytes > length(body) AND (fingerprint = p_fingerprint OR strpos(last_error, p_error) > 0);
  UPDATE svc_dead_letter_records SET state = 'replaying', resolved_by = p_by, resolved_at = NULL
    WHERE state = 'dead' AND (bytes IS NULL OR bytes = length(body)) AND (fingerprint = p_fingerprint OR strpos(last_error, p_error) > 0);
  GET DIAGNOSTICS replaying = ROW_COUNT;
  IF replaying > 0 THEN NOTIFY svc; END IF;
END $$;
CREATE FUNCTION public.svc_resolve_dead_letter(p_id bigint, p_state text, p_by text, p_reason text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE svc_dead_letter_records SET state = p_state, resolved_by = coalesce(p_by, resolved_by), reason = coalesce(p_reason, reason),
      resolved_at = CASE WHEN p_state = 'replaying' THEN NULL ELSE clock_timestamp() END
    WHERE id = p_id AND (p_state, state) IN (('replaying', 'dead'), ('replayed', 'replaying'), ('discarded', 'dead'), ('discarded', 'replaying'))
      -- Of some only the beginning was kept.
      AND (p_state <> 'replaying' OR bytes IS NULL OR bytes = length(body));
  IF FOUND AND p_state = 'replaying' THEN NOTIFY svc; END IF;
  RETURN FOUND;
END $$;
CREATE FUNCTION public.svc_rewind_announced(p_rewind bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  UPDATE svc_rewinds SET announced = true WHERE global_position = p_rewind
$$;
CREATE FUNCTION public.svc_rewind_told(p_rewind bigint, p_perspective text, p_from bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  UPDATE svc_rewind_replays SET told = true WHERE rewind = p_rewind AND perspective = p_perspective AND from_position = p_from
$$;
CREATE FUNCTION public.svc_rewound(p_perspective text, p_to bigint, p_replays json) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  INSERT INTO svc_rewind_replays(rewind, perspective, from_position, trigger_event_id, final_event_id, replayed, started_at)
    SELECT r.rewind, p_perspective, r.from_position, r.trigger_event_id, r.final_event_id, r.replayed, r.started_at
    FROM json_to_recordset(p_replays) r(rewind bigint, from_position bigint, trigger_event_id uuid, final_event_id uuid,
      replayed int, started_at timestamptz)
    WHERE EXISTS (SELECT 1 FROM svc_rewinds w WHERE w.global_position = r.rewind)
    ON CONFLICT DO NOTHING;
  UPDATE svc_rewinds SET pending = array_remove(pending, p_perspective)
    WHERE last_position <= p_to AND p_perspective = ANY(pending);
  -- Passed by all without a replay, as a rebuild does: there is nothing to tell.
  DELETE FROM svc_rewinds WHERE pending = '{}' AND started_at IS NULL;
END $$;
CREATE FUNCTION public.svc_roles_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  UPDATE svc_roles_version SET version = version + 1;
  NOTIFY svc_access;
  RETURN NULL;
END $$;
CREATE FUNCTION public.svc_row_condition(p jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
DECLARE
  held text := p ->> 'type';
  list text[] := ARRAY(SELECT jsonb_array_elements_text(p -> 'values'));
BEGIN
  IF held IS NULL OR held NOT IN ('text', 'uuid', 'integer', 'bigint', 'numeric', 'boolean', 'timestamptz') THEN
    RAISE EXCEPTION '% is not the type of a column', held;
  END IF;
  CASE p ->> 'is'
    WHEN 'in' THEN
      IF cardinality(list) = 1 THEN RETURN format('%I = %L::%s', p ->> 'column', list[1], held); END IF;
      RETURN format('%I = ANY(%L::%s[])', p ->> 'column', list, held);
    WHEN 'gte' THEN RETURN format('%I >= %L::%s', p ->> 'column', list[1], held);
    WHEN 'gt' THEN RETURN format('%I > %L::%s', p ->> 'column', list[1], held);
    WHEN 'lte' THEN RETURN format('%I <= %L::%s', p ->> 'column', list[1], held);
    WHEN 'lt' THEN RETURN format('%I < %L::%s', p ->> 'column', list[1], held);
    WHEN 'contains' THEN
      RETURN (SELECT format('(%s)', coalesce(string_agg(format('%I ILIKE %L', p ->> 'column', pattern), ' OR '), 'false')) FROM unnest(list) pattern);
    WHEN 'null' THEN RETURN format('%I IS NULL', p ->> 'column');
    WHEN 'present' THEN RETURN format('%I IS NOT NULL', p ->> 'column');
  END CASE;
END $$;
CREATE FUNCTION public.svc_row_conditions(p jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT string_agg(svc_row_condition(one), ' AND ') FROM jsonb_array_elements(p) one
$$;
CREATE FUNCTION public.svc_row_key(p jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT format('json_build_array(%s)::text', string_agg(format(
    CASE WHEN one ->> 'type' = 'timestamptz' THEN 'to_json(r.%I) #>> ''{}''' ELSE 'r.%I::text' END, one ->> 'column'), ', ' ORDER BY n))
  FROM jsonb_array_elements(p) WITH ORDINALITY k(one, n)
$$;
CREATE FUNCTION public.svc_row_order(p_part jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  SELECT concat_ws(', ', 'tenant' || way,
    (SELECT string_agg(format('%I%s', one ->> 'column', way), ', ') FROM jsonb_array_elements(p_part -> 'where') one WHERE one ->> 'is' = 'null'),
    (SELECT string_agg(format('%I%s', one ->> 'column', CASE WHEN NOT (one ->> 'descending')::boolean THEN ''
      WHEN (one ->> 'isNullable')::boolean THEN ' DESC NULLS LAST' ELSE ' DESC' END), ', ' ORDER BY n)
      FROM jsonb_array_elements(p_part -> 'order') WITH ORDINALITY k(one, n)))
  FROM (SELECT CASE WHEN (p_part #>> '{order,0,descending}')::boolean THEN ' DESC' ELSE '' END) first(way)
$$;
CREATE FUNCTION public.svc_selected_rows(p_from text, p_query jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
DECLARE
  own text := nullif(current_setting('svc.tenant', true), '');
BEGIN
  IF p_from !~ '^svc_per_[a-z0-9_]+$' THEN RAISE EXCEPTION '% is not the table of a perspective', p_from; END IF;
  RETURN format('FROM %I WHERE %s', p_from, concat_ws(' AND ',
    CASE WHEN own IS NULL THEN 'tenant IS NULL' ELSE format('tenant = %L', own) END, svc_row_conditions(p_query -> 'filters')));
END $_$;
CREATE FUNCTION public.svc_set_flag(flag text, turned_on boolean, share numeric, tenant_rules jsonb, user_rules jsonb, actor text, given_reason text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  INSERT INTO svc_flags(name, default_on, percent, tenants, users, updated_by, reason)
  VALUES (flag, turned_on, share, tenant_rules, user_rules, actor, given_reason)
  ON CONFLICT (name) DO UPDATE SET default_on = excluded.default_on, percent = excluded.percent,
    tenants = excluded.tenants, users = excluded.users, updated_at = clock_timestamp(),
    updated_by = excluded.updated_by, reason = excluded.reason;
$$;
CREATE FUNCTION public.svc_snapshot(p_table text, p_key text, p_at bigint, p_store uuid, p_position bigint) RETURNS TABLE(model text, tenant text, global_position bigint, applied integer, at bigint, store uuid, stream_position bigint, event_id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $_$
BEGIN
  IF p_table !~ '^svc_(new_)?snap_[a-z0-9_]+$' THEN RAISE EXCEPTION '% holds no snapshots', p_table; END IF;
  RETURN QUERY EXECUTE format('SELECT model::text, tenant, global_position, applied, at, store, stream_position, event_id FROM %I
    WHERE key = $1 AND ($2 IS NULL OR (at, store, stream_position) < ($2, $3, $4))
    ORDER BY at DESC, store DESC, stream_position DESC LIMIT 1', p_table) USING p_key, p_at, p_store, p_position;
END $_$;
CREATE FUNCTION public.svc_store_dated(p_global bigint, p_stream uuid, p_position bigint, p_event uuid, p_type text, p_data json, p_meta json, p_host text, p_stated timestamp with time zone, p_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_late boolean := false; v_occurred timestamptz := p_stated;
BEGIN
  IF p_stated IS NULL THEN
    SELECT greatest(p_at, max(v.occurred_at) + interval '1 microsecond') INTO v_occurred FROM svc_events v
      WHERE v.stream_id = p_stream AND (v.origin <> 0 OR v.occurred_at > v.recorded_at);
  ELSE
    v_late := svc_is_late(p_stream, p_stated, (SELECT id FROM svc_store), p_position);
  END IF;
  INSERT INTO svc_events(global_position, stream_id, stream_position, event_id, event_type, data, metadata, host, occurred_at, recorded_at, late)
    VALUES (p_global, p_stream, p_position, p_event, p_type, p_data, p_meta, p_host, v_occurred, p_at, v_late);
  IF v_late THEN PERFORM svc_note_late(p_global, p_stream, p_event, p_type); END IF;
END $$;
CREATE FUNCTION public.svc_take_lease(p_name text, p_owner uuid, p_ms integer, OUT held boolean, OUT at_position bigint, OUT remaining_ms integer) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
  -- A lease that is lost with the server is a lease that has ended.
  PERFORM set_config('synchronous_commit', 'off', true);
  UPDATE svc_cursors c SET owner = p_owner, lease_until = clock_timestamp() + p_ms * interval '1 ms'
    WHERE c.name = p_name AND (c.owner = p_owner OR svc_lease_is_over(c.lease_until, p_ms));
  held := FOUND;
  SELECT c.position, svc_lease_remaining_ms(c.lease_until)
    INTO at_position, remaining_ms FROM svc_cursors c WHERE c.name = p_name;
END $$;
CREATE FUNCTION public.svc_write_audit_log_43a29803(p_owner uuid, p_from bigint, p_to bigint, p_ms integer, p_batch json) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  IF NOT svc_advance_perspective('svc_per_audit_log_43a29803', p_owner, p_from, p_to, p_ms, p_batch) THEN RETURN false; END IF;
  IF json_array_length(p_batch -> 'deletes') > 0 THEN
    DELETE FROM svc_per_audit_log_43a29803 WHERE id IN (SELECT json_array_elements_text(p_batch -> 'deletes'));
  END IF;
  IF json_array_length(p_batch -> 'rows') > 0 THEN
    INSERT INTO svc_per_audit_log_43a29803(id, model, "correlation_id", "event_type", "timestamp", "user_id", tenant, position, applied, updated_at)
    SELECT r.id, r.model, r."correlation_id", r."event_type", r."timestamp", r."user_id", r.tenant, r.position, r.applied, clock_timestamp()
    FROM json_to_recordset(p_batch -> 'rows') r(id text, model jsonb, "correlation_id" text, "event_type" text, "timestamp" timestamptz, "user_id" text, tenant text, position bigint, applied int)
    ON CONFLICT (id) DO UPDATE SET model = excluded.model, "correlation_id" = excluded."correlation_id", "event_type" = excluded."event_type", "timestamp" = excluded."timestamp", "user_id" = excluded."user_id", tenant = excluded.tenant,
      position = excluded.position, applied = excluded.applied, updated_at = excluded.updated_at;
  END IF;
  IF json_array_length(p_batch -> 'forget') > 0 THEN
  DELETE FROM svc_snap_audit_log_43a29803 s USING json_to_recordset(p_batch -> 'forget') f(key text, at bigint, store uuid, stream_position bigint)
    WHERE s.key = f.key AND (s.at, s.store, s.stream_position) > (f.at, f.store, f.stream_position);
  END IF;
  IF json_array_length(p_batch -> 'snapshots') > 0 THEN
    INSERT INTO svc_snap_audit_log_43a29803 SELECT r.* FROM json_to_recordset(p_batch -> 'snapshots') r(key text, at bigint, store uuid,
      stream_position bigint, global_position bigint, event_id uuid, model jsonb, tenant text, applied int)
      ON CONFLICT (key, at, store, stream_position) DO UPDATE SET model = excluded.model, tenant = excluded.tenant, applied = excluded.applied;
    DELETE FROM svc_snap_audit_log_43a29803 s USING (
      SELECT k.key, o.at, o.store, o.stream_position
      FROM (SELECT DISTINCT key FROM json_to_recordset(p_batch -> 'snapshots') r(key text)) k CROSS JOIN LATERAL (
        SELECT x.at, x.store, x.stream_position FROM svc_snap_audit_log_43a29803 x WHERE x.key = k.key
        ORDER BY x.at DESC, x.store DESC, x.stream_position DESC OFFSET 4 LIMIT 1) o
    ) oldest WHERE s.key = oldest.key AND (s.at, s.store, s.stream_position) < (oldest.at, oldest.store, oldest.stream_position);
  END IF;
  RETURN true;
END $$;
CREATE FUNCTION public.svc_write_order_steps_daa40a1d(p_owner uuid, p_from bigint, p_to bigint, p_ms integer, p_batch json) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  IF NOT svc_advance_perspective('svc_per_order_steps_daa40a1d', p_owner, p_from, p_to, p_ms, p_batch) THEN RETURN false; END IF;
  IF json_array_length(p_batch -> 'deletes') > 0 THEN
    DELETE FROM svc_per_order_steps_daa40a1d WHERE id IN (SELECT json_array_elements_text(p_batch -> 'deletes'));
  END IF;
  IF json_array_length(p_batch -> 'rows') > 0 THEN
    INSERT INTO svc_per_order_steps_daa40a1d(id, model, tenant, position, applied, updated_at)
    SELECT r.id, r.model, r.tenant, r.position, r.applied, clock_timestamp()
    FROM json_to_recordset(p_batch -> 'rows') r(id text, model jsonb, tenant text, position bigint, applied int)
    ON CONFLICT (id) DO UPDATE SET model = excluded.model, tenant = excluded.tenant,
      position = excluded.position, applied = excluded.applied, updated_at = excluded.updated_at;
  END IF;
  IF json_array_length(p_batch -> 'forget') > 0 THEN
  DELETE FROM svc_snap_order_steps_daa40a1d s USING json_to_recordset(p_batch -> 'forget') f(key text, at bigint, store uuid, stream_position bigint)
    WHERE s.key = f.key AND (s.at, s.store, s.stream_position) > (f.at, f.store, f.stream_position);
  END IF;
  IF json_array_length(p_batch -> 'snapshots') > 0 THEN
    INSERT INTO svc_snap_order_steps_daa40a1d SELECT r.* FROM json_to_recordset(p_batch -> 'snapshots') r(key text, at bigint, store uuid,
      stream_position bigint, global_position bigint, event_id uuid, model jsonb, tenant text, applied int)
      ON CONFLICT (key, at, store, stream_position) DO UPDATE SET model = excluded.model, tenant = excluded.tenant, applied = excluded.applied;
    DELETE FROM svc_snap_order_steps_daa40a1d s USING (
      SELECT k.key, o.at, o.store, o.stream_position
      FROM (SELECT DISTINCT key FROM json_to_recordset(p_batch -> 'snapshots') r(key text)) k CROSS JOIN LATERAL (
        SELECT x.at, x.store, x.stream_position FROM svc_snap_order_steps_daa40a1d x WHERE x.key = k.key
        ORDER BY x.at DESC, x.store DESC, x.stream_position DESC OFFSET 4 LIMIT 1) o
    ) oldest WHERE s.key = oldest.key AND (s.at, s.store, s.stream_position) < (oldest.at, oldest.store, oldest.stream_position);
  END IF;
  RETURN true;
END $$;
CREATE FUNCTION public.svc_write_order_summary_ba9dcd97(p_owner uuid, p_from bigint, p_to bigint, p_ms integer, p_batch json) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
BEGIN
  IF NOT svc_advance_perspective('svc_per_order_summary_ba9dcd97', p_owner, p_from, p_to, p_ms, p_batch) THEN RETURN false; END IF;
  IF json_array_length(p_batch -> 'deletes') > 0 THEN
    DELETE FROM svc_per_order_summary_ba9dcd97 WHERE id IN (SELECT json_array_elements_text(p_batch -> 'deletes'));
  END IF;
  IF json_array_length(p_batch -> 'rows') > 0 THEN
    INSERT INTO svc_per_order_summary_ba9dcd97(id, model, "customer_id", "status", "total", tenant, position, applied, updated_at)
    SELECT r.id, r.model, r."customer_id", r."status", r."total", r.tenant, r.position, r.applied, clock_timestamp()
    FROM json_to_recordset(p_batch -> 'rows') r(id text, model jsonb, "customer_id" uuid, "status" text, "total" numeric, tenant text, position bigint, applied int)
    ON CONFLICT (id) DO UPDATE SET model = excluded.model, "customer_id" = excluded."customer_id", "status" = excluded."status", "total" = excluded."total", tenant = excluded.tenant,
      position = excluded.position, applied = excluded.applied, updated_at = excluded.updated_at;
  END IF;
  IF json_array_length(p_batch -> 'forget') > 0 THEN
  DELETE FROM svc_snap_order_summary_ba9dcd97 s USING json_to_recordset(p_batch -> 'forget') f(key text, at bigint, store uuid, stream_position bigint)
    WHERE s.key = f.key AND (s.at, s.store, s.stream_position) > (f.at, f.store, f.stream_position);
  END IF;
  IF json_array_length(p_batch -> 'snapshots') > 0 THEN
    INSERT INTO svc_snap_order_summary_ba9dcd97 SELECT r.* FROM json_to_recordset(p_batch -> 'snapshots') r(key text, at bigint, store uuid,
      stream_position bigint, global_position bigint, event_id uuid, model jsonb, tenant text, applied int)
      ON CONFLICT (key, at, store, stream_position) DO UPDATE SET model = excluded.model, tenant = excluded.tenant, applied = excluded.applied;
    DELETE FROM svc_snap_order_summary_ba9dcd97 s USING (
      SELECT k.key, o.at, o.store, o.stream_position
      FROM (SELECT DISTINCT key FROM json_to_recordset(p_batch -> 'snapshots') r(key text)) k CROSS JOIN LATERAL (
        SELECT x.at, x.store, x.stream_position FROM svc_snap_order_summary_ba9dcd97 x WHERE x.key = k.key
        ORDER BY x.at DESC, x.store DESC, x.stream_position DESC OFFSET 4 LIMIT 1) o
    ) oldest WHERE s.key = oldest.key AND (s.at, s.store, s.stream_position) < (oldest.at, oldest.store, oldest.stream_position);
  END IF;
  RETURN true;
END $$;
CREATE TABLE public.parcels (
    id integer NOT NULL,
    label text NOT NULL,
    weight__svc_old integer,
    weight numeric(12,3) NOT NULL
);
CREATE VIEW public.heavy_parcels AS
 SELECT parcels.id,
    parcels.label
   FROM public.parcels
  WHERE (parcels.weight > (1)::numeric);
CREATE TABLE public.svc_api_keys (
    id text NOT NULL,
    digest bytea NOT NULL,
    name text NOT NULL,
    permissions text[] NOT NULL,
    tenant_id text,
    user_id text,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT svc_api_keys_digest_check CHECK ((length(digest) = 32)),
    CONSTRAINT svc_api_keys_id_check CHECK ((id ~ '^[0-9a-f]{8}$'::text))
);
CREATE TABLE public.svc_cursors (
    name text NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    owner uuid,
    lease_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    generation integer DEFAULT 0 NOT NULL,
    refolds integer DEFAULT 0 NOT NULL
);
CREATE TABLE public.svc_dead_letter_records (
    id bigint NOT NULL,
    global_position bigint,
    message_id uuid,
    message_type text NOT NULL,
    destination text NOT NULL,
    attempts integer NOT NULL,
    last_error text NOT NULL,
    fingerprint text NOT NULL,
    dead_at timestamp with time zone NOT NULL,
    state text DEFAULT 'dead'::text NOT NULL,
    resolved_at timestamp with time zone,
    resolved_by text,
    reason text,
    source text DEFAULT 'outbox'::text NOT NULL,
    headers json,
    body bytea,
    bytes integer,
    digest bytea,
    replays integer DEFAULT 0 NOT NULL,
    CONSTRAINT svc_dead_letter_records_source_check CHECK ((source = ANY (ARRAY['outbox'::text, 'inbox'::text]))),
    CONSTRAINT svc_dead_letter_records_state_check CHECK ((state = ANY (ARRAY['dead'::text, 'replaying'::text, 'replayed'::text, 'discarded'::text])))
);
ALTER TABLE public.svc_dead_letter_records ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.svc_dead_letter_records_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE VIEW public.svc_dead_letters AS
 SELECT svc_dead_letter_records.id,
    svc_dead_letter_records.message_id,
    svc_dead_letter_records.message_type,
    svc_dead_letter_records.destination,
    svc_dead_letter_records.attempts,
    svc_dead_letter_records.last_error,
    svc_dead_letter_records.fingerprint,
    svc_dead_letter_records.dead_at,
    svc_dead_letter_records.state,
    svc_dead_letter_records.global_position,
    svc_dead_letter_records.source
   FROM public.svc_dead_letter_records
  WHERE (svc_dead_letter_records.state = ANY (ARRAY['dead'::text, 'replaying'::text]));
CREATE TABLE public.svc_deployments (
    id uuid NOT NULL,
    service text NOT NULL,
    strategy text NOT NULL,
    revision text NOT NULL,
    previous text,
    source text,
    config text NOT NULL,
    options jsonb NOT NULL,
    state text DEFAULT 'running'::text NOT NULL,
    step integer DEFAULT 0 NOT NULL,
    revert_step integer DEFAULT 0 NOT NULL,
    stage integer DEFAULT 0 NOT NULL,
    to_new integer DEFAULT 0 NOT NULL,
    measured jsonb DEFAULT '[]'::jsonb NOT NULL,
    reason text,
    actor text NOT NULL,
    request text,
    holder uuid NOT NULL,
    lease_expires_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT svc_deployments_check CHECK (((finished_at IS NULL) = (state = ANY (ARRAY['running'::text, 'paused'::text, 'reverting'::text])))),
    CONSTRAINT svc_deployments_request_check CHECK ((request = ANY (ARRAY['pause'::text, 'promote'::text, 'abort'::text, 'resume'::text]))),
    CONSTRAINT svc_deployments_state_check CHECK ((state = ANY (ARRAY['running'::text, 'paused'::text, 'reverting'::text, 'completed'::text, 'reverted'::text])))
);
CREATE TABLE public.svc_events (
    global_position bigint NOT NULL,
    stream_id uuid NOT NULL,
    origin smallint DEFAULT 0 NOT NULL,
    stream_position bigint NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    data json NOT NULL,
    metadata json NOT NULL,
    host text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    late boolean DEFAULT false NOT NULL,
    CONSTRAINT svc_events_stream_id_check CHECK ((stream_id <> '00000000-0000-0000-0000-000000000001'::uuid))
);
CREATE VIEW public.svc_event_stream AS
 SELECT svc_events.global_position,
    svc_events.stream_id,
    svc_events.stream_position,
    svc_events.event_id,
    svc_events.event_type,
    (svc_events.data)::jsonb AS data,
    (svc_events.metadata ->> 'correlationId'::text) AS correlation_id,
    (svc_events.metadata ->> 'causationId'::text) AS causation_id,
    ((svc_events.metadata -> 'scope'::text) ->> 'tenantId'::text) AS tenant_id,
    ((svc_events.metadata -> 'scope'::text) ->> 'userId'::text) AS user_id,
    svc_events.host,
    svc_events.occurred_at,
    svc_events.recorded_at
   FROM public.svc_events;
CREATE TABLE public.svc_flag_names (
    name text NOT NULL,
    declared_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.svc_flags (
    name text NOT NULL,
    default_on boolean NOT NULL,
    percent numeric(5,2),
    tenants jsonb DEFAULT '{}'::jsonb NOT NULL,
    users jsonb DEFAULT '{}'::jsonb NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_by text NOT NULL,
    reason text,
    CONSTRAINT svc_flags_percent_check CHECK (((percent >= (0)::numeric) AND (percent <= (100)::numeric)))
);
CREATE TABLE public.svc_flags_version (
    single boolean DEFAULT true NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    CONSTRAINT svc_flags_version_single_check CHECK (single)
);
CREATE TABLE public.svc_flushes (
    writer uuid NOT NULL,
    flush bigint NOT NULL,
    status smallint[] NOT NULL,
    "position" bigint[] NOT NULL,
    global bigint[] NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.svc_idempotency (
    key bytea NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    body text,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE public.svc_inbox_attempts (
    digest bytea NOT NULL,
    attempts integer NOT NULL,
    owner uuid NOT NULL,
    at timestamp with time zone NOT NULL
);
CREATE TABLE public.svc_migration_batches (
    id uuid NOT NULL,
    library_version text NOT NULL,
    keys text[] NOT NULL,
    from_position bigint NOT NULL,
    begun_at timestamp with time zone NOT NULL
);
CREATE TABLE public.svc_origins (
    origin smallint NOT NULL,
    store uuid NOT NULL,
    head_position bigint,
    head_hash bytea,
    head_at timestamp with time zone,
    first_seen timestamp with time zone,
    records bigint,
    first_position bigint,
    last_position bigint
);
ALTER TABLE public.svc_origins ALTER COLUMN origin ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.svc_origins_origin_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE public.svc_outbox_failures (
    global_position bigint NOT NULL,
    attempts integer NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL,
    last_error text NOT NULL
);
CREATE TABLE public.svc_system_events (
    stream_position bigint NOT NULL,
    global_position bigint NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    data json NOT NULL,
    metadata json NOT NULL,
    original_position bigint,
    publish boolean NOT NULL,
    digest bytea NOT NULL,
    hash bytea NOT NULL,
    host text NOT NULL,
    recorded_at timestamp with time zone NOT NULL
);
CREATE VIEW public.svc_outbox_pending AS
 SELECT m.global_position,
    public.svc_destination(m.event_type, m.system) AS destination,
    m.event_id,
    m.event_type,
    m.host,
    COALESCE(f.attempts, 0) AS attempts,
    m.recorded_at
   FROM (( SELECT svc_events.global_position,
            false AS system,
            svc_events.event_id,
            svc_events.event_type,
            svc_events.host,
            svc_events.recorded_at
           FROM public.svc_events
          WHERE (svc_events.origin = 0)
        UNION ALL
         SELECT svc_system_events.global_position,
            true,
            svc_system_events.event_id,
            svc_system_events.event_type,
            svc_system_events.host,
            svc_system_events.recorded_at
           FROM public.svc_system_events
          WHERE svc_system_events.publish) m
     LEFT JOIN public.svc_outbox_failures f USING (global_position))
  WHERE ((m.global_position > ( SELECT c."position"
           FROM public.svc_cursors c
          WHERE (c.name = 'outbox'::text))) AND (NOT (EXISTS ( SELECT 1
           FROM public.svc_dead_letter_records d
          WHERE ((d.global_position = m.global_position) AND (d.state <> 'replayed'::text))))));
CREATE TABLE public.svc_parked (
    perspective text NOT NULL,
    key text NOT NULL,
    event_id uuid NOT NULL,
    global_position bigint NOT NULL,
    error text NOT NULL,
    attempts integer NOT NULL,
    at timestamp with time zone NOT NULL,
    released boolean DEFAULT false NOT NULL
);
CREATE TABLE public.svc_per_audit_log_43a29803 (
    id text NOT NULL,
    model jsonb NOT NULL,
    correlation_id text,
    event_type text,
    "timestamp" timestamp with time zone,
    user_id text,
    tenant text,
    "position" bigint NOT NULL,
    applied integer NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE VIEW public.svc_per_audit_log WITH (security_invoker='true') AS
 SELECT svc_per_audit_log_43a29803.id,
    svc_per_audit_log_43a29803.model,
    svc_per_audit_log_43a29803.correlation_id,
    svc_per_audit_log_43a29803.event_type,
    svc_per_audit_log_43a29803."timestamp",
    svc_per_audit_log_43a29803.user_id,
    svc_per_audit_log_43a29803.tenant,
    svc_per_audit_log_43a29803."position",
    svc_per_audit_log_43a29803.applied,
    svc_per_audit_log_43a29803.updated_at
   FROM public.svc_per_audit_log_43a29803;
CREATE TABLE public.svc_per_order_steps_daa40a1d (
    id text NOT NULL,
    model jsonb NOT NULL,
    tenant text,
    "position" bigint NOT NULL,
    applied integer NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE VIEW public.svc_per_order_steps WITH (security_invoker='true') AS
 SELECT svc_per_order_steps_daa40a1d.id,
    svc_per_order_steps_daa40a1d.model,
    svc_per_order_steps_daa40a1d.tenant,
    svc_per_order_steps_daa40a1d."position",
    svc_per_order_steps_daa40a1d.applied,
    svc_per_order_steps_daa40a1d.updated_at
   FROM public.svc_per_order_steps_daa40a1d;
CREATE TABLE public.svc_per_order_summary_ba9dcd97 (
    id text NOT NULL,
    model jsonb NOT NULL,
    customer_id uuid,
    status text,
    total numeric,
    tenant text,
    "position" bigint NOT NULL,
    applied integer NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
CREATE VIEW public.svc_per_order_summary WITH (security_invoker='true') AS
 SELECT svc_per_order_summary_ba9dcd97.id,
    svc_per_order_summary_ba9dcd97.model,
    svc_per_order_summary_ba9dcd97.customer_id,
    svc_per_order_summary_ba9dcd97.status,
    svc_per_order_summary_ba9dcd97.total,
    svc_per_order_summary_ba9dcd97.tenant,
    svc_per_order_summary_ba9dcd97."position",
    svc_per_order_summary_ba9dcd97.applied,
    svc_per_order_summary_ba9dcd97.updated_at
   FROM public.svc_per_order_summary_ba9dcd97;
CREATE TABLE public.svc_perspectives (
    table_name text NOT NULL,
    name text NOT NULL,
    hash text NOT NULL,
    types text[] NOT NULL,
    by_stream boolean NOT NULL,
    registered_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE TABLE public.svc_rebuilds (
    id uuid NOT NULL,
    table_name text NOT NULL,
    name text NOT NULL,
    mode text NOT NULL,
    streams uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    max_rate integer,
    state text DEFAULT 'requested'::text NOT NULL,
    owner uuid,
    lease_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    cancel boolean DEFAULT false NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    target bigint DEFAULT 0 NOT NULL,
    events bigint DEFAULT 0 NOT NULL,
    row_count bigint DEFAULT 0 NOT NULL,
    careful text[] DEFAULT '{}'::text[] NOT NULL,
    total_streams bigint DEFAULT 0 NOT NULL,
    total_events bigint DEFAULT 0 NOT NULL,
    shown_streams bigint DEFAULT 0 NOT NULL,
    shown_events bigint DEFAULT 0 NOT NULL,
    error text,
    requested_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    force boolean DEFAULT false NOT NULL,
    parked_before json,
    lost_rows bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.svc_received_system_events (
    id bigint NOT NULL,
    origin smallint NOT NULL,
    stream_position bigint NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    data json NOT NULL,
    metadata json NOT NULL,
    original_position bigint,
    omitted boolean NOT NULL,
    digest bytea NOT NULL,
    hash bytea NOT NULL,
    host text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL
);
CREATE TABLE public.svc_rewind_replays (
    rewind bigint NOT NULL,
    perspective text NOT NULL,
    from_position bigint NOT NULL,
    trigger_event_id uuid NOT NULL,
    final_event_id uuid NOT NULL,
    replayed integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    told boolean DEFAULT false NOT NULL
);
CREATE TABLE public.svc_rewinds (
    global_position bigint NOT NULL,
    stream_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    noted_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    last_position bigint DEFAULT 0 NOT NULL,
    names text[] DEFAULT '{}'::text[] NOT NULL,
    pending text[] DEFAULT '{}'::text[] NOT NULL,
    started_at timestamp with time zone,
    announced boolean DEFAULT false NOT NULL
);
CREATE TABLE public.svc_role_assignments (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    roles text[] NOT NULL,
    permissions text[] NOT NULL
);
CREATE TABLE public.svc_roles (
    role text NOT NULL,
    permissions text[] NOT NULL
);
CREATE TABLE public.svc_roles_version (
    single boolean DEFAULT true NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    CONSTRAINT svc_roles_version_single_check CHECK (single)
);
CREATE TABLE public.svc_schema_levels (
    owner text NOT NULL,
    schema_level integer NOT NULL,
    min_level integer NOT NULL
);
CREATE TABLE public.svc_schema_migrations (
    migration_key text NOT NULL,
    strategy text NOT NULL,
    status smallint NOT NULL,
    status_description text NOT NULL,
    hash text,
    library_version text NOT NULL,
    attempts integer NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    application_version text,
    superseded text[] DEFAULT '{}'::text[] NOT NULL,
    state jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE public.svc_snap_audit_log_43a29803 (
    key text NOT NULL,
    at bigint NOT NULL,
    store uuid NOT NULL,
    stream_position bigint NOT NULL,
    global_position bigint NOT NULL,
    event_id uuid NOT NULL,
    model jsonb NOT NULL,
    tenant text,
    applied integer NOT NULL
);
CREATE TABLE public.svc_snap_order_steps_daa40a1d (
    key text NOT NULL,
    at bigint NOT NULL,
    store uuid NOT NULL,
    stream_position bigint NOT NULL,
    global_position bigint NOT NULL,
    event_id uuid NOT NULL,
    model jsonb NOT NULL,
    tenant text,
    applied integer NOT NULL
);
CREATE TABLE public.svc_snap_order_summary_ba9dcd97 (
    key text NOT NULL,
    at bigint NOT NULL,
    store uuid NOT NULL,
    stream_position bigint NOT NULL,
    global_position bigint NOT NULL,
    event_id uuid NOT NULL,
    model jsonb NOT NULL,
    tenant text,
    applied integer NOT NULL
);
CREATE TABLE public.svc_store (
    single boolean DEFAULT true NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT svc_store_single_check CHECK (single)
);
CREATE VIEW public.svc_system_stream AS
 SELECT svc_system_events.stream_position,
    svc_system_events.event_id,
    svc_system_events.event_type,
    (((svc_system_events.data)::jsonb ||
        CASE
            WHEN (svc_system_events.original_position IS NULL) THEN '{}'::jsonb
            ELSE jsonb_build_object('originalStreamPosition', svc_system_events.original_position)
        END) ||
        CASE
            WHEN (svc_system_events.event_type <> ALL (ARRAY['EventAudited'::text, 'CommandAudited'::text])) THEN '{}'::jsonb
            ELSE jsonb_build_object('timestamp', to_char((svc_system_events.recorded_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'::text))
        END) AS data,
    svc_system_events.host,
    svc_system_events.recorded_at
   FROM public.svc_system_events;
INSERT INTO public.parcels VALUES
	(1, 'parcel 1', 250, 1.250),
	(2, 'parcel 2', 500, 1.500),
	(3, 'parcel 3', 750, 1.750),
	(4, 'parcel 4', 1000, 2.000),
	(5, 'parcel 5', 1250, 2.250);
INSERT INTO public.svc_cursors VALUES
	('inbox', 0, NULL, '-infinity', '2026-11-15 20:39:03.111827+00', 0, 0),
	('svc_per_audit_log_43a29803', 247, NULL, '-infinity', '2026-11-16 19:12:43.901472+00', 0, 0),
	('svc_per_order_summary_ba9dcd97', 247, NULL, '-infinity', '2026-11-16 19:12:43.904898+00', 0, 0),
	('svc_per_order_steps_daa40a1d', 247, NULL, '-infinity', '2026-11-16 19:12:43.924879+00', 0, 1),
	('outbox', 247, NULL, '-infinity', '2026-11-16 19:12:43.941574+00', 0, 0);
INSERT INTO public.svc_dead_letter_records VALUES
	(1, NULL, '01a1e0ef-52cd-769f-b936-30a5a8f740fc', 'OrderCreated', 'svc.events.OrderCreated', 1, 'the body is not readable', 'f00d', '2026-11-15 20:39:03.118963+00', 'dead', NULL, NULL, NULL, 'inbox', '{"svc-store":"d718af53-094b-48ea-8665-da49d96223f9"}', '\x6e6f7420616e20656e76656c6f7065', 15, '\x6361b2dd9a13e547309db738ba0215b08dc6c400d2cf4436b4e377e89ea26396', 0);
INSERT INTO public.svc_events VALUES
	(39, '01a1e0ef-3beb-759d-a833-c7bc7f5beb43', 0, 1, '01a1e0ef-3beb-759e-8f22-73386a990db1', 'OrderCreated', '{"orderId":"01a1e0ef-3beb-759d-a833-c7bc7f5beb43","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}', '{"correlationId":"market-day","causationId":"01a1e0ef-3bdd-724b-a1c0-81e75e57b143","traceparent":"00-01a1e0ef3bdd724ba1c081e75e57b143-a1c081e75e57b143-00","v":1}', 'harbour', '2026-11-15 20:38:57.264942+00', '2026-11-15 20:38:57.264942+00', false),
	(42, '01a1e0ef-3beb-759d-a833-c7bc7f5beb43', 0, 2, '01a1e0ef-3c14-77be-9446-ddee65d6bfbc', 'OrderCancelled', '{"orderId":"01a1e0ef-3beb-759d-a833-c7bc7f5beb43","reason":"too late"}', '{"correlationId":"01a1e0ef-3c0a-7789-b064-d70969602c0b","causationId":"01a1e0ef-3c0a-7789-b064-d70969602c0b","traceparent":"00-01a1e0ef3c0a7789b064d70969602c0b-b064d70969602c0b-00","v":1}', 'harbour', '2026-11-15 20:38:57.302402+00', '2026-11-15 20:38:57.302402+00', false),
	(45, '01a1e0ef-3c3a-7052-8a7e-bc4461bb3993', 0, 1, '01a1e0ef-3c3a-7053-856d-75cd1ca9190a', 'OrderCreated', '{"orderId":"01a1e0ef-3c3a-7052-8a7e-bc4461bb3993","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}', '{"correlationId":"market-day","causationId":"01a1e0ef-3c31-7048-92a9-7047c0424d23","traceparent":"00-01a1e0ef3c31704892a97047c0424d23-92a97047c0424d23-00","v":1}', 'harbour', '2026-11-15 20:38:57.341506+00', '2026-11-15 20:38:57.341506+00', false),
	(48, '01a1e0ef-3c3a-7052-8a7e-bc4461bb3993', 0, 2, '01a1e0ef-3c58-7774-93fd-1b9939297c0d', 'OrderShipped', '{"orderId":"01a1e0ef-3c3a-7052-8a7e-bc4461bb3993","carrier":"Royal Mail"}', '{"correlationId":"01a1e0ef-3c52-73f1-a887-9aa81ac09b4a","causationId":"01a1e0ef-3c52-73f1-a887-9aa81ac09b4a","traceparent":"00-01a1e0ef3c5273f1a8879aa81ac09b4a-a8879aa81ac09b4a-00","v":1}', 'harbour', '2026-11-15 20:38:57.369965+00', '2026-11-15 20:38:57.369965+00', false),
	(51, '01a1e0ef-3c65-74bc-9947-80bada44f0c6', 0, 1, '01a1e0ef-3c65-74bd-9018-c2cfe92a2205', 'OrderCreated', '{"orderId":"01a1e0ef-3c65-74bc-9947-80bada44f0c6","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}', '{"correlationId":"market-day","causationId":"01a1e0ef-3c64-75c9-8c83-49a0c1fba70a","traceparent":"00-01a1e0ef3c6475c98c8349a0c1fba70a-8c8349a0c1fba70a-00","v":1}', 'harbour', '2026-11-15 20:38:57.38363+00', '2026-11-15 20:38:57.38363+00', false),
	(94, '01a1e0ef-45da-77d7-ae03-337b232f2af8', 0, 1, '01a1e0ef-45da-77d8-9bc1-67bab08622e5', 'OrderCreated', '{"orderId":"01a1e0ef-45da-77d7-ae03-337b232f2af8","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}', '{"correlationId":"market-day","causationId":"01a1e0ef-45c9-73f8-a9e0-3ca1234e9a62","traceparent":"00-01a1e0ef45c973f8a9e03ca1234e9a62-a9e03ca1234e9a62-00","v":1}', 'harbour', '2026-11-15 20:38:59.811501+00', '2026-11-15 20:38:59.811501+00', false),
	(97, '01a1e0ef-45da-77d7-ae03-337b232f2af8', 0, 2, '01a1e0ef-4618-7148-8a52-b34a3214b7e5', 'OrderArchived', '{"orderId":"01a1e0ef-45da-77d7-ae03-337b232f2af8"}', '{"correlationId":"01a1e0ef-460a-7189-b441-158cd65a6a4d","causationId":"01a1e0ef-4615-7379-97c3-51363b6bb143","traceparent":"00-01a1e0ef460a7189b441158cd65a6a4d-b441158cd65a6a4d-00","v":1}', 'harbour', '2026-11-15 20:38:59.86646+00', '2026-11-15 20:38:59.86646+00', false),
	(100, '01a1e0ef-4637-763b-a51c-9f715f99e576', 0, 1, '01a1e0ef-4637-763c-a7d6-a3106be729d6', 'OrderCreated', '{"orderId":"01a1e0ef-4637-763b-a51c-9f715f99e576","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}', '{"correlationId":"market-day","causationId":"01a1e0ef-4633-729d-92ac-49ced6743ade","traceparent":"00-01a1e0ef4633729d92ac49ced6743ade-92ac49ced6743ade-00","v":1}', 'harbour', '2026-11-15 20:38:59.898457+00', '2026-11-15 20:38:59.898457+00', false),
	(104, '01a1e0ef-466d-7098-984f-3337cfc01bcd', 0, 1, '01a1e0ef-466d-7099-bdd9-4d335ca394c9', 'OrderCreated', '{"orderId":"01a1e0ef-466d-7098-984f-3337cfc01bcd","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}', '{"correlationId":"market-day","causationId":"01a1e0ef-4664-75a7-94b9-f8d7779a32ea","traceparent":"00-01a1e0ef466475a794b9f8d7779a32ea-94b9f8d7779a32ea-00","v":1}', 'harbour', '2026-11-15 20:38:59.951103+00', '2026-11-15 20:38:59.951103+00', false),
	(107, '01a1e0ef-466d-7098-984f-3337cfc01bcd', 0, 2, '01a1e0ef-4691-710d-b04b-3b6dee17dddb', 'OrderShipped', '{"orderId":"01a1e0ef-466d-7098-984f-3337cfc01bcd","carrier":"Nowhere Freight"}', '{"correlationId":"01a1e0ef-4690-75f2-a997-2f1dca0d31e2","causationId":"01a1e0ef-4690-75f2-a997-2f1dca0d31e2","traceparent":"00-01a1e0ef469075f2a9972f1dca0d31e2-a9972f1dca0d31e2-00","v":1}', 'harbour', '2026-11-15 20:38:59.987639+00', '2026-11-15 20:38:59.987639+00', false),
	(111, '01a1e0ef-384e-77c7-b6c9-d7b92b0544da', 1, 1, '01a1e0ef-384e-77c8-9b30-50902d22efc2', 'OrderCreated', '{"orderId":"01a1e0ef-384e-77c7-b6c9-d7b92b0544da","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}', '{"correlationId":"market-day","causationId":"01a1e0ef-383b-746d-997c-77fbd2b30d05","traceparent":"00-01a1e0ef383b746d997c77fbd2b30d05-997c77fbd2b30d05-00","v":1}', 'island', '2026-11-15 20:38:56.342951+00', '2026-11-15 20:39:03.093563+00', false),
	(112, '01a1e0ef-388c-70da-b148-8e3d12715bd7', 1, 1, '01a1e0ef-388d-73b3-a48c-7c631679725c', 'OrderCreated', '{"orderId":"01a1e0ef-388c-70da-b148-8e3d12715bd7","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}', '{"correlationId":"market-day","causationId":"01a1e0ef-388c-70d9-abfc-2a03d0184ae1","traceparent":"00-01a1e0ef388c70d9abfc2a03d0184ae1-abfc2a03d0184ae1-00","v":1}', 'island', '2026-11-15 20:38:56.399933+00', '2026-11-15 20:39:03.093563+00', false),
	(238, '01a1e5c6-a629-7233-8dc9-628750684684', 0, 1, '01a1e5c6-a629-7234-8319-b14cf15603ce', 'OrderCreated', '{"orderId":"01a1e5c6-a629-7233-8dc9-628750684684","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}', '{"correlationId":"01a1e5c6-a5f9-737c-b13d-f87712ee059b","causationId":"01a1e5c6-a5f9-737c-b13d-f87712ee059b","traceparent":"00-01a1e5c6a5f9737cb13df87712ee059b-b13df87712ee059b-00","v":1}', 'harbour', '2026-11-16 19:12:43.587559+00', '2026-11-16 19:12:43.587559+00', false),
	(242, '01a1e5c6-a6b3-77bd-8c2a-46463438ff4b', 0, 1, '01a1e5c6-a6b4-773b-b784-09240f4abf02', 'OrderCreated', '{"orderId":"01a1e5c6-a6b3-77bd-8c2a-46463438ff4b","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}', '{"correlationId":"01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec","causationId":"01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec","traceparent":"00-01a1e5c6a6a676f2b342e0bdee40e0ec-b342e0bdee40e0ec-00","v":1}', 'harbour', '2026-11-16 19:12:43.708108+00', '2026-11-16 19:12:43.708108+00', false),
	(245, '01a1e5c6-a6b3-77bd-8c2a-46463438ff4b', 0, 2, '01a1e5c6-a749-723c-b43b-255d963e60cc', 'OrderShipped', '{"orderId":"01a1e5c6-a6b3-77bd-8c2a-46463438ff4b","carrier":"Royal Mail"}', '{"correlationId":"01a1e5c6-a6ff-74c8-9c1d-aeb698d824be","causationId":"01a1e5c6-a6ff-74c8-9c1d-aeb698d824be","traceparent":"00-01a1e5c6a6ff74c89c1daeb698d824be-9c1daeb698d824be-00","v":1}', 'harbour', '2026-11-16 19:12:43.865284+00', '2026-11-16 19:12:43.865284+00', false);
INSERT INTO public.svc_flag_names VALUES
	('gift-wrap', '2026-11-16 19:12:42.427911+00');
INSERT INTO public.svc_flags_version VALUES
	(true, 0);
INSERT INTO public.svc_flushes VALUES
	('01a1e0ef-3aee-770e-b03f-f090ac5915e1', 1, '{1}', '{}', '{}', '2026-11-15 20:38:57.035372+00'),
	('01a1e0ef-3aee-770e-b03f-f090ac5915e1', 2, '{1}', '{1}', '{39}', '2026-11-15 20:38:57.264942+00'),
	('01a1e0ef-3aee-770e-b03f-f090ac5915e1', 3, '{1}', '{2}', '{42}', '2026-11-15 20:38:57.302402+00'),
	('01a1e0ef-3aee-770e-b03f-f090ac5915e1', 4, '{1}', '{1}', '{45}', '2026-11-15 20:38:57.341506+00'),
	('01a1e0ef-3aee-770e-b03f-f090ac5915e1', 5, '{1}', '{2}', '{48}', '2026-11-15 20:38:57.369965+00'),
	('01a1e0ef-3aee-770e-b03f-f090ac5915e1', 6, '{1}', '{1}', '{51}', '2026-11-15 20:38:57.38363+00'),
	('01a1e0ef-3aee-770e-b03f-f090ac5915e1', 7, '{1}', '{}', '{}', '2026-11-15 20:38:57.401548+00'),
	('01a1e0ef-3aee-770e-b03f-f090ac5915e1', 8, '{1,1}', '{}', '{}', '2026-11-15 20:38:57.440213+00'),
	('01a1e0ef-450e-7532-b7b2-17a4c9236df6', 1, '{1}', '{}', '{}', '2026-11-15 20:38:59.624863+00'),
	('01a1e0ef-450e-7532-b7b2-17a4c9236df6', 2, '{1}', '{1}', '{94}', '2026-11-15 20:38:59.811501+00'),
	('01a1e0ef-450e-7532-b7b2-17a4c9236df6', 3, '{1}', '{2}', '{97}', '2026-11-15 20:38:59.86646+00'),
	('01a1e0ef-450e-7532-b7b2-17a4c9236df6', 4, '{1}', '{1}', '{100}', '2026-11-15 20:38:59.898457+00'),
	('01a1e0ef-450e-7532-b7b2-17a4c9236df6', 5, '{1,1}', '{}', '{}', '2026-11-15 20:38:59.926802+00'),
	('01a1e0ef-450e-7532-b7b2-17a4c9236df6', 6, '{1}', '{1}', '{104}', '2026-11-15 20:38:59.951103+00'),
	('01a1e0ef-450e-7532-b7b2-17a4c9236df6', 7, '{1}', '{2}', '{107}', '2026-11-15 20:38:59.987639+00'),
	('01a1e0ef-450e-7532-b7b2-17a4c9236df6', 8, '{1}', '{}', '{}', '2026-11-15 20:39:00.19628+00'),
	('01a1e0ef-5303-7078-a29b-7d0b27dfc0da', 1, '{1}', '{}', '{}', '2026-11-15 20:39:03.187055+00'),
	('01a1e0ef-5303-7078-a29b-7d0b27dfc0da', 2, '{1}', '{}', '{}', '2026-11-15 20:39:03.551036+00'),
	('01a1e0ef-5fcd-748c-992c-ee5151ffbb10', 1, '{1}', '{}', '{}', '2026-11-15 20:39:06.459076+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 1, '{1}', '{}', '{}', '2026-11-16 19:12:42.138982+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 2, '{1}', '{}', '{}', '2026-11-16 19:12:42.156841+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 3, '{1}', '{}', '{}', '2026-11-16 19:12:42.164824+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 4, '{1}', '{}', '{}', '2026-11-16 19:12:42.172808+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 5, '{1}', '{}', '{}', '2026-11-16 19:12:42.185723+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 6, '{1}', '{}', '{}', '2026-11-16 19:12:42.192849+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 7, '{1}', '{}', '{}', '2026-11-16 19:12:42.199647+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 8, '{1}', '{}', '{}', '2026-11-16 19:12:42.202528+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 9, '{1}', '{}', '{}', '2026-11-16 19:12:42.216831+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 10, '{1}', '{}', '{}', '2026-11-16 19:12:42.21865+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 11, '{1}', '{}', '{}', '2026-11-16 19:12:42.229481+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 12, '{1}', '{}', '{}', '2026-11-16 19:12:42.236585+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 13, '{1}', '{}', '{}', '2026-11-16 19:12:42.297947+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 14, '{1}', '{}', '{}', '2026-11-16 19:12:42.299767+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 15, '{1}', '{}', '{}', '2026-11-16 19:12:42.344983+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 16, '{1}', '{}', '{}', '2026-11-16 19:12:42.350903+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 17, '{1}', '{}', '{}', '2026-11-16 19:12:42.384615+00'),
	('01a1e5c6-9e2c-7244-9dc0-719392697b67', 18, '{1}', '{}', '{}', '2026-11-16 19:12:42.386991+00'),
	('01a1e5c6-9dae-774d-a27b-fca4b13870a0', 1, '{1}', '{1}', '{238}', '2026-11-16 19:12:43.587559+00'),
	('01a1e5c6-9dae-774d-a27b-fca4b13870a0', 2, '{1}', '{}', '{}', '2026-11-16 19:12:43.681245+00'),
	('01a1e5c6-9dae-774d-a27b-fca4b13870a0', 3, '{1}', '{1}', '{242}', '2026-11-16 19:12:43.708108+00'),
	('01a1e5c6-9dae-774d-a27b-fca4b13870a0', 4, '{1}', '{2}', '{245}', '2026-11-16 19:12:43.865284+00');
INSERT INTO public.svc_idempotency VALUES
	('\x5b5aa9bbb26dd2f3b153d2690627c94982f2bf48aa92b19dbe7fcd7445497c15', '\x6906d5f3a76b46a0cb9067b635c00db113de5b3b67446d9fb4eb8702d819638b', 200, '{"orderId":"01a1e0ef-3beb-759d-a833-c7bc7f5beb43","total":"6.20","status":"created"}', '2026-11-17 19:12:41.20047+00'),
	('\x8a3c7845d1bb9a2664e9cdd86755eaa0560d140479729b1adaf13e7f14f734a5', '\x0d7eea174dc25644b302d126505add62a3cb76c614f368969cde1d76eddefd81', 200, '{"orderId":"01a1e0ef-3beb-759d-a833-c7bc7f5beb43","status":"cancelled"}', '2026-11-17 19:12:41.20047+00'),
	('\xa3b032add61724510b942efb41543c32e6dffc4845fb270d87e33dc19431acff', '\x6906d5f3a76b46a0cb9067b635c00db113de5b3b67446d9fb4eb8702d819638b', 200, '{"orderId":"01a1e0ef-3c3a-7052-8a7e-bc4461bb3993","total":"6.20","status":"created"}', '2026-11-17 19:12:41.20047+00'),
	('\xd93a41720b0aec091583c33abf2e403a1c55bc3575340cc4330baa9a663ae25d', '\xa40014c278cc891c1a1ac7e5924b2baa315cf3dcd51e54956b2169ab7f33edb2', 200, '{"orderId":"01a1e0ef-3c3a-7052-8a7e-bc4461bb3993","status":"shipped"}', '2026-11-17 19:12:41.20047+00'),
	('\xce7dff5050755700a8a77d460703b85f6056b23afbb533559c3a02ba2a945e2c', '\x6906d5f3a76b46a0cb9067b635c00db113de5b3b67446d9fb4eb8702d819638b', 200, '{"orderId":"01a1e0ef-3c65-74bc-9947-80bada44f0c6","total":"6.20","status":"created"}', '2026-11-17 19:12:41.20047+00'),
	('\x26fbef9d145378fddb66cee2921c6db74d3b928fa5f032bfc2318ca43734c430', '\x014c2e62b0ea635608b920873200c3d0381e3a315aa9cce8d2566641fbe0f555', 404, '{"type":"urn:svc:problem:order-not-found","title":"There is no such order","status":404,"detail":"Order 01a1e0ef-3c93-7245-a170-216179d1de8c does not exist.","instance":"/orders/ship","correlationId":"01a1e0ef-3c9b-774b-81ef-ce94e5b3dfae"}', '2026-11-17 19:12:41.20047+00'),
	('\xb0c1dbc21c09e353418f334bd96d8f809747d1432ae60041b95a2778a1e74fae', '\x6906d5f3a76b46a0cb9067b635c00db113de5b3b67446d9fb4eb8702d819638b', 200, '{"orderId":"01a1e0ef-45da-77d7-ae03-337b232f2af8","total":"6.20","status":"created"}', '2026-11-17 19:12:41.20047+00'),
	('\x5d89a635be43297ac33ad657019bb8182a4d043eac49460868b3c3aadea91736', '\x6906d5f3a76b46a0cb9067b635c00db113de5b3b67446d9fb4eb8702d819638b', 200, '{"orderId":"01a1e0ef-4637-763b-a51c-9f715f99e576","total":"6.20","status":"created"}', '2026-11-17 19:12:41.20047+00'),
	('\xe57b77caeb9aa5b4cbd33bf3ad652eca03c4594429c043fa02bf5738c62fb6db', '\x18720b63af397c5b49df721fb399fc10a8beb11fc26995077a298d33157b89e9', 200, '{"orderId":"01a1e0ef-4637-763b-a51c-9f715f99e576","status":"queued"}', '2026-11-17 19:12:41.20047+00'),
	('\x3d245401562a47a779ce535c3ff3090f995b6c8788692932bc147145e115dd9c', '\x6906d5f3a76b46a0cb9067b635c00db113de5b3b67446d9fb4eb8702d819638b', 200, '{"orderId":"01a1e0ef-466d-7098-984f-3337cfc01bcd","total":"6.20","status":"created"}', '2026-11-17 19:12:41.20047+00'),
	('\x306d0cc160c0c7e08b244946e442e080738576cbd2cd8f2ceb8d23adf570753e', '\x6906d5f3a76b46a0cb9067b635c00db113de5b3b67446d9fb4eb8702d819638b', 200, '{"orderId":"01a1e5c6-a629-7233-8dc9-628750684684","total":"6.20","status":"created"}', '2026-11-17 19:12:43.587559+00'),
	('\x0341d455d0077c17cd754a44b2b2aaf8b0d60b19c3230a568ef995b822396636', '\x6906d5f3a76b46a0cb9067b635c00db113de5b3b67446d9fb4eb8702d819638b', 200, '{"orderId":"01a1e5c6-a6b3-77bd-8c2a-46463438ff4b","total":"6.20","status":"created"}', '2026-11-17 19:12:43.708108+00'),
	('\x445bb30259d8e601afbf66188cee460a0684291e64e849ac3cc3e8941e0778be', '\x3f0e3c34237b0b8f172c2d66ede8343365044a25880dd4125265a1a11f92cd6c', 200, '{"orderId":"01a1e5c6-a6b3-77bd-8c2a-46463438ff4b","status":"shipped"}', '2026-11-17 19:12:43.865284+00');
INSERT INTO public.svc_origins VALUES
	(0, '5d9a6119-dc4b-43dc-be6e-4705e6ad42d5', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(1, 'd718af53-094b-48ea-8665-da49d96223f9', NULL, NULL, NULL, NULL, 42, 1, 42);
INSERT INTO public.svc_parked VALUES
	('svc_per_order_steps_daa40a1d', '01a1e0ef-466d-7098-984f-3337cfc01bcd', '01a1e0ef-4691-710d-b04b-3b6dee17dddb', 107, 'not-found: There is no such carrier.', 3, '2026-11-16 19:12:43.629699+00', false);
INSERT INTO public.svc_per_audit_log_43a29803 VALUES
	('01a1e0ef-3beb-759f-92af-9b5503430405', '{"id": "01a1e0ef-3beb-759f-92af-9b5503430405", "position": 39, "eventType": "EventAudited", "timestamp": "2026-11-15T20:38:57.259Z", "auditLevel": "Info", "causationId": "01a1e0ef-3bdd-724b-a1c0-81e75e57b143", "correlationId": "market-day", "originalEventId": "01a1e0ef-3beb-759e-8f22-73386a990db1", "originalStreamId": "01a1e0ef-3beb-759d-a833-c7bc7f5beb43", "originalEventType": "OrderCreated", "originalStreamPosition": 1}', 'market-day', 'EventAudited', '2026-11-15 20:38:57.259+00', NULL, NULL, 40, 1, '2026-11-15 20:38:57.325178+00'),
	('01a1e0ef-3beb-75a0-a323-fe889893768d', '{"id": "01a1e0ef-3beb-75a0-a323-fe889893768d", "position": 40, "eventType": "CommandAudited", "timestamp": "2026-11-15T20:38:57.259Z", "auditLevel": "Info", "commandType": "CreateOrder", "receptorName": "CreateOrderReceptor", "responseType": "CreateOrderResult", "correlationId": "market-day"}', 'market-day', 'CommandAudited', '2026-11-15 20:38:57.259+00', NULL, NULL, 41, 1, '2026-11-15 20:38:57.332648+00'),
	('01a1e0ef-3c14-77bf-b9f6-a96114564434', '{"id": "01a1e0ef-3c14-77bf-b9f6-a96114564434", "position": 41, "eventType": "EventAudited", "timestamp": "2026-11-15T20:38:57.300Z", "auditLevel": "Info", "causationId": "01a1e0ef-3c0a-7789-b064-d70969602c0b", "correlationId": "01a1e0ef-3c0a-7789-b064-d70969602c0b", "originalEventId": "01a1e0ef-3c14-77be-9446-ddee65d6bfbc", "originalStreamId": "01a1e0ef-3beb-759d-a833-c7bc7f5beb43", "originalEventType": "OrderCancelled", "originalStreamPosition": 2}', '01a1e0ef-3c0a-7789-b064-d70969602c0b', 'EventAudited', '2026-11-15 20:38:57.3+00', NULL, NULL, 43, 1, '2026-11-15 20:38:57.352344+00'),
	('01a1e0ef-3c14-77c0-bdd6-4bc0ef719220', '{"id": "01a1e0ef-3c14-77c0-bdd6-4bc0ef719220", "position": 42, "eventType": "CommandAudited", "timestamp": "2026-11-15T20:38:57.300Z", "auditLevel": "Info", "commandType": "CancelOrder", "receptorName": "CancelOrderReceptor", "responseType": "CancelOrderResult", "correlationId": "01a1e0ef-3c0a-7789-b064-d70969602c0b"}', '01a1e0ef-3c0a-7789-b064-d70969602c0b', 'CommandAudited', '2026-11-15 20:38:57.3+00', NULL, NULL, 44, 1, '2026-11-15 20:38:57.354253+00'),
	('01a1e0ef-3c3a-7054-a0c9-6be4b34b5bd7', '{"id": "01a1e0ef-3c3a-7054-a0c9-6be4b34b5bd7", "position": 43, "eventType": "EventAudited", "timestamp": "2026-11-15T20:38:57.338Z", "auditLevel": "Info", "causationId": "01a1e0ef-3c31-7048-92a9-7047c0424d23", "correlationId": "market-day", "originalEventId": "01a1e0ef-3c3a-7053-856d-75cd1ca9190a", "originalStreamId": "01a1e0ef-3c3a-7052-8a7e-bc4461bb3993", "originalEventType": "OrderCreated", "originalStreamPosition": 1}', 'market-day', 'EventAudited', '2026-11-15 20:38:57.338+00', NULL, NULL, 46, 1, '2026-11-15 20:38:57.377519+00'),
	('01a1e0ef-3c3a-7055-9cdd-0eae50b1458d', '{"id": "01a1e0ef-3c3a-7055-9cdd-0eae50b1458d", "position": 44, "eventType": "CommandAudited", "timestamp": "2026-11-15T20:38:57.338Z", "auditLevel": "Info", "commandType": "CreateOrder", "receptorName": "CreateOrderReceptor", "responseType": "CreateOrderResult", "correlationId": "market-day"}', 'market-day', 'CommandAudited', '2026-11-15 20:38:57.338+00', NULL, NULL, 47, 1, '2026-11-15 20:38:57.377592+00'),
	('01a1e0ef-3c58-7775-b16e-1cce9e397e4b', '{"id": "01a1e0ef-3c58-7775-b16e-1cce9e397e4b", "position": 45, "eventType": "EventAudited", "timestamp": "2026-11-15T20:38:57.368Z", "auditLevel": "Info", "causationId": "01a1e0ef-3c52-73f1-a887-9aa81ac09b4a", "correlationId": "01a1e0ef-3c52-73f1-a887-9aa81ac09b4a", "originalEventId": "01a1e0ef-3c58-7774-93fd-1b9939297c0d", "originalStreamId": "01a1e0ef-3c3a-7052-8a7e-bc4461bb3993", "originalEventType": "OrderShipped", "originalStreamPosition": 2}', '01a1e0ef-3c52-73f1-a887-9aa81ac09b4a', 'EventAudited', '2026-11-15 20:38:57.368+00', NULL, NULL, 49, 1, '2026-11-15 20:38:57.397034+00'),
	('01a1e0ef-3c58-7776-bc1d-d033dd4054ad', '{"id": "01a1e0ef-3c58-7776-bc1d-d033dd4054ad", "position": 46, "eventType": "CommandAudited", "timestamp": "2026-11-15T20:38:57.368Z", "auditLevel": "Info", "commandType": "ShipOrder", "receptorName": "ShipOrderReceptor", "responseType": "ShipOrderResult", "correlationId": "01a1e0ef-3c52-73f1-a887-9aa81ac09b4a"}', '01a1e0ef-3c52-73f1-a887-9aa81ac09b4a', 'CommandAudited', '2026-11-15 20:38:57.368+00', NULL, NULL, 50, 1, '2026-11-15 20:38:57.39707+00'),
	('01a1e0ef-3c65-74be-9815-ecf6d415f0ae', '{"id": "01a1e0ef-3c65-74be-9815-ecf6d415f0ae", "position": 47, "eventType": "EventAudited", "timestamp": "2026-11-15T20:38:57.381Z", "auditLevel": "Info", "causationId": "01a1e0ef-3c64-75c9-8c83-49a0c1fba70a", "correlationId": "market-day", "originalEventId": "01a1e0ef-3c65-74bd-9018-c2cfe92a2205", "originalStreamId": "01a1e0ef-3c65-74bc-9947-80bada44f0c6", "originalEventType": "OrderCreated", "originalStreamPosition": 1}', 'market-day', 'EventAudited', '2026-11-15 20:38:57.381+00', NULL, NULL, 52, 1, '2026-11-15 20:38:57.429813+00'),
	('01a1e0ef-3c66-712c-abe0-92ef3e3046a6', '{"id": "01a1e0ef-3c66-712c-abe0-92ef3e3046a6", "position": 48, "eventType": "CommandAudited", "timestamp": "2026-11-15T20:38:57.382Z", "auditLevel": "Info", "commandType": "CreateOrder", "receptorName": "CreateOrderReceptor", "responseType": "CreateOrderResult", "correlationId": "market-day"}', 'market-day', 'CommandAudited', '2026-11-15 20:38:57.382+00', NULL, NULL, 53, 1, '2026-11-15 20:38:57.429847+00'),
	('01a1e0ef-45da-77d9-bfce-6f24e3294bcc', '{"id": "01a1e0ef-45da-77d9-bfce-6f24e3294bcc", "position": 89, "eventType": "EventAudited", "timestamp": "2026-11-15T20:38:59.802Z", "auditLevel": "Info", "causationId": "01a1e0ef-45c9-73f8-a9e0-3ca1234e9a62", "correlationId": "market-day", "originalEventId": "01a1e0ef-45da-77d8-9bc1-67bab08622e5", "originalStreamId": "01a1e0ef-45da-77d7-ae03-337b232f2af8", "originalEventType": "OrderCreated", "originalStreamPosition": 1}', 'market-day', 'EventAudited', '2026-11-15 20:38:59.802+00', NULL, NULL, 95, 1, '2026-11-15 20:38:59.853733+00'),
	('01a1e0ef-45da-77da-9c36-55b5eed4f734', '{"id": "01a1e0ef-45da-77da-9c36-55b5eed4f734", "position": 90, "eventType": "CommandAudited", "timestamp": "2026-11-15T20:38:59.802Z", "auditLevel": "Info", "commandType": "CreateOrder", "receptorName": "CreateOrderReceptor", "responseType": "CreateOrderResult", "correlationId": "market-day"}', 'market-day', 'CommandAudited', '2026-11-15 20:38:59.802+00', NULL, NULL, 96, 1, '2026-11-15 20:38:59.853815+00'),
	('01a1e0ef-4619-75dc-8258-dd357e8ae6c4', '{"id": "01a1e0ef-4619-75dc-8258-dd357e8ae6c4", "position": 91, "eventType": "EventAudited", "timestamp": "2026-11-15T20:38:59.864Z", "auditLevel": "Info", "causationId": "01a1e0ef-4615-7379-97c3-51363b6bb143", "correlationId": "01a1e0ef-460a-7189-b441-158cd65a6a4d", "originalEventId": "01a1e0ef-4618-7148-8a52-b34a3214b7e5", "originalStreamId": "01a1e0ef-45da-77d7-ae03-337b232f2af8", "originalEventType": "OrderArchived", "originalStreamPosition": 2}', '01a1e0ef-460a-7189-b441-158cd65a6a4d', 'EventAudited', '2026-11-15 20:38:59.864+00', NULL, NULL, 98, 1, '2026-11-15 20:38:59.894311+00'),
	('01a1e0ef-4619-75dd-8047-92bdd84b8fd9', '{"id": "01a1e0ef-4619-75dd-8047-92bdd84b8fd9", "position": 92, "eventType": "CommandAudited", "timestamp": "2026-11-15T20:38:59.865Z", "auditLevel": "Info", "commandType": "ArchiveOrder", "receptorName": "ArchiveOrderReceptor", "responseType": "ArchiveOrderResult", "correlationId": "01a1e0ef-460a-7189-b441-158cd65a6a4d"}', '01a1e0ef-460a-7189-b441-158cd65a6a4d', 'CommandAudited', '2026-11-15 20:38:59.865+00', NULL, NULL, 99, 1, '2026-11-15 20:38:59.894369+00'),
	('01a1e0ef-4637-763d-b892-af9b40f9e41a', '{"id": "01a1e0ef-4637-763d-b892-af9b40f9e41a", "position": 93, "eventType": "EventAudited", "timestamp": "2026-11-15T20:38:59.895Z", "auditLevel": "Info", "causationId": "01a1e0ef-4633-729d-92ac-49ced6743ade", "correlationId": "market-day", "originalEventId": "01a1e0ef-4637-763c-a7d6-a3106be729d6", "originalStreamId": "01a1e0ef-4637-763b-a51c-9f715f99e576", "originalEventType": "OrderCreated", "originalStreamPosition": 1}', 'market-day', 'EventAudited', '2026-11-15 20:38:59.895+00', NULL, NULL, 101, 1, '2026-11-15 20:38:59.911538+00'),
	('01a1e0ef-4638-7424-8c0e-66edea29794a', '{"id": "01a1e0ef-4638-7424-8c0e-66edea29794a", "position": 94, "eventType": "CommandAudited", "timestamp": "2026-11-15T20:38:59.896Z", "auditLevel": "Info", "commandType": "CreateOrder", "receptorName": "CreateOrderReceptor", "responseType": "CreateOrderResult", "correlationId": "market-day"}', 'market-day', 'CommandAudited', '2026-11-15 20:38:59.896+00', NULL, NULL, 102, 1, '2026-11-15 20:38:59.911586+00'),
	('01a1e0ef-466d-709a-b126-9d73b9343a6b', '{"id": "01a1e0ef-466d-709a-b126-9d73b9343a6b", "position": 96, "eventType": "EventAudited", "timestamp": "2026-11-15T20:38:59.949Z", "auditLevel": "Info", "causationId": "01a1e0ef-4664-75a7-94b9-f8d7779a32ea", "correlationId": "market-day", "originalEventId": "01a1e0ef-466d-7099-bdd9-4d335ca394c9", "originalStreamId": "01a1e0ef-466d-7098-984f-3337cfc01bcd", "originalEventType": "OrderCreated", "originalStreamPosition": 1}', 'market-day', 'EventAudited', '2026-11-15 20:38:59.949+00', NULL, NULL, 105, 1, '2026-11-15 20:38:59.967359+00'),
	('01a1e0ef-466d-709b-a11c-161130d73b1b', '{"id": "01a1e0ef-466d-709b-a11c-161130d73b1b", "position": 97, "eventType": "CommandAudited", "timestamp": "2026-11-15T20:38:59.949Z", "auditLevel": "Info", "commandType": "CreateOrder", "receptorName": "CreateOrderReceptor", "responseType": "CreateOrderResult", "correlationId": "market-day"}', 'market-day', 'CommandAudited', '2026-11-15 20:38:59.949+00', NULL, NULL, 106, 1, '2026-11-15 20:38:59.967396+00'),
	('01a1e0ef-4691-710e-b3ff-2b901a880e92', '{"id": "01a1e0ef-4691-710e-b3ff-2b901a880e92", "position": 98, "eventType": "EventAudited", "timestamp": "2026-11-15T20:38:59.985Z", "auditLevel": "Info", "causationId": "01a1e0ef-4690-75f2-a997-2f1dca0d31e2", "correlationId": "01a1e0ef-4690-75f2-a997-2f1dca0d31e2", "originalEventId": "01a1e0ef-4691-710d-b04b-3b6dee17dddb", "originalStreamId": "01a1e0ef-466d-7098-984f-3337cfc01bcd", "originalEventType": "OrderShipped", "originalStreamPosition": 2}', '01a1e0ef-4690-75f2-a997-2f1dca0d31e2', 'EventAudited', '2026-11-15 20:38:59.985+00', NULL, NULL, 108, 1, '2026-11-15 20:38:59.99672+00'),
	('01a1e0ef-4691-710f-bfb3-3ddcb7de8947', '{"id": "01a1e0ef-4691-710f-bfb3-3ddcb7de8947", "position": 99, "eventType": "CommandAudited", "timestamp": "2026-11-15T20:38:59.985Z", "auditLevel": "Info", "commandType": "ShipOrder", "receptorName": "ShipOrderReceptor", "responseType": "ShipOrderResult", "correlationId": "01a1e0ef-4690-75f2-a997-2f1dca0d31e2"}', '01a1e0ef-4690-75f2-a997-2f1dca0d31e2', 'CommandAudited', '2026-11-15 20:38:59.985+00', NULL, NULL, 109, 1, '2026-11-15 20:38:59.996791+00'),
	('01a1e5c6-a62a-75f1-8bc7-482e89ca13b1', '{"id": "01a1e5c6-a62a-75f1-8bc7-482e89ca13b1", "position": 226, "eventType": "EventAudited", "timestamp": "2026-11-16T19:12:43.587559Z", "auditLevel": "Info", "causationId": "01a1e5c6-a5f9-737c-b13d-f87712ee059b", "correlationId": "01a1e5c6-a5f9-737c-b13d-f87712ee059b", "originalEventId": "01a1e5c6-a629-7234-8319-b14cf15603ce", "originalStreamId": "01a1e5c6-a629-7233-8dc9-628750684684", "originalEventType": "OrderCreated", "originalStreamPosition": 1}', '01a1e5c6-a5f9-737c-b13d-f87712ee059b', 'EventAudited', '2026-11-16 19:12:43.587559+00', NULL, NULL, 239, 1, '2026-11-16 19:12:43.694096+00'),
	('01a1e5c6-a633-72a0-be3b-d541607a761a', '{"id": "01a1e5c6-a633-72a0-be3b-d541607a761a", "position": 227, "eventType": "CommandAudited", "timestamp": "2026-11-16T19:12:43.587559Z", "auditLevel": "Info", "commandType": "CreateOrder", "receptorName": "CreateOrderReceptor", "responseType": "CreateOrderResult", "correlationId": "01a1e5c6-a5f9-737c-b13d-f87712ee059b"}', '01a1e5c6-a5f9-737c-b13d-f87712ee059b', 'CommandAudited', '2026-11-16 19:12:43.587559+00', NULL, NULL, 240, 1, '2026-11-16 19:12:43.694244+00'),
	('01a1e5c6-a6b4-773c-ac61-37603c9f584e', '{"id": "01a1e5c6-a6b4-773c-ac61-37603c9f584e", "position": 229, "eventType": "EventAudited", "timestamp": "2026-11-16T19:12:43.708108Z", "auditLevel": "Info", "causationId": "01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec", "correlationId": "01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec", "originalEventId": "01a1e5c6-a6b4-773b-b784-09240f4abf02", "originalStreamId": "01a1e5c6-a6b3-77bd-8c2a-46463438ff4b", "originalEventType": "OrderCreated", "originalStreamPosition": 1}', '01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec', 'EventAudited', '2026-11-16 19:12:43.708108+00', NULL, NULL, 243, 1, '2026-11-16 19:12:43.738467+00'),
	('01a1e5c6-a6b4-773d-a760-ebe04975da8c', '{"id": "01a1e5c6-a6b4-773d-a760-ebe04975da8c", "position": 230, "eventType": "CommandAudited", "timestamp": "2026-11-16T19:12:43.708108Z", "auditLevel": "Info", "commandType": "CreateOrder", "receptorName": "CreateOrderReceptor", "responseType": "CreateOrderResult", "correlationId": "01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec"}', '01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec', 'CommandAudited', '2026-11-16 19:12:43.708108+00', NULL, NULL, 244, 1, '2026-11-16 19:12:43.738537+00'),
	('01a1e5c6-a749-723d-8a8f-132a4111d5ef', '{"id": "01a1e5c6-a749-723d-8a8f-132a4111d5ef", "position": 231, "eventType": "EventAudited", "timestamp": "2026-11-16T19:12:43.865284Z", "auditLevel": "Info", "causationId": "01a1e5c6-a6ff-74c8-9c1d-aeb698d824be", "correlationId": "01a1e5c6-a6ff-74c8-9c1d-aeb698d824be", "originalEventId": "01a1e5c6-a749-723c-b43b-255d963e60cc", "originalStreamId": "01a1e5c6-a6b3-77bd-8c2a-46463438ff4b", "originalEventType": "OrderShipped", "originalStreamPosition": 2}', '01a1e5c6-a6ff-74c8-9c1d-aeb698d824be', 'EventAudited', '2026-11-16 19:12:43.865284+00', NULL, NULL, 246, 1, '2026-11-16 19:12:43.901951+00'),
	('01a1e5c6-a749-723e-9403-9eeda45e10fd', '{"id": "01a1e5c6-a749-723e-9403-9eeda45e10fd", "position": 232, "eventType": "CommandAudited", "timestamp": "2026-11-16T19:12:43.865284Z", "auditLevel": "Info", "commandType": "ShipOrder", "receptorName": "ShipOrderReceptor", "responseType": "ShipOrderResult", "correlationId": "01a1e5c6-a6ff-74c8-9c1d-aeb698d824be"}', '01a1e5c6-a6ff-74c8-9c1d-aeb698d824be', 'CommandAudited', '2026-11-16 19:12:43.865284+00', NULL, NULL, 247, 1, '2026-11-16 19:12:43.902028+00');
INSERT INTO public.svc_per_order_steps_daa40a1d VALUES
	('01a1e0ef-3beb-759d-a833-c7bc7f5beb43', '{"steps": ["OrderCreated", "OrderCancelled"]}', NULL, 42, 2, '2026-11-15 20:38:57.332681+00'),
	('01a1e0ef-3c3a-7052-8a7e-bc4461bb3993', '{"steps": ["OrderCreated", "OrderShipped"]}', NULL, 48, 2, '2026-11-15 20:38:57.386129+00'),
	('01a1e0ef-3c65-74bc-9947-80bada44f0c6', '{"steps": ["OrderCreated"]}', NULL, 51, 1, '2026-11-15 20:38:57.426201+00'),
	('01a1e0ef-45da-77d7-ae03-337b232f2af8', '{"steps": ["OrderCreated", "OrderArchived"]}', NULL, 97, 2, '2026-11-15 20:38:59.917232+00'),
	('01a1e0ef-4637-763b-a51c-9f715f99e576', '{"steps": ["OrderCreated"]}', NULL, 100, 1, '2026-11-15 20:38:59.917262+00'),
	('01a1e0ef-384e-77c7-b6c9-d7b92b0544da', '{"steps": ["OrderCreated"]}', NULL, 111, 1, '2026-11-15 20:39:03.556991+00'),
	('01a1e0ef-388c-70da-b148-8e3d12715bd7', '{"steps": ["OrderCreated"]}', NULL, 112, 1, '2026-11-15 20:39:03.557037+00'),
	('01a1e0ef-466d-7098-984f-3337cfc01bcd', '{"steps": ["OrderCreated"]}', NULL, 104, 1, '2026-11-16 19:12:43.630362+00'),
	('01a1e5c6-a629-7233-8dc9-628750684684', '{"steps": ["OrderCreated"]}', NULL, 238, 1, '2026-11-16 19:12:43.701888+00'),
	('01a1e5c6-a6b3-77bd-8c2a-46463438ff4b', '{"steps": ["OrderCreated", "OrderShipped"]}', NULL, 245, 2, '2026-11-16 19:12:43.925104+00');
INSERT INTO public.svc_per_order_summary_ba9dcd97 VALUES
	('01a1e0ef-3beb-759d-a833-c7bc7f5beb43', '{"total": "6.20", "status": "cancelled", "orderId": "01a1e0ef-3beb-759d-a833-c7bc7f5beb43", "createdAt": "2026-11-15T20:38:57.264942Z", "updatedAt": "2026-11-15T20:38:57.302402Z", "customerId": "018f0000-0000-7000-8000-000000000001"}', '018f0000-0000-7000-8000-000000000001', 'cancelled', 6.20, NULL, 42, 2, '2026-11-15 20:38:57.325284+00'),
	('01a1e0ef-3c3a-7052-8a7e-bc4461bb3993', '{"total": "6.20", "status": "shipped", "orderId": "01a1e0ef-3c3a-7052-8a7e-bc4461bb3993", "createdAt": "2026-11-15T20:38:57.341506Z", "updatedAt": "2026-11-15T20:38:57.369965Z", "customerId": "018f0000-0000-7000-8000-000000000001"}', '018f0000-0000-7000-8000-000000000001', 'shipped', 6.20, NULL, 48, 2, '2026-11-15 20:38:57.388879+00'),
	('01a1e0ef-3c65-74bc-9947-80bada44f0c6', '{"total": "6.20", "status": "created", "orderId": "01a1e0ef-3c65-74bc-9947-80bada44f0c6", "createdAt": "2026-11-15T20:38:57.38363Z", "updatedAt": "2026-11-15T20:38:57.38363Z", "customerId": "018f0000-0000-7000-8000-000000000001"}', '018f0000-0000-7000-8000-000000000001', 'created', 6.20, NULL, 51, 1, '2026-11-15 20:38:57.434262+00'),
	('01a1e0ef-45da-77d7-ae03-337b232f2af8', '{"total": "6.20", "status": "archived", "orderId": "01a1e0ef-45da-77d7-ae03-337b232f2af8", "createdAt": "2026-11-15T20:38:59.811501Z", "updatedAt": "2026-11-15T20:38:59.86646Z", "customerId": "018f0000-0000-7000-8000-000000000001"}', '018f0000-0000-7000-8000-000000000001', 'archived', 6.20, NULL, 97, 2, '2026-11-15 20:38:59.887209+00'),
	('01a1e0ef-4637-763b-a51c-9f715f99e576', '{"total": "6.20", "status": "created", "orderId": "01a1e0ef-4637-763b-a51c-9f715f99e576", "createdAt": "2026-11-15T20:38:59.898457Z", "updatedAt": "2026-11-15T20:38:59.898457Z", "customerId": "018f0000-0000-7000-8000-000000000001"}', '018f0000-0000-7000-8000-000000000001', 'created', 6.20, NULL, 100, 1, '2026-11-15 20:38:59.90939+00'),
	('01a1e0ef-466d-7098-984f-3337cfc01bcd', '{"total": "6.20", "status": "shipped", "orderId": "01a1e0ef-466d-7098-984f-3337cfc01bcd", "createdAt": "2026-11-15T20:38:59.951103Z", "updatedAt": "2026-11-15T20:38:59.987639Z", "customerId": "018f0000-0000-7000-8000-000000000001"}', '018f0000-0000-7000-8000-000000000001', 'shipped', 6.20, NULL, 107, 2, '2026-11-15 20:38:59.998914+00'),
	('01a1e0ef-384e-77c7-b6c9-d7b92b0544da', '{"total": "6.20", "status": "created", "orderId": "01a1e0ef-384e-77c7-b6c9-d7b92b0544da", "createdAt": "2026-11-15T20:38:56.342951Z", "updatedAt": "2026-11-15T20:38:56.342951Z", "customerId": "018f0000-0000-7000-8000-000000000001"}', '018f0000-0000-7000-8000-000000000001', 'created', 6.20, NULL, 111, 1, '2026-11-15 20:39:03.402072+00'),
	('01a1e0ef-388c-70da-b148-8e3d12715bd7', '{"total": "6.20", "status": "created", "orderId": "01a1e0ef-388c-70da-b148-8e3d12715bd7", "createdAt": "2026-11-15T20:38:56.399933Z", "updatedAt": "2026-11-15T20:38:56.399933Z", "customerId": "018f0000-0000-7000-8000-000000000001"}', '018f0000-0000-7000-8000-000000000001', 'created', 6.20, NULL, 112, 1, '2026-11-15 20:39:03.402135+00'),
	('01a1e5c6-a629-7233-8dc9-628750684684', '{"total": "6.20", "status": "created", "orderId": "01a1e5c6-a629-7233-8dc9-628750684684", "createdAt": "2026-11-16T19:12:43.587559Z", "updatedAt": "2026-11-16T19:12:43.587559Z", "customerId": "018f0000-0000-7000-8000-000000000001"}', '018f0000-0000-7000-8000-000000000001', 'created', 6.20, NULL, 238, 1, '2026-11-16 19:12:43.736851+00'),
	('01a1e5c6-a6b3-77bd-8c2a-46463438ff4b', '{"total": "6.20", "status": "shipped", "orderId": "01a1e5c6-a6b3-77bd-8c2a-46463438ff4b", "createdAt": "2026-11-16T19:12:43.708108Z", "updatedAt": "2026-11-16T19:12:43.865284Z", "customerId": "018f0000-0000-7000-8000-000000000001"}', '018f0000-0000-7000-8000-000000000001', 'shipped', 6.20, NULL, 245, 2, '2026-11-16 19:12:43.905335+00');
INSERT INTO public.svc_perspectives VALUES
	('svc_per_audit_log_43a29803', 'audit-log', '43a29803522b19d510956c0c368b9e1b60f975c3f4086bebee1a8e1d3029885a', '{CommandAudited,EventAudited}', false, '2026-11-15 20:38:56.925475+00'),
	('svc_per_order_summary_ba9dcd97', 'order-summary', 'ba9dcd97581044ee61d67654d0baffef5c086e9e89a405629121c8588a546bd3', '{OrderArchived,OrderCancelled,OrderCreated,OrderShipped}', true, '2026-11-15 20:38:56.96055+00'),
	('svc_per_order_steps_daa40a1d', 'order-steps', 'daa40a1df318e88404eadd1844776bfbb84c51f099b47003e0bbbb0c34f6f089', '{OrderArchived,OrderCancelled,OrderCreated,OrderShipped}', true, '2026-11-15 20:38:56.98939+00');
INSERT INTO public.svc_received_system_events VALUES
	(1, 1, 1, '01a1e0ef-373d-778d-aed3-2676a0214ed9', 'MigrationBatchStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","libraryVersion":"0.1.0","totalMigrations":15,"totalPerspectives":3}', '{"v":1}', NULL, false, '\xdf79a0365193ce3549db1368627a6d6c993aee029f0a25e0cc3e949026d4402d', '\x87ef135dfead11e75b6b1c7afdab28c9b824b0fe937fad81629d97f9b7fd913b', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.113435+00'),
	(2, 1, 2, '01a1e0ef-373d-778e-ac16-ba600b3c7b5d', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/tables","strategy":"DirectDdl","oldHash":null,"newHash":"08747e9b3874a944cfd5514433fd74290598b89829f7bd8a4d8a9e6f8d1c4e19"}', '{"v":1}', NULL, false, '\x970570fa43413b88b8904a98e511a7b384386f859e7d76e23d3d7d0312374b80', '\x444475f00bcb89086dbb050b5c9411479604134afa6bef84809390417db1fac2', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.113767+00'),
	(3, 1, 3, '01a1e0ef-373e-75cd-b00d-588a62b42234', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/tables","status":1,"statusDescription":"applied for the first time","duration":"PT0.037S"}', '{"v":1}', NULL, false, '\x6398d64fcbfc4d18bc763dd474528ab04ee7427f3d3c2d61ec89a85fda37e0c5', '\x55c1ff5b8085041b696aefcb29874a368d9137c7b06224745d8e09382715cd0b', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.113823+00'),
	(4, 1, 4, '01a1e0ef-373e-75ce-9b91-e9a7596795bd', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/late","strategy":"DirectDdl","oldHash":null,"newHash":"e3c7df3918e0537348569a4bee597bddd6184381a613533dd76afc79c62a54dd"}', '{"v":1}', NULL, false, '\x39d34c3fd9d59539b1ec062153b32cb191816d3df798d6787329aa8818ad0eb9', '\x7be1ae5915e5c7b6fb239216551b7f6dc6ac1f805e5f8565c4bde3ee6ee75ef3', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.11387+00'),
	(5, 1, 5, '01a1e0ef-373e-75cf-a25f-a3dc1b98deaa', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/late","status":1,"statusDescription":"applied for the first time","duration":"PT0.018S"}', '{"v":1}', NULL, false, '\x3e8f179cd0f887de79fe45473620a5b71002cf457d499dcbb1f894b18d29ff36', '\x0bd4104f79c930326594bca68a1bffed6f9f9ad0937c3f01cebcef6fee17e277', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.113916+00'),
	(6, 1, 6, '01a1e0ef-373e-75d0-9391-a998297f84a2', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/commit","strategy":"DirectDdl","oldHash":null,"newHash":"f04012258d808a2680d8f8894423458224f99f5de93392f0065ad9bd0bbf1ea4"}', '{"v":1}', NULL, false, '\xa35177127dcc9f3119faf146f3503c7194fce03dc38f9f5e45836d90a1c23588', '\x8d3eb013d5dc29c3f62540c859c507118602cf8a17d94eb42ca50ffb340f4ae6', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.113959+00'),
	(7, 1, 7, '01a1e0ef-373e-75d1-857a-fd11f8693437', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/commit","status":1,"statusDescription":"applied for the first time","duration":"PT0.009S"}', '{"v":1}', NULL, false, '\x1d775cc943a1c939af7e6c9733df3a7a7737018536e8ee559ce7ea032cdf01e1', '\xd81ce2628536fc1a718a9cc625c5a28254d233a3f5af0c26d2e5b71044f6c10e', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114002+00'),
	(8, 1, 8, '01a1e0ef-373e-75d2-8c69-abaece0e5557', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/views","strategy":"DirectDdl","oldHash":null,"newHash":"2cb0f03b40c8434e80dbc18c65f438cc6421f5c43e8c6b4d2f549e994d1e1f95"}', '{"v":1}', NULL, false, '\x1195c24578d6c5f447e4b11d9fe835abd29de588e4156771d658513e980bce1a', '\xce62f5f320e7eb607b18281de1ad7af5bbb01ccad90ee9a4bf27ecf5db266645', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114046+00'),
	(9, 1, 9, '01a1e0ef-373e-75d3-bae5-5a70b6110fb6', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/views","status":1,"statusDescription":"applied for the first time","duration":"PT0.011S"}', '{"v":1}', NULL, false, '\x850ba06e5c05665768595b68f2b1d11344e872d76e3ad3365c8a38817b2d11f7', '\x5f6b9f6cbeae8f2cab748194b022b84cb8fe387c62ee567c92470762f78482fd', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114089+00'),
	(10, 1, 10, '01a1e0ef-373e-75d4-a4f5-2949627b8054', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/outbox","strategy":"DirectDdl","oldHash":null,"newHash":"4a08971070646f55187af6286bff5adf1e21de3ee2ea9a6f1085a598a2777479"}', '{"v":1}', NULL, false, '\xfa84b33ec30a5fbd8ad6525d5724df3011cd847ce3d4ece10798407714e08f47', '\x122108d99272d11b026879b87af5b40b76358f31260b0202746a7cf554dc30fc', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114132+00'),
	(11, 1, 11, '01a1e0ef-373e-75d5-8848-81b06247934b', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/outbox","status":1,"statusDescription":"applied for the first time","duration":"PT0.059S"}', '{"v":1}', NULL, false, '\x5b1cb25b41292ac5be839ec07353e694ed827172e8777ecf0b4d2dec74cbcc77', '\x09bfe4827be5c7e2d2712e8e27eb6d02fb51aa7342cd62dfb82dbf22b6d11c38', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114175+00'),
	(12, 1, 12, '01a1e0ef-373e-75d6-a5b2-76b223c027d8', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/rewinds","strategy":"DirectDdl","oldHash":null,"newHash":"29ccd253d584ef37f4fa95336dba6b34593d065ccc09d318650926d5e349d7ef"}', '{"v":1}', NULL, false, '\x3ea28d27a07321576f78af25fa5dd25fc1132da88d6f875b879d81a2f114cc53', '\x8a5be3c8d23fc66257c2140bfcc142c502ecefe17c34a1ef93a7c88e495d8026', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114217+00'),
	(13, 1, 13, '01a1e0ef-373e-75d7-bd19-592d203824c4', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/rewinds","status":1,"statusDescription":"applied for the first time","duration":"PT0.026S"}', '{"v":1}', NULL, false, '\x60ece89affcd22a0548bd7e6266e3744cac96307a362dc6474f765131858fa3e', '\x90768a63c65f04357881d382acae06a03220f9aec78a72f5045b902a90bd93d9', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.11426+00'),
	(14, 1, 14, '01a1e0ef-373e-75d8-9faa-726cf04360e3', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/rebuilds","strategy":"DirectDdl","oldHash":null,"newHash":"38a870ed120ccef29770d09b20beb16417b82e86d80e8dffad5f98f1bccdb3fe"}', '{"v":1}', NULL, false, '\x16af59ffb5b128a256a32b37f39a2ecc233b974940e5026ffaa4ce34fc3c308f', '\x47daebf191a197bfc31e2e535a0f13a21bb050fccc0124ff9a36884d86df219e', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114303+00'),
	(15, 1, 15, '01a1e0ef-373e-75d9-8d1d-15bb2edbcd25', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/rebuilds","status":1,"statusDescription":"applied for the first time","duration":"PT0.028S"}', '{"v":1}', NULL, false, '\x0adc607ea01751d8864cb723a1e9275549ee99fe86d1f9f637d41a65740e3049', '\x7e3c28a5206ab838e2eebcacef6206175d17a4a3c87c128287c7f15fc2d68be0', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114345+00'),
	(16, 1, 16, '01a1e0ef-373e-75da-aa91-8db9fea539ca', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/perspectives","strategy":"DirectDdl","oldHash":null,"newHash":"8c4a3ab1d829d9ef5c6d217644f8ed2ee4621e4e650a3ee0aba648e168225d7c"}', '{"v":1}', NULL, false, '\xa41c020782775be8a3ffe6e9f53e120c8b8c7439be9bc1e368d3b98c3d2f8cb0', '\x08a8cb641ac4361b66fd1a6c2a1771848d7ea85835654236bfa034d58f218217', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114388+00'),
	(17, 1, 17, '01a1e0ef-373e-75db-8681-e10d384bd919', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/perspectives","status":1,"statusDescription":"applied for the first time","duration":"PT0.024S"}', '{"v":1}', NULL, false, '\x0416bd793c398c3a01e5c51bd53eece30bd231ed8e5c1563a3fbe6a20aed5e1c', '\x3579bd7d209a636938be8486622c42aeaa6c53bb65cd12296c8a6cb4ff837f9b', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114438+00'),
	(18, 1, 18, '01a1e0ef-373e-75dc-9082-c3b3e56a1e54', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/inbox","strategy":"DirectDdl","oldHash":null,"newHash":"1d6d2f76936fcc152d1f966c899a7a6a8a3471ccd4f54f2aa2b071fde3fb467d"}', '{"v":1}', NULL, false, '\x51b364071f231f46e5fac6f008ca12287292c0400efa0dab6a2078b330262c32', '\x810b5043af2516507235b6f37966cff6fa727b2e12e7f92b5baaf9015b3fa633', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114482+00'),
	(19, 1, 19, '01a1e0ef-373e-75dd-aad3-4c3823b954fa', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/inbox","status":1,"statusDescription":"applied for the first time","duration":"PT0.038S"}', '{"v":1}', NULL, false, '\x15dd7bc1f58c454687aa39d4eb2030ccd122e9f93da4497267b8bd2bb15146eb', '\xeb2d87af88e2fcbdcdc1c3f9f445bc4dd82c43e2800eed9ba05686e87f2b459d', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114525+00'),
	(20, 1, 20, '01a1e0ef-373e-75de-bb7b-c8e2863efa53', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/privileges","strategy":"DirectDdl","oldHash":null,"newHash":"e85cc5edf44165ed6ae347daa30238c5da159fae238d1dd7bcea727580562b98"}', '{"v":1}', NULL, false, '\x97b163c610775b1d3d38e9fd9b9b6b88a2f17a0767fd5f49891c9ee9de4234d4', '\x29a81d6fc3e8f19f325e73fed45d49219fb70c064d2de46cd6df3979586f5595', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114567+00'),
	(21, 1, 21, '01a1e0ef-373e-75df-88b3-7889afcf92ac', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"svc/privileges","status":1,"statusDescription":"applied for the first time","duration":"PT0.012S"}', '{"v":1}', NULL, false, '\xc0c2992cd232274308e50b3e9b1ec0c8a1e7855aa1bb63244d3dcd1b29c8fcfc', '\xd39e261fbc7a317cb162e3a0f17733a04899288a6220618980cde82750ac281b', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.11461+00'),
	(22, 1, 22, '01a1e0ef-373e-75e0-8871-6841c1144661', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"migrations/001-parcels.sql","strategy":"DirectDdl","oldHash":null,"newHash":"de420e3d26f314f93ccd22b6950447de6f713dffba4f12fe2c6f0b7fdcee7aae"}', '{"v":1}', NULL, false, '\xd4ec4cd9822e0360c584ed067877fe4afcf62bf05e53d796009b165f8001a2e9', '\x965d8e5f2d7e25a0441bfc38178bd55c8d50ea6219e2fd7b3c5b10bfc2549f17', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.114652+00'),
	(23, 1, 23, '01a1e0ef-373e-75e1-a138-cb91a0522d71', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"migrations/001-parcels.sql","status":1,"statusDescription":"applied for the first time","duration":"PT0.018S"}', '{"v":1}', NULL, false, '\xf32f5c0d8e1585b099a7bd7f84acf8b3549516dc04ae5567ebbc3b9c5818d867', '\x2461a4bd5d9debde1a75da24ac76d324c3004bd5b46939207ec15ffa3f7e5696', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115226+00'),
	(24, 1, 24, '01a1e0ef-373e-75e2-86e8-582d0b2c6060', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"migrations/002-parcels-by-label.sql","strategy":"DirectDdl","oldHash":null,"newHash":"948ec7698708b2a16fbdda1b4d8fb60b4ea7808cad140928f901352f42d13670"}', '{"v":1}', NULL, false, '\x918b0453d92d7465da5dd735f4df102b9e3f42a81a9a0f3ba1f69e04ce48b3cb', '\x08c963aa4e3b8d8ab507acf1eb2981c3a12a8cf1a0a014a62a0b24acba50539b', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115277+00'),
	(25, 1, 25, '01a1e0ef-373e-75e3-9878-27aa4fc43feb', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"migrations/002-parcels-by-label.sql","status":1,"statusDescription":"applied for the first time","duration":"PT0.02S"}', '{"v":1}', NULL, false, '\x6b2966d59d6eba6ac66a2f9390c92ec8be8ce2afc867ebdc2ec95e164e88f524', '\x70788c87c5eade4bfd5aa97f63c597522c109f4520eaa96b4f67211cfab9ce7e', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115322+00'),
	(26, 1, 26, '01a1e0ef-373e-75e4-8939-e4f171225412', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"migrations/003-weight-in-kilograms.sql","strategy":"ColumnCopy","oldHash":null,"newHash":"33b599713118f6db943d7a3927f3a7fa2f6bfa00fc01ba7c75012b2b7cdf1867"}', '{"v":1}', NULL, false, '\xf899282ffb94fb200d95d7963544b1bcc963dcae73c85166d4ff63c192f88099', '\x71d23d5e076d541388c7d6374ff0d4e0336364e559fae62a5fbbe0d47d3a4cba', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115365+00'),
	(27, 1, 27, '01a1e0ef-373e-75e5-b0a4-d3e9e43c7b17', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"migrations/003-weight-in-kilograms.sql","status":1,"statusDescription":"applied for the first time","duration":"PT0.062S"}', '{"v":1}', NULL, false, '\xba3cd1a62facc48437ec9324a37aceabef43e77ed30df9f40494a875455a570d', '\x562a445753a65128cef2d97c8b976366bb4da4830a49ada811c5a2aed2a2f965', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.11542+00'),
	(28, 1, 28, '01a1e0ef-373e-75e6-980e-507c9252247d', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"migrations/004-heavy-parcels.sql","strategy":"DirectDdl","oldHash":null,"newHash":"66f26296f111c643cdb75a91f609c0fefb1fb5015bb25adad927fdfa676186ad"}', '{"v":1}', NULL, false, '\x49adbb5d586f3811e9be92430ac76dd21c357ff96aa9bcbbdc1f7d866c20a086', '\xd7a7e871692b1e4f42e62e81d84def3d38d72b5aa7cabcee41ff484166f335e5', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115464+00'),
	(29, 1, 29, '01a1e0ef-373e-75e7-a663-92eb05422b6d', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"migrations/004-heavy-parcels.sql","status":1,"statusDescription":"applied for the first time","duration":"PT0.012S"}', '{"v":1}', NULL, false, '\x4cdc3e4f36031a6c347726197bec36f52057eefd3ddb565895a29ea903b06150', '\x2eaac8289f905306e71c8d7e9da4baccc7b2cfb6bfe872216470ae75a10311e7', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115507+00'),
	(30, 1, 30, '01a1e0ef-373e-75e8-84dc-e22c7efa021e', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"migrations/005-parcels-are-heavier.sql","strategy":"DirectDdl","oldHash":null,"newHash":"bfd7bba32dc4bf7aa3b1a3d38dfe6242edd1aebaff37cf229c52cbdf968f10e9"}', '{"v":1}', NULL, false, '\x17be555dca20cb46877faa1c4b5d9d6d1323acc9da7d1d955d3997846737de24', '\xbe7d1170579ecd4bc74c9b92f2f325082a88df9edfb478c42e5a37c9b958fd7b', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115551+00'),
	(31, 1, 31, '01a1e0ef-373e-75e9-978d-9748576a96fb', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"migrations/005-parcels-are-heavier.sql","status":1,"statusDescription":"applied for the first time","duration":"PT0.012S"}', '{"v":1}', NULL, false, '\x1e940bff4dae35288f1ddc82edf4b9560f81da9c5c490d82a12bdc2011eec759', '\xe242ea639f7972840dfac4c86e07f9f5f29ba6664f15822f8b2214f4b411357e', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115594+00'),
	(32, 1, 32, '01a1e0ef-373e-75ea-a181-589c7f512402', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"perspective/audit-log","strategy":"DirectDdl","oldHash":null,"newHash":"43a29803522b19d510956c0c368b9e1b60f975c3f4086bebee1a8e1d3029885a"}', '{"v":1}', NULL, false, '\x3e0fab7b2f0ab1276a4bb33c6f6a2bb37b56a2bfd1947ae15b6576b02454538f', '\x3eafd63f5aae8d0ea8a848e17a7febc2d96691817727b863a002bff8de4e1689', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115637+00'),
	(33, 1, 33, '01a1e0ef-373e-75eb-8539-38e1e7f87109', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"perspective/audit-log","status":1,"statusDescription":"applied for the first time","duration":"PT0.031S"}', '{"v":1}', NULL, false, '\x4609ad0b4bc7af6513cc5a8c1c3771750af15328dab7c4a3dbee1ada67beb2b8', '\x720cbcbfe6e4a86932dc42b8e031d9d4f3a11107e8b7894763732a1a891588bc', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115681+00'),
	(34, 1, 34, '01a1e0ef-373e-75ec-9e65-1f4ea8b38363', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"perspective/order-summary","strategy":"DirectDdl","oldHash":null,"newHash":"ba9dcd97581044ee61d67654d0baffef5c086e9e89a405629121c8588a546bd3"}', '{"v":1}', NULL, false, '\x67940be631f3509448c20bb4f321a8aec9be93a1e7af2279455894ae7fb9da12', '\x8cffa5cb0d0891143cff9f1e2bd7cdf8210678a54d5b7c92ea525b9fbe0d97e3', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115724+00'),
	(35, 1, 35, '01a1e0ef-373e-75ed-93f4-f21a6fad42ff', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"perspective/order-summary","status":1,"statusDescription":"applied for the first time","duration":"PT0.029S"}', '{"v":1}', NULL, false, '\x42b042740c842631339d088f51fad9e372554be5f17986017b603185c73301ab', '\x8da8b8aceeda096dba0985f3e5af1d555c2a2df2ac558dc2b89b3fc00b44465d', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115768+00'),
	(36, 1, 36, '01a1e0ef-373e-75ee-833a-66fbda90723a', 'MigrationItemStarted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"perspective/order-steps","strategy":"DirectDdl","oldHash":null,"newHash":"daa40a1df318e88404eadd1844776bfbb84c51f099b47003e0bbbb0c34f6f089"}', '{"v":1}', NULL, false, '\x03a0a20fe1b0e46c821da2061f2c77a0cf7828423b3197a45847c4a026d7d672', '\x6be9622f68ffde6e031cfb31516c82c650707b7cf562bf1e6bbc80168b82d650', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115811+00'),
	(37, 1, 37, '01a1e0ef-373e-75ef-bb1c-2136e86047ac', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","migrationKey":"perspective/order-steps","status":1,"statusDescription":"applied for the first time","duration":"PT0.032S"}', '{"v":1}', NULL, false, '\x6c265f8d1613729603a75584fdfb269b0c490cb07841efe58a1d0a6c328d33aa', '\x85510c6726125e62ddea4f0872877cea530d9f006cf6d5130e50970a83c423ed', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115854+00'),
	(38, 1, 38, '01a1e0ef-373f-7305-809c-63ed4182312f', 'MigrationBatchCompleted', '{"streamId":"01a1e0ef-3544-76b4-ac76-dfac9b30e2d7","libraryVersion":"0.1.0","results":[{"migrationKey":"svc/tables","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/late","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/commit","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/views","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/outbox","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/rewinds","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/rebuilds","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/perspectives","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/inbox","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/privileges","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"migrations/001-parcels.sql","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"migrations/002-parcels-by-label.sql","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"migrations/003-weight-in-kilograms.sql","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"migrations/004-heavy-parcels.sql","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"migrations/005-parcels-are-heavier.sql","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"perspective/audit-log","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"perspective/order-summary","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"perspective/order-steps","status":1,"statusDescription":"applied for the first time"}],"applied":18,"updated":0,"skipped":0,"failed":0,"totalDuration":"PT0.481S"}', '{"v":1}', NULL, false, '\x4c2330292c961bd18b1c328896edb4da5f84e47a5be251f425717b07bcd16d2d', '\xde794699bdcece248cb5373c4d4b77ed47aa0ac0f2f775d7dd524a100286a864', 'island', '2026-11-15 20:38:56.092028+00', '2026-11-15 20:39:03.115898+00'),
	(39, 1, 39, '01a1e0ef-384f-7219-aa63-d8a05fe52f88', 'EventAudited', '{"id":"01a1e0ef-384f-7219-aa63-d8a05fe52f88","originalEventId":"01a1e0ef-384e-77c8-9b30-50902d22efc2","originalEventType":"OrderCreated","originalStreamId":"01a1e0ef-384e-77c7-b6c9-d7b92b0544da","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:56.334Z","correlationId":"market-day","causationId":"01a1e0ef-383b-746d-997c-77fbd2b30d05","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-384e-77c7-b6c9-d7b92b0544da","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}}', '{"correlationId":"market-day","causationId":"01a1e0ef-383b-746d-997c-77fbd2b30d05","traceparent":"00-01a1e0ef383b746d997c77fbd2b30d05-997c77fbd2b30d05-00","v":1}', 1, false, '\xfb51e987dc7a9d5949c02d4ab53205bd1987cb88a5e4ff4cac4d6c926efc2af1', '\xe2f00d77bab4c204d5c6ecb4e97128654c44fc561fa82fd498ea72202ad8c944', 'island', '2026-11-15 20:38:56.342951+00', '2026-11-15 20:39:03.116013+00'),
	(40, 1, 40, '01a1e0ef-3850-744e-a668-e7031329c53c', 'CommandAudited', '{"id":"01a1e0ef-3850-744e-a668-e7031329c53c","commandType":"CreateOrder","commandBody":{"customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"}},"timestamp":"2026-11-15T20:38:56.336Z","correlationId":"market-day","auditLevel":"Info","receptorName":"CreateOrderReceptor","responseType":"CreateOrderResult"}', '{"correlationId":"market-day","traceparent":"00-01a1e0ef383b746d997c77fbd2b30d05-997c77fbd2b30d05-00","v":1}', NULL, false, '\x8d28c76bd8cdec0eaca78111ced431883d4b4203137a1c542674e5d9519c1094', '\x785e3428b7b6a34720d9829d4d8827454ae95ba4d2c487da61a53ededc863d53', 'island', '2026-11-15 20:38:56.342951+00', '2026-11-15 20:39:03.116059+00'),
	(41, 1, 41, '01a1e0ef-388d-73b4-ba97-1bb22edea6ab', 'EventAudited', '{"id":"01a1e0ef-388d-73b4-ba97-1bb22edea6ab","originalEventId":"01a1e0ef-388d-73b3-a48c-7c631679725c","originalEventType":"OrderCreated","originalStreamId":"01a1e0ef-388c-70da-b148-8e3d12715bd7","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:56.397Z","correlationId":"market-day","causationId":"01a1e0ef-388c-70d9-abfc-2a03d0184ae1","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-388c-70da-b148-8e3d12715bd7","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}}', '{"correlationId":"market-day","causationId":"01a1e0ef-388c-70d9-abfc-2a03d0184ae1","traceparent":"00-01a1e0ef388c70d9abfc2a03d0184ae1-abfc2a03d0184ae1-00","v":1}', 1, false, '\xe7e54a986f725c22dbd72f3012b072d413d5502c41a24e86e8a4700595fe39f8', '\x8feaa7fc7baa1fb5f2fd775f31f7695163eb27cb20c1234a6dadba3619bcae76', 'island', '2026-11-15 20:38:56.399933+00', '2026-11-15 20:39:03.116139+00'),
	(42, 1, 42, '01a1e0ef-388e-77d5-bdcf-ab5bb8ea1b08', 'CommandAudited', '{"id":"01a1e0ef-388e-77d5-bdcf-ab5bb8ea1b08","commandType":"CreateOrder","commandBody":{"customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"}},"timestamp":"2026-11-15T20:38:56.398Z","correlationId":"market-day","auditLevel":"Info","receptorName":"CreateOrderReceptor","responseType":"CreateOrderResult"}', '{"correlationId":"market-day","traceparent":"00-01a1e0ef388c70d9abfc2a03d0184ae1-abfc2a03d0184ae1-00","v":1}', NULL, false, '\x3e32d80013755f73cc3b89a4866be0231ae16a5d68e31894733e9d4fce3c4e6e', '\xdd847c18b857cf5bf9cba3fabe9c74291f654bdb75d45f32558338372136bb62', 'island', '2026-11-15 20:38:56.399933+00', '2026-11-15 20:39:03.116186+00');
INSERT INTO public.svc_roles_version VALUES
	(true, 0);
INSERT INTO public.svc_schema_levels VALUES
	('library', 1, 1),
	('application', 1, 1);
INSERT INTO public.svc_schema_migrations VALUES
	('svc/tables', 'DirectDdl', 3, 'unchanged', '08747e9b3874a944cfd5514433fd74290598b89829f7bd8a4d8a9e6f8d1c4e19', '0.1.0', 1, '2026-11-16 19:12:41.544521+00', '1.0.0', '{}', '{}'),
	('svc/late', 'DirectDdl', 3, 'unchanged', 'e3c7df3918e0537348569a4bee597bddd6184381a613533dd76afc79c62a54dd', '0.1.0', 1, '2026-11-16 19:12:41.555103+00', '1.0.0', '{}', '{}'),
	('svc/commit', 'DirectDdl', 2, 'updated, its hash changed', '85940a2fa210cfc8fe98336db7a67d9ec586c7043a0716397c48a2764d0e87d8', '0.1.0', 2, '2026-11-16 19:12:41.589821+00', '1.0.0', '{f04012258d808a2680d8f8894423458224f99f5de93392f0065ad9bd0bbf1ea4}', '{}'),
	('svc/views', 'DirectDdl', 2, 'updated, its hash changed', '7ce3f5371fcb198edafc539d05ea7bf658767acbf4f027e1d80ef15dffb0cf17', '0.1.0', 2, '2026-11-16 19:12:41.612818+00', '1.0.0', '{2cb0f03b40c8434e80dbc18c65f438cc6421f5c43e8c6b4d2f549e994d1e1f95}', '{}'),
	('svc/outbox', 'DirectDdl', 2, 'updated, its hash changed', 'd71b130c051eaa90aaeb0e9502493879f865a5e0d70e658a1d3daf054554b9f8', '0.1.0', 2, '2026-11-16 19:12:41.722657+00', '1.0.0', '{4a08971070646f55187af6286bff5adf1e21de3ee2ea9a6f1085a598a2777479}', '{}'),
	('svc/rewinds', 'DirectDdl', 3, 'unchanged', '29ccd253d584ef37f4fa95336dba6b34593d065ccc09d318650926d5e349d7ef', '0.1.0', 1, '2026-11-16 19:12:41.727961+00', '1.0.0', '{}', '{}'),
	('svc/rebuilds', 'DirectDdl', 2, 'updated, its hash changed', 'be92f6c38715db42a8884ead591b98335ef24a5c1f2527ad7788ffb790872f3f', '0.1.0', 2, '2026-11-16 19:12:41.763288+00', '1.0.0', '{38a870ed120ccef29770d09b20beb16417b82e86d80e8dffad5f98f1bccdb3fe}', '{}'),
	('svc/perspectives', 'DirectDdl', 2, 'updated, its hash changed', '991089573d93ff3c1a765a816e144f7340f7a780d113470f02770482e4668976', '0.1.0', 2, '2026-11-16 19:12:41.774453+00', '1.0.0', '{8c4a3ab1d829d9ef5c6d217644f8ed2ee4621e4e650a3ee0aba648e168225d7c}', '{}'),
	('svc/row-security', 'DirectDdl', 1, 'applied for the first time', 'a7428df4b371f4e84574b1a70c9818ff777dd35fbca223e3bc86d219aa5928e6', '0.1.0', 1, '2026-11-16 19:12:41.80877+00', '1.0.0', '{}', '{}'),
	('svc/read-rows', 'DirectDdl', 1, 'applied for the first time', '981ddcd070c6eff0570f8834f7ac878a9246aeb771c05a9c87fa1a6747bbe16c', '0.1.0', 1, '2026-11-16 19:12:41.845466+00', '1.0.0', '{}', '{}'),
	('svc/inbox', 'DirectDdl', 2, 'updated, its hash changed', '58ca36e5312ae5a8b399d15b1d6b99561c2cda5c8f466b49f4fbe2259cf37577', '0.1.0', 2, '2026-11-16 19:12:41.874777+00', '1.0.0', '{1d6d2f76936fcc152d1f966c899a7a6a8a3471ccd4f54f2aa2b071fde3fb467d}', '{}'),
	('svc/inbox-receive', 'DirectDdl', 1, 'applied for the first time', '141cbc93c93ff98f4fb66ecca52ada66f697e4db96f5a1b36cb2b82fa7891d3f', '0.1.0', 1, '2026-11-16 19:12:41.894535+00', '1.0.0', '{}', '{}'),
	('svc/inbox-dead-letters', 'DirectDdl', 1, 'applied for the first time', '07a7109191050265f7c5255ef91dea2e0d19b5a1c2d9d4c77052a86488611596', '0.1.0', 1, '2026-11-16 19:12:41.924792+00', '1.0.0', '{}', '{}'),
	('svc/roles', 'DirectDdl', 1, 'applied for the first time', '57657fcbed37a03c9933a9b9c121e84ec13d6f1cd5a137d233edc81ab21a9b59', '0.1.0', 1, '2026-11-16 19:12:41.958909+00', '1.0.0', '{}', '{}'),
	('svc/api-keys', 'DirectDdl', 1, 'applied for the first time', '50d1024a70013c3cc99716813944d5068adb67813226eee75a208afea3276785', '0.1.0', 1, '2026-11-16 19:12:41.97884+00', '1.0.0', '{}', '{}'),
	('svc/deployments', 'DirectDdl', 1, 'applied for the first time', '635bb32cd39a8f0bc1e472db1e686535c51e3e9f6fdd0b1cf4b347ca0b78eb8f', '0.1.0', 1, '2026-11-16 19:12:42.002261+00', '1.0.0', '{}', '{}'),
	('svc/flags', 'DirectDdl', 1, 'applied for the first time', 'd58a22f4e75298a65eb609361d5c9a19eed0c638b0e3dc87ea848300f48e651d', '0.1.0', 1, '2026-11-16 19:12:42.055493+00', '1.0.0', '{}', '{}'),
	('svc/privileges', 'DirectDdl', 2, 'updated, its hash changed', '2bac186f27eef6dab0128f3fd551149f431ff46d52d84cbc7ae714a966a33785', '0.1.0', 2, '2026-11-16 19:12:42.098589+00', '1.0.0', '{e85cc5edf44165ed6ae347daa30238c5da159fae238d1dd7bcea727580562b98}', '{}'),
	('migrations/001-parcels.sql', 'DirectDdl', 3, 'unchanged', 'de420e3d26f314f93ccd22b6950447de6f713dffba4f12fe2c6f0b7fdcee7aae', '0.1.0', 1, '2026-11-16 19:12:42.16046+00', '1.0.0', '{}', '{}'),
	('migrations/002-parcels-by-label.sql', 'DirectDdl', 3, 'unchanged', '948ec7698708b2a16fbdda1b4d8fb60b4ea7808cad140928f901352f42d13670', '0.1.0', 1, '2026-11-16 19:12:42.180804+00', '1.0.0', '{}', '{}'),
	('migrations/003-weight-in-kilograms.sql', 'ColumnCopy', 3, 'unchanged', '33b599713118f6db943d7a3927f3a7fa2f6bfa00fc01ba7c75012b2b7cdf1867', '0.1.0', 1, '2026-11-16 19:12:42.196772+00', '1.0.0', '{}', '{}'),
	('migrations/004-heavy-parcels.sql', 'DirectDdl', 3, 'unchanged', '66f26296f111c643cdb75a91f609c0fefb1fb5015bb25adad927fdfa676186ad', '0.1.0', 2, '2026-11-16 19:12:42.208774+00', '1.0.0', '{6ad29376e83546594609c5e62888d7d7defb38931173c9554f76c1c19bf4a907}', '{}'),
	('migrations/005-parcels-are-heavier.sql', 'DirectDdl', 3, 'unchanged', 'bfd7bba32dc4bf7aa3b1a3d38dfe6242edd1aebaff37cf229c52cbdf968f10e9', '0.1.0', 2, '2026-11-16 19:12:42.219858+00', '1.0.0', '{}', '{}'),
	('perspective/audit-log', 'DirectDdl', 3, 'unchanged', '43a29803522b19d510956c0c368b9e1b60f975c3f4086bebee1a8e1d3029885a', '0.1.0', 1, '2026-11-16 19:12:42.292944+00', '1.0.0', '{}', '{"shape": {"events": ["CommandAudited", "EventAudited"], "columns": {"user_id": "text", "timestamp": "timestamptz", "event_type": "text", "correlation_id": "text"}, "version": 1}}'),
	('perspective/order-summary', 'DirectDdl', 3, 'unchanged', 'ba9dcd97581044ee61d67654d0baffef5c086e9e89a405629121c8588a546bd3', '0.1.0', 1, '2026-11-16 19:12:42.343685+00', '1.0.0', '{}', '{"shape": {"events": ["OrderArchived", "OrderCancelled", "OrderCreated", "OrderShipped"], "columns": {"total": "numeric", "status": "text", "customer_id": "uuid"}, "version": 1}}'),
	('perspective/order-steps', 'DirectDdl', 3, 'unchanged', 'daa40a1df318e88404eadd1844776bfbb84c51f099b47003e0bbbb0c34f6f089', '0.1.0', 1, '2026-11-16 19:12:42.376604+00', '1.0.0', '{}', '{"shape": {"events": ["OrderArchived", "OrderCancelled", "OrderCreated", "OrderShipped"], "columns": {}, "version": 1}}');
INSERT INTO public.svc_snap_order_steps_daa40a1d VALUES
	('01a1e0ef-3beb-759d-a833-c7bc7f5beb43', 1794775137302402, '5d9a6119-dc4b-43dc-be6e-4705e6ad42d5', 2, 42, '01a1e0ef-3c14-77be-9446-ddee65d6bfbc', '{"steps": ["OrderCreated", "OrderCancelled"]}', NULL, 2),
	('01a1e0ef-3c3a-7052-8a7e-bc4461bb3993', 1794775137369965, '5d9a6119-dc4b-43dc-be6e-4705e6ad42d5', 2, 48, '01a1e0ef-3c58-7774-93fd-1b9939297c0d', '{"steps": ["OrderCreated", "OrderShipped"]}', NULL, 2),
	('01a1e0ef-45da-77d7-ae03-337b232f2af8', 1794775139866460, '5d9a6119-dc4b-43dc-be6e-4705e6ad42d5', 2, 97, '01a1e0ef-4618-7148-8a52-b34a3214b7e5', '{"steps": ["OrderCreated", "OrderArchived"]}', NULL, 2),
	('01a1e5c6-a6b3-77bd-8c2a-46463438ff4b', 1794856363865284, '5d9a6119-dc4b-43dc-be6e-4705e6ad42d5', 2, 245, '01a1e5c6-a749-723c-b43b-255d963e60cc', '{"steps": ["OrderCreated", "OrderShipped"]}', NULL, 2);
INSERT INTO public.svc_store VALUES
	(true, '5d9a6119-dc4b-43dc-be6e-4705e6ad42d5');
INSERT INTO public.svc_system_events VALUES
	(1, 1, '01a1e0ef-3aef-74d9-8750-cef7e6f1b68a', 'MigrationBatchStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","libraryVersion":"0.1.0","totalMigrations":15,"totalPerspectives":3}', '{"v":1}', NULL, false, '\x1680d7409601c620bb319b28a85a6dceb48d0ec0ffd47c343a66758c13a5dd8c', '\xffd06bb3b976f357646bfdfcd1bfaa12979632628aa3c92671f1e9996b509958', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(2, 2, '01a1e0ef-3aef-74da-8ad9-1bb2e61f43ba', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/tables","strategy":"DirectDdl","oldHash":null,"newHash":"08747e9b3874a944cfd5514433fd74290598b89829f7bd8a4d8a9e6f8d1c4e19"}', '{"v":1}', NULL, false, '\xd4016801d1bd27ddc3a30c41fdc2721704ae8f43d18ce78364601ef5b03ade2b', '\x1248bd70ebcd9da86e3cbda646a4ebd352d38c5bfd2b7fff25209086ae69fe4b', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(3, 3, '01a1e0ef-3aef-74db-ba0d-07b0cdd78a22', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/tables","status":1,"statusDescription":"applied for the first time","duration":"PT0.062S"}', '{"v":1}', NULL, false, '\x1fc18ae7be771a9d84902fce9a8c16240c2517751b79b838ba691e1e4f79ccf5', '\x68a66a1b85b51c17356d5a8bd45bc77204b4200b1d80a0c46440545ad8a145dc', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(4, 4, '01a1e0ef-3aef-74dc-b8be-8a9dfdee8628', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/late","strategy":"DirectDdl","oldHash":null,"newHash":"e3c7df3918e0537348569a4bee597bddd6184381a613533dd76afc79c62a54dd"}', '{"v":1}', NULL, false, '\x5b92b06dd799989678fd1db52440daf687214d98904a260a213852680e3979b7', '\x4251cf0644f58b34442ffedf6ddb330f43d57d5671ad0571c4131422cc8c1007', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(5, 5, '01a1e0ef-3aef-74dd-860a-314dfc47619d', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/late","status":1,"statusDescription":"applied for the first time","duration":"PT0.02S"}', '{"v":1}', NULL, false, '\xce3132acd82c6859cdbfcc0974190de31693dfe4d3389e42dbda3b19a79baa74', '\x88bbc347ac8390c1168926c971e11fe38be3e1a2c83b8f852978b148bc525f28', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(6, 6, '01a1e0ef-3aef-74de-ae2b-930908644ed6', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/commit","strategy":"DirectDdl","oldHash":null,"newHash":"f04012258d808a2680d8f8894423458224f99f5de93392f0065ad9bd0bbf1ea4"}', '{"v":1}', NULL, false, '\xde98f4b197bcdb5b8707b733b18ed07c0fedd7dbc46d0b22394c8cf1456e081e', '\x2c5c8a507d738ae192fd8b6c3414b2c5c498f4f27505b4e36965d94986a589c7', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(7, 7, '01a1e0ef-3aef-74df-8428-6cc1d81e25b0', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/commit","status":1,"statusDescription":"applied for the first time","duration":"PT0.012S"}', '{"v":1}', NULL, false, '\x7578f393fb79a0bfa2f00ac2c6b11e30344bfdaa54b1561348698faddc07141c', '\xd276a5280fff1c9f837d6066787b6f54086b403b1b7e7449b415abcb8367d107', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(8, 8, '01a1e0ef-3aef-74e0-8cb2-fc0313819a05', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/views","strategy":"DirectDdl","oldHash":null,"newHash":"2cb0f03b40c8434e80dbc18c65f438cc6421f5c43e8c6b4d2f549e994d1e1f95"}', '{"v":1}', NULL, false, '\x95bfe25c157920a389df6b352e25b47a489b7e63ea6eea1aed1b2865ec71ee6f', '\x6cd8229a4267259d00781791eaab6aed2d6c60d5207ded1f31e5688b028f768f', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(9, 9, '01a1e0ef-3aef-74e1-adaf-b106b4b06481', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/views","status":1,"statusDescription":"applied for the first time","duration":"PT0.012S"}', '{"v":1}', NULL, false, '\xbe2e3068769f864d779e49a6fa8757cad839ca23bb8ff7d43b5973f5f89a1471', '\x383e1c13f67604bd2752c295634b2eedee4cc8c2595b02c313098cb6f381a2f6', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(10, 10, '01a1e0ef-3af2-74b0-9b06-55d0319e4c7d', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/outbox","strategy":"DirectDdl","oldHash":null,"newHash":"4a08971070646f55187af6286bff5adf1e21de3ee2ea9a6f1085a598a2777479"}', '{"v":1}', NULL, false, '\x4ef2709186ddf6163295234aaf0a1722907f3eb717c480292d8c82303b4d6023', '\x9550f1b2a5c133256513d88eb8f7a3712668fe0884aeabf7785347781956913c', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(11, 11, '01a1e0ef-3af2-74b1-a51f-c572d3d0334f', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/outbox","status":1,"statusDescription":"applied for the first time","duration":"PT0.048S"}', '{"v":1}', NULL, false, '\xd7e77a6b4d04395451f9db0540fd83b1b71929faaa4ffda8e6159b8bc8a7bbda', '\x8b3024625f721de72894c6cc8e0f63ea5e44beeb1252a88b8bacea131ac5585f', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(12, 12, '01a1e0ef-3af2-74b2-afd9-35cc3e319965', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/rewinds","strategy":"DirectDdl","oldHash":null,"newHash":"29ccd253d584ef37f4fa95336dba6b34593d065ccc09d318650926d5e349d7ef"}', '{"v":1}', NULL, false, '\xcd5f61417272e9c0c9492576f8ef0948c69d5bca5dae114e043118047c68f61e', '\x2424f747854ee3fb6416f3292f9097c81df103cef1b6d005ec30ce5873b4789c', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(13, 13, '01a1e0ef-3af2-74b3-900e-d0ec02cddc7e', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/rewinds","status":1,"statusDescription":"applied for the first time","duration":"PT0.027S"}', '{"v":1}', NULL, false, '\x1defd889291942e97f09a3d90cf497576643829b479fabf10caf4dca4d19da47', '\xeea94bb76f439ff85db20d694e55ce86e3808617a58e4a41e255ae4cc94bc0dc', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(14, 14, '01a1e0ef-3af2-74b4-9ff3-0bfe670a2fc8', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/rebuilds","strategy":"DirectDdl","oldHash":null,"newHash":"38a870ed120ccef29770d09b20beb16417b82e86d80e8dffad5f98f1bccdb3fe"}', '{"v":1}', NULL, false, '\x79e81a0271780ca23d0b74af4596406f9c15fedae8c8aff2e50690c85b7ec652', '\x629bfbfe205e237921e575c76ca59a0e043207d2fc19db6b6f88a27078d3409c', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(15, 15, '01a1e0ef-3af2-74b5-af7d-0cb4f9d96233', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/rebuilds","status":1,"statusDescription":"applied for the first time","duration":"PT0.029S"}', '{"v":1}', NULL, false, '\x7643306ba4d608b311504eb2da07c202ab39b4a052981615c4806531b8b0b456', '\x179995deb1c2c4f5aeda7c85725ab37732ba475a52700632525e529cd017becd', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(16, 16, '01a1e0ef-3af2-74b6-92e6-33ed5d1ad4b1', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/perspectives","strategy":"DirectDdl","oldHash":null,"newHash":"8c4a3ab1d829d9ef5c6d217644f8ed2ee4621e4e650a3ee0aba648e168225d7c"}', '{"v":1}', NULL, false, '\x2154c7925f00c27f6500096f26d920e92bc8ef3c28d9a9884d8990cc7a59e031', '\x19cb7eb11a840629698a0e772f077e177729343bc18017a81c8503efcb6b56b5', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(17, 17, '01a1e0ef-3af2-74b7-847a-916da1b5a235', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/perspectives","status":1,"statusDescription":"applied for the first time","duration":"PT0.023S"}', '{"v":1}', NULL, false, '\xd786ad11520b4a1be62d19bfd9b0e35136cd25b0d8d0e45b193036c7bfe89ff3', '\x393815d65aeda1770420743906a42afee32b561d46680d2652f2344cdaf9b8aa', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(18, 18, '01a1e0ef-3af2-74b8-a9d8-dc884960538b', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/inbox","strategy":"DirectDdl","oldHash":null,"newHash":"1d6d2f76936fcc152d1f966c899a7a6a8a3471ccd4f54f2aa2b071fde3fb467d"}', '{"v":1}', NULL, false, '\x4440ca1aca7c17fa8f8138d9a050d65377b5d8f37ceadb9de5f20dbbbb5c1d24', '\xbe25ebb4a5eb9ee8124bf6f5b48fff005e6bf6bae41384c92652e3a5cec022c8', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(19, 19, '01a1e0ef-3af2-74b9-81f7-d4ab9a4b4787', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/inbox","status":1,"statusDescription":"applied for the first time","duration":"PT0.027S"}', '{"v":1}', NULL, false, '\xee36cca4d4c83bc405be0f1fdf6e86c4a0b4a2bc440ec348f3eb6d975bb6dff0', '\xd5dfc1a50060ad49b9139905765beba7b5a965551461aa037963ff2cab260a43', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(20, 20, '01a1e0ef-3af2-74ba-921c-c59c70ca26b4', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/privileges","strategy":"DirectDdl","oldHash":null,"newHash":"e85cc5edf44165ed6ae347daa30238c5da159fae238d1dd7bcea727580562b98"}', '{"v":1}', NULL, false, '\x71f18ad859c01a4701c02b43e2bd9446862caf4e0f95bfd54d3ccca7de1440bc', '\x2696352f56eec02a566d8653f60a6571203e5b80d80e6eb65430e202a8426e6b', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(21, 21, '01a1e0ef-3af2-74bb-a78d-68aded64827a', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"svc/privileges","status":1,"statusDescription":"applied for the first time","duration":"PT0.015S"}', '{"v":1}', NULL, false, '\x8f8ccd8193952d19862788a8dc03fe200c9a4164fb84f949f34a7cae46cd873d', '\x7b4595a3601bd93bb4aebf1386ff86a7e9db9c1bf48d448a61c677030d0dd2d8', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(22, 22, '01a1e0ef-3af2-74bc-a5bd-d4ff26914fa8', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"migrations/001-parcels.sql","strategy":"DirectDdl","oldHash":null,"newHash":"de420e3d26f314f93ccd22b6950447de6f713dffba4f12fe2c6f0b7fdcee7aae"}', '{"v":1}', NULL, false, '\xfbd1ef74ba9a710d8c3201ae55f5432d2df1be7826054b58e505f351f9b93ffd', '\x36ed7a3bf94e428f13cceecbfe6770a2b0d253014ec9c903497f9b7ebd4dc665', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(23, 23, '01a1e0ef-3af2-74bd-b4ae-c7421da8481d', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"migrations/001-parcels.sql","status":1,"statusDescription":"applied for the first time","duration":"PT0.012S"}', '{"v":1}', NULL, false, '\xf60953bb5dcbdf3fdf6c65e015a216d92568c41b3a6319e83db4e12b0bb0484d', '\x1a8c82ab0bc514091ca3456b85b751cbbc765fd87f46b9b8e1e7a4f378c3c0b5', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(24, 24, '01a1e0ef-3af2-74be-b486-ed8e23461a8d', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"migrations/002-parcels-by-label.sql","strategy":"DirectDdl","oldHash":null,"newHash":"948ec7698708b2a16fbdda1b4d8fb60b4ea7808cad140928f901352f42d13670"}', '{"v":1}', NULL, false, '\xc007dd776f182d74600dc743f160587cf00439d86f9779262b78f27362442ac9', '\xc047a6bf7458271cef66500c76e0a1ecc60b0d9398fa7b6e8d2088e724b8eca8', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(25, 25, '01a1e0ef-3af2-74bf-a04e-4e9fa8005a7a', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"migrations/002-parcels-by-label.sql","status":1,"statusDescription":"applied for the first time","duration":"PT0.024S"}', '{"v":1}', NULL, false, '\x56ba05f553a41a1fecfaf6ebbbd58fd33c30cccbd8d20ac41de6aef70a2b0952', '\x08fe89c137e3144a0cd2d608e44e08f157b3a011ea7ba7198a39a4464271b80a', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(26, 26, '01a1e0ef-3af2-74c0-a7a6-8cc2203ae12e', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"migrations/003-weight-in-kilograms.sql","strategy":"ColumnCopy","oldHash":null,"newHash":"33b599713118f6db943d7a3927f3a7fa2f6bfa00fc01ba7c75012b2b7cdf1867"}', '{"v":1}', NULL, false, '\x1cf3c1ad8af76a72ce557ed283604dcc885cb21d60397834af49551af63cd447', '\x55e6f177ad0ff343a6aaf68f68ed7d9f8612c3c854391021d2ebb4400f98d339', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(27, 27, '01a1e0ef-3af2-74c1-a9da-0a6513b466ce', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"migrations/003-weight-in-kilograms.sql","status":1,"statusDescription":"applied for the first time","duration":"PT0.035S"}', '{"v":1}', NULL, false, '\xc1d44bc751378c4ff68dd17e3270a53f7502cf7a6a34dc715896197ab61d0983', '\x83e8be6e8c54437a4a08834dbe03225b4c231bd7d89eb496de1c2c4e9622491f', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(28, 28, '01a1e0ef-3af2-74c2-914d-57c17229593a', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"migrations/004-heavy-parcels.sql","strategy":"DirectDdl","oldHash":null,"newHash":"6ad29376e83546594609c5e62888d7d7defb38931173c9554f76c1c19bf4a907"}', '{"v":1}', NULL, false, '\x435ce555c36bc04244154d8c68f06f7a3f0e909170d7f8a1e906e6e9a43179e7', '\x3240da075f78c71735e2d6e7282bb9b90b8a6f6ad36b54a9edabd4ae6c774711', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(29, 29, '01a1e0ef-3af2-74c3-ab2c-4c9b471ad944', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"migrations/004-heavy-parcels.sql","status":1,"statusDescription":"applied for the first time","duration":"PT0.006S"}', '{"v":1}', NULL, false, '\x8242a791db654da226c1e14d010c4d21f9ad205e45d67e89a9d4bc102ed933c1', '\x3bbcbe650c00f51f01b703b2a463523165e97dddbe03d5b78db3751f1cd0e440', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(30, 30, '01a1e0ef-3af2-74c4-92a9-5782e3068fe3', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"migrations/005-parcels-are-heavier.sql","strategy":"DirectDdl","oldHash":null,"newHash":"bfd7bba32dc4bf7aa3b1a3d38dfe6242edd1aebaff37cf229c52cbdf968f10e9"}', '{"v":1}', NULL, false, '\xd4c83a25428f50ccb92c6ffcc288a79d295bf713f17fa4e548b9ab58b912bde6', '\x7840a4e1a6aa93e773e334c73e61f42fc26f54ac08d21cb9e6684bac85d7c6d1', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(31, 31, '01a1e0ef-3af2-74c5-8825-951498c43f2d', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"migrations/005-parcels-are-heavier.sql","status":1,"statusDescription":"applied for the first time","duration":"PT0.006S"}', '{"v":1}', NULL, false, '\x6a06e56367a885978f165fe13fa895821a1b9dab4bfd67ed2cc00f7ef0e92f4d', '\xf4f9936b9c7948299eb94b23cc50bc841e3cd6fe28a55421f17b49c8c8c19008', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(32, 32, '01a1e0ef-3af2-74c6-8f7c-ffce115fda28', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"perspective/audit-log","strategy":"DirectDdl","oldHash":null,"newHash":"43a29803522b19d510956c0c368b9e1b60f975c3f4086bebee1a8e1d3029885a"}', '{"v":1}', NULL, false, '\x48b467a5197cf87fd3d0ad87c802091f5259b6205f87ed170d80186d80242051', '\x0d5333a85793b1025f8983e67322b3638266c5b729142c0c324af2c87e736528', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(33, 33, '01a1e0ef-3af2-74c7-a55d-01b48ed263fe', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"perspective/audit-log","status":1,"statusDescription":"applied for the first time","duration":"PT0.034S"}', '{"v":1}', NULL, false, '\xd90dfbe16d975df6fea9824f34d0f8b9c06202755c9b418c41f4018081236896', '\xedace139083ac746e2db1fa930075c126486ec2bd5ab844875f9723cba932739', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(34, 34, '01a1e0ef-3af2-74c8-b1cb-cdaf7a05a77a', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"perspective/order-summary","strategy":"DirectDdl","oldHash":null,"newHash":"ba9dcd97581044ee61d67654d0baffef5c086e9e89a405629121c8588a546bd3"}', '{"v":1}', NULL, false, '\x5116d6bb7333b10bcc663e4f3dbe99e35dc228122f72199d6fa7e568671b2260', '\xa6f90bd82880f308dc554385d6df39b637d8f7fd9ecee697aa068211b561e923', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(35, 35, '01a1e0ef-3af3-7082-a1f4-02c97c0839ae', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"perspective/order-summary","status":1,"statusDescription":"applied for the first time","duration":"PT0.039S"}', '{"v":1}', NULL, false, '\x64654f10602232afa271b4d58a8503f9ac10345b5ddd6f802e18811fd8e7c9a8', '\x45d86b3318c7bea7d0e41e583abcf9455ef4218cc026c5efd520642f591a10fd', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(36, 36, '01a1e0ef-3af3-7083-af0a-78a2f64cb96d', 'MigrationItemStarted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"perspective/order-steps","strategy":"DirectDdl","oldHash":null,"newHash":"daa40a1df318e88404eadd1844776bfbb84c51f099b47003e0bbbb0c34f6f089"}', '{"v":1}', NULL, false, '\x9918a7583d81c7a59d79accd62ae91d526d7ee76eee65871700dcfa46fe19628', '\xc918cf96002ed3278592c09e5c086f460321904c6ebbf7a9d285239bed94a0eb', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(37, 37, '01a1e0ef-3af3-7084-816d-1794c5c0087d', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","migrationKey":"perspective/order-steps","status":1,"statusDescription":"applied for the first time","duration":"PT0.024S"}', '{"v":1}', NULL, false, '\xad9bcc7c527a1ecb0f14dc116fd14b00a541747cd4c6b3c2667ba5973caa33bd', '\xbf9c3cb4a6df1b4b7ce5aec2f4e9440db7b19c6c145ee5fad4c1fe7d3b9d2e03', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(38, 38, '01a1e0ef-3af3-7085-ab2c-f1bd48a8b29d', 'MigrationBatchCompleted', '{"streamId":"01a1e0ef-391b-740e-b19f-7a3597e3f9d0","libraryVersion":"0.1.0","results":[{"migrationKey":"svc/tables","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/late","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/commit","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/views","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/outbox","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/rewinds","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/rebuilds","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/perspectives","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/inbox","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/privileges","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"migrations/001-parcels.sql","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"migrations/002-parcels-by-label.sql","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"migrations/003-weight-in-kilograms.sql","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"migrations/004-heavy-parcels.sql","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"migrations/005-parcels-are-heavier.sql","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"perspective/audit-log","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"perspective/order-summary","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"perspective/order-steps","status":1,"statusDescription":"applied for the first time"}],"applied":18,"updated":0,"skipped":0,"failed":0,"totalDuration":"PT0.454S"}', '{"v":1}', NULL, false, '\xc168ca2ae6e2a0056922cc3be008f2b2bbb06df09c78f39706b361404ebf1ae5', '\x7fe07d5fdf4f9892f5422a835998c244f36ec350b3081fed77c11efd5b2dd7c6', 'harbour', '2026-11-15 20:38:57.035372+00'),
	(39, 40, '01a1e0ef-3beb-759f-92af-9b5503430405', 'EventAudited', '{"id":"01a1e0ef-3beb-759f-92af-9b5503430405","originalEventId":"01a1e0ef-3beb-759e-8f22-73386a990db1","originalEventType":"OrderCreated","originalStreamId":"01a1e0ef-3beb-759d-a833-c7bc7f5beb43","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:57.259Z","correlationId":"market-day","causationId":"01a1e0ef-3bdd-724b-a1c0-81e75e57b143","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-3beb-759d-a833-c7bc7f5beb43","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}}', '{"correlationId":"market-day","causationId":"01a1e0ef-3bdd-724b-a1c0-81e75e57b143","traceparent":"00-01a1e0ef3bdd724ba1c081e75e57b143-a1c081e75e57b143-00","v":1}', 1, false, '\x72d50b813dd8e92130b0fb4d10f75abf977fee6d46113a83e1c9f367a13d4a8a', '\x46232d91464a592b68a14b844dc1935bf6add4f7e7fd6a6e8dec055ae434f539', 'harbour', '2026-11-15 20:38:57.264942+00'),
	(50, 55, '01a1e0ef-3c9f-728d-bd66-67fbcece3bed', 'CommandFailed', '{"id":"01a1e0ef-3c9f-728d-bd66-67fbcece3bed","commandType":"ShipOrder","receptorName":"ShipOrderReceptor","error":{"name":"Problem","message":"Order 01a1e0ef-3c93-7245-a170-216179d1de8c does not exist.","code":"order-not-found"},"recovered":false,"correlationId":"01a1e0ef-3c9b-774b-81ef-ce94e5b3dfae","timestamp":"2026-11-15T20:38:57.439Z"}', '{"v":1}', NULL, false, '\x2b00ec9fffc9d8f0b34105a9be8f7c2004f1f8460bf10dff9d0ef914cf8b5a1e', '\x08009a7e91ad96b2b922db1ba895b16b8c2fda5d2de8e7e805918f3117887d82', 'harbour', '2026-11-15 20:38:57.440213+00'),
	(40, 41, '01a1e0ef-3beb-75a0-a323-fe889893768d', 'CommandAudited', '{"id":"01a1e0ef-3beb-75a0-a323-fe889893768d","commandType":"CreateOrder","commandBody":{"customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"}},"timestamp":"2026-11-15T20:38:57.259Z","correlationId":"market-day","auditLevel":"Info","receptorName":"CreateOrderReceptor","responseType":"CreateOrderResult"}', '{"correlationId":"market-day","traceparent":"00-01a1e0ef3bdd724ba1c081e75e57b143-a1c081e75e57b143-00","v":1}', NULL, false, '\x433400a7bb8c926cc8d5064d691cd3034f5cc5afa46ab513e22b8077889bc239', '\xf088d162e5cf649645fc09b5359a8de5d3dd43f2de47341b399e16de4a87afeb', 'harbour', '2026-11-15 20:38:57.264942+00'),
	(41, 43, '01a1e0ef-3c14-77bf-b9f6-a96114564434', 'EventAudited', '{"id":"01a1e0ef-3c14-77bf-b9f6-a96114564434","originalEventId":"01a1e0ef-3c14-77be-9446-ddee65d6bfbc","originalEventType":"OrderCancelled","originalStreamId":"01a1e0ef-3beb-759d-a833-c7bc7f5beb43","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:57.300Z","correlationId":"01a1e0ef-3c0a-7789-b064-d70969602c0b","causationId":"01a1e0ef-3c0a-7789-b064-d70969602c0b","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-3beb-759d-a833-c7bc7f5beb43","reason":"too late"}}', '{"correlationId":"01a1e0ef-3c0a-7789-b064-d70969602c0b","causationId":"01a1e0ef-3c0a-7789-b064-d70969602c0b","traceparent":"00-01a1e0ef3c0a7789b064d70969602c0b-b064d70969602c0b-00","v":1}', 2, false, '\x4e03620945fcc6707ea6736259946822d833e6a2c21e6cbe021954caa04eee2b', '\xd03707fad2cebcc93afe0285aae65925fe5ee918f9d71377b4be53cae534dc4f', 'harbour', '2026-11-15 20:38:57.302402+00'),
	(42, 44, '01a1e0ef-3c14-77c0-bdd6-4bc0ef719220', 'CommandAudited', '{"id":"01a1e0ef-3c14-77c0-bdd6-4bc0ef719220","commandType":"CancelOrder","commandBody":{"orderId":"01a1e0ef-3beb-759d-a833-c7bc7f5beb43","reason":"too late"},"timestamp":"2026-11-15T20:38:57.300Z","correlationId":"01a1e0ef-3c0a-7789-b064-d70969602c0b","auditLevel":"Info","receptorName":"CancelOrderReceptor","responseType":"CancelOrderResult"}', '{"correlationId":"01a1e0ef-3c0a-7789-b064-d70969602c0b","traceparent":"00-01a1e0ef3c0a7789b064d70969602c0b-b064d70969602c0b-00","v":1}', NULL, false, '\xa0e549760e3d70dbcbcd23f2147e971e4feea675f7538c423a3174887653d4a3', '\x9d3fc97525c11ce5d62daf7e88061918e44c23b5af405d3b7e9faf2d3f795b0d', 'harbour', '2026-11-15 20:38:57.302402+00'),
	(43, 46, '01a1e0ef-3c3a-7054-a0c9-6be4b34b5bd7', 'EventAudited', '{"id":"01a1e0ef-3c3a-7054-a0c9-6be4b34b5bd7","originalEventId":"01a1e0ef-3c3a-7053-856d-75cd1ca9190a","originalEventType":"OrderCreated","originalStreamId":"01a1e0ef-3c3a-7052-8a7e-bc4461bb3993","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:57.338Z","correlationId":"market-day","causationId":"01a1e0ef-3c31-7048-92a9-7047c0424d23","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-3c3a-7052-8a7e-bc4461bb3993","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}}', '{"correlationId":"market-day","causationId":"01a1e0ef-3c31-7048-92a9-7047c0424d23","traceparent":"00-01a1e0ef3c31704892a97047c0424d23-92a97047c0424d23-00","v":1}', 1, false, '\x4c57aff266c8c6108f131c9d9d42575b5b6017fa52086233770aa2dd9eb086cd', '\x91f3ca00fc536ecfaea1389eb71f5d7f2afff798cc992ca6f5db9876157317ff', 'harbour', '2026-11-15 20:38:57.341506+00'),
	(44, 47, '01a1e0ef-3c3a-7055-9cdd-0eae50b1458d', 'CommandAudited', '{"id":"01a1e0ef-3c3a-7055-9cdd-0eae50b1458d","commandType":"CreateOrder","commandBody":{"customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"}},"timestamp":"2026-11-15T20:38:57.338Z","correlationId":"market-day","auditLevel":"Info","receptorName":"CreateOrderReceptor","responseType":"CreateOrderResult"}', '{"correlationId":"market-day","traceparent":"00-01a1e0ef3c31704892a97047c0424d23-92a97047c0424d23-00","v":1}', NULL, false, '\xca7d9cfbbc2867c410b3003e782b0ef7001b75f2ae2af54f97b3cb1261794bce', '\x1bcbb3146b515bfd3fa3f0084c57e651e9efd34f959c76e806f1885ff6327980', 'harbour', '2026-11-15 20:38:57.341506+00'),
	(45, 49, '01a1e0ef-3c58-7775-b16e-1cce9e397e4b', 'EventAudited', '{"id":"01a1e0ef-3c58-7775-b16e-1cce9e397e4b","originalEventId":"01a1e0ef-3c58-7774-93fd-1b9939297c0d","originalEventType":"OrderShipped","originalStreamId":"01a1e0ef-3c3a-7052-8a7e-bc4461bb3993","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:57.368Z","correlationId":"01a1e0ef-3c52-73f1-a887-9aa81ac09b4a","causationId":"01a1e0ef-3c52-73f1-a887-9aa81ac09b4a","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-3c3a-7052-8a7e-bc4461bb3993","carrier":"Royal Mail"}}', '{"correlationId":"01a1e0ef-3c52-73f1-a887-9aa81ac09b4a","causationId":"01a1e0ef-3c52-73f1-a887-9aa81ac09b4a","traceparent":"00-01a1e0ef3c5273f1a8879aa81ac09b4a-a8879aa81ac09b4a-00","v":1}', 2, false, '\xfe3448f43ff469e6c2c03bb6afba39dac70925347f0117ffb8b77d7fd6a67364', '\x8f6b587c584167991309ee807f50b1539ff4657c810f8ff2c36d9cb6a8335ede', 'harbour', '2026-11-15 20:38:57.369965+00'),
	(46, 50, '01a1e0ef-3c58-7776-bc1d-d033dd4054ad', 'CommandAudited', '{"id":"01a1e0ef-3c58-7776-bc1d-d033dd4054ad","commandType":"ShipOrder","commandBody":{"orderId":"01a1e0ef-3c3a-7052-8a7e-bc4461bb3993","carrier":"Royal Mail"},"timestamp":"2026-11-15T20:38:57.368Z","correlationId":"01a1e0ef-3c52-73f1-a887-9aa81ac09b4a","auditLevel":"Info","receptorName":"ShipOrderReceptor","responseType":"ShipOrderResult"}', '{"correlationId":"01a1e0ef-3c52-73f1-a887-9aa81ac09b4a","traceparent":"00-01a1e0ef3c5273f1a8879aa81ac09b4a-a8879aa81ac09b4a-00","v":1}', NULL, false, '\xad6190d28dc032b872553a297f517633c8b78c7492e7e41b4982dd6da0e1ab9d', '\x33bfc0ce589595556447346d722e6e6c575e9cdd3f75d501d184b759dbf0d87a', 'harbour', '2026-11-15 20:38:57.369965+00'),
	(47, 52, '01a1e0ef-3c65-74be-9815-ecf6d415f0ae', 'EventAudited', '{"id":"01a1e0ef-3c65-74be-9815-ecf6d415f0ae","originalEventId":"01a1e0ef-3c65-74bd-9018-c2cfe92a2205","originalEventType":"OrderCreated","originalStreamId":"01a1e0ef-3c65-74bc-9947-80bada44f0c6","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:57.381Z","correlationId":"market-day","causationId":"01a1e0ef-3c64-75c9-8c83-49a0c1fba70a","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-3c65-74bc-9947-80bada44f0c6","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}}', '{"correlationId":"market-day","causationId":"01a1e0ef-3c64-75c9-8c83-49a0c1fba70a","traceparent":"00-01a1e0ef3c6475c98c8349a0c1fba70a-8c8349a0c1fba70a-00","v":1}', 1, false, '\x8b1e419dc98f3ed53bbd6b11657ee987280db3074ffa05a6d782a6d78fb2def8', '\x348cd63a89e11f0c9705b961544c58c839b57fa6966a9597d6393e5d5d4d3980', 'harbour', '2026-11-15 20:38:57.38363+00'),
	(48, 53, '01a1e0ef-3c66-712c-abe0-92ef3e3046a6', 'CommandAudited', '{"id":"01a1e0ef-3c66-712c-abe0-92ef3e3046a6","commandType":"CreateOrder","commandBody":{"customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"}},"timestamp":"2026-11-15T20:38:57.382Z","correlationId":"market-day","auditLevel":"Info","receptorName":"CreateOrderReceptor","responseType":"CreateOrderResult"}', '{"correlationId":"market-day","traceparent":"00-01a1e0ef3c6475c98c8349a0c1fba70a-8c8349a0c1fba70a-00","v":1}', NULL, false, '\x528905c68318ff5a8320f4ea99b1c4efca682622cdc648287670d98d8ad7a8db', '\x5a22aac6b840740650d9822030e5939cdf2bdbf5d72f9a9c907a3206498972da', 'harbour', '2026-11-15 20:38:57.38363+00'),
	(49, 54, '01a1e0ef-3c77-75d9-9bea-c29aa1475e77', 'CommandFailed', '{"id":"01a1e0ef-3c77-75d9-9bea-c29aa1475e77","commandType":"ShipOrder","receptorName":"ShipOrderReceptor","error":{"name":"Problem","message":"Order 01a1e0ef-3beb-759d-a833-c7bc7f5beb43 is cancelled.","code":"order-closed"},"recovered":false,"correlationId":"01a1e0ef-3c73-76c8-8de8-bec6938a717b","timestamp":"2026-11-15T20:38:57.399Z"}', '{"v":1}', NULL, false, '\x4ea09620518f461fa0d0618e186eb0fdf0b69a47ba39d38778c28651bf944b0d', '\xfc8b5f17f160be6243ac4b143a8eab9c0e73fc2fc0558c86af054b1363149469', 'harbour', '2026-11-15 20:38:57.401548+00'),
	(51, 56, '01a1e0ef-450e-7534-8c06-fc2b355f6bf0', 'MigrationBatchStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","libraryVersion":"0.1.0","totalMigrations":15,"totalPerspectives":3}', '{"v":1}', NULL, true, '\x2dd28e73866b9b1c99e2bbfb77083bc2d80f45b6aac4bf6d11450f9807a35b60', '\xd98162fefc80c6bfbe7a535abf21a000996d3cdf2698fabb2074c8dd71782e02', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(52, 57, '01a1e0ef-450e-7535-81f4-e19112ea5f10', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/tables","strategy":"DirectDdl","oldHash":"08747e9b3874a944cfd5514433fd74290598b89829f7bd8a4d8a9e6f8d1c4e19","newHash":"08747e9b3874a944cfd5514433fd74290598b89829f7bd8a4d8a9e6f8d1c4e19"}', '{"v":1}', NULL, true, '\x9e099548b356d746d14c6fa4fb4999a63706e75cefb510b74e1d2370143bfd4a', '\xa82d84f29b773d9e97793598f9f0cfcfce46ff090f06feb93d43d403115221bf', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(53, 58, '01a1e0ef-450e-7536-b293-49de7f4c07a7', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/tables","status":3,"statusDescription":"unchanged","duration":"PT0.007S"}', '{"v":1}', NULL, true, '\x19ff88e2db81d15892ccb305a5dca5e7d44e78124f3da7fede9657d937a335eb', '\x6fce253efb7efb4d3e3c6e8226dcd71a44a0a1e9fea748c8138d953c073dea42', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(54, 59, '01a1e0ef-450e-7537-8b34-30dc53d071ac', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/late","strategy":"DirectDdl","oldHash":"e3c7df3918e0537348569a4bee597bddd6184381a613533dd76afc79c62a54dd","newHash":"e3c7df3918e0537348569a4bee597bddd6184381a613533dd76afc79c62a54dd"}', '{"v":1}', NULL, true, '\x97440c31a5b305abb18fce6f6c0e59ed9f49551a661ded136c51fbe030b878ab', '\x6467203cacab5e224a9e1f310552706dc6c27530240bf562baaf1a02446df322', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(55, 60, '01a1e0ef-450e-7538-89aa-7774bab77054', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/late","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, true, '\x3b89b1b7631676622bc9e1631a89e14deb2986f79b37e7312cd984058a157ab4', '\xbe995392b8f601983494bcffac0376ad25aae41863a134fcff384f49bc7dcc34', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(56, 61, '01a1e0ef-450e-7539-b1f3-80afa46e1903', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/commit","strategy":"DirectDdl","oldHash":"f04012258d808a2680d8f8894423458224f99f5de93392f0065ad9bd0bbf1ea4","newHash":"f04012258d808a2680d8f8894423458224f99f5de93392f0065ad9bd0bbf1ea4"}', '{"v":1}', NULL, true, '\x19cc332d32fb3a6ca7c719cb51ea2729cfbf361df7d917216360ce8b12af44d8', '\xf17e8bf491ba48638f7eff99796484988986f0cd23b11b97234616ebc2a32b91', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(57, 62, '01a1e0ef-450e-753a-90c6-f0a25ebe670c', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/commit","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, true, '\x4d34ade4b343bfafd5203fc2fbf2455903c986f5e4e57651c3bf13f64345dd98', '\xae910c02152bacb8e0576dd49cfbb5625680e5f210971cc4bdc04348ea50931b', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(58, 63, '01a1e0ef-450e-753b-a79f-00b49d5e073e', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/views","strategy":"DirectDdl","oldHash":"2cb0f03b40c8434e80dbc18c65f438cc6421f5c43e8c6b4d2f549e994d1e1f95","newHash":"2cb0f03b40c8434e80dbc18c65f438cc6421f5c43e8c6b4d2f549e994d1e1f95"}', '{"v":1}', NULL, true, '\x897abfd2b7bab32ee4227e19a78ae38684043d2d5ef1ac0f88ba65fd452c9d91', '\x33ba8b3df35159677a2d0cda70ad0b60241a013d1e6b0ef7a1270aa82a780ca6', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(59, 64, '01a1e0ef-450e-753c-8b64-61ed9778d11e', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/views","status":3,"statusDescription":"unchanged","duration":"PT0.005S"}', '{"v":1}', NULL, true, '\x8bb30bf5ce4f0b02f3e134ccb6238f85d721eb76a5c5e4a1837d58ce50fa689c', '\x79f0429218309cc3aae380ada6be6cd6983a4d637df2da0c42fba7bf459903e7', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(60, 65, '01a1e0ef-450e-753d-aaf5-e7c02fef172b', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/outbox","strategy":"DirectDdl","oldHash":"4a08971070646f55187af6286bff5adf1e21de3ee2ea9a6f1085a598a2777479","newHash":"4a08971070646f55187af6286bff5adf1e21de3ee2ea9a6f1085a598a2777479"}', '{"v":1}', NULL, true, '\x84dbdf224a7be76436296e2631db75beb33b19f4e0a2f00d5fb499ebd0283b4a', '\x2caf2932e3d6a75f703837d57dffed5afa3b6806c75c1215abefa11ab204fc76', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(61, 66, '01a1e0ef-450e-753e-92ea-de51a6aa5830', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/outbox","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, true, '\xe6da922495a3cacdd32b1906113aa0d715448ea742d1e8889ea98bff45c4e208', '\x0c83fd57c0386b1947298dac0d3d37c762b5b7372c613647b6d2a60e30a39a70', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(62, 67, '01a1e0ef-450e-753f-9880-0ad69c2414a3', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/rewinds","strategy":"DirectDdl","oldHash":"29ccd253d584ef37f4fa95336dba6b34593d065ccc09d318650926d5e349d7ef","newHash":"29ccd253d584ef37f4fa95336dba6b34593d065ccc09d318650926d5e349d7ef"}', '{"v":1}', NULL, true, '\x80f0c5df5370f136e205d04bd7ccbbdf80420333e6e726732f8337e176468684', '\xc7c1d34d2c9a3f4f1914cefdf8218b903da8bf1d055b4c8a1a9f572f8e1bbd22', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(63, 68, '01a1e0ef-450e-7540-9933-77fc1ba19259', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/rewinds","status":3,"statusDescription":"unchanged","duration":"PT0.002S"}', '{"v":1}', NULL, true, '\x2339a132dbc737b59f5f9348e1a158496d19c6e67f46317bb88860c99c06bfe1', '\xf017993cd079f678c34ced5564687be909cc3a9eae9872899f9660b190a278ce', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(64, 69, '01a1e0ef-450e-7541-80af-d563743386ea', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/rebuilds","strategy":"DirectDdl","oldHash":"38a870ed120ccef29770d09b20beb16417b82e86d80e8dffad5f98f1bccdb3fe","newHash":"38a870ed120ccef29770d09b20beb16417b82e86d80e8dffad5f98f1bccdb3fe"}', '{"v":1}', NULL, true, '\xb6a0dee13c2d683d2854ede65d4b1ebff9831cb5db50ceed4dc440b3375fb18f', '\x564b17b35d389f949bf992dec1a98d6a41848ed2b66af7c8f6e85105991adee2', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(65, 70, '01a1e0ef-450e-7542-95aa-b87e0605af0a', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/rebuilds","status":3,"statusDescription":"unchanged","duration":"PT0.002S"}', '{"v":1}', NULL, true, '\x36a94e89f02bf2883caefb0c3dd59ced1f1fcaf8b67591162cd89e4fa6edf99e', '\x30415d373b1c1fb68c2dc3e192a9abb3ceb1798b65605d5408160a784dda1295', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(66, 71, '01a1e0ef-450e-7543-a0d1-bee85d4ab83c', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/perspectives","strategy":"DirectDdl","oldHash":"8c4a3ab1d829d9ef5c6d217644f8ed2ee4621e4e650a3ee0aba648e168225d7c","newHash":"8c4a3ab1d829d9ef5c6d217644f8ed2ee4621e4e650a3ee0aba648e168225d7c"}', '{"v":1}', NULL, true, '\x47cd87d640b37999a36c1225a209e433fb2b53b5672a736b30543af508531e00', '\xb8ad5c283aec79eb0c3110245ee48f46d2916cc1b024d86b9351d2e97fca8932', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(67, 72, '01a1e0ef-450e-7544-89ca-6e38f94221fd', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/perspectives","status":3,"statusDescription":"unchanged","duration":"PT0.002S"}', '{"v":1}', NULL, true, '\xa04f7f533d67708fa1760164b7431079b46c563441cf7666e6f1ae93f6ec43d4', '\x188e0febffb96fe61c596c5d7358c3a599673b759792203e6f81d3ba45d3bd43', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(68, 73, '01a1e0ef-450e-7545-855c-4d944c970f7b', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/inbox","strategy":"DirectDdl","oldHash":"1d6d2f76936fcc152d1f966c899a7a6a8a3471ccd4f54f2aa2b071fde3fb467d","newHash":"1d6d2f76936fcc152d1f966c899a7a6a8a3471ccd4f54f2aa2b071fde3fb467d"}', '{"v":1}', NULL, true, '\x0d8e0509a2eb02f6d07f6c1509307007c4dd6936df542825583ed079acde95b2', '\x331defd4184d46b03698d50dca3ec4de6269ca2e6d579eee77f8d4b536834240', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(69, 74, '01a1e0ef-450e-7546-b78f-9d674fe301ed', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/inbox","status":3,"statusDescription":"unchanged","duration":"PT0.002S"}', '{"v":1}', NULL, true, '\xd3879fe3051775bf1af2687b6396f59ba250bdc7fd0b2725a811bc58122c91fa', '\x3ae6f4faa6f0b262a1dc6dc967ad6bf8eb70b27f2b85615a1bf49efaf55ddfa3', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(70, 75, '01a1e0ef-450e-7547-a098-a493a7ebcf1f', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/privileges","strategy":"DirectDdl","oldHash":"e85cc5edf44165ed6ae347daa30238c5da159fae238d1dd7bcea727580562b98","newHash":"e85cc5edf44165ed6ae347daa30238c5da159fae238d1dd7bcea727580562b98"}', '{"v":1}', NULL, true, '\xa8c0d4566cc38caf16a82bf98d3dac6a97a8c29e3ddd85852bb7b101ee355fea', '\xbc459a6f6fc592c60fb5dbe22e69d306d16a34a7f9ff2c7cd25372734173b11e', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(71, 76, '01a1e0ef-450e-7548-a3d3-00e71812344c', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"svc/privileges","status":3,"statusDescription":"unchanged","duration":"PT0.002S"}', '{"v":1}', NULL, true, '\x8984944b1266d9303757cdc7138a1d17789a29394d93ef3283dfc0ea501074d3', '\x840925e34a27856fccf55085f16423fb463a3ddf033978b33bffe8dddff83396', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(172, 184, '01a1e5c6-a07a-75da-8a39-3f2053478eb5', 'MigrationBatchStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","libraryVersion":"0.1.0","totalMigrations":23,"totalPerspectives":3}', '{"v":1}', NULL, false, '\x37d8f22982f08b438c2939c1675e4de4b23c4739c05d45e4d1bacff111b180b7', '\x9ad68a21b837bfabd288e9ff531251090b2b9ec025058238ca4aa6aab3fe601b', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(72, 77, '01a1e0ef-450e-7549-a17c-a751332b2f2b', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"migrations/001-parcels.sql","strategy":"DirectDdl","oldHash":"de420e3d26f314f93ccd22b6950447de6f713dffba4f12fe2c6f0b7fdcee7aae","newHash":"de420e3d26f314f93ccd22b6950447de6f713dffba4f12fe2c6f0b7fdcee7aae"}', '{"v":1}', NULL, true, '\x459cf27fb65a621f7743438eb35e05b4fa00a9b8064db5abe44a3b3328447681', '\x5b4006d17f92f17b790004da7fa9528adac78738678e376c56ccf3823826fae5', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(73, 78, '01a1e0ef-450e-754a-ba4b-098db1e10993', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"migrations/001-parcels.sql","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, true, '\xae4a55f83cb8127e878e52bd68d410233c425a0d0b5614e618c899683915d322', '\x31494e4cedffbcc16f5e60687d4f70f83c1e68891818d834fc3a029f9e703d82', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(74, 79, '01a1e0ef-450e-754b-af68-20c595705bdd', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"migrations/002-parcels-by-label.sql","strategy":"DirectDdl","oldHash":"948ec7698708b2a16fbdda1b4d8fb60b4ea7808cad140928f901352f42d13670","newHash":"948ec7698708b2a16fbdda1b4d8fb60b4ea7808cad140928f901352f42d13670"}', '{"v":1}', NULL, true, '\x111c1ea34e889fd529e51d80cfbcfdb5234f9141c0bc36204833c8fb3a6359d9', '\xcd27dc843bd2ff540e0913063ab6c1f3ba12ce0629ee0bca136d9530d3d7f51d', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(75, 80, '01a1e0ef-450e-754c-8baf-ab141542839b', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"migrations/002-parcels-by-label.sql","status":3,"statusDescription":"unchanged","duration":"PT0.004S"}', '{"v":1}', NULL, true, '\x1610a1666a49aa5d3bd24881d1dd40d014a07aa2ac0c054de95a7942f2ea8936', '\xa9ee05c709720fe1339e3b1fe2726f47c796fcb8a80cc8e9e8a69ac141602591', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(76, 81, '01a1e0ef-450e-754d-9776-04ec8819c841', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"migrations/003-weight-in-kilograms.sql","strategy":"ColumnCopy","oldHash":"33b599713118f6db943d7a3927f3a7fa2f6bfa00fc01ba7c75012b2b7cdf1867","newHash":"33b599713118f6db943d7a3927f3a7fa2f6bfa00fc01ba7c75012b2b7cdf1867"}', '{"v":1}', NULL, true, '\x49c3fea14380579da7ab87f170d6899e641f57a4f2db9e949f1de811364a6ca1', '\xf336161ed7c280610812db4bef7ee11f5ac71560b9c08d7ebd396566eab47b72', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(77, 82, '01a1e0ef-450e-754e-82cf-374703309b69', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"migrations/003-weight-in-kilograms.sql","status":3,"statusDescription":"unchanged","duration":"PT0.004S"}', '{"v":1}', NULL, true, '\x53b2164b5278d58ec5190b1d1fe61f4d9b8b8c58f0ade20f3fcf4f1fb6285702', '\x3e52f0e248063ea5f3ffdd924f9362cc4bf30869fe050c772c38170e571280aa', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(78, 83, '01a1e0ef-450e-754f-be9a-b04988c85b8a', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"migrations/004-heavy-parcels.sql","strategy":"DirectDdl","oldHash":"6ad29376e83546594609c5e62888d7d7defb38931173c9554f76c1c19bf4a907","newHash":"66f26296f111c643cdb75a91f609c0fefb1fb5015bb25adad927fdfa676186ad"}', '{"v":1}', NULL, true, '\x649dca04d2d9706e19cc8b8e0a9c605c6dda92fd9f11485bf1e25fa7e0634a7d', '\x3656f7002ad53efd1773802b09979733a1d1394e1e0b5c5275f71c33ef5ac00c', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(79, 84, '01a1e0ef-450e-7550-881b-9966fed32040', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"migrations/004-heavy-parcels.sql","status":2,"statusDescription":"updated, its hash changed","duration":"PT0.006S"}', '{"v":1}', NULL, true, '\xa456152bec093b31c17e950b2891b5dd2dc565967a2344d73557e244cc1c1015', '\xdbe161b1e2683b6ace2a98e7b1004501f122183678ce2be0e14f4188f9d1d932', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(80, 85, '01a1e0ef-450e-7551-a425-83d69ead2972', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"migrations/005-parcels-are-heavier.sql","strategy":"DirectDdl","oldHash":"bfd7bba32dc4bf7aa3b1a3d38dfe6242edd1aebaff37cf229c52cbdf968f10e9","newHash":"bfd7bba32dc4bf7aa3b1a3d38dfe6242edd1aebaff37cf229c52cbdf968f10e9"}', '{"v":1}', NULL, true, '\x7b933d76d265dcc2491ca093b1ab06f7a1e4f3ef062c9c8a34d971fab2b6fd2b', '\x3d79cee64aaac56b3fc3375ffbb6b7669b5343d25ba9662d0e560dd0d80af267', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(81, 86, '01a1e0ef-450e-7552-9b2f-cada4c63e892', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"migrations/005-parcels-are-heavier.sql","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, true, '\x96560e321f9a9df422efbd6821bae997b1b196bf4277ba09d87da02e3b9b17c7', '\x25cd0d29d726ec977de8107e7d82bee059fa7123f5b7251e0b8dbc1329fdb169', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(82, 87, '01a1e0ef-450e-7553-8e0d-27e865ed861d', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"perspective/audit-log","strategy":"DirectDdl","oldHash":"43a29803522b19d510956c0c368b9e1b60f975c3f4086bebee1a8e1d3029885a","newHash":"43a29803522b19d510956c0c368b9e1b60f975c3f4086bebee1a8e1d3029885a"}', '{"v":1}', NULL, true, '\x7f69ec13ad6c36f4a40106fc483e451b22e11ce19c0d707cd189e797099284b4', '\xf2639d29ed55cda23837f0fdd0b3df9ca49453633260209276d45c32aea72ec3', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(83, 88, '01a1e0ef-450e-7554-99ad-8089f80a6265', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"perspective/audit-log","status":3,"statusDescription":"unchanged","duration":"PT0.006S"}', '{"v":1}', NULL, true, '\x693916580893c63f62528a39221de77136659379ca953efea05b9ed4f1cbd708', '\x298cfa586bf174d1965e4872903aa4d85edea431f3ea98d8e844534286b01649', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(84, 89, '01a1e0ef-450e-7555-8a1b-c976b91c1f57', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"perspective/order-summary","strategy":"DirectDdl","oldHash":"ba9dcd97581044ee61d67654d0baffef5c086e9e89a405629121c8588a546bd3","newHash":"ba9dcd97581044ee61d67654d0baffef5c086e9e89a405629121c8588a546bd3"}', '{"v":1}', NULL, true, '\x02a6e312954ac8a7d8f10e5b9c7533758a119a5ab325738ddca7d21e6b8c0481', '\x54f17a3bca4ccd60080093ed328fba6091a874ebd75c3cb5f7eb151f23c06568', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(85, 90, '01a1e0ef-450e-7556-a3ab-92001a57ef4b', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"perspective/order-summary","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, true, '\x8000967672c57c607eecb2c8c79cb8d0d434a9478492fcb8a6d596d9895386fe', '\x9715f104790b492a84e082c401c8af683c0631f9029b58ee0d8f772f4ff5f2d3', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(86, 91, '01a1e0ef-450e-7557-9360-83d893f55637', 'MigrationItemStarted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"perspective/order-steps","strategy":"DirectDdl","oldHash":"daa40a1df318e88404eadd1844776bfbb84c51f099b47003e0bbbb0c34f6f089","newHash":"daa40a1df318e88404eadd1844776bfbb84c51f099b47003e0bbbb0c34f6f089"}', '{"v":1}', NULL, true, '\xe7df2b7c104f1ce652c6e1176b5847a56bba9066ff44ed903ebfc8de8a78cdc7', '\xe607eeb394c85eea655921f54a28e6bde631123f37268246caa8b9c3f0810e74', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(87, 92, '01a1e0ef-450e-7558-ad35-a50035ab2b6a', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","migrationKey":"perspective/order-steps","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, true, '\xc893c14d5c68bee9a82333d12f00f5e3e6f6f11dd163999d3d1b7b6d2610c45b', '\x8628b805204c2220a4633362ee6fddad56e92de3b1a652022abeefe16058232d', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(96, 105, '01a1e0ef-466d-709a-b126-9d73b9343a6b', 'EventAudited', '{"id":"01a1e0ef-466d-709a-b126-9d73b9343a6b","originalEventId":"01a1e0ef-466d-7099-bdd9-4d335ca394c9","originalEventType":"OrderCreated","originalStreamId":"01a1e0ef-466d-7098-984f-3337cfc01bcd","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:59.949Z","correlationId":"market-day","causationId":"01a1e0ef-4664-75a7-94b9-f8d7779a32ea","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-466d-7098-984f-3337cfc01bcd","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}}', '{"correlationId":"market-day","causationId":"01a1e0ef-4664-75a7-94b9-f8d7779a32ea","traceparent":"00-01a1e0ef466475a794b9f8d7779a32ea-94b9f8d7779a32ea-00","v":1}', 1, true, '\x31384eba31e10e37ab6c36bac815c5b7950bd78ebcbe99b0d874f2ead772d43c', '\x8b1052307f92da7ebabbf63844226eb26ca4bf885b29a54703bea7c3bc8c5edf', 'harbour', '2026-11-15 20:38:59.951103+00'),
	(116, 128, '01a1e0ef-5304-75c6-8b5b-806d7eba45b7', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/perspectives","strategy":"DirectDdl","oldHash":"8c4a3ab1d829d9ef5c6d217644f8ed2ee4621e4e650a3ee0aba648e168225d7c","newHash":"8c4a3ab1d829d9ef5c6d217644f8ed2ee4621e4e650a3ee0aba648e168225d7c"}', '{"v":1}', NULL, false, '\x12ad48d220702e788b56f5f40a555688f333d69d364ad07874f010547a67b5e0', '\xabc8e76d853c65b64989787091ca773e3985ba78aec2bf603259bc72806fd930', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(88, 93, '01a1e0ef-450e-7559-9c5d-eb47369d25ba', 'MigrationBatchCompleted', '{"streamId":"01a1e0ef-44d7-70b3-a130-a97721e172b5","libraryVersion":"0.1.0","results":[{"migrationKey":"svc/tables","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/late","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/commit","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/views","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/outbox","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/rewinds","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/rebuilds","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/perspectives","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/inbox","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/privileges","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/001-parcels.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/002-parcels-by-label.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/003-weight-in-kilograms.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/004-heavy-parcels.sql","status":2,"statusDescription":"updated, its hash changed"},{"migrationKey":"migrations/005-parcels-are-heavier.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"perspective/audit-log","status":3,"statusDescription":"unchanged"},{"migrationKey":"perspective/order-summary","status":3,"statusDescription":"unchanged"},{"migrationKey":"perspective/order-steps","status":3,"statusDescription":"unchanged"}],"applied":0,"updated":1,"skipped":17,"failed":0,"totalDuration":"PT0.048S"}', '{"v":1}', NULL, true, '\xe3336e8f41faee931ef3f12c75259622b4667a816b631f30cbefefd1ae74f0d2', '\x5c34bb9c2111eef9469bc8ad328ee4ea1c31cb1714da8ecdad5b4f1df0184036', 'harbour', '2026-11-15 20:38:59.624863+00'),
	(89, 95, '01a1e0ef-45da-77d9-bfce-6f24e3294bcc', 'EventAudited', '{"id":"01a1e0ef-45da-77d9-bfce-6f24e3294bcc","originalEventId":"01a1e0ef-45da-77d8-9bc1-67bab08622e5","originalEventType":"OrderCreated","originalStreamId":"01a1e0ef-45da-77d7-ae03-337b232f2af8","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:59.802Z","correlationId":"market-day","causationId":"01a1e0ef-45c9-73f8-a9e0-3ca1234e9a62","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-45da-77d7-ae03-337b232f2af8","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}}', '{"correlationId":"market-day","causationId":"01a1e0ef-45c9-73f8-a9e0-3ca1234e9a62","traceparent":"00-01a1e0ef45c973f8a9e03ca1234e9a62-a9e03ca1234e9a62-00","v":1}', 1, true, '\xb90926f1909b33dc48a3054952a2b859348860f9cb9d9989169627c92541df3d', '\xaea157be33f08641c315b9ab858696fd5330b55830da5a016c3c973a02b407ce', 'harbour', '2026-11-15 20:38:59.811501+00'),
	(90, 96, '01a1e0ef-45da-77da-9c36-55b5eed4f734', 'CommandAudited', '{"id":"01a1e0ef-45da-77da-9c36-55b5eed4f734","commandType":"CreateOrder","commandBody":{"customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"}},"timestamp":"2026-11-15T20:38:59.802Z","correlationId":"market-day","auditLevel":"Info","receptorName":"CreateOrderReceptor","responseType":"CreateOrderResult"}', '{"correlationId":"market-day","traceparent":"00-01a1e0ef45c973f8a9e03ca1234e9a62-a9e03ca1234e9a62-00","v":1}', NULL, true, '\x6b8285e1f306a98a3295bbfeb09fd1c6bd82551191a9c1d1e77d409f36ec5225', '\x23aa5790447d048fb6bd32b453432b674b159f05e156901f26c32fb75750cb58', 'harbour', '2026-11-15 20:38:59.811501+00'),
	(91, 98, '01a1e0ef-4619-75dc-8258-dd357e8ae6c4', 'EventAudited', '{"id":"01a1e0ef-4619-75dc-8258-dd357e8ae6c4","originalEventId":"01a1e0ef-4618-7148-8a52-b34a3214b7e5","originalEventType":"OrderArchived","originalStreamId":"01a1e0ef-45da-77d7-ae03-337b232f2af8","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:59.864Z","correlationId":"01a1e0ef-460a-7189-b441-158cd65a6a4d","causationId":"01a1e0ef-4615-7379-97c3-51363b6bb143","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-45da-77d7-ae03-337b232f2af8"}}', '{"correlationId":"01a1e0ef-460a-7189-b441-158cd65a6a4d","causationId":"01a1e0ef-4615-7379-97c3-51363b6bb143","traceparent":"00-01a1e0ef460a7189b441158cd65a6a4d-b441158cd65a6a4d-00","v":1}', 2, true, '\x7723b3ef6b16866a813f97edd30cb7cb3feb1a3772d6963b10ec107b279f7f7a', '\xa8662b0d16f5da1854ef307cacb85a90e2f5dbf7c9aa210bdca1883954a8f83f', 'harbour', '2026-11-15 20:38:59.86646+00'),
	(92, 99, '01a1e0ef-4619-75dd-8047-92bdd84b8fd9', 'CommandAudited', '{"id":"01a1e0ef-4619-75dd-8047-92bdd84b8fd9","commandType":"ArchiveOrder","commandBody":{"orderId":"01a1e0ef-45da-77d7-ae03-337b232f2af8"},"timestamp":"2026-11-15T20:38:59.865Z","correlationId":"01a1e0ef-460a-7189-b441-158cd65a6a4d","auditLevel":"Info","receptorName":"ArchiveOrderReceptor","responseType":"ArchiveOrderResult"}', '{"correlationId":"01a1e0ef-460a-7189-b441-158cd65a6a4d","traceparent":"00-01a1e0ef460a7189b441158cd65a6a4d-b441158cd65a6a4d-00","v":1}', NULL, true, '\xa6bdaf74f0a71ea2490d472a4ee5a6180a89e9bafb227c7357646c2ca8854037', '\xba39f2f98051d8718661d60568fd250b3f8741b5428910ab912c2b34f3dbc25c', 'harbour', '2026-11-15 20:38:59.86646+00'),
	(93, 101, '01a1e0ef-4637-763d-b892-af9b40f9e41a', 'EventAudited', '{"id":"01a1e0ef-4637-763d-b892-af9b40f9e41a","originalEventId":"01a1e0ef-4637-763c-a7d6-a3106be729d6","originalEventType":"OrderCreated","originalStreamId":"01a1e0ef-4637-763b-a51c-9f715f99e576","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:59.895Z","correlationId":"market-day","causationId":"01a1e0ef-4633-729d-92ac-49ced6743ade","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-4637-763b-a51c-9f715f99e576","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}}', '{"correlationId":"market-day","causationId":"01a1e0ef-4633-729d-92ac-49ced6743ade","traceparent":"00-01a1e0ef4633729d92ac49ced6743ade-92ac49ced6743ade-00","v":1}', 1, true, '\xfcea5bc2007d9a41dcbb121ea4666e25cea15b659f8cf139dd1c9217b898cce9', '\xf79077d442b2f2a33c1b38e5b9fe8f845746ca1498b3b2229095d7698de6c546', 'harbour', '2026-11-15 20:38:59.898457+00'),
	(94, 102, '01a1e0ef-4638-7424-8c0e-66edea29794a', 'CommandAudited', '{"id":"01a1e0ef-4638-7424-8c0e-66edea29794a","commandType":"CreateOrder","commandBody":{"customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"}},"timestamp":"2026-11-15T20:38:59.896Z","correlationId":"market-day","auditLevel":"Info","receptorName":"CreateOrderReceptor","responseType":"CreateOrderResult"}', '{"correlationId":"market-day","traceparent":"00-01a1e0ef4633729d92ac49ced6743ade-92ac49ced6743ade-00","v":1}', NULL, true, '\xc33da97c4cfec45ec9582b53bc1fa68b48846b3a17de74a58d15bddd336aafc0', '\xb51d338486d7c2c4245048d3b81a6f7e99dfddfc81fef3743f5d75d53aea1043', 'harbour', '2026-11-15 20:38:59.898457+00'),
	(95, 103, '01a1e0ef-4652-77d0-bb81-0aa0c444e348', 'CommandFailed', '{"id":"01a1e0ef-4652-77d0-bb81-0aa0c444e348","commandType":"ShipOrder","receptorName":"ShipOrderReceptor","error":{"name":"Error","message":"Carrier down does not answer"},"recovered":true,"correlationId":"01a1e0ef-4649-7778-8a18-e50e8c7c6391","timestamp":"2026-11-15T20:38:59.922Z"}', '{"v":1}', NULL, true, '\xcbb737cf8e2693c3c897982fb2dff8c2f63a6281618a35fb06413ee199d08d38', '\x58731cc207b420a3882a671777aa0b6ec0b9814b62c099ae5cd5acee5050764b', 'harbour', '2026-11-15 20:38:59.926802+00'),
	(97, 106, '01a1e0ef-466d-709b-a11c-161130d73b1b', 'CommandAudited', '{"id":"01a1e0ef-466d-709b-a11c-161130d73b1b","commandType":"CreateOrder","commandBody":{"customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"}},"timestamp":"2026-11-15T20:38:59.949Z","correlationId":"market-day","auditLevel":"Info","receptorName":"CreateOrderReceptor","responseType":"CreateOrderResult"}', '{"correlationId":"market-day","traceparent":"00-01a1e0ef466475a794b9f8d7779a32ea-94b9f8d7779a32ea-00","v":1}', NULL, true, '\x0154d97cc7283a0ad0423243e03b96a4ed84bb676f462f77565b49399bf9ff65', '\x69a66e906ec0762fba644950b47acd503ab80322cc39eaa5161cf3c0c66fc9dc', 'harbour', '2026-11-15 20:38:59.951103+00'),
	(98, 108, '01a1e0ef-4691-710e-b3ff-2b901a880e92', 'EventAudited', '{"id":"01a1e0ef-4691-710e-b3ff-2b901a880e92","originalEventId":"01a1e0ef-4691-710d-b04b-3b6dee17dddb","originalEventType":"OrderShipped","originalStreamId":"01a1e0ef-466d-7098-984f-3337cfc01bcd","originalStreamPosition":0,"timestamp":"2026-11-15T20:38:59.985Z","correlationId":"01a1e0ef-4690-75f2-a997-2f1dca0d31e2","causationId":"01a1e0ef-4690-75f2-a997-2f1dca0d31e2","auditLevel":"Info","originalBody":{"orderId":"01a1e0ef-466d-7098-984f-3337cfc01bcd","carrier":"Nowhere Freight"}}', '{"correlationId":"01a1e0ef-4690-75f2-a997-2f1dca0d31e2","causationId":"01a1e0ef-4690-75f2-a997-2f1dca0d31e2","traceparent":"00-01a1e0ef469075f2a9972f1dca0d31e2-a9972f1dca0d31e2-00","v":1}', 2, true, '\x7c82747e0c7a7661f74b06c3c81ff3c97e44cfbba4530e68d3d5212d4bf18be4', '\xd1b7b52ded64f3a891ce3dc2d6edcafeef0726dded89605513963f8741ba6449', 'harbour', '2026-11-15 20:38:59.987639+00'),
	(99, 109, '01a1e0ef-4691-710f-bfb3-3ddcb7de8947', 'CommandAudited', '{"id":"01a1e0ef-4691-710f-bfb3-3ddcb7de8947","commandType":"ShipOrder","commandBody":{"orderId":"01a1e0ef-466d-7098-984f-3337cfc01bcd","carrier":"Nowhere Freight"},"timestamp":"2026-11-15T20:38:59.985Z","correlationId":"01a1e0ef-4690-75f2-a997-2f1dca0d31e2","auditLevel":"Info","receptorName":"ShipOrderReceptor","responseType":"ShipOrderResult"}', '{"correlationId":"01a1e0ef-4690-75f2-a997-2f1dca0d31e2","traceparent":"00-01a1e0ef469075f2a9972f1dca0d31e2-a9972f1dca0d31e2-00","v":1}', NULL, true, '\xbfbafec564fd11cb4410200a788590510e017596e663a043c5ceb461a658d12a', '\x454855cc248b92e294d645b3d625eeaebd99e34a8218bd7c0b1b8a5330cc0be1', 'harbour', '2026-11-15 20:38:59.987639+00'),
	(100, 110, '01a1e0ef-475c-77ba-a73b-d6f67057e7dd', 'PerspectiveFailed', '{"id":"01a1e0ef-475c-77ba-a73b-d6f67057e7dd","perspectiveName":"order-steps","streamId":"01a1e0ef-466d-7098-984f-3337cfc01bcd","eventId":"01a1e0ef-4691-710d-b04b-3b6dee17dddb","error":{"name":"Problem","message":"There is no such carrier.","code":"not-found"},"attempt":3,"timestamp":"2026-11-15T20:39:00.188Z"}', '{"v":1}', NULL, true, '\xdcd498fb66f895b947aa60093354d12cbd6f00a5680c570e84741706e74f944d', '\x9740f90d22502c98b7f615b04321261b653d04127276bdc52358089cc505b242', 'harbour', '2026-11-15 20:39:00.19628+00'),
	(101, 113, '01a1e0ef-5304-75b7-92b5-6714f61b4605', 'MigrationBatchStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","libraryVersion":"0.1.0","totalMigrations":15,"totalPerspectives":3}', '{"v":1}', NULL, false, '\x668cc4ee21d0768221ef4fe5e975ec43120ab438b50f601b406e3d95c2e2aa33', '\xfcf274b9d35c1ab70529b75d942a5fd97e72ca9d2b4e50b88303264d536ab1a1', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(102, 114, '01a1e0ef-5304-75b8-bd93-b0361be6e01d', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/tables","strategy":"DirectDdl","oldHash":"08747e9b3874a944cfd5514433fd74290598b89829f7bd8a4d8a9e6f8d1c4e19","newHash":"08747e9b3874a944cfd5514433fd74290598b89829f7bd8a4d8a9e6f8d1c4e19"}', '{"v":1}', NULL, false, '\xd90f8cb0f4f6a9963a82cf470f94f52ce9f6debe8d31fff7ac4b12d0ca3ecedb', '\xf27f4c5e4678a548c2279388bbf4e4b4199b2dc0d43c996517ebda683c333352', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(103, 115, '01a1e0ef-5304-75b9-adcc-fb252e45b2f3', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/tables","status":3,"statusDescription":"unchanged","duration":"PT0.002S"}', '{"v":1}', NULL, false, '\x699a9c3dd73bec6f9009dfa3145f6633c31b5d4fd1b5cb3fe2a798a8e6de57c1', '\xf42b8fa47b86b8a79503c69a993013c6adfe59468b18ed7c44096a25f86a95da', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(104, 116, '01a1e0ef-5304-75ba-af18-49c92d8edc2e', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/late","strategy":"DirectDdl","oldHash":"e3c7df3918e0537348569a4bee597bddd6184381a613533dd76afc79c62a54dd","newHash":"e3c7df3918e0537348569a4bee597bddd6184381a613533dd76afc79c62a54dd"}', '{"v":1}', NULL, false, '\xee7cfadd2e22c0fb3c108c38bb48c8164154cd36e764bd37edcde70a46a644b4', '\xb9b6ab08e27be6dc8a5b4194c119f848a9455d44cd2b9eba96933053a6e78afd', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(105, 117, '01a1e0ef-5304-75bb-b24f-d48081d62f6d', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/late","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x545581d6772042f83efb65e185894a8021197d2113c54b0cc77736e9e9d612f7', '\xc7f1c67eef439cf64088e174cbf1a544837c94233ea2c5401464f06f5771cc47', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(106, 118, '01a1e0ef-5304-75bc-b267-73cde0593c3b', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/commit","strategy":"DirectDdl","oldHash":"f04012258d808a2680d8f8894423458224f99f5de93392f0065ad9bd0bbf1ea4","newHash":"f04012258d808a2680d8f8894423458224f99f5de93392f0065ad9bd0bbf1ea4"}', '{"v":1}', NULL, false, '\xe387f2a91412541f1bfcaa3afe791b617e097dc0d72757dfc4b3e9af3e6f05fd', '\xd93f950e653a33ce96f6aafddef459282254f7159c9ff5f647d7f0b6d107d41f', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(107, 119, '01a1e0ef-5304-75bd-90ce-68b004846841', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/commit","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x2321ad36523b120e03010acdc5aeed8f485afa79f8d5d4fc42bece8456ee50e4', '\xde42d8c5a1d0f5ef0c0b5619cca551a88788a708ffa0bf00b71137a1431e8c7e', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(108, 120, '01a1e0ef-5304-75be-a613-5ec0425f0e06', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/views","strategy":"DirectDdl","oldHash":"2cb0f03b40c8434e80dbc18c65f438cc6421f5c43e8c6b4d2f549e994d1e1f95","newHash":"2cb0f03b40c8434e80dbc18c65f438cc6421f5c43e8c6b4d2f549e994d1e1f95"}', '{"v":1}', NULL, false, '\x2d68cefdc978f572b49f731afeb991448bd671d3783628361de814d445a378e3', '\x37b57c9c9ba57c87cfda41c053b796dd26e6c145b76eb90e02cc99b866b5539f', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(109, 121, '01a1e0ef-5304-75bf-9ab5-f83e6b90c534', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/views","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x2a25f2ea790757127cf0ebb3a55ab967275100679080f23233a384cd7e54293c', '\xcbb9a04539098db24716f8effef04b0b2be670763c214fe7abd52b72d22863a2', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(110, 122, '01a1e0ef-5304-75c0-9709-f1a9abc6f1ce', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/outbox","strategy":"DirectDdl","oldHash":"4a08971070646f55187af6286bff5adf1e21de3ee2ea9a6f1085a598a2777479","newHash":"4a08971070646f55187af6286bff5adf1e21de3ee2ea9a6f1085a598a2777479"}', '{"v":1}', NULL, false, '\x7abebd5583f7ed9719e311e8f6c2d1849f5bc018421abda5f3340e36f5aa6151', '\xdc9bba6a7516df6190db1bfb3f17fdb8b1644b397bcc39bc84852c50ab4610b1', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(111, 123, '01a1e0ef-5304-75c1-9cf3-609c48bc75ec', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/outbox","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x9f5671220836cf427c13f4bbb43dcc2802512ec790ca55fcc1416a3384a89871', '\x30be5da351594228359a27ab690a605551674dd9fdeb2d39c724c225e288e25d', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(112, 124, '01a1e0ef-5304-75c2-bb55-969498b7b5f6', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/rewinds","strategy":"DirectDdl","oldHash":"29ccd253d584ef37f4fa95336dba6b34593d065ccc09d318650926d5e349d7ef","newHash":"29ccd253d584ef37f4fa95336dba6b34593d065ccc09d318650926d5e349d7ef"}', '{"v":1}', NULL, false, '\x2146b4f80a88d39178b9d4f3519dada636dc6606465d0b5d47260259d5495478', '\x7bcf39cc90a26ccab1492fe01115123094fa4eaad45e99c39068aaa7097c9cff', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(113, 125, '01a1e0ef-5304-75c3-99be-e431cf05c1b5', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/rewinds","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x36e9ecb1df09d106f6629c25029b6f29a9ff3177618564cdfbc47deb772c5942', '\x4f37c496ef2dc2e8dffa9179bf6356761118160fda44a6f7e3bbd1a34c0ea8f3', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(114, 126, '01a1e0ef-5304-75c4-a146-8d87247c27dd', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/rebuilds","strategy":"DirectDdl","oldHash":"38a870ed120ccef29770d09b20beb16417b82e86d80e8dffad5f98f1bccdb3fe","newHash":"38a870ed120ccef29770d09b20beb16417b82e86d80e8dffad5f98f1bccdb3fe"}', '{"v":1}', NULL, false, '\x38fdca2cad0f64463c0a0e7e09bbfc3d3df1399253fa0a4a40b102b9abacde14', '\x81126ef554901ab118f76c8d5414abcf4c61f8bc44ff7f21a4e0368cfe842363', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(115, 127, '01a1e0ef-5304-75c5-9f7c-5abe4f805d62', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/rebuilds","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x108d373c3daa35b15f5e35a99fd11b7e67fdf742e392f9d6dc5e90ba204d2b2c', '\x285ab1da8deb6cfa19f530bba7149b403296d9998613aeef2aba4923b1b23db5', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(117, 129, '01a1e0ef-5304-75c7-96c6-489efeab4248', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/perspectives","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\xe13da39ff79772fc138ccba1e97d91c2ef0cac45b58bbee2325b9c2d2950bcdb', '\x9861af31f60a358e720cf30b9a3e80446d5277f4a7cf419672fa19362f3efaf3', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(118, 130, '01a1e0ef-5304-75c8-9b5f-ee606cb50a4f', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/inbox","strategy":"DirectDdl","oldHash":"1d6d2f76936fcc152d1f966c899a7a6a8a3471ccd4f54f2aa2b071fde3fb467d","newHash":"1d6d2f76936fcc152d1f966c899a7a6a8a3471ccd4f54f2aa2b071fde3fb467d"}', '{"v":1}', NULL, false, '\x1885c614a88614765da3584868f9b4836420c65234a068e69a6fbd02d56d78fd', '\x9dc0a8a709e755b294d2ebbfe75550c930cc3a0c3ce3dff9eb2ee5be823dc7d7', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(119, 131, '01a1e0ef-5304-75c9-8c2e-fd8e1a8ff028', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/inbox","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x8a3d604acb134cf05dfbaabe7214f53dab0c3312d669a8e929776d15c63289b9', '\x830fe18768df0893da33d1b9d6694f00a77b809302232b58485555bbfac2b482', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(120, 132, '01a1e0ef-5304-75ca-99f7-2a035f11aa6f', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/privileges","strategy":"DirectDdl","oldHash":"e85cc5edf44165ed6ae347daa30238c5da159fae238d1dd7bcea727580562b98","newHash":"e85cc5edf44165ed6ae347daa30238c5da159fae238d1dd7bcea727580562b98"}', '{"v":1}', NULL, false, '\x1c5cff7ef474132018ae816900ee1a7b7f145c3f157d6d0568d8f7a304df790f', '\xf6af0c34c3b87eabb0b399d7ef2a1b0fbbac48e7c32efb8792cc3af7632956d4', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(121, 133, '01a1e0ef-5304-75cb-a3b7-48deef337544', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"svc/privileges","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\xe4f6b927bbe492051d4cddbbc14c1aac55ebee4b16a3a5ac34262e9c3b3e11b4', '\xd562f3d5b061a61fc5df2c21ac0b280e919c1c94b20b336efe89a8fa516b367c', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(122, 134, '01a1e0ef-5304-75cc-88d2-b58482050046', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"migrations/001-parcels.sql","strategy":"DirectDdl","oldHash":"de420e3d26f314f93ccd22b6950447de6f713dffba4f12fe2c6f0b7fdcee7aae","newHash":"de420e3d26f314f93ccd22b6950447de6f713dffba4f12fe2c6f0b7fdcee7aae"}', '{"v":1}', NULL, false, '\x3601b873b6e3ad6cbbc90bc35861d7b1806fad86b562b5474e04ab16e2f42dd4', '\x057f0b65dc4df39ce45abf267f1682ed4a8780198dc00b845bd9c103dea1244d', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(123, 135, '01a1e0ef-5304-75cd-bfcf-4d7f6be36b84', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"migrations/001-parcels.sql","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x7d38a233dc2a08f27b322c36df8b315d1cb0f9fe294ef8e5ed0374c1b7146b31', '\x506259b0ef955e5136fd5ef7a64536fb92469aed167ef823f6f7c70aad8e70f7', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(124, 136, '01a1e0ef-5304-75ce-a85e-3c58db8b84d9', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"migrations/002-parcels-by-label.sql","strategy":"DirectDdl","oldHash":"948ec7698708b2a16fbdda1b4d8fb60b4ea7808cad140928f901352f42d13670","newHash":"948ec7698708b2a16fbdda1b4d8fb60b4ea7808cad140928f901352f42d13670"}', '{"v":1}', NULL, false, '\x3b7704307cb0ad3631300f38064aaf9ebd522fbcc0680205ef2fc6ffec579d5e', '\xfe231b8be663d7b6d0d975c31a8ea9815cc76eadba5ab81d39a14dec9e3f813e', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(125, 137, '01a1e0ef-5304-75cf-b5d3-cfdee4967db7', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"migrations/002-parcels-by-label.sql","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x3c529e05722ec45d48453dc5a4ea0a6c0718832e0dffd0695d9e9c088d927029', '\x15a50f7edb556d15b95688ca16e9b6e54bc3bb118ca004afad096404c9a4bea3', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(126, 138, '01a1e0ef-5304-75d0-8fe6-a02c50f098a0', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"migrations/003-weight-in-kilograms.sql","strategy":"ColumnCopy","oldHash":"33b599713118f6db943d7a3927f3a7fa2f6bfa00fc01ba7c75012b2b7cdf1867","newHash":"33b599713118f6db943d7a3927f3a7fa2f6bfa00fc01ba7c75012b2b7cdf1867"}', '{"v":1}', NULL, false, '\x0723ff417053943c2dddcf04aeab6435fb2288a392ddce5add5c867cd0ed1969', '\x0f3db9e4c6b2196b714c3321ce3a22b5bc67aaf7de82c4e1bebd905320cf6327', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(127, 139, '01a1e0ef-5304-75d1-9178-f4a7ce1f6861', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"migrations/003-weight-in-kilograms.sql","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\xeb27c4ebc5ef2dc70e422839b0cd9329466745d464e5a85cf02ebcd7209dc47b', '\xf410049e6cc52be46f7abfcffb059f0ec385b58ffa157ccded6566edc24c3d80', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(128, 140, '01a1e0ef-5304-75d2-bf32-9ac060a1b8ee', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"migrations/004-heavy-parcels.sql","strategy":"DirectDdl","oldHash":"66f26296f111c643cdb75a91f609c0fefb1fb5015bb25adad927fdfa676186ad","newHash":"66f26296f111c643cdb75a91f609c0fefb1fb5015bb25adad927fdfa676186ad"}', '{"v":1}', NULL, false, '\xf8aff43132879b9641cf90cb2e887a4948781807c1a804df217623cbd2b5acf2', '\x06a8cce17d0e8f97da9934c2a97c8a8ac12d10cba787f84d20bb7db00139eb5c', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(129, 141, '01a1e0ef-5304-75d3-85ab-3842fd4e4598', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"migrations/004-heavy-parcels.sql","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\xc94631397b95277d9b09280a2ef0bbf03ccebf819dfd8aff341ff992273b586a', '\xc7271437cd2130216181426b172e4447fc64e6a7faed969064c3b5ead3a64163', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(130, 142, '01a1e0ef-5304-75d4-bc5d-ab8c0b1ef149', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"migrations/005-parcels-are-heavier.sql","strategy":"DirectDdl","oldHash":"bfd7bba32dc4bf7aa3b1a3d38dfe6242edd1aebaff37cf229c52cbdf968f10e9","newHash":"bfd7bba32dc4bf7aa3b1a3d38dfe6242edd1aebaff37cf229c52cbdf968f10e9"}', '{"v":1}', NULL, false, '\xfe2750f87abe3d433c7ca69209555070c1cf6df72789a3d58d922dc3a2182cde', '\x6454a391eb81d6c9c8d04312d3dd90673bb638406a1b6499abe074a3714eadd1', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(131, 143, '01a1e0ef-5304-75d5-ab26-406de1e0ae4e', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"migrations/005-parcels-are-heavier.sql","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x94d91f17c5472747c5c1599f556de92f5aa1e34cf808aba2a77a211747e4191f', '\x15b87005174ea91397485f6d51e456289c898b7ebdf9e03b4cff67b9470ba174', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(132, 144, '01a1e0ef-5304-75d6-83d7-07410b5f3ee7', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"perspective/audit-log","strategy":"DirectDdl","oldHash":"43a29803522b19d510956c0c368b9e1b60f975c3f4086bebee1a8e1d3029885a","newHash":"43a29803522b19d510956c0c368b9e1b60f975c3f4086bebee1a8e1d3029885a"}', '{"v":1}', NULL, false, '\xda20393799eaaf9efe67de574c38892b5098041a956a4ebe45a32a9f4742a13d', '\x1b086a45ad611d49832726f54dd6f1777f3e52c62c00d72ff9367fdb4449f266', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(133, 145, '01a1e0ef-5304-75d7-8ae4-4335072886f7', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"perspective/audit-log","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\xf674b85795051a2a2d741b266ee2b9d9d0326a1d4afa0040b527eb34e403da2d', '\x4495d2281e6b370dd66dcbc2aa8eccad6356362160abe314c04e7c08dca1dbe6', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(134, 146, '01a1e0ef-5304-75d8-88d2-5d14ee290411', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"perspective/order-summary","strategy":"DirectDdl","oldHash":"ba9dcd97581044ee61d67654d0baffef5c086e9e89a405629121c8588a546bd3","newHash":"ba9dcd97581044ee61d67654d0baffef5c086e9e89a405629121c8588a546bd3"}', '{"v":1}', NULL, false, '\xfaf752242e44ef1d7218ad0d2e917902f85b2a932e579cc9cbd5c80aa4288eaf', '\x3ac7ee82c6304338b9c09f8e241ef468508dee504d3a0b6972bfc3c91747b0f0', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(135, 147, '01a1e0ef-5304-75d9-ab25-f49c0f50948f', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"perspective/order-summary","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\xbd338ebd73a81ad75b6c3a5d104b63e3fbeb5604780d1cceb05fdf41abd497c1', '\x567ce1152a3e60f54c55f3e39fa8fb57586f3ac9a3adc0aca746a6df5befce16', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(136, 148, '01a1e0ef-5304-75da-b80d-2adffcc00927', 'MigrationItemStarted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"perspective/order-steps","strategy":"DirectDdl","oldHash":"daa40a1df318e88404eadd1844776bfbb84c51f099b47003e0bbbb0c34f6f089","newHash":"daa40a1df318e88404eadd1844776bfbb84c51f099b47003e0bbbb0c34f6f089"}', '{"v":1}', NULL, false, '\x498fea6aafb0e66f7b418fe6dd4c5cbfb1e29dd72228e5dde0061942296b9811', '\xacd1b1ec55277bafbbc8e7a22dcccb09f31b5f6f6ac1f5c35440a40f7ed23c46', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(137, 149, '01a1e0ef-5304-75db-8ff7-511fa55e1053', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","migrationKey":"perspective/order-steps","status":3,"statusDescription":"unchanged","duration":"PT0.004S"}', '{"v":1}', NULL, false, '\xdc3509f36ba04e959cd40c217a8774c17940b6d62a5a70df5885aa2ce238e530', '\xeb6e2083813eee6cf81e609f06595b82ccc173e549a855f9987c653cb379ad5f', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(138, 150, '01a1e0ef-5304-75dc-849c-ff951232fa57', 'MigrationBatchCompleted', '{"streamId":"01a1e0ef-52ee-71ec-997c-54d6d61ba986","libraryVersion":"0.1.0","results":[{"migrationKey":"svc/tables","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/late","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/commit","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/views","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/outbox","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/rewinds","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/rebuilds","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/perspectives","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/inbox","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/privileges","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/001-parcels.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/002-parcels-by-label.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/003-weight-in-kilograms.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/004-heavy-parcels.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/005-parcels-are-heavier.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"perspective/audit-log","status":3,"statusDescription":"unchanged"},{"migrationKey":"perspective/order-summary","status":3,"statusDescription":"unchanged"},{"migrationKey":"perspective/order-steps","status":3,"statusDescription":"unchanged"}],"applied":0,"updated":0,"skipped":18,"failed":0,"totalDuration":"PT0.017S"}', '{"v":1}', NULL, false, '\x4220e69f59c661628b1f060b677e5bd3f4e61598fbdb0d610a8062f675179f3f', '\xaccaf6a665a6f2d76c49abaee39ecf02e22cf336d9d0598e503bf80801613935', 'harbour', '2026-11-15 20:39:03.187055+00'),
	(139, 151, '01a1e0ef-547d-7377-a0f9-e769b4d9de20', 'PerspectiveFailed', '{"id":"01a1e0ef-547d-7377-a0f9-e769b4d9de20","perspectiveName":"order-steps","streamId":"01a1e0ef-466d-7098-984f-3337cfc01bcd","eventId":"01a1e0ef-4691-710d-b04b-3b6dee17dddb","error":{"name":"Problem","message":"There is no such carrier.","code":"not-found"},"attempt":3,"timestamp":"2026-11-15T20:39:03.549Z"}', '{"v":1}', NULL, false, '\xd87be49c5cac35f512099f120fc7aa07e35c27df64950bc0a527e671858f56e4', '\x3d60120a185405258beb54e771c3ab25d6871cf901b52629badea623c7eb53eb', 'harbour', '2026-11-15 20:39:03.551036+00'),
	(140, 152, '01a1e0ef-5fcd-748e-98f6-13d9b19373ce', 'MigrationBatchStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","libraryVersion":"0.1.0","totalMigrations":15,"totalPerspectives":3}', '{"v":1}', NULL, false, '\xc98095b87c85284a06e3c632acf4821cf26391e7208cef2efe6fc75728d75f35', '\x45c22da5f4815afe4014b8e714aa89a5743c8764876bf31533784099f43d78a3', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(141, 153, '01a1e0ef-5fce-7488-bb4c-061f27b7f274', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/tables","strategy":"DirectDdl","oldHash":"08747e9b3874a944cfd5514433fd74290598b89829f7bd8a4d8a9e6f8d1c4e19","newHash":"08747e9b3874a944cfd5514433fd74290598b89829f7bd8a4d8a9e6f8d1c4e19"}', '{"v":1}', NULL, false, '\x15244c7d69cacb8ba8b6110a9d0820e06e4904121c45b0df3ec0eac096d7450d', '\x85dc953c3cfad9364df82213d4b8a3618fbf4d908a4a170685eca4b0a0f1e108', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(142, 154, '01a1e0ef-5fce-7489-8c50-a05f7018a1e8', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/tables","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\xb53d0d897700c700b92fb268383108b464dd47ea1c6d2e0f78eaa2ed9b715fbc', '\x98f02fed8d850d94f541d78d67c65201b33f4020eb7d3fc6376d738ffdd38078', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(143, 155, '01a1e0ef-5fce-748a-883a-57111aa95de5', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/late","strategy":"DirectDdl","oldHash":"e3c7df3918e0537348569a4bee597bddd6184381a613533dd76afc79c62a54dd","newHash":"e3c7df3918e0537348569a4bee597bddd6184381a613533dd76afc79c62a54dd"}', '{"v":1}', NULL, false, '\x6cf9dd711394f7dd6b0edf037d352dc1aa5542d650766d33af4a0d4fdab96e30', '\x4c312fda6e89c9a7ce0a250f363c11fb02e8100b65f41d8e31dcf71349f479ae', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(144, 156, '01a1e0ef-5fce-748b-996d-6a2b15856dbf', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/late","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x935146f8751e4eb6f35c4f8cddbe9e9fc7764654a4f982b7d7e01d35afae7390', '\xa567762c46748143ebf0d15281b38f9fec30f20fdd0e7811b613db1faf62eee3', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(145, 157, '01a1e0ef-5fce-748c-b8d1-00ab0a149626', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/commit","strategy":"DirectDdl","oldHash":"f04012258d808a2680d8f8894423458224f99f5de93392f0065ad9bd0bbf1ea4","newHash":"f04012258d808a2680d8f8894423458224f99f5de93392f0065ad9bd0bbf1ea4"}', '{"v":1}', NULL, false, '\x5194906c09d7f04803e36ef0415a72d2ec569d3f2ae58a638ed76d8e93ad47f1', '\xc46e7cbddefeaa27165de19aeed246b99733ac56fc6902c565e8e9550bbe2798', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(146, 158, '01a1e0ef-5fce-748d-9478-b5082c24229c', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/commit","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x46a7cf5e20418e068a93f4ac344833592451b25234357f12568072da58f6685b', '\xd625f0341d6ad9038ecb195244db85f4ab3e6da4e096be40fe8fc8584c8e830c', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(147, 159, '01a1e0ef-5fce-748e-ab2b-7649e8cfe04c', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/views","strategy":"DirectDdl","oldHash":"2cb0f03b40c8434e80dbc18c65f438cc6421f5c43e8c6b4d2f549e994d1e1f95","newHash":"2cb0f03b40c8434e80dbc18c65f438cc6421f5c43e8c6b4d2f549e994d1e1f95"}', '{"v":1}', NULL, false, '\xb319b4b4f87e578cb4bfcb355a265d8b3b517a7b0e4062bf4c86f5fcc6985097', '\x25050b32bea939e57137c92b66a4f2aa73f478ee6c2e77b1ab06c3ff9fffc364', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(148, 160, '01a1e0ef-5fce-748f-b2be-dd2ab542708c', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/views","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\xba9907299c097f05e6efd8eccb27f76b421a60bc84c59ff58157356c9a5c120f', '\x469848a56f6c1f4b6f1912532015ff66acaaeb277d8ac1d24afe58245a48b7e8', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(149, 161, '01a1e0ef-5fce-7490-b808-854917009b73', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/outbox","strategy":"DirectDdl","oldHash":"4a08971070646f55187af6286bff5adf1e21de3ee2ea9a6f1085a598a2777479","newHash":"4a08971070646f55187af6286bff5adf1e21de3ee2ea9a6f1085a598a2777479"}', '{"v":1}', NULL, false, '\x1368be622909596dfc4b7d64e00ad19350dc49551ec1759ce84c47fde777e75a', '\xec9a8ceb930c3c8074a6c48109ff0761e82930193f66dc97194234adcaa6a4d9', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(150, 162, '01a1e0ef-5fce-7491-8107-31db8fc4ad9b', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/outbox","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\xa02eed15ee22ded3b80d1a50f69c54ec8beb861394abbf1f9470021310d2d492', '\x262310d3f2de8a39d37bbdc265d9e86155ed4b0e806da5cd20efe36c9b1ce866', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(151, 163, '01a1e0ef-5fce-7492-a4c6-a91ac4b11f30', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/rewinds","strategy":"DirectDdl","oldHash":"29ccd253d584ef37f4fa95336dba6b34593d065ccc09d318650926d5e349d7ef","newHash":"29ccd253d584ef37f4fa95336dba6b34593d065ccc09d318650926d5e349d7ef"}', '{"v":1}', NULL, false, '\x2afa7300cfbe1359446dcb140cd15ded0eeaaf9ee1369fe287782ed37e59331d', '\x2c5de35901919d033c9b357031fe120563f9887e5e1da2c9828f5b2e746b5e4f', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(152, 164, '01a1e0ef-5fce-7493-83db-ec7359d57892', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/rewinds","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x89456adb1b3f7841dd2dea8795ef715366d27655a77e984da84d730cc0817d01', '\x2570be7baef51e47128424c1da233db811341b8bc0d3f71595c20e87a084ac4c', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(153, 165, '01a1e0ef-5fce-7494-b271-9b88c08ab00e', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/rebuilds","strategy":"DirectDdl","oldHash":"38a870ed120ccef29770d09b20beb16417b82e86d80e8dffad5f98f1bccdb3fe","newHash":"38a870ed120ccef29770d09b20beb16417b82e86d80e8dffad5f98f1bccdb3fe"}', '{"v":1}', NULL, false, '\x82b1e958f1f8391747ba6bcb654fb07b5d675447edfbf8706981ea93cfd38471', '\x2af2cdfae4070e9876886915d29f3816eea6a3fc3e3a69784ebd5297641df215', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(154, 166, '01a1e0ef-5fce-7495-bbe1-0545a2df4795', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/rebuilds","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x6bb22aa0785bc8f69a25c0551819ea69616ee3a50a71451e99c91b642ca30865', '\xe4d4babee96afafc9b53a1f1956d66478286b9acf772f4e4091a861d2566c697', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(155, 167, '01a1e0ef-5fce-7496-9f92-9fe9955d662c', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/perspectives","strategy":"DirectDdl","oldHash":"8c4a3ab1d829d9ef5c6d217644f8ed2ee4621e4e650a3ee0aba648e168225d7c","newHash":"8c4a3ab1d829d9ef5c6d217644f8ed2ee4621e4e650a3ee0aba648e168225d7c"}', '{"v":1}', NULL, false, '\xf4581152fc0b5ef5268aaef431bcf6e21fbc1c862ce707e150d815195a122607', '\xab4897d8a88e1fc80a8a1a3def4d98753a26f21b8e016d8a65b4b0cf2751ad75', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(156, 168, '01a1e0ef-5fce-7497-92a4-158ca03d5fb2', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/perspectives","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x80efbaa1a76578b387ad027ec5c1e30abdb14e5c200d02999baf6acf94411220', '\x6907cdcc21eafc67416468ee9536fef62b245f2c079cd4fd7e7cdba1386ee3c1', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(157, 169, '01a1e0ef-5fce-7498-b311-a29d59c6df2a', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/inbox","strategy":"DirectDdl","oldHash":"1d6d2f76936fcc152d1f966c899a7a6a8a3471ccd4f54f2aa2b071fde3fb467d","newHash":"1d6d2f76936fcc152d1f966c899a7a6a8a3471ccd4f54f2aa2b071fde3fb467d"}', '{"v":1}', NULL, false, '\x891aadac7a3e0f6be58880f8c31644054abd46214c996dcdc5074d6cb4c48c1b', '\x00c9c075cf55fa2cee565f8fc37947ab7e33679ff618c992a0bf5bc71289e311', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(158, 170, '01a1e0ef-5fce-7499-8ee3-902eb0d96ada', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/inbox","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x7fe19ef19ec37f55e4766a1e3695b73dce0b8fb27b47fa0eb2de8d58ddd1bdec', '\xd13baebe515b26e5f8fca2be95cff5e8a7c3730b79fbcdddeba40a29f5689ba5', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(159, 171, '01a1e0ef-5fce-749a-b841-cb511a0340ea', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/privileges","strategy":"DirectDdl","oldHash":"e85cc5edf44165ed6ae347daa30238c5da159fae238d1dd7bcea727580562b98","newHash":"e85cc5edf44165ed6ae347daa30238c5da159fae238d1dd7bcea727580562b98"}', '{"v":1}', NULL, false, '\xe288c7d71b3e5dc97a61020b40e1811c6239feffdef1c8d787ede8b82c539809', '\x4f84c9ae303e69d76a3ba4d25e4bfde467234e4809d2362af7bf75cb499c8770', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(160, 172, '01a1e0ef-5fce-749b-9cab-1d55c1b6e2cf', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"svc/privileges","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x1d9f96317bb1df2bd660f69057641f24fee97993f5e402060ae4368fe2d8746c', '\x0af522a6c49d9d8c051313ec8aa0ffc83b45959e86e32cdf1f0f11ccb34de9f4', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(161, 173, '01a1e0ef-5fce-749c-b25d-974c01a9bdf3', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"migrations/001-parcels.sql","strategy":"DirectDdl","oldHash":"de420e3d26f314f93ccd22b6950447de6f713dffba4f12fe2c6f0b7fdcee7aae","newHash":"de420e3d26f314f93ccd22b6950447de6f713dffba4f12fe2c6f0b7fdcee7aae"}', '{"v":1}', NULL, false, '\xebfe6979b68a48064ddebb4dff92d73e8ce142cade42dc52a3dfd2947e833d62', '\x914db5d71c89edffb943091652c07a375355a6d69ec6cb6d6bc1c41e5e828875', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(162, 174, '01a1e0ef-5fce-749d-8a20-74ddb7e4dcb5', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"migrations/001-parcels.sql","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x78256f9f8a6f3278870c4301e217dd42ec7626576851a6c5cb1e65ae5d4e01b0', '\x02eafb90530782a2a64dbe66abc113f75b699b0ddbde617a7775cfb0ed0f6317', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(163, 175, '01a1e0ef-5fce-749e-a991-b3601ea4b3ec', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"migrations/002-parcels-by-label.sql","strategy":"DirectDdl","oldHash":"948ec7698708b2a16fbdda1b4d8fb60b4ea7808cad140928f901352f42d13670","newHash":"948ec7698708b2a16fbdda1b4d8fb60b4ea7808cad140928f901352f42d13670"}', '{"v":1}', NULL, false, '\xbbc03fe7f5ebf7c09f1f2ef818c4e842a276c1232394839d03b4c7f4883a1166', '\x97af57ad4bfe6c97a61b5d1ee3218e6c008307a5015573f7dd06edba7136ad35', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(164, 176, '01a1e0ef-5fce-749f-b9a0-ed9558714e51', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"migrations/002-parcels-by-label.sql","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x9c678116a3f5ff9547a899661175c3792c942a7445d846b76b42f86712791f11', '\x06b34f9235eecf53e79ae63786b6487104d6a553721e4d285c28c0ae44ce2469', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(165, 177, '01a1e0ef-5fce-74a0-a312-947531752414', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"migrations/003-weight-in-kilograms.sql","strategy":"ColumnCopy","oldHash":"33b599713118f6db943d7a3927f3a7fa2f6bfa00fc01ba7c75012b2b7cdf1867","newHash":"33b599713118f6db943d7a3927f3a7fa2f6bfa00fc01ba7c75012b2b7cdf1867"}', '{"v":1}', NULL, false, '\x1d3c4bd6c99eac07213833a820dc619a4133f01d6b8fe5a07baf741787704020', '\xfd379e051b6b677072a8e647d11473b64525bff942d4409e84d197d8def5bfd8', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(166, 178, '01a1e0ef-5fce-74a1-aed3-5dcf564ac7f7', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"migrations/003-weight-in-kilograms.sql","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\xeb988b7b8e187d10c1ddef67150b521e4f646155e48a7597702decb6245c551e', '\x6c4218617edb5c3e71411e7476fdcd9ddf466dd4eee6665aee62127f7a701cde', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(167, 179, '01a1e0ef-5fce-74a2-baa8-d6646409b684', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"migrations/004-heavy-parcels.sql","strategy":"DirectDdl","oldHash":"66f26296f111c643cdb75a91f609c0fefb1fb5015bb25adad927fdfa676186ad","newHash":"66f26296f111c643cdb75a91f609c0fefb1fb5015bb25adad927fdfa676186ad"}', '{"v":1}', NULL, false, '\x4ce151f514af1ca75e875b97df49747eabd490f80c5565769542095f82c7ac01', '\x3605fe6e41818e740d975d2abe095d1902e0176bac6b711268aadbbbba050fa9', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(168, 180, '01a1e0ef-5fce-74a3-b49c-e76f915729dc', 'MigrationItemCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"migrations/004-heavy-parcels.sql","status":3,"statusDescription":"unchanged","duration":"PT0.001S"}', '{"v":1}', NULL, false, '\x9c08ac57077028c4afe79530cb1a9c0be176b0635542a405a3eed52d1a6327e8', '\x5f9aaf0d1be3404a1447c6bef8f157580723cfa21cc93e095ad4846560ad73dd', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(169, 181, '01a1e0ef-5fce-74a4-aa94-0ea09a19d818', 'MigrationItemStarted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"migrations/005-parcels-are-heavier.sql","strategy":"DirectDdl","oldHash":"bfd7bba32dc4bf7aa3b1a3d38dfe6242edd1aebaff37cf229c52cbdf968f10e9","newHash":"a8520a092a9d3cc2019fc73f2baa239bd2867b883ba4a49809d75a66755d957f"}', '{"v":1}', NULL, false, '\xddfa4d2956de6cd01a31e4a911c8f521c1dc5626974f4916cf2cc428e5222d9b', '\x5e2acb6e68547262dc1e76c9baf0db6de282e7c7ea6c3c06b5ffde5c7f0f8f9f', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(170, 182, '01a1e0ef-5fce-74a5-99c9-48446c1640b3', 'MigrationItemFailed', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","migrationKey":"migrations/005-parcels-are-heavier.sql","status":-1,"failureReason":1,"error":"column \"nope\" does not exist","duration":"PT0.007S"}', '{"v":1}', NULL, false, '\x0438a1a49b4926bed2f24ea8b55002cf4d9eea48d5374ba79fe81db8077cf53d', '\xd13043446e1d7019ea328190ae3913f021dd7b3e52a38e40bfb7345afc6b2669', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(171, 183, '01a1e0ef-5fce-74a6-8525-d71ee67a4c1d', 'MigrationBatchCompleted', '{"streamId":"01a1e0ef-5fb7-733b-a967-05e90100e85d","libraryVersion":"0.1.0","results":[{"migrationKey":"svc/tables","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/late","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/commit","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/views","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/outbox","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/rewinds","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/rebuilds","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/perspectives","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/inbox","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/privileges","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/001-parcels.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/002-parcels-by-label.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/003-weight-in-kilograms.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/004-heavy-parcels.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/005-parcels-are-heavier.sql","status":-1,"statusDescription":"column \"nope\" does not exist"}],"applied":0,"updated":0,"skipped":14,"failed":1,"totalDuration":"PT0.017S"}', '{"v":1}', NULL, false, '\x6d256a0e72353bb7352c5c773f514f323b550e700bf09e1c7d22681be8b2d00f', '\xa6156ef12b3e8d4d8275005ddda2b867bd2eb8c52c0fca2c97fd97fb05cbbe4b', 'harbour', '2026-11-15 20:39:06.459076+00'),
	(173, 185, '01a1e5c6-a07b-70fd-9de1-66e26e0226f0', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/tables","strategy":"DirectDdl","oldHash":"08747e9b3874a944cfd5514433fd74290598b89829f7bd8a4d8a9e6f8d1c4e19","newHash":"08747e9b3874a944cfd5514433fd74290598b89829f7bd8a4d8a9e6f8d1c4e19"}', '{"v":1}', NULL, false, '\x4ca42002d687a26657dc89c8a613cc7f0084ac60a40e0c0f9d391e5a70511a96', '\xc4b8fd60aa43978e4eb79d14bc28d84924deb61acf98e82be46575890e036fa4', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(174, 186, '01a1e5c6-a07b-70fe-805a-06b59a935ef7', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/tables","status":3,"statusDescription":"unchanged","duration":"PT0.011S"}', '{"v":1}', NULL, false, '\xf16d519509c0ca1b08ce812c2a437890ec8c03abf977954190b12c0ac3d7f83a', '\x09b2bda1271f40fe54286819ce229d17bf8a8b9936f2b246e94f0b16671a5e3f', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(175, 187, '01a1e5c6-a07b-70ff-9255-4433171e7842', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/late","strategy":"DirectDdl","oldHash":"e3c7df3918e0537348569a4bee597bddd6184381a613533dd76afc79c62a54dd","newHash":"e3c7df3918e0537348569a4bee597bddd6184381a613533dd76afc79c62a54dd"}', '{"v":1}', NULL, false, '\x119b5f249d59f45587cf95e060a91b15723e8107b621ee190ab28c4813eb3a42', '\x2ce1b4b5104321ca805a25da9c030b29a11a42db0b74de1486bdc646df19a9df', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(176, 188, '01a1e5c6-a07b-7100-a414-d68de00fba43', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/late","status":3,"statusDescription":"unchanged","duration":"PT0.005S"}', '{"v":1}', NULL, false, '\x6d2eb930492a9da8c5ca04243a8faeeb3c7f9a0080fd6a6cad5e2a83089becf9', '\xa317629662632258d491233a0f7f672c2ab305db28427abb89b55fdc846c10c9', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(177, 189, '01a1e5c6-a07b-7101-b600-4888351df09b', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/commit","strategy":"DirectDdl","oldHash":"f04012258d808a2680d8f8894423458224f99f5de93392f0065ad9bd0bbf1ea4","newHash":"85940a2fa210cfc8fe98336db7a67d9ec586c7043a0716397c48a2764d0e87d8"}', '{"v":1}', NULL, false, '\x30f618e2119572fc0f8c2d9f480512a428839f10648967710a2121a961b08fb6', '\xf2f3f9730d20971d5a6a961d39cb6d919acec07933379ba7e5247076374e4acc', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(178, 190, '01a1e5c6-a07b-7102-9c32-3dab174277c5', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/commit","status":2,"statusDescription":"updated, its hash changed","duration":"PT0.038S"}', '{"v":1}', NULL, false, '\xd8808ed6b7ce30f8b861b46e158a6f9d898c786979292c2735f03b45236b6ccd', '\x1cbf8910712a3a7605949ac0aebed6473de51f4be5a5864c66c4d5c0eb3e723f', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(179, 191, '01a1e5c6-a07b-7103-bc01-31bd62d47270', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/views","strategy":"DirectDdl","oldHash":"2cb0f03b40c8434e80dbc18c65f438cc6421f5c43e8c6b4d2f549e994d1e1f95","newHash":"7ce3f5371fcb198edafc539d05ea7bf658767acbf4f027e1d80ef15dffb0cf17"}', '{"v":1}', NULL, false, '\x083b84673d7ac1239e8e73562a506124cb89567895896b9885347e500a23afdb', '\xbcf1cdf8a8f21483a5ce7690d5b89e845b65a557edd0060751d5f9b9b6a957af', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(180, 192, '01a1e5c6-a07b-7104-a725-b0ae456787cd', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/views","status":2,"statusDescription":"updated, its hash changed","duration":"PT0.08S"}', '{"v":1}', NULL, false, '\x8fb0b7ed9635ba88fb4dfd659b63e1b4c3c8dffbbf7c69d1a3f507e8a5d4233c', '\x5a261c3d5c207d5929b168b380aa7420780e1595d5b13314e51f97460da7c38a', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(181, 193, '01a1e5c6-a07c-73b4-8483-6a30cf9c2da5', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/outbox","strategy":"DirectDdl","oldHash":"4a08971070646f55187af6286bff5adf1e21de3ee2ea9a6f1085a598a2777479","newHash":"d71b130c051eaa90aaeb0e9502493879f865a5e0d70e658a1d3daf054554b9f8"}', '{"v":1}', NULL, false, '\x12f38b83f16cf95d12e9720c70355abbf3c5f42b790397c0f0d8bce804b0517a', '\xf02549c59eee5c9edfefa443bba11a9b3edeaec3408ec0db9cacb9210d4d2b75', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(182, 194, '01a1e5c6-a07c-73b5-a051-55f0cb85b6ee', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/outbox","status":2,"statusDescription":"updated, its hash changed","duration":"PT0.053S"}', '{"v":1}', NULL, false, '\x09ae632dc2390609b30ed162585af1ad5308d47c1c2417f2f96ade2d1f7f7e47', '\x7a83ec7eec96b202756d2f9a9fabb82edbd1a6ffd0929ef21230b8523db8414a', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(183, 195, '01a1e5c6-a07c-73b6-bb66-ec2a1c693155', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/rewinds","strategy":"DirectDdl","oldHash":"29ccd253d584ef37f4fa95336dba6b34593d065ccc09d318650926d5e349d7ef","newHash":"29ccd253d584ef37f4fa95336dba6b34593d065ccc09d318650926d5e349d7ef"}', '{"v":1}', NULL, false, '\xdaadc83ff4eaf1f0403eb01b9f017c3ab344c05447911547452dcc4be93cf216', '\xcb9b974e500b8e8eda70916936fe6b62f6f45f3d51db8efaf8c8e9a9d58bebba', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(184, 196, '01a1e5c6-a07c-73b7-aaf1-da531aee6ce0', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/rewinds","status":3,"statusDescription":"unchanged","duration":"PT0.002S"}', '{"v":1}', NULL, false, '\xcf8216dbd51b1ceb54e27c04191bbe57dcaa9b3830c3303f0120decee62ef183', '\x499a92f185c90cc9cc2282f3e4cfec09f21d54c39a4ecee67a77fda8c89c8a12', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(185, 197, '01a1e5c6-a07c-73b8-8fba-e87ac93ccbc7', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/rebuilds","strategy":"DirectDdl","oldHash":"38a870ed120ccef29770d09b20beb16417b82e86d80e8dffad5f98f1bccdb3fe","newHash":"be92f6c38715db42a8884ead591b98335ef24a5c1f2527ad7788ffb790872f3f"}', '{"v":1}', NULL, false, '\xbca1a53d5d93a3e010f4752154f5055fa0c0b3482de3f813b1f5bd908feb7278', '\xaeaf52feafc6708fd318e2de1279afdf819cac402ceb16b861de044579eaa3f7', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(186, 198, '01a1e5c6-a07c-73b9-bf2a-27b65846a8eb', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/rebuilds","status":2,"statusDescription":"updated, its hash changed","duration":"PT0.037S"}', '{"v":1}', NULL, false, '\xd0738f4ff67e93effe2c737e32e25c9a5746fd5f8a07594c75f8f049a53826af', '\xbe8d633c79468bc1b26bdfa7249033d59f2c26e6b109dcfa0b10d89cd7a90a4f', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(187, 199, '01a1e5c6-a07c-73ba-b22b-802a86131480', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/perspectives","strategy":"DirectDdl","oldHash":"8c4a3ab1d829d9ef5c6d217644f8ed2ee4621e4e650a3ee0aba648e168225d7c","newHash":"991089573d93ff3c1a765a816e144f7340f7a780d113470f02770482e4668976"}', '{"v":1}', NULL, false, '\xe305b5804f2212c7022cf3ee23b10d61570d8bb6c520f22a069f733f660c84f3', '\x4d68cbeeab9ff19fa18e6a78add02c908c487bfacddfcaceb389125f2103348e', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(188, 200, '01a1e5c6-a07c-73bb-a1bd-0ab6a4d879ec', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/perspectives","status":2,"statusDescription":"updated, its hash changed","duration":"PT0.014S"}', '{"v":1}', NULL, false, '\x674e6b5b82e418174fe857c0594c4c09dfc871447aa2c423b84852d17804a9a0', '\x1880dd4f116f7110a9ad898184326b4a89dfc1ae3c2ef263dbd74f604d1bcc9f', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(189, 201, '01a1e5c6-a080-75fd-a01c-4f6a713b1292', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/row-security","strategy":"DirectDdl","oldHash":null,"newHash":"a7428df4b371f4e84574b1a70c9818ff777dd35fbca223e3bc86d219aa5928e6"}', '{"v":1}', NULL, false, '\x7a2cdc0be1fe5191a625d23f4240c68525037e8e9777387f101a7c519f8e9f0d', '\x123290bfdf5bdf38527534f261e1c54e1b2a21f7711b9eb05252659ad638a803', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(190, 202, '01a1e5c6-a080-75fe-b944-6c0f49d44cf2', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/row-security","status":1,"statusDescription":"applied for the first time","duration":"PT0.037S"}', '{"v":1}', NULL, false, '\x2cf510d8fe958de2b4d49bc4ed0aecaedd41f63a9eb792ddc12d3a72eea69acc', '\xea0da0255b9e57f5789ba230b0b1d68d17673142c23caedfa207f1a0e01ab9fe', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(191, 203, '01a1e5c6-a080-75ff-a4d0-2832b0fb5295', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/read-rows","strategy":"DirectDdl","oldHash":null,"newHash":"981ddcd070c6eff0570f8834f7ac878a9246aeb771c05a9c87fa1a6747bbe16c"}', '{"v":1}', NULL, false, '\xb4e120ca0bdb1bc829ef29d6ee73709fe35285eacc4d2949e365e76b22ee44bf', '\x21b173c038a5e8ea20d46aca5ae73ec5385e5dfc02095b880fde959526c2e433', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(192, 204, '01a1e5c6-a080-7600-8f24-b9da6343d14c', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/read-rows","status":1,"statusDescription":"applied for the first time","duration":"PT0.031S"}', '{"v":1}', NULL, false, '\x54490fc8afa1e0f6a5ae97ba457a19d61b79d80347ddc88be52e3ef4aa150916', '\x60e342069f8093187ca14e7c46efa85b876fed67bb8021e68e96c76b7c061024', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(193, 205, '01a1e5c6-a080-7601-9351-a9b281b2911f', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/inbox","strategy":"DirectDdl","oldHash":"1d6d2f76936fcc152d1f966c899a7a6a8a3471ccd4f54f2aa2b071fde3fb467d","newHash":"58ca36e5312ae5a8b399d15b1d6b99561c2cda5c8f466b49f4fbe2259cf37577"}', '{"v":1}', NULL, false, '\x844b79369cf6505dd90b44acede795dd8d1bb88849a4e2590238846b7e35f5b4', '\x3eb5059e73ce1d09648b81f50b41dcb897e9ca1ce72ca4d12d83f321ff725ef4', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(194, 206, '01a1e5c6-a080-7602-ab87-6eafa030dfc3', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/inbox","status":2,"statusDescription":"updated, its hash changed","duration":"PT0.026S"}', '{"v":1}', NULL, false, '\x631d62c77d6f7c92edf7a08518144549ab30db615f24bece0dd1e1f4dcd395a8', '\x57f754871c9fbade20d8877a4ea6eb49490542a52d89fa1293566f9740dc9abf', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(195, 207, '01a1e5c6-a080-7603-b243-ba292e17fcff', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/inbox-receive","strategy":"DirectDdl","oldHash":null,"newHash":"141cbc93c93ff98f4fb66ecca52ada66f697e4db96f5a1b36cb2b82fa7891d3f"}', '{"v":1}', NULL, false, '\x40547365a012aef4edfeed3f07d017170dbe87ec38e6c601f81edf3ef43d29b6', '\xd200819781d5c7dcaddf3dc9e9ecacfcd5fa92575068f25f106cf5c526c581d9', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(196, 208, '01a1e5c6-a080-7604-8447-f7ad58a03281', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/inbox-receive","status":1,"statusDescription":"applied for the first time","duration":"PT0.021S"}', '{"v":1}', NULL, false, '\x5130c522938095e5edd9e5706ebe9daf9c0ca1533beee92da84a4a5e02e8dc82', '\xb34cc509f419ea5062b7eb7b3e6c7bae2c1af5fabb72cf369dd4a0ef522b0241', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(197, 209, '01a1e5c6-a080-7605-b137-cc053f8f1e0c', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/inbox-dead-letters","strategy":"DirectDdl","oldHash":null,"newHash":"07a7109191050265f7c5255ef91dea2e0d19b5a1c2d9d4c77052a86488611596"}', '{"v":1}', NULL, false, '\x9e75da7ad5bee00daf22a078cf1b5417dc5cb2efc2df74de2ac9a97c0e2dd7f9', '\xd6668444a403d803f8adafdbbd7e8db12e0108ae32180afec7c232caafb0e414', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(198, 210, '01a1e5c6-a080-7606-aac8-fd80a1dd05f5', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/inbox-dead-letters","status":1,"statusDescription":"applied for the first time","duration":"PT0.032S"}', '{"v":1}', NULL, false, '\x8025b6609426351ca96656ebf281331a4ea0cca63903e57419041d4bd245bd21', '\x95f977d2e22402ab36c7d59ea87cc251aa35ca5ea51ee4b3738d1aa1be8a4db1', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(199, 211, '01a1e5c6-a080-7607-91b7-a3cc6831d63d', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/roles","strategy":"DirectDdl","oldHash":null,"newHash":"57657fcbed37a03c9933a9b9c121e84ec13d6f1cd5a137d233edc81ab21a9b59"}', '{"v":1}', NULL, false, '\x24dd615ebe6a34022d7527e44ac54fa215f7bdee20cf60d19a2fa3c1ffbe66c9', '\xaf4fef8b8544591d59c035fdfb66f25d7384112834e36095f039cfb097ddc89c', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(200, 212, '01a1e5c6-a080-7608-906b-0dd66f1067d6', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/roles","status":1,"statusDescription":"applied for the first time","duration":"PT0.032S"}', '{"v":1}', NULL, false, '\x36f6bb4caa8022b9214a3a1cc7eabfbce2b173b9e4789cc21d3d0a44454bd23c', '\x71fcfb0bdb49e70996863b53adf6f27aed1b6500835b9dc47313618d97943de6', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(201, 213, '01a1e5c6-a080-7609-8373-d4aa5c21c329', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/api-keys","strategy":"DirectDdl","oldHash":null,"newHash":"50d1024a70013c3cc99716813944d5068adb67813226eee75a208afea3276785"}', '{"v":1}', NULL, false, '\x76d4eccc3e40077e2415e8c09fb32830a78e92a013e089b3573e7212a7f7b969', '\xe6854db85ffdff9c9238ccbbc092a4801f87c1bcd2177fbd9b3b96dd233613f3', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(202, 214, '01a1e5c6-a080-760a-bd84-a1658aad9caa', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/api-keys","status":1,"statusDescription":"applied for the first time","duration":"PT0.02S"}', '{"v":1}', NULL, false, '\xfbac30a32835e5eda07ccd831f2ac94ef2b398c5984bc40f25120d27ade0f0b1', '\x5c6f5e68dd035efdc1c75f1abd55d304fc6f9486c5aede59d89d2c39585bd142', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(203, 215, '01a1e5c6-a080-760b-a1a3-4c9c3a77b842', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/deployments","strategy":"DirectDdl","oldHash":null,"newHash":"635bb32cd39a8f0bc1e472db1e686535c51e3e9f6fdd0b1cf4b347ca0b78eb8f"}', '{"v":1}', NULL, false, '\x5253b15eb45fe91bffd943a3850f49578fc2cd3980d5d01213840ba190baf877', '\x1f271c016a286ead388ffdfd36c386394d44236f315311aa291e1251873138a9', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(204, 216, '01a1e5c6-a080-760c-a0a1-2b73a0b9348d', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/deployments","status":1,"statusDescription":"applied for the first time","duration":"PT0.029S"}', '{"v":1}', NULL, false, '\x4c9cbc365f07d4f01f5f14bc4c7054ecf2d0a1236645640026313611498f9f55', '\xc006b1abf716af3ec63af9d63a33d5f5290411db4e1f0e9ff43cafa55ac1a314', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(205, 217, '01a1e5c6-a080-760d-9a59-7af28a1b09b6', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/flags","strategy":"DirectDdl","oldHash":null,"newHash":"d58a22f4e75298a65eb609361d5c9a19eed0c638b0e3dc87ea848300f48e651d"}', '{"v":1}', NULL, false, '\x654f5e12886aaf9019b20f92e88852bcbca04696b18c1cb5c0c6369a889d79b8', '\x3eff095f9aba79b6b02b2e55aa27d4497e589cf99b4a6b5b862a7ebce52a4aad', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(206, 218, '01a1e5c6-a080-760e-932d-c8d4faca7d81', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/flags","status":1,"statusDescription":"applied for the first time","duration":"PT0.047S"}', '{"v":1}', NULL, false, '\x07caa7912d656b7c62a4f230472736f6ee979ada710033be3a5069155d539904', '\xc78ac73707f7b604b396d0ce97bd7cdce672e5308d77f37c29fff64c124a8abf', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(207, 219, '01a1e5c6-a080-760f-95b3-0c458b7c4309', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/privileges","strategy":"DirectDdl","oldHash":"e85cc5edf44165ed6ae347daa30238c5da159fae238d1dd7bcea727580562b98","newHash":"2bac186f27eef6dab0128f3fd551149f431ff46d52d84cbc7ae714a966a33785"}', '{"v":1}', NULL, false, '\xe4debe847e3114acb64904d4925c9411c386a2b3444c7cdeba482a2f41c2c927', '\x2e8e2bce97b8eb21086fc88e568a6d145aeef70d391f71052a9821522ad5caaf', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(208, 220, '01a1e5c6-a080-7610-bc2e-c94db2063810', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"svc/privileges","status":2,"statusDescription":"updated, its hash changed","duration":"PT0.049S"}', '{"v":1}', NULL, false, '\xae5b16ab57faf5d21f41a2481f032830e1b390206c4f1de2ea2a0537271c4df5', '\xbd4b1b04fcdbaf78fb1278aea9ebe1c6ce774be4e705979f9a162dc50ce9e7c4', 'harbour', '2026-11-16 19:12:42.138982+00'),
	(209, 221, '01a1e5c6-a0a5-751d-9ae9-2af4fe308bf1', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"migrations/001-parcels.sql","strategy":"DirectDdl","oldHash":"de420e3d26f314f93ccd22b6950447de6f713dffba4f12fe2c6f0b7fdcee7aae","newHash":"de420e3d26f314f93ccd22b6950447de6f713dffba4f12fe2c6f0b7fdcee7aae"}', '{"v":1}', NULL, false, '\x5e67b66c19e33c520c43ebf199f2ca9a85e648aae1d1ca0dbb63ebbc564e951b', '\xa617245be48fa9634131ae4c556b28c8e5e677625cc25b2b2a6113e3eb1b7c01', 'harbour', '2026-11-16 19:12:42.156841+00'),
	(210, 222, '01a1e5c6-a0b3-7505-9fda-210e4b66248c', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"migrations/001-parcels.sql","status":3,"statusDescription":"unchanged","duration":"PT0.005S"}', '{"v":1}', NULL, false, '\x5c49a1d4343c11b7e76bde33e1a7880a826620346647d3775daf1b3d39b1233d', '\x1be3c9dfb10d45878a3d427c2087890c56dbaf8fd9ae4d058b188703778b2a8a', 'harbour', '2026-11-16 19:12:42.164824+00'),
	(211, 223, '01a1e5c6-a0b5-7379-8d07-c589439f1472', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"migrations/002-parcels-by-label.sql","strategy":"DirectDdl","oldHash":"948ec7698708b2a16fbdda1b4d8fb60b4ea7808cad140928f901352f42d13670","newHash":"948ec7698708b2a16fbdda1b4d8fb60b4ea7808cad140928f901352f42d13670"}', '{"v":1}', NULL, false, '\x4da1b37c6e9dfd97d084d39d9f6bb9acad1f426770f88b9d50ff67c403ae7696', '\x5e19bf4a196aeacecb8c8df1e3eba31a3ee3ba2c8caa246d24d8a3af65bfc66f', 'harbour', '2026-11-16 19:12:42.172808+00'),
	(212, 224, '01a1e5c6-a0c8-73d2-996a-27ac4e339047', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"migrations/002-parcels-by-label.sql","status":3,"statusDescription":"unchanged","duration":"PT0.01S"}', '{"v":1}', NULL, false, '\x49504e5ad66ea9de48dcc7017908a5038a71c56c8dd9c401a59a6f3dc27cb54c', '\x877893bcdc25b0c55e74739be6581d8149362fe568dac69af6635f6646af596f', 'harbour', '2026-11-16 19:12:42.185723+00'),
	(213, 225, '01a1e5c6-a0cb-72e8-a154-f1ef77612095', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"migrations/003-weight-in-kilograms.sql","strategy":"ColumnCopy","oldHash":"33b599713118f6db943d7a3927f3a7fa2f6bfa00fc01ba7c75012b2b7cdf1867","newHash":"33b599713118f6db943d7a3927f3a7fa2f6bfa00fc01ba7c75012b2b7cdf1867"}', '{"v":1}', NULL, false, '\x331b327f19e8113980397d0192fc61a55371a62663ccb72042c6bbb027a74720', '\x56dbe8781570fcec8c7fa003d75250d2246704242c181c516e5484094ef4180a', 'harbour', '2026-11-16 19:12:42.192849+00'),
	(214, 226, '01a1e5c6-a0d6-7259-8718-12f9eab9b007', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"migrations/003-weight-in-kilograms.sql","status":3,"statusDescription":"unchanged","duration":"PT0.005S"}', '{"v":1}', NULL, false, '\xd88f21664bff8d119f5e18c9ecf90de05f08e515ca2d6ef1a3e5e0dc992a1c4c', '\xc0ef63f6e3a0911b495a40370bc344eba91345ab3b41ac4354f80e413b72353d', 'harbour', '2026-11-16 19:12:42.199647+00'),
	(215, 227, '01a1e5c6-a0d9-7736-adb1-0a892b9adaf5', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"migrations/004-heavy-parcels.sql","strategy":"DirectDdl","oldHash":"66f26296f111c643cdb75a91f609c0fefb1fb5015bb25adad927fdfa676186ad","newHash":"66f26296f111c643cdb75a91f609c0fefb1fb5015bb25adad927fdfa676186ad"}', '{"v":1}', NULL, false, '\x124aec35b3c99c1bbc350b663e4202fbdbb12d05424628ab00230130fb648619', '\xf0474ac265b78aab4a34aa97421a380d515d2bfc3ad45314b1dec21e47b5d8ff', 'harbour', '2026-11-16 19:12:42.202528+00'),
	(216, 228, '01a1e5c6-a0e4-741d-87a6-1b34a110c501', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"migrations/004-heavy-parcels.sql","status":3,"statusDescription":"unchanged","duration":"PT0.01S"}', '{"v":1}', NULL, false, '\xc929b905e492a2a7aeb8d7803e1c9d5e81abfc9782caf1e83eaaf12ba6284978', '\xe812aedf681748a47330e041e2d2d423afe3fcee6dd6389ccba0908a672432f0', 'harbour', '2026-11-16 19:12:42.216831+00'),
	(217, 229, '01a1e5c6-a0e9-77ff-95b3-803edcc4eca5', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"migrations/005-parcels-are-heavier.sql","strategy":"DirectDdl","oldHash":"bfd7bba32dc4bf7aa3b1a3d38dfe6242edd1aebaff37cf229c52cbdf968f10e9","newHash":"bfd7bba32dc4bf7aa3b1a3d38dfe6242edd1aebaff37cf229c52cbdf968f10e9"}', '{"v":1}', NULL, false, '\xf4cb1e3df0ec5b534640711eec6c0cfda3f3e5cc9e8759744e4a73100a958be4', '\xe68ca15febc4601dfa68a851315a06101c98c95f34711fbdb50f9ba618a8793f', 'harbour', '2026-11-16 19:12:42.21865+00'),
	(218, 230, '01a1e5c6-a0ee-7754-b03b-05d463692e72', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"migrations/005-parcels-are-heavier.sql","status":3,"statusDescription":"unchanged","duration":"PT0.003S"}', '{"v":1}', NULL, false, '\x5e9413ac6028ebe28af7fc48c138c59794d9b575e93816a1b7d5629aa100cf3c', '\x4ae3313cb3fd71071edbfa2a3cc192c042adeffc7edd2469e82f0144b7e9641b', 'harbour', '2026-11-16 19:12:42.229481+00'),
	(219, 231, '01a1e5c6-a0fa-77d6-8a92-df9b1783d7e4', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"perspective/audit-log","strategy":"DirectDdl","oldHash":"43a29803522b19d510956c0c368b9e1b60f975c3f4086bebee1a8e1d3029885a","newHash":"43a29803522b19d510956c0c368b9e1b60f975c3f4086bebee1a8e1d3029885a"}', '{"v":1}', NULL, false, '\x77d6fa36a05ae5d41acaa5e58c48e7a446be22fe4fedaf740303f7fd1859b795', '\xf65b76d857415843f780c877c3d965734dc2f0a003cb8d1ce830bdddbc6a1135', 'harbour', '2026-11-16 19:12:42.236585+00'),
	(220, 232, '01a1e5c6-a136-7680-88f4-9ce06d121346', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"perspective/audit-log","status":3,"statusDescription":"unchanged","duration":"PT0.057S"}', '{"v":1}', NULL, false, '\xc73186a8a01e318446abbe650d760d60cf564178c58aed329ea53022ab3d19c3', '\x0c4f85acefc225af861c88a3319f5a6d64e8a8236b7aaff71557e500af8fd397', 'harbour', '2026-11-16 19:12:42.297947+00'),
	(221, 233, '01a1e5c6-a13a-74bb-a800-484d7d3d2765', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"perspective/order-summary","strategy":"DirectDdl","oldHash":"ba9dcd97581044ee61d67654d0baffef5c086e9e89a405629121c8588a546bd3","newHash":"ba9dcd97581044ee61d67654d0baffef5c086e9e89a405629121c8588a546bd3"}', '{"v":1}', NULL, false, '\x1cc2f80076e2db2c60678370ea53db4239995ecb030b5407784e7bf0e764294b', '\x57fd531d46fe57114a27bdde244ae84285958f1061083f5510b0bf30511d8252', 'harbour', '2026-11-16 19:12:42.299767+00'),
	(222, 234, '01a1e5c6-a168-750e-8a48-be3fc4acba74', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"perspective/order-summary","status":3,"statusDescription":"unchanged","duration":"PT0.043S"}', '{"v":1}', NULL, false, '\x18fa338d7a6a7d0536a406bf267c1f521f6bd67d45252302237400c6c0f39946', '\x9e063b074366e7e3c24a674c2de9f2b843d56c5a934806ed304a7316f0bc9e4a', 'harbour', '2026-11-16 19:12:42.344983+00'),
	(223, 235, '01a1e5c6-a16c-7742-ae87-9770533909da', 'MigrationItemStarted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"perspective/order-steps","strategy":"DirectDdl","oldHash":"daa40a1df318e88404eadd1844776bfbb84c51f099b47003e0bbbb0c34f6f089","newHash":"daa40a1df318e88404eadd1844776bfbb84c51f099b47003e0bbbb0c34f6f089"}', '{"v":1}', NULL, false, '\xc99a2971c1a642a56db01403c03c7cc79a45fb8262a06a7cebbe1cb46fbd53c4', '\xe342f9988ef6060d9268e6a2ccbfa5205b09fbc8e97d85d82362a6ca9e87ca94', 'harbour', '2026-11-16 19:12:42.350903+00'),
	(224, 236, '01a1e5c6-a18d-7321-ac74-d6fa6e953db6', 'MigrationItemCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","migrationKey":"perspective/order-steps","status":3,"statusDescription":"unchanged","duration":"PT0.028S"}', '{"v":1}', NULL, false, '\x64bb50bb7382fd478375d2296bb982bbd227752be3830e5d5b03c343f75d15dc', '\x9a5d178ba7b00ed0d2f5ee48e69e35a19a2b5f674d8067aee1742d05c1a2be4e', 'harbour', '2026-11-16 19:12:42.384615+00'),
	(225, 237, '01a1e5c6-a192-73da-bb9d-cbd35dec1349', 'MigrationBatchCompleted', '{"streamId":"01a1e5c6-9e39-73a3-8ec1-87361d15d32f","libraryVersion":"0.1.0","results":[{"migrationKey":"svc/tables","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/late","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/commit","status":2,"statusDescription":"updated, its hash changed"},{"migrationKey":"svc/views","status":2,"statusDescription":"updated, its hash changed"},{"migrationKey":"svc/outbox","status":2,"statusDescription":"updated, its hash changed"},{"migrationKey":"svc/rewinds","status":3,"statusDescription":"unchanged"},{"migrationKey":"svc/rebuilds","status":2,"statusDescription":"updated, its hash changed"},{"migrationKey":"svc/perspectives","status":2,"statusDescription":"updated, its hash changed"},{"migrationKey":"svc/row-security","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/read-rows","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/inbox","status":2,"statusDescription":"updated, its hash changed"},{"migrationKey":"svc/inbox-receive","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/inbox-dead-letters","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/roles","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/api-keys","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/deployments","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/flags","status":1,"statusDescription":"applied for the first time"},{"migrationKey":"svc/privileges","status":2,"statusDescription":"updated, its hash changed"},{"migrationKey":"migrations/001-parcels.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/002-parcels-by-label.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/003-weight-in-kilograms.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/004-heavy-parcels.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"migrations/005-parcels-are-heavier.sql","status":3,"statusDescription":"unchanged"},{"migrationKey":"perspective/audit-log","status":3,"statusDescription":"unchanged"},{"migrationKey":"perspective/order-summary","status":3,"statusDescription":"unchanged"},{"migrationKey":"perspective/order-steps","status":3,"statusDescription":"unchanged"}],"applied":8,"updated":7,"skipped":11,"failed":0,"totalDuration":"PT0.856S"}', '{"v":1}', NULL, false, '\x2f2b5b9308e60d6c5a83b53c037ef091041ea298ae0919bde8adc55c64a9ed61', '\x18d3300fc530d59f34c465296ee770cceb7acb995ab0c63c517b2367457c4ea9', 'harbour', '2026-11-16 19:12:42.386991+00'),
	(226, 239, '01a1e5c6-a62a-75f1-8bc7-482e89ca13b1', 'EventAudited', '{"id":"01a1e5c6-a62a-75f1-8bc7-482e89ca13b1","originalEventId":"01a1e5c6-a629-7234-8319-b14cf15603ce","originalEventType":"OrderCreated","originalStreamId":"01a1e5c6-a629-7233-8dc9-628750684684","originalStreamPosition":0,"correlationId":"01a1e5c6-a5f9-737c-b13d-f87712ee059b","causationId":"01a1e5c6-a5f9-737c-b13d-f87712ee059b","auditLevel":"Info","originalBody":{"orderId":"01a1e5c6-a629-7233-8dc9-628750684684","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}}', '{"correlationId":"01a1e5c6-a5f9-737c-b13d-f87712ee059b","causationId":"01a1e5c6-a5f9-737c-b13d-f87712ee059b","traceparent":"00-01a1e5c6a5f9737cb13df87712ee059b-b13df87712ee059b-00","v":1}', 1, false, '\xec7dcaeb442ea9bad37a5926928e14eac23f45c47fb575fcb4f689a18a66ab71', '\x763a953805f0735ab57945979a3194dfafe4e6bc2bd58a36283d7ac25aefc588', 'harbour', '2026-11-16 19:12:43.587559+00'),
	(227, 240, '01a1e5c6-a633-72a0-be3b-d541607a761a', 'CommandAudited', '{"id":"01a1e5c6-a633-72a0-be3b-d541607a761a","commandType":"CreateOrder","commandBody":{"customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"}},"correlationId":"01a1e5c6-a5f9-737c-b13d-f87712ee059b","auditLevel":"Info","receptorName":"CreateOrderReceptor","responseType":"CreateOrderResult"}', '{"correlationId":"01a1e5c6-a5f9-737c-b13d-f87712ee059b","traceparent":"00-01a1e5c6a5f9737cb13df87712ee059b-b13df87712ee059b-00","v":1}', NULL, false, '\x1f5069ef364195c800bca8d627a5174444e942e6601d0650cee8ff53c28c0f89', '\x0af6cdf07661d19f42e3394b7525239a8a21fa2bdd881e23d0d3ccaf616b789d', 'harbour', '2026-11-16 19:12:43.587559+00'),
	(228, 241, '01a1e5c6-a69d-7166-8922-94ee7e79727f', 'PerspectiveFailed', '{"id":"01a1e5c6-a69d-7166-8922-94ee7e79727f","perspectiveName":"order-steps","streamId":"01a1e0ef-466d-7098-984f-3337cfc01bcd","eventId":"01a1e0ef-4691-710d-b04b-3b6dee17dddb","error":{"name":"Problem","message":"There is no such carrier.","code":"not-found"},"attempt":3,"timestamp":"2026-11-16T19:12:43.677Z"}', '{"v":1}', NULL, false, '\x9fd6cd14f50102e9f64934f46a4deafc043b186acde463e14371ad24f682f2bb', '\xddcf317d33e1fd729075cd2fda7eb6dad7797ff0a3e7c572603cbbed0e079eb9', 'harbour', '2026-11-16 19:12:43.681245+00'),
	(229, 243, '01a1e5c6-a6b4-773c-ac61-37603c9f584e', 'EventAudited', '{"id":"01a1e5c6-a6b4-773c-ac61-37603c9f584e","originalEventId":"01a1e5c6-a6b4-773b-b784-09240f4abf02","originalEventType":"OrderCreated","originalStreamId":"01a1e5c6-a6b3-77bd-8c2a-46463438ff4b","originalStreamPosition":0,"correlationId":"01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec","causationId":"01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec","auditLevel":"Info","originalBody":{"orderId":"01a1e5c6-a6b3-77bd-8c2a-46463438ff4b","customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"},"total":"6.20"}}', '{"correlationId":"01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec","causationId":"01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec","traceparent":"00-01a1e5c6a6a676f2b342e0bdee40e0ec-b342e0bdee40e0ec-00","v":1}', 1, false, '\x1eb8edd99aa548699ceddaaba8c487c33eb7bbf94b02f69da22dd251954a0f06', '\x463fd907381d98e5b2d81efd315fdf8be0abbbd3981b31419c43c55c802130b2', 'harbour', '2026-11-16 19:12:43.708108+00'),
	(230, 244, '01a1e5c6-a6b4-773d-a760-ebe04975da8c', 'CommandAudited', '{"id":"01a1e5c6-a6b4-773d-a760-ebe04975da8c","commandType":"CreateOrder","commandBody":{"customerId":"018f0000-0000-7000-8000-000000000001","lineItems":[{"productId":"bread","quantity":2,"unitPrice":"3.10"}],"shippingAddress":{"street":"High Street 1","city":"York","state":"YO","zipCode":"YO1"}},"correlationId":"01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec","auditLevel":"Info","receptorName":"CreateOrderReceptor","responseType":"CreateOrderResult"}', '{"correlationId":"01a1e5c6-a6a6-76f2-b342-e0bdee40e0ec","traceparent":"00-01a1e5c6a6a676f2b342e0bdee40e0ec-b342e0bdee40e0ec-00","v":1}', NULL, false, '\xacfa3e36c5d693a8b9aff8110ad6c584e9a88d1eca941159c9d56167fa1714ee', '\x476285e9d23e26f043dcdd5d68a21252344da474185073d04429bad094582438', 'harbour', '2026-11-16 19:12:43.708108+00'),
	(231, 246, '01a1e5c6-a749-723d-8a8f-132a4111d5ef', 'EventAudited', '{"id":"01a1e5c6-a749-723d-8a8f-132a4111d5ef","originalEventId":"01a1e5c6-a749-723c-b43b-255d963e60cc","originalEventType":"OrderShipped","originalStreamId":"01a1e5c6-a6b3-77bd-8c2a-46463438ff4b","originalStreamPosition":0,"correlationId":"01a1e5c6-a6ff-74c8-9c1d-aeb698d824be","causationId":"01a1e5c6-a6ff-74c8-9c1d-aeb698d824be","auditLevel":"Info","originalBody":{"orderId":"01a1e5c6-a6b3-77bd-8c2a-46463438ff4b","carrier":"Royal Mail"}}', '{"correlationId":"01a1e5c6-a6ff-74c8-9c1d-aeb698d824be","causationId":"01a1e5c6-a6ff-74c8-9c1d-aeb698d824be","traceparent":"00-01a1e5c6a6ff74c89c1daeb698d824be-9c1daeb698d824be-00","v":1}', 2, false, '\xe749385538f0b1d23663cfa05664ae42b99e30aba0e2883ca9ca5bfcbcc06bd6', '\xf3d6127cd75c01a3b9bb8ee6d93a59d69c6c95d418ac86c381b63c01789be105', 'harbour', '2026-11-16 19:12:43.865284+00'),
	(232, 247, '01a1e5c6-a749-723e-9403-9eeda45e10fd', 'CommandAudited', '{"id":"01a1e5c6-a749-723e-9403-9eeda45e10fd","commandType":"ShipOrder","commandBody":{"orderId":"01a1e5c6-a6b3-77bd-8c2a-46463438ff4b","carrier":"Royal Mail"},"correlationId":"01a1e5c6-a6ff-74c8-9c1d-aeb698d824be","auditLevel":"Info","receptorName":"ShipOrderReceptor","responseType":"ShipOrderResult"}', '{"correlationId":"01a1e5c6-a6ff-74c8-9c1d-aeb698d824be","traceparent":"00-01a1e5c6a6ff74c89c1daeb698d824be-9c1daeb698d824be-00","v":1}', NULL, false, '\xadd5f208f06a5c0fcc068b8b1e839ce928c16b45fcbfb1c4c0d45fb0e144438b', '\x146efeecdd862ef1551a50e8bb023c8831f8f7af1286a60a1419366f219e42b3', 'harbour', '2026-11-16 19:12:43.865284+00');
SELECT pg_catalog.setval('public.svc_dead_letter_records_id_seq', 1, true);
SELECT pg_catalog.setval('public.svc_origins_origin_seq', 1, false);
ALTER TABLE ONLY public.parcels
    ADD CONSTRAINT parcels_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_api_keys
    ADD CONSTRAINT svc_api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_cursors
    ADD CONSTRAINT svc_cursors_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.svc_dead_letter_records
    ADD CONSTRAINT svc_dead_letter_records_global_position_key UNIQUE (global_position);
ALTER TABLE ONLY public.svc_dead_letter_records
    ADD CONSTRAINT svc_dead_letter_records_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_deployments
    ADD CONSTRAINT svc_deployments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_events
    ADD CONSTRAINT svc_events_event_id_origin_key UNIQUE (event_id, origin);
ALTER TABLE ONLY public.svc_events
    ADD CONSTRAINT svc_events_pkey PRIMARY KEY (global_position);
ALTER TABLE ONLY public.svc_events
    ADD CONSTRAINT svc_events_stream_id_origin_stream_position_key UNIQUE (stream_id, origin, stream_position);
ALTER TABLE ONLY public.svc_flag_names
    ADD CONSTRAINT svc_flag_names_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.svc_flags
    ADD CONSTRAINT svc_flags_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.svc_flags_version
    ADD CONSTRAINT svc_flags_version_pkey PRIMARY KEY (single);
ALTER TABLE ONLY public.svc_flushes
    ADD CONSTRAINT svc_flushes_pkey PRIMARY KEY (writer, flush);
ALTER TABLE ONLY public.svc_idempotency
    ADD CONSTRAINT svc_idempotency_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.svc_inbox_attempts
    ADD CONSTRAINT svc_inbox_attempts_pkey PRIMARY KEY (digest);
ALTER TABLE ONLY public.svc_migration_batches
    ADD CONSTRAINT svc_migration_batches_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_origins
    ADD CONSTRAINT svc_origins_pkey PRIMARY KEY (origin);
ALTER TABLE ONLY public.svc_origins
    ADD CONSTRAINT svc_origins_store_key UNIQUE (store);
ALTER TABLE ONLY public.svc_outbox_failures
    ADD CONSTRAINT svc_outbox_failures_pkey PRIMARY KEY (global_position);
ALTER TABLE ONLY public.svc_parked
    ADD CONSTRAINT svc_parked_pkey PRIMARY KEY (perspective, key);
ALTER TABLE ONLY public.svc_per_audit_log_43a29803
    ADD CONSTRAINT svc_per_audit_log_43a29803_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_per_order_steps_daa40a1d
    ADD CONSTRAINT svc_per_order_steps_daa40a1d_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_per_order_summary_ba9dcd97
    ADD CONSTRAINT svc_per_order_summary_ba9dcd97_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_perspectives
    ADD CONSTRAINT svc_perspectives_pkey PRIMARY KEY (table_name);
ALTER TABLE ONLY public.svc_rebuilds
    ADD CONSTRAINT svc_rebuilds_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.svc_received_system_events
    ADD CONSTRAINT svc_received_system_events_event_id_origin_key UNIQUE (event_id, origin);
ALTER TABLE ONLY public.svc_received_system_events
    ADD CONSTRAINT svc_received_system_events_id_key UNIQUE (id);
ALTER TABLE ONLY public.svc_received_system_events
    ADD CONSTRAINT svc_received_system_events_pkey PRIMARY KEY (origin, stream_position);
ALTER TABLE ONLY public.svc_rewind_replays
    ADD CONSTRAINT svc_rewind_replays_pkey PRIMARY KEY (rewind, perspective, from_position);
ALTER TABLE ONLY public.svc_rewinds
    ADD CONSTRAINT svc_rewinds_pkey PRIMARY KEY (global_position);
ALTER TABLE ONLY public.svc_role_assignments
    ADD CONSTRAINT svc_role_assignments_pkey PRIMARY KEY (tenant_id, user_id);
ALTER TABLE ONLY public.svc_roles
    ADD CONSTRAINT svc_roles_pkey PRIMARY KEY (role);
ALTER TABLE ONLY public.svc_roles_version
    ADD CONSTRAINT svc_roles_version_pkey PRIMARY KEY (single);
ALTER TABLE ONLY public.svc_schema_levels
    ADD CONSTRAINT svc_schema_levels_pkey PRIMARY KEY (owner);
ALTER TABLE ONLY public.svc_schema_migrations
    ADD CONSTRAINT svc_schema_migrations_pkey PRIMARY KEY (migration_key);
ALTER TABLE ONLY public.svc_snap_audit_log_43a29803
    ADD CONSTRAINT svc_snap_audit_log_43a29803_pkey PRIMARY KEY (key, at, store, stream_position);
ALTER TABLE ONLY public.svc_snap_order_steps_daa40a1d
    ADD CONSTRAINT svc_snap_order_steps_daa40a1d_pkey PRIMARY KEY (key, at, store, stream_position);
ALTER TABLE ONLY public.svc_snap_order_summary_ba9dcd97
    ADD CONSTRAINT svc_snap_order_summary_ba9dcd97_pkey PRIMARY KEY (key, at, store, stream_position);
ALTER TABLE ONLY public.svc_store
    ADD CONSTRAINT svc_store_pkey PRIMARY KEY (single);
ALTER TABLE ONLY public.svc_system_events
    ADD CONSTRAINT svc_system_events_event_id_key UNIQUE (event_id);
ALTER TABLE ONLY public.svc_system_events
    ADD CONSTRAINT svc_system_events_global_position_key UNIQUE (global_position);
ALTER TABLE ONLY public.svc_system_events
    ADD CONSTRAINT svc_system_events_pkey PRIMARY KEY (stream_position);
CREATE INDEX parcels_label ON public.parcels USING btree (label);
CREATE INDEX svc_by_43a29803_correlation_id ON public.svc_per_audit_log_43a29803 USING btree (tenant, correlation_id, id);
CREATE INDEX svc_by_43a29803_event_type ON public.svc_per_audit_log_43a29803 USING btree (tenant, event_type, id);
CREATE INDEX svc_by_43a29803_id ON public.svc_per_audit_log_43a29803 USING btree (tenant, id);
CREATE INDEX svc_by_43a29803_position ON public.svc_per_audit_log_43a29803 USING btree (tenant, "position", id);
CREATE INDEX svc_by_43a29803_timestamp ON public.svc_per_audit_log_43a29803 USING btree (tenant, "timestamp", id);
CREATE INDEX svc_by_43a29803_user_id ON public.svc_per_audit_log_43a29803 USING btree (tenant, user_id, id);
CREATE INDEX svc_by_ba9dcd97_customer_id ON public.svc_per_order_summary_ba9dcd97 USING btree (tenant, customer_id, id);
CREATE INDEX svc_by_ba9dcd97_id ON public.svc_per_order_summary_ba9dcd97 USING btree (tenant, id);
CREATE INDEX svc_by_ba9dcd97_status ON public.svc_per_order_summary_ba9dcd97 USING btree (tenant, status, id);
CREATE INDEX svc_by_ba9dcd97_total ON public.svc_per_order_summary_ba9dcd97 USING btree (tenant, total, id);
CREATE INDEX svc_by_daa40a1d_id ON public.svc_per_order_steps_daa40a1d USING btree (tenant, id);
CREATE UNIQUE INDEX svc_dead_letter_received ON public.svc_dead_letter_records USING btree (destination, digest) WHERE (source = 'inbox'::text);
CREATE INDEX svc_dead_letter_replays ON public.svc_dead_letter_records USING btree (id) WHERE (state = 'replaying'::text);
CREATE INDEX svc_dead_letter_waiting ON public.svc_dead_letter_records USING btree (id) WHERE ((source = 'inbox'::text) AND (state = ANY (ARRAY['dead'::text, 'replaying'::text])));
CREATE INDEX svc_deployments_started ON public.svc_deployments USING btree (started_at);
CREATE UNIQUE INDEX svc_deployments_unfinished ON public.svc_deployments USING btree ((true)) WHERE (finished_at IS NULL);
CREATE INDEX svc_events_future ON public.svc_events USING btree (occurred_at) WHERE (occurred_at > recorded_at);
CREATE INDEX svc_events_order ON public.svc_events USING btree (stream_id, occurred_at) WHERE ((origin <> 0) OR (occurred_at > recorded_at));
CREATE UNIQUE INDEX svc_rebuilds_open ON public.svc_rebuilds USING btree (table_name) WHERE (ended_at IS NULL);
CREATE INDEX svc_rebuilds_table ON public.svc_rebuilds USING btree (table_name);
CREATE INDEX svc_rewinds_stream ON public.svc_rewinds USING btree (stream_id);
CREATE TRIGGER svc_api_keys_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.svc_api_keys FOR EACH STATEMENT EXECUTE FUNCTION public.svc_api_keys_changed();
CREATE TRIGGER svc_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.svc_events FOR EACH STATEMENT EXECUTE FUNCTION public.svc_refuse_change();
CREATE TRIGGER svc_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.svc_received_system_events FOR EACH STATEMENT EXECUTE FUNCTION public.svc_refuse_change();
CREATE TRIGGER svc_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.svc_system_events FOR EACH STATEMENT EXECUTE FUNCTION public.svc_refuse_change();
CREATE TRIGGER svc_flags_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.svc_flags FOR EACH STATEMENT EXECUTE FUNCTION public.svc_flags_changed();
CREATE TRIGGER svc_roles_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.svc_role_assignments FOR EACH STATEMENT EXECUTE FUNCTION public.svc_roles_changed();
CREATE TRIGGER svc_roles_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.svc_roles FOR EACH STATEMENT EXECUTE FUNCTION public.svc_roles_changed();
ALTER TABLE public.svc_per_audit_log_43a29803 ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.svc_per_order_steps_daa40a1d ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.svc_per_order_summary_ba9dcd97 ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.svc_snap_audit_log_43a29803 ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.svc_snap_order_steps_daa40a1d ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.svc_snap_order_summary_ba9dcd97 ENABLE ROW LEVEL SECURITY;
CREATE POLICY svc_tenant ON public.svc_per_audit_log_43a29803 FOR SELECT USING ((NOT (tenant IS DISTINCT FROM NULLIF(current_setting('svc.tenant'::text, true), ''::text))));
CREATE POLICY svc_tenant ON public.svc_per_order_steps_daa40a1d FOR SELECT USING ((NOT (tenant IS DISTINCT FROM NULLIF(current_setting('svc.tenant'::text, true), ''::text))));
CREATE POLICY svc_tenant ON public.svc_per_order_summary_ba9dcd97 FOR SELECT USING ((NOT (tenant IS DISTINCT FROM NULLIF(current_setting('svc.tenant'::text, true), ''::text))));
CREATE POLICY svc_tenant ON public.svc_snap_audit_log_43a29803 FOR SELECT USING ((NOT (tenant IS DISTINCT FROM NULLIF(current_setting('svc.tenant'::text, true), ''::text))));
CREATE POLICY svc_tenant ON public.svc_snap_order_steps_daa40a1d FOR SELECT USING ((NOT (tenant IS DISTINCT FROM NULLIF(current_setting('svc.tenant'::text, true), ''::text))));
CREATE POLICY svc_tenant ON public.svc_snap_order_summary_ba9dcd97 FOR SELECT USING ((NOT (tenant IS DISTINCT FROM NULLIF(current_setting('svc.tenant'::text, true), ''::text))));
GRANT USAGE ON SCHEMA public TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_admit_origin(p_owner uuid, p_ms integer, p_store uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_admit_origin(p_owner uuid, p_ms integer, p_store uuid) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_advance_cursor(p_name text, p_owner uuid, p_from bigint, p_to bigint, p_ms integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_advance_cursor(p_name text, p_owner uuid, p_from bigint, p_to bigint, p_ms integer) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_advance_perspective(p_name text, p_owner uuid, p_from bigint, p_to bigint, p_ms integer, p_batch json) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.svc_append(p_writer uuid, p_flush bigint, p_host text, d_stream uuid[], u_pairs integer[], u_events integer[], u_records integer[], u_key bytea[], u_print bytea[], u_code smallint[], u_body text[], p_stream integer[], p_expected bigint[], e_stream integer[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_at timestamp with time zone[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_publish boolean[], s_digest bytea[], s_of integer[], OUT r_status smallint[], OUT r_position bigint[], OUT r_global bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_append(p_writer uuid, p_flush bigint, p_host text, d_stream uuid[], u_pairs integer[], u_events integer[], u_records integer[], u_key bytea[], u_print bytea[], u_code smallint[], u_body text[], p_stream integer[], p_expected bigint[], e_stream integer[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_at timestamp with time zone[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_publish boolean[], s_digest bytea[], s_of integer[], OUT r_status smallint[], OUT r_position bigint[], OUT r_global bigint[]) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_append_v2(p_writer uuid, p_flush bigint, p_host text, d_stream uuid[], u_pairs integer[], u_events integer[], u_records integer[], u_key bytea[], u_print bytea[], u_code smallint[], u_body text[], p_stream integer[], p_expected bigint[], e_stream integer[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_at timestamp with time zone[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_publish boolean[], s_digest bytea[], s_of integer[], OUT r_status smallint[], OUT r_position bigint[], OUT r_global bigint[], OUT r_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_append_v2(p_writer uuid, p_flush bigint, p_host text, d_stream uuid[], u_pairs integer[], u_events integer[], u_records integer[], u_key bytea[], u_print bytea[], u_code smallint[], u_body text[], p_stream integer[], p_expected bigint[], e_stream integer[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_at timestamp with time zone[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_publish boolean[], s_digest bytea[], s_of integer[], OUT r_status smallint[], OUT r_position bigint[], OUT r_global bigint[], OUT r_at timestamp with time zone) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_claim_rewinds(p_perspective text, p_to bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_claim_rewinds(p_perspective text, p_to bigint) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_close_rewind(p_rewind bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_close_rewind(p_rewind bigint) TO svc_runtime;
REVOKE ALL ON PROCEDURE public.svc_commit(IN p_writer uuid, IN p_flush bigint, IN p_host text, IN d_stream uuid[], IN u_pairs integer[], IN u_events integer[], IN u_records integer[], IN u_key bytea[], IN u_print bytea[], IN u_code smallint[], IN u_body text[], IN p_stream integer[], IN p_expected bigint[], IN e_stream integer[], IN e_id uuid[], IN e_type text[], IN e_data json[], IN e_meta json[], IN e_at timestamp with time zone[], IN s_id uuid[], IN s_type text[], IN s_data json[], IN s_meta json[], IN s_publish boolean[], IN s_digest bytea[], IN s_of integer[], INOUT r_status smallint[], INOUT r_position bigint[], INOUT r_global bigint[]) FROM PUBLIC;
GRANT ALL ON PROCEDURE public.svc_commit(IN p_writer uuid, IN p_flush bigint, IN p_host text, IN d_stream uuid[], IN u_pairs integer[], IN u_events integer[], IN u_records integer[], IN u_key bytea[], IN u_print bytea[], IN u_code smallint[], IN u_body text[], IN p_stream integer[], IN p_expected bigint[], IN e_stream integer[], IN e_id uuid[], IN e_type text[], IN e_data json[], IN e_meta json[], IN e_at timestamp with time zone[], IN s_id uuid[], IN s_type text[], IN s_data json[], IN s_meta json[], IN s_publish boolean[], IN s_digest bytea[], IN s_of integer[], INOUT r_status smallint[], INOUT r_position bigint[], INOUT r_global bigint[]) TO svc_runtime;
REVOKE ALL ON PROCEDURE public.svc_commit_v2(IN p_writer uuid, IN p_flush bigint, IN p_host text, IN d_stream uuid[], IN u_pairs integer[], IN u_events integer[], IN u_records integer[], IN u_key bytea[], IN u_print bytea[], IN u_code smallint[], IN u_body text[], IN p_stream integer[], IN p_expected bigint[], IN e_stream integer[], IN e_id uuid[], IN e_type text[], IN e_data json[], IN e_meta json[], IN e_at timestamp with time zone[], IN s_id uuid[], IN s_type text[], IN s_data json[], IN s_meta json[], IN s_publish boolean[], IN s_digest bytea[], IN s_of integer[], INOUT r_status smallint[], INOUT r_position bigint[], INOUT r_global bigint[], INOUT r_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON PROCEDURE public.svc_commit_v2(IN p_writer uuid, IN p_flush bigint, IN p_host text, IN d_stream uuid[], IN u_pairs integer[], IN u_events integer[], IN u_records integer[], IN u_key bytea[], IN u_print bytea[], IN u_code smallint[], IN u_body text[], IN p_stream integer[], IN p_expected bigint[], IN e_stream integer[], IN e_id uuid[], IN e_type text[], IN e_data json[], IN e_meta json[], IN e_at timestamp with time zone[], IN s_id uuid[], IN s_type text[], IN s_data json[], IN s_meta json[], IN s_publish boolean[], IN s_digest bytea[], IN s_of integer[], INOUT r_status smallint[], INOUT r_position bigint[], INOUT r_global bigint[], INOUT r_at timestamp with time zone) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_declare_flags(names text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_declare_flags(names text[]) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_inbox_begin(p_owner uuid, p_digest bytea, OUT held boolean, OUT begun integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_inbox_begin(p_owner uuid, p_digest bytea, OUT held boolean, OUT begun integer) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_inbox_dead_letter(p_owner uuid, p_message uuid, p_type text, p_subject text, p_error text, p_fingerprint text, p_headers json, p_body bytea, p_bytes integer, p_digest bytea, OUT held boolean, OUT dead_id bigint, OUT fresh boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_inbox_dead_letter(p_owner uuid, p_message uuid, p_type text, p_subject text, p_error text, p_fingerprint text, p_headers json, p_body bytea, p_bytes integer, p_digest bytea, OUT held boolean, OUT dead_id bigint, OUT fresh boolean) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_inbox_dead_letters(p_owner uuid, l_message uuid[], l_type text[], l_subject text[], l_error text[], l_fingerprint text[], l_headers json[], l_body bytea[], l_bytes integer[], l_digest bytea[], OUT r_status smallint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_inbox_dead_letters(p_owner uuid, l_message uuid[], l_type text[], l_subject text[], l_error text[], l_fingerprint text[], l_headers json[], l_body bytea[], l_bytes integer[], l_digest bytea[], OUT r_status smallint[]) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_inbox_end(p_owner uuid, p_digest bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_inbox_end(p_owner uuid, p_digest bytea) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_inbox_replayed(p_ids bigint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_inbox_replayed(p_ids bigint[]) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_inbox_replays(p_owner uuid, p_limit integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_inbox_replays(p_owner uuid, p_limit integer) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_inbox_turn(p_owner uuid, p_ms integer, OUT held boolean, OUT remaining_ms integer, OUT replays boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_inbox_turn(p_owner uuid, p_ms integer, OUT held boolean, OUT remaining_ms integer, OUT replays boolean) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_models(p_table text, p_keys text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_models(p_table text, p_keys text[]) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_note_late(p_global bigint, p_stream uuid, p_event uuid, p_type text) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.svc_outbox_dead_letter(p_owner uuid, p_position bigint, p_attempts integer, p_error text, p_fingerprint text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_outbox_dead_letter(p_owner uuid, p_position bigint, p_attempts integer, p_error text, p_fingerprint text) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_outbox_refused(p_owner uuid, p_position bigint, p_error text, p_again_ms integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_outbox_refused(p_owner uuid, p_position bigint, p_error text, p_again_ms integer) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_outbox_republish(p_from bigint, OUT cursor_was bigint, OUT messages bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_outbox_republish(p_from bigint, OUT cursor_was bigint, OUT messages bigint) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_outbox_turn(p_owner uuid, p_ms integer, OUT held boolean, OUT at_position bigint, OUT remaining_ms integer, OUT head bigint, OUT replays boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_outbox_turn(p_owner uuid, p_ms integer, OUT held boolean, OUT at_position bigint, OUT remaining_ms integer, OUT head bigint, OUT replays boolean) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_page_statement(p_selected text, p_query jsonb, p_part jsonb, p_limit bigint, p_offset bigint) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.svc_perspective_turn(p_owner uuid, p_names text[], p_ms integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_perspective_turn(p_owner uuid, p_names text[], p_ms integer) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_protect_rows(p_table text) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.svc_prune() FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_prune() TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_read_rows(p_from text, p_query jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_read_rows(p_from text, p_query jsonb) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_receive(p_owner uuid, p_ms integer, e_store uuid[], e_stream uuid[], e_position bigint[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_host text[], e_at text[], OUT r_status smallint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_receive(p_owner uuid, p_ms integer, e_store uuid[], e_stream uuid[], e_position bigint[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_host text[], e_at text[], OUT r_status smallint[]) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_receive_head(p_owner uuid, p_ms integer, p_store uuid, p_position bigint, p_hash bytea, OUT held boolean, OUT differs boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_receive_head(p_owner uuid, p_ms integer, p_store uuid, p_position bigint, p_hash bytea, OUT held boolean, OUT differs boolean) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_receive_system(p_owner uuid, p_ms integer, s_store uuid[], s_position bigint[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_original bigint[], s_omitted boolean[], s_digest bytea[], s_hash bytea[], s_host text[], s_at text[], OUT r_status smallint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_receive_system(p_owner uuid, p_ms integer, s_store uuid[], s_position bigint[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_original bigint[], s_omitted boolean[], s_digest bytea[], s_hash bytea[], s_host text[], s_at text[], OUT r_status smallint[]) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_receive_v2(p_owner uuid, p_ms integer, e_store uuid[], e_stream uuid[], e_position bigint[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_host text[], e_at text[], e_recorded text[], OUT r_status smallint[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_receive_v2(p_owner uuid, p_ms integer, e_store uuid[], e_stream uuid[], e_position bigint[], e_id uuid[], e_type text[], e_data json[], e_meta json[], e_host text[], e_at text[], e_recorded text[], OUT r_status smallint[]) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_release_lease(p_name text, p_owner uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_release_lease(p_name text, p_owner uuid) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_release_parked(p_perspective text, p_key text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_release_parked(p_perspective text, p_key text) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_replay_dead_letters(p_fingerprint text, p_error text, p_by text, OUT replaying bigint, OUT cut bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_replay_dead_letters(p_fingerprint text, p_error text, p_by text, OUT replaying bigint, OUT cut bigint) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_resolve_dead_letter(p_id bigint, p_state text, p_by text, p_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_resolve_dead_letter(p_id bigint, p_state text, p_by text, p_reason text) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_rewind_announced(p_rewind bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_rewind_announced(p_rewind bigint) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_rewind_told(p_rewind bigint, p_perspective text, p_from bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_rewind_told(p_rewind bigint, p_perspective text, p_from bigint) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_rewound(p_perspective text, p_to bigint, p_replays json) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.svc_row_condition(p jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.svc_row_conditions(p jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.svc_row_key(p jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.svc_row_order(p_part jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.svc_selected_rows(p_from text, p_query jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.svc_set_flag(flag text, turned_on boolean, share numeric, tenant_rules jsonb, user_rules jsonb, actor text, given_reason text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_set_flag(flag text, turned_on boolean, share numeric, tenant_rules jsonb, user_rules jsonb, actor text, given_reason text) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_snapshot(p_table text, p_key text, p_at bigint, p_store uuid, p_position bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_snapshot(p_table text, p_key text, p_at bigint, p_store uuid, p_position bigint) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_store_dated(p_global bigint, p_stream uuid, p_position bigint, p_event uuid, p_type text, p_data json, p_meta json, p_host text, p_stated timestamp with time zone, p_at timestamp with time zone) FROM PUBLIC;
REVOKE ALL ON FUNCTION public.svc_take_lease(p_name text, p_owner uuid, p_ms integer, OUT held boolean, OUT at_position bigint, OUT remaining_ms integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_take_lease(p_name text, p_owner uuid, p_ms integer, OUT held boolean, OUT at_position bigint, OUT remaining_ms integer) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_write_audit_log_43a29803(p_owner uuid, p_from bigint, p_to bigint, p_ms integer, p_batch json) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_write_audit_log_43a29803(p_owner uuid, p_from bigint, p_to bigint, p_ms integer, p_batch json) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_write_order_steps_daa40a1d(p_owner uuid, p_from bigint, p_to bigint, p_ms integer, p_batch json) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_write_order_steps_daa40a1d(p_owner uuid, p_from bigint, p_to bigint, p_ms integer, p_batch json) TO svc_runtime;
REVOKE ALL ON FUNCTION public.svc_write_order_summary_ba9dcd97(p_owner uuid, p_from bigint, p_to bigint, p_ms integer, p_batch json) FROM PUBLIC;
GRANT ALL ON FUNCTION public.svc_write_order_summary_ba9dcd97(p_owner uuid, p_from bigint, p_to bigint, p_ms integer, p_batch json) TO svc_runtime;
GRANT SELECT ON TABLE public.svc_api_keys TO svc_runtime;
GRANT SELECT ON TABLE public.svc_cursors TO svc_runtime;
GRANT SELECT ON TABLE public.svc_dead_letter_records TO svc_runtime;
GRANT SELECT ON TABLE public.svc_dead_letters TO svc_runtime;
GRANT SELECT ON TABLE public.svc_deployments TO svc_runtime;
GRANT SELECT ON TABLE public.svc_events TO svc_runtime;
GRANT SELECT ON TABLE public.svc_event_stream TO svc_runtime;
GRANT SELECT ON TABLE public.svc_flag_names TO svc_runtime;
GRANT SELECT ON TABLE public.svc_flags TO svc_runtime;
GRANT SELECT ON TABLE public.svc_flags_version TO svc_runtime;
GRANT SELECT ON TABLE public.svc_flushes TO svc_runtime;
GRANT SELECT ON TABLE public.svc_idempotency TO svc_runtime;
GRANT SELECT ON TABLE public.svc_origins TO svc_runtime;
GRANT SELECT ON TABLE public.svc_outbox_failures TO svc_runtime;
GRANT SELECT ON TABLE public.svc_system_events TO svc_runtime;
GRANT SELECT ON TABLE public.svc_outbox_pending TO svc_runtime;
GRANT SELECT ON TABLE public.svc_parked TO svc_runtime;
GRANT SELECT ON TABLE public.svc_per_audit_log_43a29803 TO svc_runtime;
GRANT SELECT ON TABLE public.svc_per_audit_log TO svc_runtime;
GRANT SELECT ON TABLE public.svc_per_order_steps_daa40a1d TO svc_runtime;
GRANT SELECT ON TABLE public.svc_per_order_steps TO svc_runtime;
GRANT SELECT ON TABLE public.svc_per_order_summary_ba9dcd97 TO svc_runtime;
GRANT SELECT ON TABLE public.svc_per_order_summary TO svc_runtime;
GRANT SELECT ON TABLE public.svc_perspectives TO svc_runtime;
GRANT SELECT ON TABLE public.svc_rebuilds TO svc_runtime;
GRANT SELECT ON TABLE public.svc_received_system_events TO svc_runtime;
GRANT SELECT ON TABLE public.svc_rewind_replays TO svc_runtime;
GRANT SELECT ON TABLE public.svc_rewinds TO svc_runtime;
GRANT SELECT ON TABLE public.svc_role_assignments TO svc_runtime;
GRANT SELECT ON TABLE public.svc_roles TO svc_runtime;
GRANT SELECT ON TABLE public.svc_roles_version TO svc_runtime;
GRANT SELECT ON TABLE public.svc_schema_migrations TO svc_runtime;
GRANT SELECT ON TABLE public.svc_snap_audit_log_43a29803 TO svc_runtime;
GRANT SELECT ON TABLE public.svc_snap_order_steps_daa40a1d TO svc_runtime;
GRANT SELECT ON TABLE public.svc_snap_order_summary_ba9dcd97 TO svc_runtime;
GRANT SELECT ON TABLE public.svc_store TO svc_runtime;
GRANT SELECT ON TABLE public.svc_system_stream TO svc_runtime;
RESET ALL;
