-- Feature flags: for whom each is on, and the names that the sources use; the runtime changes both only through
-- functions.

CREATE TABLE svc_flags (
  name text PRIMARY KEY,
  default_on boolean NOT NULL,
  -- Used instead of default_on.
  percent numeric(5, 2) CHECK (percent BETWEEN 0 AND 100),
  -- true or false by id.
  tenants jsonb NOT NULL DEFAULT '{}',
  users jsonb NOT NULL DEFAULT '{}',
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_by text NOT NULL,
  reason text
);
CREATE TABLE svc_flag_names (name text PRIMARY KEY);
CREATE TRIGGER svc_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON svc_flags
  FOR EACH STATEMENT EXECUTE FUNCTION svc_note_change('svc_flags');

-- Sets a flag.
-- Lock: the row of the flag, then that of the version.
CREATE FUNCTION svc_set_flag(p_name text, p_on boolean, p_percent numeric, p_tenants jsonb, p_users jsonb, p_by text, p_reason text)
RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO svc_flags(name, default_on, percent, tenants, users, updated_by, reason)
    VALUES (p_name, p_on, p_percent, p_tenants, p_users, p_by, p_reason)
    ON CONFLICT (name) DO UPDATE SET (default_on, percent, tenants, users, updated_at, updated_by, reason) =
      (excluded.default_on, excluded.percent, excluded.tenants, excluded.users, clock_timestamp(), excluded.updated_by, excluded.reason)
$$;

-- Declares flags in sorted order: hosts that start together lock the rows in the same order.
-- Lock: the rows of new names.
CREATE FUNCTION svc_declare_flags(names text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO svc_flag_names(name) SELECT DISTINCT n FROM unnest(names) n ORDER BY n ON CONFLICT DO NOTHING;
$$;
