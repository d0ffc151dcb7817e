/**
 * What came from other stores: domain events beside our own, system records by themselves, as their store chained them.
 * A place (stream, origin, position) is taken once; that is the inbox.
 * Status of a message: 1 stored, 2 there already, 3 the place holds something else, 4 it lies in the future, 5 too many stores.
 * No status at all: another one has the lease.
 */
export const inbox = /* sql */ `
INSERT INTO svc_cursors(name) VALUES ('inbox') ON CONFLICT DO NOTHING;

ALTER TABLE svc_origins ADD COLUMN IF NOT EXISTS head_position bigint;
ALTER TABLE svc_origins ADD COLUMN IF NOT EXISTS head_hash bytea;
ALTER TABLE svc_origins ADD COLUMN IF NOT EXISTS head_at timestamptz;

CREATE TABLE IF NOT EXISTS svc_received_system_events (
  id bigint NOT NULL UNIQUE,
  origin smallint NOT NULL,
  stream_position bigint NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  data json NOT NULL,
  metadata json NOT NULL,
  original_position bigint,
  -- The body was too large to travel: the digest tells about the whole one.
  omitted boolean NOT NULL,
  digest bytea NOT NULL,
  hash bytea NOT NULL,
  host text NOT NULL,
  recorded_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  PRIMARY KEY (origin, stream_position),
  UNIQUE (event_id, origin)
);
CREATE OR REPLACE TRIGGER svc_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON svc_received_system_events
  FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change();

-- The last message that this store may need an origin for is one of 10,000 stores: beyond that somebody makes them up.
CREATE OR REPLACE FUNCTION svc_origin_of(p_store uuid) RETURNS smallint LANGUAGE plpgsql AS $$
DECLARE known smallint;
BEGIN
  SELECT origin INTO known FROM svc_origins WHERE store = p_store;
  IF FOUND THEN RETURN known; END IF;
  INSERT INTO svc_origins(origin, store)
    SELECT max(origin) + 1, p_store FROM svc_origins HAVING max(origin) < 10000 RETURNING origin INTO known;
  RETURN known;
END $$;

-- Waits for the lock of svc_append and keeps the lease; every later statement sees what was committed before.
CREATE OR REPLACE FUNCTION svc_open_inbox(p_owner uuid, p_ms int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('svc'), 'svc_events'::regclass::oid::int);
  UPDATE svc_cursors SET lease_until = clock_timestamp() + p_ms * interval '1 ms', updated_at = clock_timestamp()
    WHERE name = 'inbox' AND owner = p_owner;
  RETURN FOUND;
END $$;

CREATE OR REPLACE FUNCTION svc_receive(p_owner uuid, p_ms int,
  e_store uuid[], e_stream uuid[], e_position bigint[], e_id uuid[], e_type text[], e_data json[], e_meta json[],
  e_host text[], e_at text[], OUT r_status smallint[])
LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
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
    st := 1; o := svc_origin_of(e_store[i]); happened := e_at[i]::timestamptz;
    IF o IS NULL THEN st := 5;
    ELSIF o = 0 THEN st := 2;
    ELSIF happened > now_at + interval '5 minutes' THEN st := 4;
    ELSE
      SELECT v.event_id = e_id[i] AND v.event_type = e_type[i] AND v.data::text = e_data[i]::text INTO same
        FROM svc_events v WHERE v.stream_id = e_stream[i] AND v.origin = o AND v.stream_position = e_position[i];
      IF FOUND THEN st := CASE WHEN same THEN 2 ELSE 3 END;
      ELSIF EXISTS (SELECT 1 FROM svc_events v WHERE v.event_id = e_id[i] AND v.origin = o) THEN st := 3;
      END IF;
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

CREATE OR REPLACE FUNCTION svc_receive_system(p_owner uuid, p_ms int,
  s_store uuid[], s_position bigint[], s_id uuid[], s_type text[], s_data json[], s_meta json[], s_original bigint[],
  s_omitted boolean[], s_digest bytea[], s_hash bytea[], s_host text[], s_at text[], OUT r_status smallint[])
LANGUAGE plpgsql SECURITY DEFINER
SET search_path FROM CURRENT SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE n bigint; o smallint; same boolean; st smallint;
BEGIN
  IF NOT svc_open_inbox(p_owner, p_ms) THEN RETURN; END IF;
  SELECT coalesce(max(id), 0) INTO n FROM svc_received_system_events;
  r_status := '{}';
  FOR i IN 1 .. cardinality(s_id) LOOP
    st := 1; o := svc_origin_of(s_store[i]);
    IF o IS NULL THEN st := 5;
    ELSIF o = 0 THEN st := 2;
    ELSE
      SELECT v.event_id = s_id[i] AND v.hash = s_hash[i] AND v.digest = s_digest[i] INTO same
        FROM svc_received_system_events v WHERE v.origin = o AND v.stream_position = s_position[i];
      IF FOUND THEN st := CASE WHEN same THEN 2 ELSE 3 END;
      ELSIF EXISTS (SELECT 1 FROM svc_received_system_events v WHERE v.event_id = s_id[i] AND v.origin = o) THEN st := 3;
      END IF;
    END IF;
    IF st = 1 THEN
      n := n + 1;
      INSERT INTO svc_received_system_events
        VALUES (n, o, s_position[i], s_id[i], s_type[i], s_data[i], s_meta[i], nullif(s_original[i], 0), s_omitted[i],
          s_digest[i], s_hash[i], s_host[i], s_at[i]::timestamptz, clock_timestamp());
    END IF;
    r_status := r_status || st;
  END LOOP;
  IF 1 = ANY(r_status) THEN NOTIFY svc; END IF;
END $$;

-- The head of another store's chain; differs = we hold another hash at its position.
CREATE OR REPLACE FUNCTION svc_receive_head(p_owner uuid, p_ms int, p_store uuid, p_position bigint, p_hash bytea,
  OUT held boolean, OUT differs boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
DECLARE o smallint;
BEGIN
  held := svc_open_inbox(p_owner, p_ms);
  IF NOT held THEN RETURN; END IF;
  o := svc_origin_of(p_store);
  UPDATE svc_origins SET head_position = p_position, head_hash = p_hash, head_at = clock_timestamp()
    WHERE origin = o AND o <> 0 AND coalesce(head_position, 0) <= p_position;
  SELECT v.hash <> p_hash INTO differs FROM svc_received_system_events v
    WHERE v.origin = o AND v.stream_position = p_position;
  differs := coalesce(differs, false);
END $$;

CREATE OR REPLACE FUNCTION svc_inbox_turn(p_owner uuid, p_ms int, OUT held boolean, OUT remaining_ms int, OUT replays boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
BEGIN
  SELECT l.held, l.remaining_ms INTO held, remaining_ms FROM svc_take_lease('inbox', p_owner, p_ms) l;
  replays := held AND EXISTS (SELECT 1 FROM svc_dead_letter_records WHERE state = 'replaying' AND source = 'inbox');
END $$;

-- The same message that cannot be taken is one dead letter, however often it comes; 10,000 are kept, the others only counted.
CREATE OR REPLACE FUNCTION svc_inbox_dead_letter(p_owner uuid, p_message uuid, p_type text, p_subject text, p_error text,
  p_fingerprint text, p_headers json, p_body bytea, p_bytes int, p_digest bytea, OUT held boolean, OUT dead_id bigint, OUT fresh boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan = off AS $$
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
`;
