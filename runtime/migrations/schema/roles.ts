import { changeVersion } from './change-version.js';

/** What roles mean and who has them; the runtime reads, only the owner writes. */
export const roles = /* sql */ `
CREATE TABLE IF NOT EXISTS svc_roles (
  role text PRIMARY KEY,
  permissions text[] NOT NULL
);
-- The tenant of a user without one is empty.
CREATE TABLE IF NOT EXISTS svc_role_assignments (
  tenant_id text NOT NULL,
  user_id text NOT NULL,
  roles text[] NOT NULL,
  permissions text[] NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
);
${changeVersion('svc_roles', 'svc_access', ['svc_roles', 'svc_role_assignments'])}
`;
