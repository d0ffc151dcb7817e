import * as assert from 'uvu/assert';
import { type Envelope, Event } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from './host.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('replays of a host that migrates');

test('a perspective of another version is replayed while the host serves, and reported again at its end', () =>
  withStore(async (url) => {
    const stream = newUuid();
    const first = await startHost(bakery(1), configFor(url));
    await bakedAndFolded(first, [stream]);
    await first.stop();
    const second = await startHost(bakery(2), configFor(url));
    try {
      const ends = `SELECT data ->> 'status' FROM svc_system_stream
        WHERE event_type = 'MigrationItemCompleted' AND data ->> 'migrationKey' = 'perspective/loaves' ORDER BY stream_position`;
      await until(async () => (await query(url, ends)).length >= 3, 60_000);
      assert.equal((await query(url, ends)).flat(), ['1', '4', '2']);
      assert.equal(await query(url, `SELECT model ->> 'baked', id FROM svc_per_loaves`), [['20', stream]]);
      const ledger = `SELECT status, strategy FROM svc_schema_migrations WHERE migration_key = 'perspective/loaves'`;
      assert.equal(await query(url, ledger), [['2', 'EventReplay']]);
    } finally {
      await second.stop();
    }
  }));

test('a replay that cannot fold a row fails with DataCopyFailed: the old version serves until a forced rebuild', () =>
  withStore(async (url) => {
    const [good, bad] = [newUuid(), newUuid()];
    const first = await startHost(bakery(1), configFor(url));
    await bakedAndFolded(first, [good, bad]);
    await first.stop();
    const second = await startHost(bakery(2, bad), configFor(url));
    try {
      const failures = `SELECT data ->> 'status', data ->> 'failureReason', data ->> 'error' FROM svc_system_stream
        WHERE event_type = 'MigrationItemFailed'`;
      await until(async () => (await query(url, failures)).length >= 1, 60_000);
      const [failure] = await query(url, failures);
      assert.equal(failure?.slice(0, 2), ['-1', '4']);
      assert.match(failure?.[2] ?? '', /^loaves cannot fold one row that readers have, first \S+ at event/);
      const served = `SELECT model ->> 'baked' FROM svc_per_loaves`;
      assert.equal(await query(url, served), [['2'], ['2']]);
      const answer = await fetch(`${second.url}/loaves`);
      assert.is(((await answer.json()) as { totalCount: number }).totalCount, 2);
      const states = () => second.service.perspectives.map(({ state, notServed }) => [state, notServed]);
      await until(() => states()[0]?.[0] === 'failed', 60_000);
      assert.match(states()[0]?.[1] ?? '', /loaves cannot fold one row/);
      const ready = async () => JSON.stringify(await (await fetch(`${second.url}/health/ready`)).json());
      await until(
        async () =>
          (await ready()).includes('The replay of loaves failed, and readers see the previous version'),
        60_000,
      );
      const rebuilt = await second.service.rebuild('loaves', { mode: 'BlueGreen', force: true });
      assert.equal([rebuilt.forced, rebuilt.rowsParked], [true, 1]);
      assert.equal(await query(url, served), [['20']]);
      const ledger = `SELECT status, status_description FROM svc_schema_migrations WHERE migration_key = 'perspective/loaves'`;
      assert.equal(await query(url, ledger), [['2', 'updated by force, 1 rows are parked']]);
    } finally {
      await second.stop();
    }
    const third = await startHost(bakery(2, bad), configFor(url));
    assert.equal(await query(url, `SELECT model ->> 'baked' FROM svc_per_loaves`), [['20']]);
    await third.stop();
  }));

class LoafBaked extends Event {}

const baked = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'LoafBaked',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

/** Two loaves in each stream. The events of the host's start have positions in the same log. */
async function bakedAndFolded({ service }: Host, streams: readonly string[]): Promise<void> {
  for (const stream of streams) {
    const { globalPositions } = await service.eventStore.append(stream, [baked(), baked()]);
    await service.caughtUp('loaves', globalPositions.at(-1) ?? 0);
  }
}

interface Loaves {
  readonly baked: number;
}

/** Counts loaves; the second version counts in tens, and may fail for a stream. */
function bakery(version: number, failsFor?: string): ServiceDefinition {
  const loaves: Perspective<Loaves> = {
    name: 'loaves',
    events: [LoafBaked],
    version,
    initial: () => ({ baked: 0 }),
    route: '/loaves',
    apply: (model, { streamId }) => {
      if (streamId === failsFor) throw new RangeError('no oven');
      return { baked: model.baked + (version === 1 ? 1 : 10) };
    },
  };
  const perspectives = [loaves as Perspective<unknown>];
  return {
    name: 'bakery',
    create: () => ({ endpoints: [], receptors: [], perspectives, events: [LoafBaked] }),
  };
}

const configFor = (url: string) => readConfig({ SVC_PORT: '0', DATABASE_URL: url });
