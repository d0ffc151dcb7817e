import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { connect } from '../database/connect.js';
import { startEmbeddedServer, type EmbeddedServer } from '../database/embedded-server.js';
import { copyCluster, makeCluster } from './copy-postgres-cluster.js';
import { withFolder } from '../kit/temporary-folder.js';

export const settings = { fsync: 'off' };

let made: ReturnType<typeof makeCluster> | undefined;

/** A data folder whose cluster exists already; other tests show how it is created. */
export const withCluster = (body: (dataDir: string) => Promise<void>): Promise<void> =>
  withFolder(async (dataDir) => {
    await putCluster(dataDir);
    await body(dataDir);
  });

export const putCluster = async (dataDir: string) =>
  copyCluster(await (made ??= makeCluster(settings)), dataDir);

export async function whileRunning(
  options: Parameters<typeof startEmbeddedServer>[0],
  body: (server: EmbeddedServer) => Promise<unknown>,
): Promise<void> {
  const server = await startEmbeddedServer(options);
  try {
    await body(server);
  } finally {
    await server.stop();
  }
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = await connect(url);
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

export const answers = (url: string): Promise<boolean> =>
  query(url, 'SELECT 1').then(
    () => true,
    () => false,
  );

/** A process that starts the server, prints its URL, ignores Ctrl-C, and stops the server when its input ends. */
export async function anotherProcess(dataDir: string) {
  const script = `
    import { startEmbeddedServer } from ${JSON.stringify(new URL('../database/embedded-server.js', import.meta.url).href)};
    process.on('SIGINT', () => {});
    const server = await startEmbeddedServer(${JSON.stringify({ dataDir, settings })});
    console.log(JSON.stringify(server));
    for await (const _ of process.stdin);
    await server.stop();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [unknown];
  const { url, adopted } = JSON.parse(String(line)) as EmbeddedServer;
  return {
    url,
    adopted,
    interrupt: () => process.kill(-(child.pid ?? 0), 'SIGINT'),
    kill: () => (child.kill('SIGKILL'), ended),
    stop: () => (child.stdin.end(), ended),
  };
}
