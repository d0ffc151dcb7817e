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
-- Readers compare the version before they read everything again.
CREATE TABLE svc_roles_version (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  version bigint NOT NULL DEFAULT 0
);
INSERT INTO svc_roles_version DEFAULT VALUES;

-- Counts the change, and notifies readers.
-- Lock: the row of the version.
CREATE FUNCTION svc_roles_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE svc_roles_version SET version = version + 1;
  NOTIFY svc_access;
  RETURN NULL;
END $$;
CREATE TRIGGER svc_roles_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON svc_roles
  FOR EACH STATEMENT EXECUTE FUNCTION svc_roles_changed();
CREATE TRIGGER svc_roles_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON svc_role_assignments
  FOR EACH STATEMENT EXECUTE FUNCTION svc_roles_changed();
