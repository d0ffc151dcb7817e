export const tables = /* sql */ `
CREATE TABLE IF NOT EXISTS svc_store (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  id uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO svc_store DEFAULT VALUES ON CONFLICT DO NOTHING;

-- Positions are given under one lock, so commit order is position order and no reader can skip a row.
CREATE TABLE IF NOT EXISTS svc_events (
  global_position bigint PRIMARY KEY,
  stream_id uuid NOT NULL CHECK (stream_id <> '00000000-0000-0000-0000-000000000001'),
  origin smallint NOT NULL DEFAULT 0,
  stream_position bigint NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  data json NOT NULL,
  metadata json NOT NULL,
  host text NOT NULL,
  occurred_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  UNIQUE (stream_id, origin, stream_position),
  UNIQUE (event_id, origin)
);

CREATE TABLE IF NOT EXISTS svc_system_events (
  stream_position bigint PRIMARY KEY,
  global_position bigint NOT NULL UNIQUE,
  event_id uuid NOT NULL UNIQUE,
  event_type text NOT NULL,
  data json NOT NULL,
  metadata json NOT NULL,
  original_position bigint,
  publish boolean NOT NULL,
  digest bytea NOT NULL,
  hash bytea NOT NULL,
  host text NOT NULL,
  recorded_at timestamptz NOT NULL
);

CREATE TABLE IF NOT EXISTS svc_idempotency (
  key bytea PRIMARY KEY,
  fingerprint bytea NOT NULL,
  status smallint NOT NULL,
  body text,
  expires_at timestamptz NOT NULL
);

-- The answer of every recent flush: a flush that is sent again gets it back and has no second effect.
CREATE TABLE IF NOT EXISTS svc_flushes (
  writer uuid,
  flush bigint,
  status smallint[] NOT NULL,
  position bigint[] NOT NULL,
  global bigint[] NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (writer, flush)
);

CREATE OR REPLACE FUNCTION svc_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE OR REPLACE TRIGGER svc_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON svc_events
  FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change();
CREATE OR REPLACE TRIGGER svc_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON svc_system_events
  FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change();
`;
