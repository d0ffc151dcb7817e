import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { until } from '../../runtime/kit/until.js';
import { haproxyDriver } from '../deploy/haproxy/driver.js';
import type { DeploymentDriver, DeploymentTarget, Side } from '../deploy/target.js';
import { stopSupervisor } from '../supervise/control-supervisor.js';
import { type HaproxyServer, withHaproxy } from './haproxy-server.js';
import { askVersions } from './version-load.js';
import { versionedOrders } from './versioned-orders.js';

/** The orders example behind an HAProxy. */
export interface DeployedOrders {
  readonly haproxy: HaproxyServer;
  readonly driver: DeploymentDriver;
  readonly signal: AbortSignal;
  /** The environment of its hosts and of `svc deploy`. */
  readonly env: Readonly<Record<string, string>>;
  /** Prepares a version, starts its hosts and waits until they are ready; it has no requests yet. */
  start(version: string, hosts: number, failing?: number): Promise<DeploymentTarget>;
}

const cli = fileURLToPath(builtForProcess(new URL('../cli.js', import.meta.url)));
const settings = {
  SVC_AUTH: 'none',
  SVC_LOG: 'error',
  SVC_AUDIT: 'off',
  SVC_INSPECT: '0',
  SVC_PATIENCE_MS: '60000',
};

/** No hosts outlive the body. */
export const withDeployedOrders = (
  body: (deployed: DeployedOrders) => Promise<void>,
  withDatabase: (body: (url: string) => Promise<void>) => Promise<void> = withStore,
): Promise<void> =>
  withDatabase((databaseUrl) =>
    withHaproxy(async (haproxy) => {
      const inherited = Object.entries(process.env).filter(([name]) => !/^(SVC_|DATABASE_)/.test(name));
      const env = { ...settings, DATABASE_URL: databaseUrl };
      const hostEnv = { ...Object.fromEntries(inherited), ...env };
      const driver = haproxyDriver(haproxy.config, haproxy.folder, { env: hostEnv, cli });
      const { signal } = new AbortController();
      const deployed: DeployedOrders = {
        haproxy,
        driver,
        signal,
        env,
        start: async (version, hosts, failing) => {
          const source = await versionedOrders(haproxy.folder, version, failing);
          const target = await driver.prepare(version, source, signal);
          await target.scale('new', hosts, signal);
          await untilReady(target, 'new', hosts);
          return target;
        },
      };
      try {
        await body(deployed);
      } finally {
        const { known } = await driver.revisions(signal);
        await Promise.all(
          known.map((revision) =>
            stopSupervisor(`${haproxy.folder}/releases/${revision}/data`).catch(() => undefined),
          ),
        );
      }
    }),
  );

/** Shorter than the runner's limit for a file. */
const readyWithinMs = 240_000;

export const untilReady = (target: DeploymentTarget, side: Side, hosts: number): Promise<number> =>
  until(async () => (await target.observe(AbortSignal.timeout(10_000)))[side].ready === hosts, readyWithinMs);

/**
 * The share of the new version while it is asked so many times, in percent: of all requests, because the front shares out
 * those of all clients in turn, and one client may get more of one version.
 */
export async function shareOfNew(target: DeploymentTarget, url: string, count: number): Promise<number> {
  const { signal } = new AbortController();
  const before = await target.observe(signal);
  const { failures } = await askVersions(url, count);
  assert.equal([...failures], []);
  const after = await target.observe(signal);
  const [old, next] = [after.old.requests - before.old.requests, after.new.requests - before.new.requests];
  return (100 * next) / (old + next);
}
