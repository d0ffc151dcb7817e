-- One row per deployment; the runtime reads, only the owner writes.

CREATE TABLE svc_deployments (
  id uuid PRIMARY KEY,
  service text NOT NULL,
  strategy text NOT NULL,
  revision text NOT NULL,
  -- Unset for the first deployment.
  previous text,
  -- The application folder or the image.
  source text,
  -- The path of deploy.json.
  config text NOT NULL,
  options jsonb NOT NULL,
  state text NOT NULL DEFAULT 'running'
    CHECK (state IN ('running', 'paused', 'reverting', 'completed', 'reverted')),
  -- The current step of the deployment and of its revert, written before the step begins.
  step integer NOT NULL DEFAULT 0,
  revert_step integer NOT NULL DEFAULT 0,
  stage integer NOT NULL DEFAULT 0,
  to_new integer NOT NULL DEFAULT 0,
  -- Requests and errors of each stage.
  measured jsonb NOT NULL DEFAULT '[]',
  reason text,
  actor text NOT NULL,
  -- What an operator asks of the process that holds the lease.
  request text CHECK (request IN ('pause', 'promote', 'abort', 'resume')),
  holder uuid NOT NULL,
  lease_expires_at timestamptz NOT NULL,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz,
  CHECK ((finished_at IS NULL) = (state IN ('running', 'paused', 'reverting')))
);
-- The deploy lock.
CREATE UNIQUE INDEX svc_deployments_unfinished ON svc_deployments ((true)) WHERE finished_at IS NULL;
