import type { Row, Statement } from '../database/database.js';

/** Roles and permissions that were granted to a user, as text. */
export interface Rights {
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

export interface RoleDefinition {
  readonly role: string;
  readonly permissions: readonly string[];
}

/** The rights of one user; the tenant of a user without one is empty. */
export interface RoleAssignment extends Rights {
  readonly tenantId: string;
  readonly userId: string;
}

/** Everything that the roles store holds. */
export interface StoredRoles {
  /** Grows with every change. */
  readonly version: string;
  readonly definitions: readonly RoleDefinition[];
  readonly assignments: readonly RoleAssignment[];
}

interface Reader {
  rows(statement: Statement): Promise<Row[]>;
}

/** One statement, so that all of it belongs to one version; nothing when that is the known one. */
export async function readRoles(database: Reader, known = ''): Promise<StoredRoles | undefined> {
  const text = `SELECT version::text,
      (SELECT coalesce(json_agg(r ORDER BY role), '[]') FROM svc_roles r),
      (SELECT coalesce(json_agg(a ORDER BY "tenantId", "userId"), '[]') FROM (
        SELECT tenant_id AS "tenantId", user_id AS "userId", roles, permissions FROM svc_role_assignments) a)
    FROM svc_versions WHERE channel = 'svc_access' AND version::text <> $1`;
  const [row] = await database.rows({ text, values: [known] });
  if (row === undefined) return undefined;
  return {
    version: row[0] ?? '',
    definitions: JSON.parse(row[1] ?? '[]') as RoleDefinition[],
    assignments: JSON.parse(row[2] ?? '[]') as RoleAssignment[],
  };
}
