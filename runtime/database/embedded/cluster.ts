import { createHmac } from 'node:crypto';
import { chown, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../connect.js';
import { sqlStateOf } from '../sql-error.js';
import { type Binaries, run } from './binaries.js';
import type { ServerHome } from './server-home.js';
import { syncFolder } from './operating-system.js';

const role = 'svc';
const database = 'svc';

/** Creates the cluster in a draft folder and renames it when complete: a killed start leaves nothing half done. */
export async function createCluster(
  home: ServerHome,
  binaries: Binaries,
  options: { readonly password: string; readonly fsync: boolean },
): Promise<void> {
  const draft = await mkdtemp(join(home.folder, 'new-'));
  const [data, secret] = [join(draft, 'data'), join(draft, 'password')];
  await writeFile(secret, options.password, { mode: 0o600 });
  if (home.account) {
    for (const path of [draft, secret]) await chown(path, home.account.uid, home.account.gid);
  }
  await run(home, binaries.initdb, [
    ...['-D', data, '-U', role, `--pwfile=${secret}`, '--auth=scram-sha-256', '--encoding=UTF8'],
    ...['--no-instructions', ...localeArguments(binaries.version), ...(options.fsync ? [] : ['--no-sync'])],
  ]);
  // Single-user mode: the database exists before anyone can connect.
  const single = [
    '--single',
    '-D',
    data,
    '-c',
    'exit_on_error=on',
    ...(options.fsync ? [] : ['-F']),
    'postgres',
  ];
  await run(home, binaries.postgres, single, `CREATE DATABASE ${database};\n`);
  await writeFile(passwordFile(home), options.password, { mode: 0o600, flush: true });
  await rename(data, home.cluster);
  if (options.fsync) await syncFolder(home.folder);
  await rm(draft, { recursive: true });
}

/** Sorts by code point but classifies the letters of all scripts, equally on every platform since PostgreSQL 17. */
const localeArguments = (version: string): readonly string[] =>
  Number.parseInt(version, 10) < 17
    ? ['--locale=C', '--lc-ctype=C.UTF-8']
    : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

export async function urlOf(home: ServerHome, port: number): Promise<string> {
  const password = await readFile(passwordFile(home), 'utf8');
  return `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

export const passwordFile = ({ folder }: ServerHome): string => join(folder, 'password');

const loginRole = 'svc_login';
/** The role that it may assume; the first migration creates it. */
const runtimeRole = 'svc_runtime';

/**
 * Creates the role that hosts log in as, also in a cluster of an earlier version, and returns its URL. It is neither a
 * superuser nor a member of the owner, so that SET ROLE and RESET ROLE never lead there.
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

/** Another process may do the same concurrently; a standby (25006) gets its roles from the primary. */
async function tolerant(doing: Promise<unknown>): Promise<void> {
  await doing.catch((error: unknown) => {
    if (!['42710', '23505', 'XX000', '25006'].includes(sqlStateOf(error) ?? '')) throw error;
  });
}
