-- What was migrated. Made before anything else, by the first host that migrates.

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
  -- Hashes that a later one has replaced.
  superseded text[] NOT NULL DEFAULT '{}',
  state jsonb NOT NULL DEFAULT '{}'
);

-- Of our own schema and of the application's: what was reached, and what a host must have to start.
CREATE TABLE svc_schema_levels (
  owner text PRIMARY KEY,
  schema_level int NOT NULL,
  min_level int NOT NULL
);

-- Batches whose end is not stored yet; one that is here when another begins was cut off.
CREATE TABLE svc_migration_batches (
  id uuid PRIMARY KEY,
  library_version text NOT NULL,
  keys text[] NOT NULL,
  from_position bigint NOT NULL,
  begun_at timestamptz NOT NULL
);
