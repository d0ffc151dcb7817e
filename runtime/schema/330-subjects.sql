-- The keys of subjects: reading values needs them, and forgetting a subject destroys its key.

CREATE TABLE svc_subject_keys (
  -- A digest of the id; the row with an empty one holds the salt in key_id and a value for checking the master key.
  subject text PRIMARY KEY,
  key_id uuid NOT NULL UNIQUE,
  wrapped_key bytea,
  -- The number of the master key that wraps it; with an empty subject, of the present one. 0: none of those given opens it.
  master int NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  forgotten_at timestamptz,
  -- Whether it is noted which read models hold its values.
  noted boolean NOT NULL DEFAULT false
);
INSERT INTO svc_subject_keys(subject, key_id) VALUES ('', gen_random_uuid());
CREATE INDEX svc_subject_keys_forgotten ON svc_subject_keys(forgotten_at) WHERE forgotten_at IS NOT NULL;
CREATE INDEX svc_subject_keys_to_rewrap ON svc_subject_keys(master) WHERE wrapped_key IS NOT NULL;
CREATE INDEX svc_subject_keys_to_note ON svc_subject_keys(subject) WHERE forgotten_at IS NOT NULL AND NOT noted;

-- Which streams hold values of a subject.
CREATE TABLE svc_subject_streams (
  subject text,
  stream_id uuid,
  PRIMARY KEY (subject, stream_id)
);

-- Read models that still hold values of a forgotten subject; a row is removed when its rebuild is done.
CREATE TABLE svc_subject_rewinds (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  table_name text NOT NULL,
  name text NOT NULL,
  streams uuid[] NOT NULL,
  -- The head of the log after the key was destroyed: values stored later are null anyway.
  head bigint NOT NULL,
  rebuild uuid,
  requested_at timestamptz,
  -- An event that cannot be read may be in any row.
  whole boolean NOT NULL DEFAULT false
);

-- How a subject is named in these tables.
-- Lock: none.
CREATE FUNCTION svc_subject_digest(p_subject text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(k.key_id || ':' || p_subject, 'UTF8')), 'hex') FROM svc_subject_keys k WHERE k.subject = ''
$$;

