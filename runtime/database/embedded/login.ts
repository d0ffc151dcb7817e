import { createHmac } from 'node:crypto';
import { connect } from '../connect.js';
import { sqlStateOf } from '../sql-error.js';

const loginRole = 'svc_login';
/** The role it may take; made by the first migration. */
const runtimeRole = 'svc_runtime';

/**
 * Makes the role that hosts log in as, also where an earlier version made the cluster, and answers the URL for it. It is
 * no superuser and no member of the owner, so that what it takes on and resets never leads there.
 */
export async function ensureLogin(ownerUrl: string): Promise<string> {
  const url = new URL(ownerUrl);
  const password = createHmac('sha256', url.password).update(loginRole).digest('base64url');
  const client = await connect(ownerUrl);
  try {
    const { rowCount } = await client.query(`SELECT 1 FROM pg_roles WHERE rolname = '${loginRole}'`);
    if (rowCount === 0) await tolerant(client.query(`CREATE ROLE ${loginRole} LOGIN PASSWORD '${password}'`));
    await tolerant(client.query(grant));
  } finally {
    await client.end();
  }
  url.username = loginRole;
  url.password = password;
  return url.href;
}

const grant = `DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${runtimeRole}' AND NOT pg_has_role('${loginRole}', oid, 'MEMBER')) THEN
    GRANT ${runtimeRole} TO ${loginRole};
  END IF;
END $$`;

/** Another process may do the same at the same moment; a standby (25006) gets its roles from the primary. */
async function tolerant(doing: Promise<unknown>): Promise<void> {
  await doing.catch((error: unknown) => {
    if (!['42710', '23505', 'XX000', '25006'].includes(sqlStateOf(error) ?? '')) throw error;
  });
}
