-- Rebuilds of perspectives: one at a time for each table, taken over by lease when its worker dies.

CREATE TABLE svc_rebuilds (
  id uuid PRIMARY KEY,
  table_name text NOT NULL,
  name text NOT NULL,
  mode text NOT NULL,
  streams uuid[] NOT NULL DEFAULT '{}',
  max_rate int,
  state text NOT NULL DEFAULT 'requested',
  owner uuid,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  cancel boolean NOT NULL DEFAULT false,
  position bigint NOT NULL DEFAULT 0,
  target bigint NOT NULL DEFAULT 0,
  events bigint NOT NULL DEFAULT 0,
  row_count bigint NOT NULL DEFAULT 0,
  careful text[] NOT NULL DEFAULT '{}',
  total_streams bigint NOT NULL DEFAULT 0,
  total_events bigint NOT NULL DEFAULT 0,
  shown_streams bigint NOT NULL DEFAULT 0,
  shown_events bigint NOT NULL DEFAULT 0,
  error text,
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  force boolean NOT NULL DEFAULT false,
  parked_before json,
  lost_rows bigint NOT NULL DEFAULT 0
);
CREATE INDEX svc_rebuilds_table ON svc_rebuilds(table_name);
CREATE UNIQUE INDEX svc_rebuilds_open ON svc_rebuilds(table_name) WHERE ended_at IS NULL;
