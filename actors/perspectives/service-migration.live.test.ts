import { Pool } from 'pg';
import * as assert from 'uvu/assert';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { addService, type Addition, type Service } from '../../runtime/service/service.js';
import { postgresEventStore } from '../../runtime/service/add-postgres-event-store.js';
import { withDatabase } from '../../runtime/kit/database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { addSystemEvents } from '../add-system-events-and-auditing.js';
import { account, accounts, booked } from '../testing/accounts-perspective.js';
import { addServicePerspectives } from './add-service-perspectives.js';
import { schemaOf } from '../../runtime/schema/items.js';

const items = String(schemaOf(undefined).files.length);
const test = suite('migrations of a service without a host');

const eventsIn = (url: string) =>
  rowsOf(url, 'SELECT event_type, count(*) FROM svc_system_stream GROUP BY 1 ORDER BY 1');

const once = [
  ['MigrationBatchCompleted', '1'],
  ['MigrationBatchStarted', '1'],
  ['MigrationItemCompleted', items],
  ['MigrationItemStarted', items],
];

for (const [order, additions] of [
  ['after the store', (url: string) => [postgresEventStore({ url }), addSystemEvents()]],
  ['before the store', (url: string) => [addSystemEvents(), postgresEventStore({ url })]],
] as const) {
  test(`its migration events are stored when system events are registered ${order}`, () =>
    withDatabase(async (url) => {
      await withService(additions(url), (service) => service.eventStore.lastPosition(newUuid()));
      assert.equal(await eventsIn(url), once);
    }));
}

test('over a pool of the application, even with one connection, they are stored too', () =>
  withDatabase(async (url) => {
    const pool = new Pool({ connectionString: url, max: 1 });
    await withService([postgresEventStore({ pool }), addSystemEvents()], (service) =>
      service.eventStore.lastPosition(newUuid()),
    );
    await pool.end();
    assert.equal(await eventsIn(url), once);
  }));

test('a start that changes nothing stores all events of its batch in one commit, and the ledger in another', () =>
  withDatabase(async (url) => {
    const start = () =>
      withService(
        [postgresEventStore({ url }), addServicePerspectives([accounts()]), addSystemEvents()],
        (service) => service.eventStore.lastPosition(newUuid()),
      );
    await start();
    await start();
    const commits = `SELECT count(*), count(DISTINCT recorded_at), count(*) FILTER (WHERE data ->> 'status' = '3')
      FROM svc_system_events GROUP BY data ->> 'streamId' ORDER BY min(stream_position) DESC LIMIT 1`;
    const unchanged = Number(items) + 1;
    assert.equal(await rowsOf(url, commits), [[String(2 * unchanged + 2), '1', String(unchanged)]]);
    const ledger =
      'SELECT status, count(*), count(DISTINCT xmin::text) FROM svc_schema_migrations GROUP BY 1';
    assert.equal(await rowsOf(url, ledger), [['3', String(unchanged), '1']]);
    assert.equal(await rowsOf(url, 'SELECT DISTINCT attempts FROM svc_schema_migrations'), [['1']]);
  }));

test('without system events it migrates and stores none', () =>
  withDatabase(async (url) => {
    await withService([postgresEventStore({ url })], (service) => service.eventStore.lastPosition(newUuid()));
    assert.equal(await eventsIn(url), []);
  }));

test('its perspectives are items of the same batch, with a row in the ledger each', () =>
  withDatabase(async (url) => {
    const additions = [postgresEventStore({ url }), addServicePerspectives([accounts()]), addSystemEvents()];
    await withService(additions, async (service) => {
      const { globalPositions } = await service.eventStore.append(account(), booked(5));
      await service.caughtUp(accounts().name, globalPositions[0] ?? 0, AbortSignal.timeout(300_000));
    });
    assert.equal(await ledgerOf(url), [['1', 'DirectDdl']]);
    assert.equal(
      await rowsOf(url, `SELECT count(*) FROM svc_system_stream WHERE event_type = 'MigrationBatchStarted'`),
      [['1']],
    );
  }));

test('a new version of a perspective is replayed beside the old one, and its end is stored too', () =>
  withDatabase(async (url) => {
    const run = (version: number, body: (service: Service) => Promise<unknown>) => {
      const perspective: AnyPerspective = { ...accounts(), version };
      return withService(
        [postgresEventStore({ url }), addServicePerspectives([perspective]), addSystemEvents()],
        body,
      );
    };
    const stream = account();
    await run(1, async (service) => {
      const { globalPositions } = await service.eventStore.append(stream, booked(5));
      await service.caughtUp(accounts().name, globalPositions[0] ?? 0, AbortSignal.timeout(300_000));
    });
    await run(2, () => until(async () => String(await ledgerOf(url)) === '2,EventReplay'));
    const ends = `SELECT data ->> 'status' FROM svc_system_stream WHERE event_type = 'MigrationItemCompleted'
      AND data ->> 'migrationKey' LIKE 'perspective/%' ORDER BY stream_position`;
    await until(async () => String(await rowsOf(url, ends)) === '1,4,2');
    assert.equal(await rowsOf(url, `SELECT id FROM svc_per_${accounts().name}`), [[stream]]);
  }));

test('a new version that cannot fold a row is Failed without a host too, and readers keep the old model', () =>
  withDatabase(async (url) => {
    const run = (over: Partial<AnyPerspective>, body: (service: Service) => Promise<unknown>) =>
      withService(
        [
          postgresEventStore({ url }),
          addServicePerspectives([{ ...accounts(), ...over }]),
          addSystemEvents(),
        ],
        body,
      );
    const stream = account();
    await run({ version: 1 }, async (service) => {
      const { globalPositions } = await service.eventStore.append(stream, booked(5));
      await service.caughtUp(accounts().name, globalPositions[0] ?? 0, AbortSignal.timeout(300_000));
    });
    const apply = () => {
      throw new RangeError('a bug');
    };
    await run({ version: 2, apply }, () =>
      until(async () => String(await ledgerOf(url)) === '-1,EventReplay'),
    );
    assert.equal(await rowsOf(url, `SELECT id FROM svc_per_${accounts().name}`), [[stream]]);
    const failed = `SELECT data ->> 'failureReason' FROM svc_system_stream WHERE event_type = 'MigrationItemFailed'`;
    assert.equal(await rowsOf(url, failed), [['4']]);
  }));

async function withService(
  additions: readonly Addition[],
  body: (service: Service) => Promise<unknown>,
): Promise<void> {
  const service = addService();
  for (const addition of additions) service.with(addition);
  try {
    await body(service);
  } finally {
    await service.stop();
  }
}

const ledgerOf = (url: string) =>
  rowsOf(url, "SELECT status, strategy FROM svc_schema_migrations WHERE migration_key LIKE 'perspective/%'");
