import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../database/embedded/operating-system.js';
import { unprivilegedAccount } from '../database/embedded/server-home.js';
import { program } from './installed-program.js';
import { withFolder } from '../kit/temporary-folder.js';
import { until } from '../kit/until.js';

/** A PgBouncer in session mode in front of a server, with these settings. */
export const withPgBouncer = async (
  to: string,
  settings: string,
  body: (url: string) => Promise<void>,
): Promise<void> => {
  const path = await program('pgbouncer');
  const [server, port] = [new URL(to), await freePort()];
  await withFolder(async (folder) => {
    const [users, config] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')];
    await writeFile(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
    await writeFile(config, configOf(server, port, users, settings));
    // Like PostgreSQL it does not run as root.
    const account = await unprivilegedAccount();
    if (account) for (const file of [users, config]) await chown(file, account.uid, account.gid);
    await chmod(users, 0o600);
    const child = spawn(path, ['-q', config], { stdio: 'ignore', ...account });
    const ended = once(child, 'close');
    try {
      const url = new URL(to);
      [url.hostname, url.port] = ['127.0.0.1', String(port)];
      await until(() => accepts(port));
      await body(url.href);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
};

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

const configOf = (server: URL, port: number, users: string, settings: string): string => `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = session
${settings}
`;
