-- The migration ledger. The first host that migrates creates it before anything else.

CREATE TABLE svc_schema_migrations (
  migration_key text PRIMARY KEY,
  strategy text NOT NULL,
  status smallint NOT NULL,
  status_description text NOT NULL,
  hash text,
  library_version text NOT NULL,
  attempts int NOT NULL,
  updated_at timestamptz NOT NULL,
  application_version text,
  -- Earlier hashes, since replaced.
  superseded text[] NOT NULL DEFAULT '{}',
  state jsonb NOT NULL DEFAULT '{}'
);

-- For our own schema and the application's: the level reached, and the level a host needs to start.
CREATE TABLE svc_schema_levels (
  owner text PRIMARY KEY,
  schema_level int NOT NULL,
  min_level int NOT NULL
);

-- Batches whose end is not stored yet; one still here when the next begins was interrupted.
CREATE TABLE svc_migration_batches (
  id uuid PRIMARY KEY,
  library_version text NOT NULL,
  keys text[] NOT NULL,
  from_position bigint NOT NULL,
  begun_at timestamptz NOT NULL
);
