import * as assert from 'uvu/assert';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { withEmptyNats } from '../../runtime/testing/shared-nats.js';
import { until } from '../../runtime/kit/until.js';
import { type BroadcastingHost } from './broadcasting-host.js';
import { type SpawnedHost, withListening } from './spawned-host.js';

interface Scene {
  readonly nats: string;
  /** The store of the monitor. */
  readonly store: string;
  readonly monitor: (body: (host: SpawnedHost) => Promise<void>, ...args: string[]) => Promise<void>;
}

export const withMonitored = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withEmptyNats((nats) => withMonitorOn(nats, body));

export const withMonitorOn = (nats: string, body: (scene: Scene) => Promise<void>): Promise<void> =>
  withStore((store) =>
    body({
      nats,
      store,
      monitor: (watch, ...args) =>
        withListening(['monitor', '--url', nats, '--port', '0', ...args], { DATABASE_URL: store }, watch),
    }),
  );

const received = async (store: string, host: string): Promise<string[]> =>
  (
    await rowsOf(store, `SELECT event_id FROM svc_received_system_events WHERE host = '${host}' ORDER BY id`)
  ).map(([id]) => id ?? '');

/** All records, each once, in the order of its stream. */
export async function hasAll(store: string, name: string, host: BroadcastingHost): Promise<void> {
  // A host may record something more at any time, as when it meets another store.
  let [arrived, sent]: [string[], string[]] = [[], []];
  await until(async () => {
    arrived = await received(store, name);
    sent = await host.broadcast();
    return arrived.length >= sent.length;
  }, 30_000);
  assert.equal(arrived, sent);
}

interface Line {
  readonly eventType?: string;
  readonly host: string;
  readonly position: number;
  readonly store: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const linesOf = ({ output }: SpawnedHost): Line[] =>
  output.stdout
    .join('')
    .split('\n')
    .filter((line) => line.includes('"eventType"'))
    .map((line) => JSON.parse(line) as Line);

/** The monitor creates the streams; it may listen a moment earlier. */
export const published = (publish: () => Promise<unknown>): Promise<number> =>
  until(() =>
    publish().then(
      () => true,
      (error: { readonly code?: string }) => {
        assert.is(error.code, '503');
        return false;
      },
    ),
  );

export const read = async <T>(host: SpawnedHost, path: string): Promise<T> =>
  (await (await fetch(`${host.url}/console/api/${path}`)).json()) as T;
