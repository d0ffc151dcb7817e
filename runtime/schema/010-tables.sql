-- The store, the stores whose messages it receives, and its two logs: the events, and the system stream with its chain.

CREATE TABLE svc_store (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The database it was made in; a copy is a different store.
  cluster text,
  database_oid oid,
  -- The first part of its subjects and streams at the broker; null until a host with a broker has started.
  namespace text,
  -- Whether its hosts broadcast system messages; null until one has started.
  broadcast boolean,
  public_key bytea CHECK (octet_length(public_key) = 32),
  -- Positions per segment of the logs; if unset, 2^24, and more when segments fill up fast.
  segment_size bigint CHECK (segment_size > 0)
);
INSERT INTO svc_store DEFAULT VALUES;

-- The stores that events come from; 0 is this one.
CREATE TABLE svc_origins (
  origin smallint PRIMARY KEY,
  store uuid NOT NULL UNIQUE,
  first_seen timestamptz,
  last_seen timestamptz,
  -- This store is a copy of it: its events from before the copy are already here, as our own.
  is_original boolean NOT NULL DEFAULT false,

  -- Whether it is trusted, and the key it is known by; trusted_by null = pinned on first use.
  state text NOT NULL DEFAULT 'trusted' CHECK (state IN ('trusted', 'forgotten')),
  public_key bytea CHECK (octet_length(public_key) = 32),
  trusted_at timestamptz,
  trusted_by text,
  -- It has signed individual messages: unsigned ones are no longer accepted.
  signs boolean NOT NULL DEFAULT false,
  -- How many times its skipped messages have been read again.
  rereads int NOT NULL DEFAULT 0,

  -- Its system stream: how many records arrived, the first and the last. Every position in between is expected.
  records bigint,
  first_position bigint,
  last_position bigint,
  -- The newest head that it announced.
  head_position bigint,
  head_hash bytea,
  head_at timestamptz,
  refused_heads bigint NOT NULL DEFAULT 0,
  forged_head_at timestamptz,
  contradicted_at timestamptz,
  -- Records waiting for a signed head, and records dropped: its head did not cover them, or too many were waiting.
  unconfirmed int NOT NULL DEFAULT 0,
  unconfirmed_bytes bigint NOT NULL DEFAULT 0,
  dropped_records bigint NOT NULL DEFAULT 0,

  -- Its epoch, where that began, and the newest position of its log that arrived.
  epoch int,
  fork bigint,
  seen_to bigint,
  -- Where its epoch began by its own account: of two servers promoted in a row, either may have begun it.
  epoch_fork bigint,
  -- If set, its messages are held until an operator decides.
  held_epoch int,
  held_fork bigint,
  -- What it has signed about its log, with a head or a message.
  signed_epoch int,
  signed_forks text,
  signed_to bigint
) WITH (fillfactor = 50);
INSERT INTO svc_origins(origin, store, trusted_at) SELECT 0, id, clock_timestamp() FROM svc_store;

-- Positions are assigned under one lock, so commit order is position order and no reader can skip a row. Both logs
-- consist of segments; see 030-segments.sql.
CREATE TABLE svc_events (
  global_position bigint PRIMARY KEY,
  stream_id uuid NOT NULL CONSTRAINT svc_events_stream_id_check CHECK (stream_id <> '00000000-0000-0000-0000-000000000001'),
  origin smallint NOT NULL DEFAULT 0,
  stream_position bigint NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  data json NOT NULL,
  metadata json NOT NULL,
  host text NOT NULL,
  occurred_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL,
  -- Its stream already held a later event when this one was stored.
  late boolean NOT NULL DEFAULT false,
  -- It happened before it was here: its record is the EventsImported of its chunk, and reactions pass it.
  imported boolean NOT NULL DEFAULT false,
  -- Whether the relay sends it; of imported events, only those that were imported for it.
  publish boolean NOT NULL DEFAULT true
) PARTITION BY RANGE (global_position);

-- What is known of each stream in sealed segments, also once these are archived.
CREATE TABLE svc_stream_heads (
  stream_id uuid,
  origin smallint,
  position bigint NOT NULL,
  first_global bigint NOT NULL,
  -- When the latest of its events happened.
  latest timestamptz NOT NULL,
  PRIMARY KEY (stream_id, origin)
);

CREATE TABLE svc_system_events (
  stream_position bigint NOT NULL,
  global_position bigint PRIMARY KEY,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  data json NOT NULL,
  metadata json NOT NULL,
  original_position bigint,
  publish boolean NOT NULL,
  digest bytea NOT NULL,
  hash bytea NOT NULL,
  host text NOT NULL,
  recorded_at timestamptz NOT NULL
) PARTITION BY RANGE (global_position);

CREATE TABLE svc_idempotency (
  key bytea PRIMARY KEY,
  fingerprint bytea NOT NULL,
  status smallint NOT NULL,
  body text,
  expires_at timestamptz NOT NULL
);

-- The answer to every recent flush, except those of one event: a flush that is sent again gets its answer back and has no
-- second effect.
CREATE TABLE svc_flushes (
  writer uuid,
  flush bigint,
  status smallint[] NOT NULL,
  position bigint[] NOT NULL,
  global bigint[] NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (writer, flush)
);

-- Refuses every change to an append-only table.
-- Lock: none.
CREATE FUNCTION svc_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER svc_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON svc_events
  FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change();
CREATE TRIGGER svc_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON svc_system_events
  FOR EACH STATEMENT EXECUTE FUNCTION svc_refuse_change();
