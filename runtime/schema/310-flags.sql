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
CREATE TABLE svc_flag_names (
  name text PRIMARY KEY,
  -- The last start of a host whose sources use it.
  declared_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TRIGGER svc_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON svc_flags
  FOR EACH STATEMENT EXECUTE FUNCTION svc_note_change('svc_flags');

-- Sets a flag.
-- Lock: the row of the flag, then that of the version.
CREATE FUNCTION svc_set_flag(
  flag text, turned_on boolean, share numeric, tenant_rules jsonb, user_rules jsonb, actor text, given_reason text
) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO svc_flags(name, default_on, percent, tenants, users, updated_by, reason)
  VALUES (flag, turned_on, share, tenant_rules, user_rules, actor, given_reason)
  ON CONFLICT (name) DO UPDATE SET default_on = excluded.default_on, percent = excluded.percent,
    tenants = excluded.tenants, users = excluded.users, updated_at = clock_timestamp(),
    updated_by = excluded.updated_by, reason = excluded.reason;
$$;

-- Declares flags in sorted order: hosts that start together lock the rows in the same order.
-- Lock: the rows of the names.
CREATE FUNCTION svc_declare_flags(names text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO svc_flag_names(name) SELECT DISTINCT n FROM unnest(names) n ORDER BY n
  ON CONFLICT (name) DO UPDATE SET declared_at = excluded.declared_at;
$$;
