import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import { statusOf, type SupervisorStatus } from '../supervise/status-socket.js';
import { type SpawnedHost, withListening } from './spawned-host.js';

type Env = Readonly<Record<string, string>>;

/** `svc supervise`, listening. */
export interface SpawnedSupervisor extends SpawnedHost {
  status(): Promise<SupervisorStatus>;
  /** Waits until the status matches. */
  until(isSo: (status: SupervisorStatus) => boolean): Promise<SupervisorStatus>;
  /** Waits until it has logged this. */
  untilLogged(text: string): Promise<void>;
  readonly dataDir: string;
  /** The time in which a host is replaced: a loaded machine starts one slowly. */
  readonly replacedWithinMs: number;
}

interface Supervised {
  readonly args?: readonly string[];
  readonly env: Env;
  /** The folder or the source of an application; default: the orders example. */
  readonly source?: string;
}

/** A host on a loaded machine must not be taken for one whose event loop is blocked. */
const patient: Env = { SVC_PATIENCE_MS: '60000' };
/** For tests of blocked event loops. */
export const impatient: Env = { SVC_PATIENCE_MS: '1500' };
/** Each further host costs a test a start; the default of three is tested where it matters. */
export const afterTwo = ['--quarantine-after', '2'];

export const withSupervisor = (
  { args = [], env, source }: Supervised,
  body: (supervisor: SpawnedSupervisor) => Promise<void>,
): Promise<void> =>
  withFolder(async (folder) => {
    const app = source === undefined ? 'examples/orders' : join(folder, 'app.mjs');
    if (source !== undefined) await writeFile(app, source);
    const dataDir = join(folder, 'data');
    const line = ['supervise', app, '--hosts', '2', ...args];
    const from = Date.now();
    const own = { SVC_NAME: 'north', SVC_DATA_DIR: dataDir, ...patient };
    await withListening(line, { ...own, ...env }, (host) =>
      body(supervisorOf(host, dataDir, Math.max(12_000, 4 * (Date.now() - from)))),
    );
  });

/** Shorter than the runner's limit for a file, so that a test reports what it waited for. */
const timeoutMs = 240_000;

function supervisorOf(host: SpawnedHost, dataDir: string, replacedWithinMs: number): SpawnedSupervisor {
  const status = async (): Promise<SupervisorStatus> => {
    const answer = await statusOf(dataDir);
    if (answer === undefined)
      throw new Problem('host-silent', { detail: 'The supervisor is not responding.' });
    return answer;
  };
  return {
    ...host,
    dataDir,
    replacedWithinMs,
    status,
    until: async (isSo) => {
      let latest: SupervisorStatus = await status();
      await until(async () => isSo((latest = await status())), timeoutMs);
      return latest;
    },
    untilLogged: async (text) => {
      const logged = (): string => host.output.stdout.join('');
      await until(() => logged().includes(text), timeoutMs).catch(() =>
        assert.unreachable(`${text} was not logged: ${logged().slice(-3_000)}`),
      );
    },
  };
}

export const pids = ({ hosts }: SupervisorStatus) => hosts.map(({ pid }) => pid);

export const allRun = ({ hosts }: SupervisorStatus): boolean =>
  hosts.every(({ state, pid }) => state === 'running' && pid !== undefined);

/** The time until all hosts run and one of these is replaced. */
export const replacedAfterMs = (
  supervisor: SpawnedSupervisor,
  ...hosts: readonly (number | undefined)[]
): Promise<number> =>
  until(async () => {
    const status = await supervisor.status();
    return allRun(status) && hosts.some((host) => !pids(status).includes(host));
  }, timeoutMs);

export function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** An application with one command and this handler. */
export const misbehavingApp = (): string => {
  const index = builtForProcess(new URL('../../index.js', import.meta.url));
  const endpoints = builtForProcess(new URL('../../endpoints/index.js', import.meta.url));
  return `
import { Command, CommandEndpoint, RestMutationEndpointBase } from '${index}';
import { endpoint, receptor } from '${endpoints}';
class Act extends Command { mood; }
CommandEndpoint({ restRoute: '/act' })(Act);
class ActEndpoint extends RestMutationEndpointBase {
  constructor(dispatcher) { super(); this.dispatcher = dispatcher; }
  dispatchCommand(command, signal, context) { return this.dispatcher.localInvoke(command, signal, context); }
}
const kept = [];
const moods = {
  calm: () => undefined,
  stuck: () => { console.log('{"msg":"stuck"}'); for (;;); },
  greedy: async () => {
    for (let n = 0; n < 40; n++) { kept.push(Buffer.alloc(10 << 20, 1)); await new Promise(setImmediate); }
  },
  dying: () => process.exit(3),
};
const handle = async ({ mood }) => { await moods[mood](); return { pid: process.pid }; };
export default {
  name: 'moody',
  create: (dispatcher) => ({
    endpoints: [endpoint({
      command: Act, endpoint: new ActEndpoint(dispatcher),
      decode: (value) => Act.of({ mood: String(value.mood) }),
    })],
    receptors: [receptor(Act, { handle })],
  }),
};
`;
};
