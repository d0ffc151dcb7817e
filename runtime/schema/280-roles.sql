-- What roles mean and who has them; the runtime reads, only the owner writes.

CREATE TABLE svc_roles (
  role text PRIMARY KEY,
  permissions text[] NOT NULL
);
-- The tenant of a user without one is empty.
CREATE TABLE svc_role_assignments (
  tenant_id text NOT NULL,
  user_id text NOT NULL,
  roles text[] NOT NULL,
  permissions text[] NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
);
-- The version of what readers keep, by the channel over which they are notified. They compare before they read everything again.
-- It has the time in it: a change that is lost with its server must not have the version of the next one.
CREATE TABLE svc_versions (
  channel text PRIMARY KEY,
  version bigint NOT NULL
);
INSERT INTO svc_versions VALUES ('svc_access', 0), ('svc_flags', 0);

-- Counts the change of what the readers of a channel keep.
-- Lock: the row of the version.
CREATE FUNCTION svc_note_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE svc_versions SET version = greatest(version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
    WHERE channel = TG_ARGV[0];
  RETURN NULL;
END $$;
CREATE TRIGGER svc_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON svc_roles
  FOR EACH STATEMENT EXECUTE FUNCTION svc_note_change('svc_access');
CREATE TRIGGER svc_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON svc_role_assignments
  FOR EACH STATEMENT EXECUTE FUNCTION svc_note_change('svc_access');
