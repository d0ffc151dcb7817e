import { freePort } from '../../../runtime/database/embedded/operating-system.js';
import { KillableHost } from '../harness/killable-host.js';
import { holdsWithin } from './scenario.js';

/** A host of a scenario and its address. */
export interface ScenarioHost {
  readonly host: KillableHost;
  readonly url: string;
}

/** Starts a host of the orders example, or of the given application, and waits until it is ready. */
export async function startReadyHost(
  name: string,
  env: Readonly<Record<string, string>>,
  args?: readonly string[],
): Promise<ScenarioHost> {
  const port = String(await freePort());
  const host = new KillableHost({ SVC_NAME: name, SVC_PORT: port, SVC_LOG: 'error', ...env }, args);
  host.start();
  const url = `http://127.0.0.1:${port}`;
  await holdsWithin(`${name} is ready`, 60_000, () => isReady(url));
  return { host, url };
}

export const statusOf = async (url: string, path: string): Promise<number> => {
  const answer = await fetch(new URL(path, url), { signal: AbortSignal.timeout(5_000) });
  await answer.body?.cancel();
  return answer.status;
};

export const isReady = async (url: string): Promise<boolean> =>
  (await statusOf(url, '/health/ready')) === 200;
