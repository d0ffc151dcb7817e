-- Feature flags: for whom each is on, and the names that the sources use; the runtime changes both by functions alone.

CREATE TABLE svc_flags (
  name text PRIMARY KEY,
  default_on boolean NOT NULL,
  -- Takes the place of default_on.
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
-- Readers compare the version before they read everything again.
CREATE TABLE svc_flags_version (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  version bigint NOT NULL DEFAULT 0
);
INSERT INTO svc_flags_version DEFAULT VALUES;

-- Counts the change, and notifies readers.
-- Lock: the row of the version.
CREATE FUNCTION svc_flags_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE svc_flags_version SET version = version + 1;
  NOTIFY svc_flags;
  RETURN NULL;
END $$;
CREATE TRIGGER svc_flags_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON svc_flags
  FOR EACH STATEMENT EXECUTE FUNCTION svc_flags_changed();

-- Sets a flag.
-- Lock: the row of the flag.
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

-- Sorted: hosts that start together lock the rows in the same order.
-- Lock: the rows of the names.
CREATE FUNCTION svc_declare_flags(names text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  INSERT INTO svc_flag_names(name) SELECT DISTINCT n FROM unnest(names) n ORDER BY n
  ON CONFLICT (name) DO UPDATE SET declared_at = excluded.declared_at;
$$;
