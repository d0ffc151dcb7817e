import { execFile } from 'node:child_process';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '../../../contracts/problems.js';
import { program } from '../../../runtime/testing/installed-program.js';

const run = promisify(execFile);

/** How Patroni talks to etcd: by version 2 or 3 of its interface. */
export type EtcdProtocol = 'etcd' | 'etcd3';

/**
 * Over version 3, Patroni before 3.0.3 takes the leader's lock from its new holder when it resumes after a pause, and
 * everything committed since is lost (patroni/patroni#2689).
 */
export function protocolFor(version: string): EtcdProtocol {
  const [major = 0, minor = 0, patch = 0] = (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
  return major * 10_000 + minor * 100 + patch < 30_003 ? 'etcd' : 'etcd3';
}

/** Where the programs of a trio are. */
export interface Servers {
  readonly etcd: string;
  readonly patroni: string;
  readonly patronictl: string;
  readonly haproxy: string;
  readonly protocol: EtcdProtocol;
  /** The folder with initdb, postgres and pg_rewind. */
  readonly postgres: string;
  /** The account of PostgreSQL, which refuses to run as root; unset: ours. */
  readonly account: { readonly uid: number; readonly gid: number } | undefined;
}

/** Installs what is missing. */
export const installServers = (): Promise<Servers> =>
  withoutServices(async () => {
    await program('pg_createcluster', 'postgresql');
    const patroni = await program('patroni');
    return {
      postgres: await newestPostgres(),
      patroni,
      protocol: protocolFor((await run(patroni, ['--version'])).stdout),
      patronictl: await program('patronictl', 'patroni'),
      etcd: await program('etcd', 'etcd-server'),
      haproxy: await program('haproxy'),
      account: await accountOfPostgres(),
    };
  });

const versions = '/usr/lib/postgresql';

async function newestPostgres(): Promise<string> {
  const all = await readdir(versions).catch(() => []);
  const newest = all.map(Number).toSorted((a, b) => b - a)[0];
  if (newest !== undefined) return join(versions, String(newest), 'bin');
  throw new Problem('invalid-setup', { detail: `There is no PostgreSQL in ${versions}.` });
}

async function accountOfPostgres(): Promise<Servers['account']> {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

const policy = '/usr/sbin/policy-rc.d';

/** A package that is installed would start its service on its usual port; this is how Debian lets one forbid it. */
async function withoutServices<T>(install: () => Promise<T>): Promise<T> {
  const isOurs = await access(policy).then(
    () => false,
    () => asRoot(`printf '#!/bin/sh\\nexit 101\\n' > ${policy} && chmod 755 ${policy}`),
  );
  try {
    return await install();
  } finally {
    if (isOurs) await asRoot(`rm -f ${policy}`);
  }
}

/** Whether it could be done. */
async function asRoot(line: string): Promise<boolean> {
  const [command, ...args] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), 'sh', '-c', line];
  return run(command, args).then(
    () => true,
    () => false,
  );
}
