-- The keys of subjects: those who read values need them, and forgetting a subject destroys its key.

CREATE TABLE svc_subject_keys (
  -- A digest of the id; the row with an empty one holds the salt in key_id, and a value to check the master key with.
  subject text PRIMARY KEY,
  key_id uuid NOT NULL UNIQUE,
  wrapped_key bytea,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  forgotten_at timestamptz,
  -- Whether what read models hold of it has been noted.
  noted boolean NOT NULL DEFAULT false
);
INSERT INTO svc_subject_keys(subject, key_id) VALUES ('', gen_random_uuid());
CREATE INDEX svc_subject_keys_forgotten ON svc_subject_keys(forgotten_at) WHERE forgotten_at IS NOT NULL;
CREATE INDEX svc_subject_keys_to_note ON svc_subject_keys(subject) WHERE forgotten_at IS NOT NULL AND NOT noted;

-- Which streams hold values of a subject.
CREATE TABLE svc_subject_streams (
  subject text,
  stream_id uuid,
  PRIMARY KEY (subject, stream_id)
);

-- Read models that still hold values of a forgotten subject; each row ends when its rebuild has.
CREATE TABLE svc_subject_rewinds (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  table_name text NOT NULL,
  name text NOT NULL,
  streams uuid[] NOT NULL,
  -- The end of the log after the key was destroyed: what is stored later is null anyway.
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

-- The key of a subject, and that this stream holds values of it, unless it is null; without a key to store, only one that exists.
-- Lock: the row of the key, shared.
CREATE FUNCTION svc_subject_key(p_subject text, p_stream uuid, p_key uuid, p_wrapped bytea)
RETURNS TABLE(key_id uuid, wrapped_key bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  v_digest text := svc_subject_digest(p_subject);
BEGIN
  IF p_key IS NOT NULL THEN
    INSERT INTO svc_subject_keys(subject, key_id, wrapped_key) VALUES (v_digest, p_key, p_wrapped) ON CONFLICT DO NOTHING;
  END IF;
  -- Waits for a forget under way, which must see every stream that was noted before it.
  RETURN QUERY SELECT k.key_id, k.wrapped_key FROM svc_subject_keys k WHERE k.subject = v_digest FOR SHARE;
  IF FOUND AND p_stream IS NOT NULL THEN
    INSERT INTO svc_subject_streams(subject, stream_id)
      SELECT v_digest, p_stream WHERE NOT EXISTS (
        SELECT 1 FROM svc_subject_streams s WHERE s.subject = v_digest AND s.stream_id = p_stream)
      ON CONFLICT DO NOTHING;
  END IF;
END $$;

-- The first master key is the one that counts.
-- Lock: the row of the salt.
CREATE FUNCTION svc_subject_check(p_wrapped bytea) RETURNS bytea
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE svc_subject_keys SET wrapped_key = coalesce(wrapped_key, p_wrapped) WHERE subject = '' RETURNING wrapped_key
$$;

-- The rows of read models that may hold values of a subject, by the streams that they are folded from. Who altered or
-- deleted an event leaves its note, or the row.
-- Lock: none.
CREATE FUNCTION svc_subject_models(p_digest text)
RETURNS TABLE(table_name text, name text, streams uuid[]) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  p record; v_table text; v_id text; v_more uuid[];
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
      -- A rebuild that starts drops what an earlier one replaced.
      BEGIN
        EXECUTE format('SELECT array_agg(s.stream_id) FROM svc_subject_streams s WHERE s.subject = $1
          AND EXISTS (SELECT 1 FROM %I r WHERE r.%I = s.stream_id::text)', v_table, v_id) INTO v_more USING p_digest;
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

-- Destroys the key. Called by the owner alone.
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
    NOTIFY svc_subjects;
  END IF;
  RETURN QUERY SELECT v_digest, v_wrapped IS NOT NULL,
    (SELECT coalesce(json_agg(DISTINCT m.name ORDER BY m.name), '[]') FROM svc_subject_models(v_digest) m);
END $$;

-- Notes what has to be folded again. In a later transaction than the one that destroys the key: until that one has
-- committed, a value may still be read.
-- Lock: the rows of the keys.
CREATE FUNCTION svc_note_forgotten() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  k record;
BEGIN
  FOR k IN SELECT subject FROM svc_subject_keys WHERE forgotten_at IS NOT NULL AND NOT noted FOR UPDATE SKIP LOCKED LOOP
    INSERT INTO svc_subject_rewinds(table_name, name, streams, head)
      SELECT m.table_name, m.name, m.streams, svc_head()
      FROM svc_subject_models(k.subject) m;
    UPDATE svc_subject_keys SET noted = true WHERE subject = k.subject;
    NOTIFY svc_subjects;
  END LOOP;
END $$;

-- Requests a rebuild of the noted rows where none is open and a host runs the read model; returns when a subject was last forgotten.
-- Lock: the rows of the rewinds.
CREATE FUNCTION svc_subject_turn() RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  w record; v_rebuild uuid;
BEGIN
  IF EXISTS (SELECT 1 FROM svc_subject_keys WHERE forgotten_at IS NOT NULL AND NOT noted) THEN
    PERFORM svc_note_forgotten();
  END IF;
  IF EXISTS (SELECT 1 FROM svc_subject_rewinds) THEN
    FOR w IN DELETE FROM svc_subject_rewinds r WHERE NOT EXISTS (SELECT 1 FROM svc_perspectives p WHERE p.table_name = r.table_name)
      OR EXISTS (SELECT 1 FROM svc_rebuilds b WHERE b.id = r.rebuild AND b.state = 'done') RETURNING r.table_name
    LOOP
      -- An earlier rebuild may have left the table that it replaced.
      EXECUTE format('DROP TABLE IF EXISTS %I, %I', replace(w.table_name, 'svc_per_', 'svc_old_per_'),
        replace(w.table_name, 'svc_per_', 'svc_old_snap_'));
    END LOOP;
    UPDATE svc_subject_rewinds r SET rebuild = NULL WHERE r.rebuild IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM svc_rebuilds b WHERE b.id = r.rebuild AND b.ended_at IS NULL);
    FOR w IN SELECT r.id, r.table_name, r.name, r.streams, r.whole FROM svc_subject_rewinds r JOIN svc_cursors c ON c.name = r.table_name
      WHERE r.rebuild IS NULL AND c.position >= r.head AND c.lease_until > clock_timestamp()
        -- One that fails is not repeated at once.
        AND (r.requested_at IS NULL OR abs(extract(epoch FROM clock_timestamp() - r.requested_at)) > 30)
      ORDER BY r.id FOR UPDATE OF r SKIP LOCKED
    LOOP
      v_rebuild := NULL;
      -- Never an open one: it may have read values before they were forgotten.
      INSERT INTO svc_rebuilds(id, table_name, name, mode, streams, force)
        VALUES (gen_random_uuid(), w.table_name, w.name, CASE WHEN w.whole THEN 'BlueGreen' ELSE 'SelectedStreams' END,
          CASE WHEN w.whole THEN '{}' ELSE w.streams END, true)
        ON CONFLICT (table_name) WHERE ended_at IS NULL DO NOTHING RETURNING id INTO v_rebuild;
      IF v_rebuild IS NOT NULL THEN
        UPDATE svc_subject_rewinds SET rebuild = v_rebuild, requested_at = clock_timestamp() WHERE id = w.id;
        NOTIFY svc_lease;
      END IF;
    END LOOP;
  END IF;
  RETURN (SELECT max(forgotten_at)::text FROM svc_subject_keys WHERE forgotten_at IS NOT NULL);
END $$;
