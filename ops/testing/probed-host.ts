import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { CheckResult } from '../../contracts/health.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { loadService } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';
import { until } from '../../runtime/kit/until.js';

const orders = fileURLToPath(new URL('../../examples/orders', import.meta.url));

/** How soon readiness must fail and recover. */
export const promisedMs = 3_000;

export interface Health {
  readonly code: number;
  readonly status: string;
  readonly host: string;
  readonly checks: readonly CheckResult[];
}

export async function probe(url: string, path = '/health/ready'): Promise<Health> {
  const answer = await fetch(`${url}${path}`);
  return { code: answer.status, ...((await answer.json()) as Omit<Health, 'code'>) };
}

export const checksWithStatus = ({ checks }: Health, status: string): readonly string[] =>
  checks.filter((check) => check.status === status).map(({ name }) => name);

/** The time until readiness has this state. */
export async function untilReady(url: string, isSo: (health: Health) => boolean): Promise<number> {
  let health: Health | undefined;
  try {
    return await until(async () => isSo((health = await probe(url))));
  } catch {
    return assert.unreachable(JSON.stringify(health)) as never;
  }
}

export async function withHost(
  url: string,
  body: (host: Host) => Promise<void>,
  env: Record<string, string> = {},
  definition?: ServiceDefinition,
): Promise<void> {
  const config = readConfig({ SVC_PORT: '0', SVC_NAME: 'north', DATABASE_URL: url, ...env });
  const host = await startHost(definition ?? (await loadService(orders)), config);
  try {
    await body(host);
  } finally {
    await host.stop();
  }
}
