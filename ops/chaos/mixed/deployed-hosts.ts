import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../contracts/problems.js';
import type { Strategy } from '../../deploy/steps.js';
import { stopSupervisor } from '../../supervise/control-supervisor.js';
import { statusOf } from '../../supervise/status-socket.js';
import { type HaproxyServer, withHaproxy } from '../../testing/haproxy-server.js';
import { svc } from '../../testing/spawned-host.js';
import { holdsWithin } from '../scenarios/scenario.js';

type Env = Readonly<Record<string, string>>;

/** There is enough of a load while a revision is deployed. */
const options = '--skip-checks --replicas 1 --keep 0 --stage-time 1s --min-sample 20 --hold 2m'.split(' ');
/** A host on a loaded machine must not be taken for one whose event loop is blocked. */
const settings = { SVC_AUTH: 'none', SVC_LOG: 'error', SVC_INSPECT: '0', SVC_PATIENCE_MS: '60000' };
const servesWithinMs = 30_000;
const restartedWithinMs = 120_000;

/** A host of an application behind HAProxy, under a supervisor. */
export class DeployedHosts {
  readonly url: string;
  readonly #revisions: string[] = [];
  #serving = '';

  constructor(
    private readonly haproxy: HaproxyServer,
    private readonly app: string,
    private readonly env: Env,
  ) {
    this.url = haproxy.url;
  }

  /** Replaces the revision by another; why that one does not serve, if so. */
  async deploy(strategy: Strategy): Promise<string | undefined> {
    const revision = `revision-${this.#revisions.length}`;
    this.#revisions.push(revision);
    const file = join(this.haproxy.folder, 'deploy.json');
    await writeFile(file, JSON.stringify(this.haproxy.config));
    const args = ['deploy', strategy, this.app, '--revision', revision, '--config', file, ...options];
    const { code, stderr } = await svc(args, { ...settings, ...this.env });
    const isServing = async () => (await revisionAt(this.url)) === revision;
    const { kept } = await holdsWithin('it serves', servesWithinMs, async () => code !== 0 || isServing());
    if (code !== 0 || !kept) return `${strategy}: ${stderr}`;
    this.#serving = revision;
    return undefined;
  }

  /** A rolling restart; whether another process serves then. */
  async restart(): Promise<boolean> {
    const dataDir = this.#dataDir(this.#serving);
    const before = await statusOf(dataDir);
    if (before === undefined) return false;
    process.kill(before.pid, 'SIGHUP');
    const pids = before.hosts.map(({ pid }) => pid);
    const { kept } = await holdsWithin('another process serves', restartedWithinMs, async () => {
      const status = await statusOf(dataDir);
      return status?.state === 'running' && status.hosts.every(({ pid }) => !pids.includes(pid));
    });
    return kept;
  }

  async stop(): Promise<void> {
    for (const revision of this.#revisions)
      await stopSupervisor(this.#dataDir(revision)).catch(() => undefined);
  }

  #dataDir(revision: string): string {
    return join(this.haproxy.folder, 'releases', revision, 'data');
  }
}

/** Deploys the first revision of an application, and stops whatever serves after the body. */
export const withDeployedHosts = (
  app: string,
  env: Env,
  body: (deployed: DeployedHosts) => Promise<void>,
): Promise<void> =>
  withHaproxy(async (haproxy) => {
    const deployed = new DeployedHosts(haproxy, app, env);
    try {
      const refused = await deployed.deploy('recreate');
      if (refused !== undefined) throw new Problem('unexpected', { detail: refused });
      await body(deployed);
    } finally {
      await deployed.stop();
    }
  });

async function revisionAt(url: string): Promise<string | null> {
  const answer = await fetch(new URL('/health/live', url));
  await answer.body?.cancel();
  return answer.headers.get('svc-revision');
}
