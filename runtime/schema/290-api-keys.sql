-- The keys that callers authenticate with; the runtime reads, only the owner writes.

CREATE TABLE svc_api_keys (
  id text PRIMARY KEY CHECK (id ~ '^[0-9a-f]{8}$'),
  -- SHA-256 of the whole key: 256 random bits need no slower hash.
  digest bytea NOT NULL CHECK (length(digest) = 32),
  name text NOT NULL,
  permissions text[] NOT NULL,
  tenant_id text,
  user_id text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  revoked_at timestamptz
);
CREATE TRIGGER svc_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON svc_api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION svc_note_change('svc_access');
