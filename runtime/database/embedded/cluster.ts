import { chown, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.js';
import { run } from './command.js';
import { syncFolder } from './files.js';
import type { Home } from './home.js';

const role = 'svc';
export const database = 'svc';

/** Makes the cluster aside and moves it in complete: a start that was killed leaves nothing half done. */
export async function createCluster(
  home: Home,
  binaries: Binaries,
  options: { readonly password: string; readonly fsync: boolean },
): Promise<void> {
  const draft = await mkdtemp(join(home.folder, 'new-'));
  const [data, secret] = [join(draft, 'data'), join(draft, 'password')];
  await writeFile(secret, options.password, { mode: 0o600 });
  if (home.account) {
    for (const path of [draft, secret]) await chown(path, home.account.uid, home.account.gid);
  }
  await run(home, binaries.initdb, initdbArguments(data, secret, options.fsync));
  // Single-user mode: the database is there before anybody can connect.
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

/** Sorts by code point but knows the letters of all scripts, on every platform alike. */
const initdbArguments = (data: string, secret: string, fsync: boolean): readonly string[] => [
  ...['-D', data, '-U', role, `--pwfile=${secret}`, '--auth=scram-sha-256', '--encoding=UTF8'],
  ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
  ...(fsync ? [] : ['--no-sync']),
];

export async function urlOf(home: Home, port: number): Promise<string> {
  const password = await readFile(passwordFile(home), 'utf8');
  return `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

const passwordFile = ({ folder }: Home): string => join(folder, 'password');
