import { readFile, stat } from 'node:fs/promises';
import { Problem } from '../../../contracts/problems.js';
import { exists } from './files.js';

/** Whom PostgreSQL runs as; undefined means as ourselves. */
export type Account = { readonly uid: number; readonly gid: number } | undefined;

/** PostgreSQL refuses to run as root, so root lends it an unprivileged account. */
export async function unprivilegedAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined;
  const account = pickAccount(await readFile('/etc/passwd', 'utf8'));
  if (account) return account;
  throw new Problem('invalid-setup', {
    detail:
      'PostgreSQL refuses to run as root and there is no user `postgres` or `nobody` to run it as: ' +
      'set DATABASE_URL, or start as another user.',
  });
}

/** A cluster only opens for the account that made it, whatever accounts came later. */
export async function accountOf(cluster: string, otherwise: Account): Promise<Account> {
  if (otherwise === undefined || !(await exists(cluster))) return otherwise;
  const { uid, gid } = await stat(cluster);
  return uid === 0 ? otherwise : { uid, gid };
}

export function pickAccount(passwd: string): Account {
  const users = passwd.split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const user = users.find(([found]) => found === name);
    const [uid, gid] = [Number(user?.[2]), Number(user?.[3])];
    if (uid > 0 && Number.isInteger(gid)) return { uid, gid };
  }
  return undefined;
}
