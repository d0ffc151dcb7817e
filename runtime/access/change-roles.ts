import { PermissionChanged } from '../../contracts/events/access.js';
import { OperatorActed } from '../../contracts/events/operator.js';
import { serviceWide } from '../../contracts/perspective-scope.js';
import type { Database, Session } from '../database/database.js';
import { nowText } from '../lang/now-text.js';
import { type AccessEditor, recordedChange } from './recorded-change.js';
import { changeRights, type RightsChange } from './rights-change.js';
import type { RoleAssignment, RoleDefinition, Rights } from './read-stored-roles.js';

type User = Pick<RoleAssignment, 'tenantId' | 'userId'>;

/** Changes the rights of a user; returns whether anything changed. Its events are stored in the same transaction. */
export const changeAssignment = (
  owner: Database,
  editor: AccessEditor,
  user: User,
  change: RightsChange,
): Promise<boolean> =>
  recordedChange(owner, editor, async (session) => {
    await lockRoles(session);
    const { rights, differences } = changeRights(await rightsOf(session, user), change);
    if (differences.length > 0) await assign(session, user, rights);
    const { changedBy } = editor;
    const tenantId = user.tenantId === '' ? serviceWide : user.tenantId;
    const changed = { ...user, tenantId, changedBy, timestamp: nowText() };
    return differences.map((difference) => new PermissionChanged({ ...changed, ...difference }));
  });

/** Sets the permissions of a role, or removes a role without any; returns whether anything changed. */
export const defineRole = (
  owner: Database,
  editor: AccessEditor,
  { role, permissions }: RoleDefinition,
): Promise<boolean> =>
  recordedChange(owner, editor, async (session) => {
    await lockRoles(session);
    const list = [...new Set(permissions)].toSorted();
    const rows = await session.rows(
      list.length === 0
        ? { text: 'DELETE FROM svc_roles WHERE role = $1 RETURNING 1', values: [role] }
        : { text: upsertRole, values: [role, list] },
    );
    const acted = { action: 'roles define', target: role, actor: editor.changedBy, timestamp: nowText() };
    return rows.map(() => new OperatorActed({ ...acted, permissions: list }));
  });

/** Writers wait for each other: the next one sees what this one changed. */
const lockRoles = (session: Session): Promise<unknown> =>
  session.rows({ text: 'LOCK TABLE svc_roles, svc_role_assignments IN SHARE ROW EXCLUSIVE MODE' });

async function rightsOf(session: Session, { tenantId, userId }: User): Promise<Rights> {
  const [row] = await session.rows({
    text: 'SELECT to_json(roles), to_json(permissions) FROM svc_role_assignments WHERE tenant_id = $1 AND user_id = $2',
    values: [tenantId, userId],
  });
  const [roles, permissions] = [row?.[0], row?.[1]].map((list) => JSON.parse(list ?? '[]') as string[]);
  return { roles: roles ?? [], permissions: permissions ?? [] };
}

/** A user without rights has no row. */
async function assign(session: Session, user: User, { roles, permissions }: Rights): Promise<void> {
  const key = [user.tenantId, user.userId];
  await session.rows(
    roles.length + permissions.length === 0
      ? { text: 'DELETE FROM svc_role_assignments WHERE tenant_id = $1 AND user_id = $2', values: key }
      : { text: upsertAssignment, values: [...key, roles, permissions] },
  );
}

const upsertRole = `INSERT INTO svc_roles(role, permissions) VALUES ($1, $2)
  ON CONFLICT (role) DO UPDATE SET permissions = excluded.permissions
  WHERE svc_roles.permissions <> excluded.permissions RETURNING 1`;

const upsertAssignment = `INSERT INTO svc_role_assignments(tenant_id, user_id, roles, permissions) VALUES ($1, $2, $3, $4)
  ON CONFLICT (tenant_id, user_id) DO UPDATE SET roles = excluded.roles, permissions = excluded.permissions`;
