import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Problem } from '../../../contracts/problems.js';
import { freePort, poll } from '../../../runtime/database/embedded/operating-system.js';
import { temporaryFolder } from '../../../runtime/kit/temporary-folder.js';
import { peer } from '../harness/peers.js';
import { startApp } from './app-process.js';
import { note } from './on-postgres.js';
import type { Requests, RunningSystem } from './system.js';

const requests: Requests = {
  command: { path: '/orders/{key}/place', body: `{"orderId":"{key}","note":"${note}"}` },
  timer: { path: '/reminders/remind/send?delay={delay}ms', body: '{"orderId":"{key}","due":{due}}' },
  process: { path: '/fulfilments/fulfil/send', body: '{"orderId":"{key}","began":{now}}' },
};

/** The Restate server, and the application whose handlers it calls. */
export async function startRestate(program: string): Promise<RunningSystem> {
  const folder = await temporaryFolder();
  const [ingress, admin, node, handlers] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const url = `http://127.0.0.1:${ingress}`;
  const adminUrl = `http://127.0.0.1:${admin}`;
  const startServer = () => launch(folder, { ingress, admin, node });
  const startHandlers = () => startApp(program, peer('restate.mjs'), [String(handlers)]);
  let server = await startServer();
  try {
    let app = await startHandlers();
    await untilAnswered(`${adminUrl}/health`);
    await post(`${adminUrl}/deployments`, { uri: `http://127.0.0.1:${handlers}` });
    await untilAnswered(`${url}/restate/health`);
    return {
      name: 'Restate',
      url,
      requests,
      taken: () => app.taken(),
      placed: () => placedIn(adminUrl),
      roots: () => Promise.resolve([app.pid, server.pid ?? 0]),
      crash: async () => {
        await Promise.all([app.kill(), end(server)]);
        [server, app] = await Promise.all([startServer(), startHandlers()]);
      },
      stop: async () => {
        await Promise.all([app.kill(), end(server)]);
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await end(server);
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

interface Ports {
  readonly ingress: number;
  readonly admin: number;
  readonly node: number;
}

/** Only its addresses are set. */
async function launch(folder: string, { ingress, admin, node }: Ports): Promise<ChildProcess> {
  const env = {
    ...process.env,
    RESTATE_LISTEN_MODE: 'tcp',
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
  };
  const server = spawn(programOf(), ['--base-dir', folder, '--node-name', 'bench'], { env, stdio: 'ignore' });
  await once(server, 'spawn');
  return server;
}

/** npm installs the program for this platform only. */
function programOf(): string {
  const { resolve } = createRequire(peer('restate.mjs'));
  const system = `${process.platform}-${process.arch}`;
  return resolve(`@restatedev/restate-server-${system}/bin/restate-server`);
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}

async function untilAnswered(url: string): Promise<void> {
  const isUp = async () => (await fetch(url).catch(() => undefined))?.ok === true || undefined;
  if ((await poll(isUp, { everyMs: 50, withinMs: 60_000 })) === undefined)
    throw new Problem('unexpected', { detail: `${url} does not answer.` });
}

async function post(url: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok)
    throw new Problem('unexpected', { detail: `${url}: ${answer.status} ${await answer.text()}` });
  return answer.json();
}

async function placedIn(adminUrl: string): Promise<ReadonlyMap<string, number>> {
  const query = `SELECT service_key, value_utf8 FROM state WHERE service_name = 'orders' AND key = 'placed'`;
  const { rows } = (await post(`${adminUrl}/query`, { query })) as {
    readonly rows: readonly { readonly service_key: string; readonly value_utf8: string }[];
  };
  return new Map(rows.map(({ service_key: key, value_utf8: value }) => [key, Number(value)]));
}
