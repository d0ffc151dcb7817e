import { Problem } from '../../contracts/problems.js';
import type { Session } from '../database/database.js';
import { escapeIdentifier } from '../database/pg-exports.js';
import { firstServerUrl } from '../database/server-list.js';
import { sqlStateOf } from '../database/sql-error.js';
import { runtimeRole } from '../schema/runtime-role.js';

/** The privilege that SET ROLE needs. Since PostgreSQL 16 a member may lack it: the creator of a role does at first. */
export const toAssume =
  "CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END";

/** Roles belong to the whole server: a host of another database may create it at the same moment. */
export async function ensureRuntimeRole(session: Session, user: string): Promise<string | undefined> {
  try {
    const found = await session.rows({
      text: 'SELECT 1 FROM pg_roles WHERE rolname = $1',
      values: [runtimeRole],
    });
    if (found.length === 0) await session.rows({ text: `CREATE ROLE ${runtimeRole} NOLOGIN` });
  } catch (error) {
    if (sqlStateOf(error) === '42501') return withoutRole(session, user);
    if (!['42710', '23505'].includes(sqlStateOf(error) ?? '')) throw error;
  }
  try {
    const member = await session.rows({
      text: `SELECT pg_has_role($1, $2, ${toAssume})`,
      values: [user, runtimeRole],
    });
    if (member[0]?.[0] !== 't')
      await session.rows({ text: `GRANT ${runtimeRole} TO ${escapeIdentifier(user)}` });
  } catch (error) {
    if (sqlStateOf(error) === '42501') return withoutRole(session, user);
    if (sqlStateOf(error) !== '23505') throw error;
  }
  return runtimeRole;
}

/** The owner can work without the role; any other login reaches the tables only through it. */
async function withoutRole(session: Session, user: string): Promise<undefined> {
  const [row] = await session.rows({
    text: "SELECT bool_or(pg_has_role(oid, current_user, 'MEMBER')), current_user FROM pg_roles WHERE rolname = $1",
    values: [user],
  });
  if (row?.[0] === 't') return undefined;
  const [login, owner] = [escapeIdentifier(user), row?.[1] ?? ''];
  throw new Problem('invalid-setup', {
    detail: `${login} reaches the store through the role ${runtimeRole}, which the owner ${owner} may not create or grant. Run as a superuser: CREATE ROLE ${runtimeRole} NOLOGIN (if there is none); GRANT ${runtimeRole} TO ${login}.`,
  });
}

/** The statements that give the runtime its own login, in a database where the owner's was used for everything. */
export const separateLogin = (url: string): readonly string[] => [
  "CREATE ROLE svc_login LOGIN PASSWORD '…';",
  `GRANT CONNECT ON DATABASE ${escapeIdentifier(decodeURIComponent(firstServerUrl(url).pathname.slice(1)))} TO svc_login;`,
  `GRANT ${runtimeRole} TO svc_login;`,
];

/** The role that a migration would end with; creates none. */
export async function expectedRole(session: Session): Promise<string | undefined> {
  const [row] = await session.rows({
    text: `SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = $1)
      OR (SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user)`,
    values: [runtimeRole],
  });
  return row?.[0] === 't' ? runtimeRole : undefined;
}
