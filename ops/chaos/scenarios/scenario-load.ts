import { RetryingClients } from '../harness/retrying-clients.js';
import type { ScenarioHost } from './scenario-host.js';

/** Runs the body and always stops clients and hosts. */
export async function withLoad(
  hosts: readonly ScenarioHost[],
  seed: number,
  count: number,
  body: (clients: readonly RetryingClients[]) => Promise<void>,
): Promise<void> {
  const clients = hosts.map(({ url }, index) => new RetryingClients(url, seed * 10 + index, count));
  try {
    await body(clients);
  } finally {
    await Promise.all(clients.map((each) => each.stop()));
    await Promise.all(hosts.map(({ host }) => host.stop()));
  }
}
