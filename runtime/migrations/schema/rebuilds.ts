/** Rebuilds of perspectives: one at a time for each table, taken over by lease when its worker dies. */
export const rebuilds = /* sql */ `
-- Who folds keeps rows in memory; a rebuild that changes them under its feet raises the generation.
ALTER TABLE svc_cursors ADD COLUMN IF NOT EXISTS generation int NOT NULL DEFAULT 0;
-- How often rows were written that no new event changed: those that were parked and are folded again.
ALTER TABLE svc_cursors ADD COLUMN IF NOT EXISTS refolds int NOT NULL DEFAULT 0;

CREATE TABLE IF NOT EXISTS svc_rebuilds (
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
  ended_at timestamptz
);
ALTER TABLE svc_rebuilds
  ADD COLUMN IF NOT EXISTS force boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS parked_before json,
  ADD COLUMN IF NOT EXISTS lost_rows bigint NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS svc_rebuilds_table ON svc_rebuilds(table_name);
CREATE UNIQUE INDEX IF NOT EXISTS svc_rebuilds_open ON svc_rebuilds(table_name) WHERE ended_at IS NULL;
`;
