import type { Dispatcher } from '../../contracts/receptor.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';
import { Remind } from './texting-shop.js';

interface TextingHosts {
  /** Starts a host of a definition, which may be of another version than the others. */
  readonly start: (definition: ServiceDefinition) => Promise<Host>;
  readonly rows: (text: string) => ReturnType<typeof rowsOf>;
}

/** Provides hosts of one store that need not have the same effects. */
export const withTextingHosts = (
  body: (hosts: TextingHosts) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> =>
  withStore(async (url) => {
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: url, SVC_LOG: 'silent', ...env });
    const hosts: Host[] = [];
    try {
      await body({
        start: async (definition) => {
          const host = await startHost(definition, config);
          hosts.push(host);
          return host;
        },
        rows: (text) => rowsOf(url, text),
      });
    } finally {
      for (const host of hosts) await host.stop();
    }
  });

export const remind = (local: Dispatcher | undefined, orderId: string, to = '1'): Promise<unknown> =>
  Promise.resolve(local?.localInvoke(Remind.of({ orderId, to })));

/** Waits until its call is ended from outside. */
export const untilAborted = ({ signal }: { readonly signal: AbortSignal }): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