-- Returns the key of a subject, and notes that this stream, unless null, holds its values; without a key to store, only
-- an existing one. A key to store counts only if the present master key wraps it; p_master = the number of the one that did.
-- Lock: the rows of the key and of the salt, shared.
CREATE FUNCTION svc_subject_key(p_subject text, p_stream uuid, p_key uuid, p_wrapped bytea, p_master int)
RETURNS TABLE(key_id uuid, wrapped_key bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE v_digest text := svc_subject_digest(p_subject);
BEGIN
  IF p_key IS NOT NULL THEN
    -- A rotation of the master key that begins waits for this one.
    PERFORM 1 FROM svc_subject_keys k WHERE k.subject = '' AND k.master = p_master FOR SHARE;
    IF FOUND THEN
      INSERT INTO svc_subject_keys(subject, key_id, wrapped_key, master) VALUES (v_digest, p_key, p_wrapped, p_master)
        ON CONFLICT DO NOTHING;
    END IF;
  END IF;
  -- Waits for a forget in progress, which must see every stream noted before it.
  RETURN QUERY SELECT k.key_id, k.wrapped_key FROM svc_subject_keys k WHERE k.subject = v_digest FOR SHARE;
  IF FOUND AND p_stream IS NOT NULL THEN
    INSERT INTO svc_subject_streams(subject, stream_id)
      SELECT v_digest, p_stream WHERE NOT EXISTS (
        SELECT 1 FROM svc_subject_streams s WHERE s.subject = v_digest AND s.stream_id = p_stream)
      ON CONFLICT DO NOTHING;
  END IF;
END $$;

-- The first master key counts: keeps a value to check it with.
-- Lock: the row of the salt.
CREATE FUNCTION svc_subject_check(p_wrapped bytea) RETURNS bytea
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE svc_subject_keys SET wrapped_key = coalesce(wrapped_key, p_wrapped) WHERE subject = '' RETURNING wrapped_key
$$;

-- The rows of read models that may hold values of a subject, by the streams they are folded from. If someone altered or
-- deleted an event, its note or the row is still there.
-- Lock: none.
CREATE FUNCTION svc_subject_models(p_digest text)
RETURNS TABLE(table_name text, name text, streams uuid[]) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE p record; v_table text; v_id text; v_more uuid[];
BEGIN
  FOR p IN SELECT q.table_name, q.name, q.by_stream, array_agg(DISTINCT v.stream_id) FILTER (WHERE v.stream_id IS NOT NULL) AS streams
    FROM svc_perspectives q LEFT JOIN (
      SELECT DISTINCT e.stream_id, e.event_type FROM svc_subject_keys k JOIN svc_subject_streams s ON s.subject = k.subject
        JOIN svc_events e ON e.stream_id = s.stream_id AND e.origin = 0
          AND (e.metadata -> 'sealed' IS NOT NULL OR position('svc:sealed:1:' || k.key_id IN e.data::text) > 0)
        WHERE k.subject = p_digest) v ON v.event_type = ANY(q.types)
    GROUP BY q.table_name, q.name, q.by_stream
  LOOP
    FOR v_table, v_id IN SELECT replace(p.table_name, 'svc_per_', t.prefix), t.id
      FROM (VALUES ('svc_per_', 'id'), ('svc_snap_', 'key'), ('svc_old_per_', 'id'), ('svc_old_snap_', 'key')) t(prefix, id) WHERE p.by_stream
    LOOP
      -- A starting rebuild drops what an earlier one replaced.
      BEGIN
        EXECUTE format('SELECT array_agg(s.stream_id) FROM svc_subject_streams s WHERE s.subject = $1
          AND EXISTS (SELECT 1 FROM %I.%I r WHERE r.%I = s.stream_id::text)', current_schema(), v_table, v_id) INTO v_more USING p_digest;
        p.streams := p.streams || v_more;
      EXCEPTION WHEN undefined_table THEN
        NULL;
      END;
    END LOOP;
    IF p.streams IS NOT NULL THEN
      RETURN QUERY SELECT p.table_name, p.name, array_agg(DISTINCT u) FROM unnest(p.streams) u;
    END IF;
  END LOOP;
END $$;

-- Destroys the key. Only the owner calls it.
-- Lock: the row of the key.
CREATE FUNCTION svc_forget_subject(p_subject text)
RETURNS TABLE(digest text, forgotten boolean, models json) LANGUAGE plpgsql AS $$
DECLARE
  v_digest text := svc_subject_digest(p_subject);
  v_wrapped bytea;
BEGIN
  SELECT k.wrapped_key INTO v_wrapped FROM svc_subject_keys k WHERE k.subject = v_digest FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF v_wrapped IS NOT NULL THEN
    UPDATE svc_subject_keys k SET wrapped_key = NULL, forgotten_at = clock_timestamp() WHERE k.subject = v_digest;
  END IF;
  RETURN QUERY SELECT v_digest, v_wrapped IS NOT NULL,
    (SELECT coalesce(json_agg(DISTINCT m.name ORDER BY m.name), '[]') FROM svc_subject_models(v_digest) m);
END $$;

-- Destroys the key of a webhook, from which its secrets are derived, and of no other subject; returns how it is named here.
-- Lock: the row of the key.
CREATE FUNCTION svc_forget_webhook(p_webhook uuid) RETURNS text
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE svc_subject_keys k SET wrapped_key = NULL, forgotten_at = coalesce(k.forgotten_at, clock_timestamp())
    WHERE k.subject = svc_subject_digest('webhook:' || p_webhook) RETURNING k.subject
$$;

-- Notes what must be folded again, in a later transaction than the one that destroys the key: until that commits, a value
-- may still be read.
-- Lock: the rows of the keys.
CREATE FUNCTION svc_note_forgotten() RETURNS void LANGUAGE sql AS $$
  WITH forgotten AS (
    SELECT subject FROM svc_subject_keys WHERE forgotten_at IS NOT NULL AND NOT noted FOR UPDATE SKIP LOCKED),
  listed AS (
    INSERT INTO svc_subject_rewinds(table_name, name, streams, head)
      SELECT m.table_name, m.name, m.streams, svc_head() FROM forgotten f CROSS JOIN LATERAL svc_subject_models(f.subject) m)
  UPDATE svc_subject_keys k SET noted = true FROM forgotten f WHERE k.subject = f.subject
$$;

-- Requests a rebuild of the noted rows where none is open and a host runs the read model; returns when a
-- subject was last forgotten, and whether a rebuild was requested.
-- Lock: the rows of the rewinds; ACCESS EXCLUSIVE on tables that a rebuild has replaced.
CREATE FUNCTION svc_subject_turn(OUT forgotten_at text, OUT requested boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE dropped text;
BEGIN
  requested := false;
  IF EXISTS (SELECT 1 FROM svc_subject_keys k WHERE k.forgotten_at IS NOT NULL AND NOT k.noted) THEN
    PERFORM svc_note_forgotten();
  END IF;
  IF EXISTS (SELECT 1 FROM svc_subject_rewinds) THEN
    FOR dropped IN DELETE FROM svc_subject_rewinds r WHERE NOT EXISTS (SELECT 1 FROM svc_perspectives p WHERE p.table_name = r.table_name)
      OR EXISTS (SELECT 1 FROM svc_rebuilds b WHERE b.id = r.rebuild AND b.state = 'done') RETURNING r.table_name
    LOOP
      -- An earlier rebuild may have left the table that it replaced.
      EXECUTE format('DROP TABLE IF EXISTS %I, %I', replace(dropped, 'svc_per_', 'svc_old_per_'),
        replace(dropped, 'svc_per_', 'svc_old_snap_'));
    END LOOP;
    UPDATE svc_subject_rewinds r SET rebuild = NULL WHERE r.rebuild IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM svc_rebuilds b WHERE b.id = r.rebuild AND b.ended_at IS NULL);
    WITH due AS (
      SELECT r.id, r.table_name, r.name, r.streams, r.whole, gen_random_uuid() AS rebuild FROM svc_subject_rewinds r
        JOIN svc_progress p ON p.name = r.table_name JOIN svc_leases l ON l.name = r.table_name
      WHERE r.rebuild IS NULL AND p.position >= r.head AND l.lease_until > clock_timestamp()
        -- A rebuild that fails is not repeated at once.
        AND (r.requested_at IS NULL OR abs(extract(epoch FROM clock_timestamp() - r.requested_at)) > 30)
      ORDER BY r.id FOR UPDATE OF r SKIP LOCKED),
    made AS (
      -- Never joins an open rebuild: it may have read values before they were forgotten.
      INSERT INTO svc_rebuilds(id, table_name, name, mode, streams, force)
        SELECT d.rebuild, d.table_name, d.name, CASE WHEN d.whole THEN 'BlueGreen' ELSE 'SelectedStreams' END,
          CASE WHEN d.whole THEN '{}' ELSE d.streams END, true FROM due d
        ON CONFLICT (table_name) WHERE ended_at IS NULL DO NOTHING RETURNING id)
    UPDATE svc_subject_rewinds r SET rebuild = d.rebuild, requested_at = clock_timestamp()
      FROM due d JOIN made m ON m.id = d.rebuild WHERE r.id = d.id;
    requested := FOUND;
  END IF;
  SELECT max(k.forgotten_at)::text INTO forgotten_at FROM svc_subject_keys k WHERE k.forgotten_at IS NOT NULL;
END $$;
