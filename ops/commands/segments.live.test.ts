import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { newUuid } from '../../contracts/uuid.js';
import { connect } from '../../runtime/database/connect.js';
import { openDatabase } from '../../runtime/database/database.js';
import { openPostgresStore } from '../../runtime/store/postgres-event-store.js';
import { execute } from '../../runtime/testing/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { useSegmentsOf } from '../../runtime/testing/small-segments.js';
import { readConfig } from '../config.js';
import { startHost } from '../host/host.js';
import { parcelOrders, withStoreOf } from '../testing/earlier-store.js';
import { anOrder } from '../testing/order-load.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('svc segments');

const happened = () => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: { text: 'ü' },
  timestamp: '2026-03-01T09:30:00Z',
  v: 1,
});

async function append(url: string, count: number): Promise<void> {
  const database = openDatabase({ url });
  const store = openPostgresStore(database, { host: 'test' });
  for (let n = 0; n < count; n++) await store.append(newUuid(), happened());
  await store.close();
  await database.close();
}

const segments = (url: string, action: string, env: Record<string, string> = {}) =>
  svc(['segments', action, '--json'], { DATABASE_URL: url, ...env });

const sealedIn = `SELECT data ->> 'low' FROM svc_system_events WHERE event_type = 'SegmentSealed' ORDER BY global_position`;

test('seal seals what is full, list shows it, and verify finds an altered event in its segment', () =>
  withStore(async (url) => {
    await useSegmentsOf(url, 10);
    await append(url, 25);
    await segments(url, 'seal');
    const listed = JSON.parse((await segments(url, 'list')).stdout) as { low: number; state: string }[];
    assert.equal(
      listed.map(({ low, state }) => `${low} ${state}`),
      ['0 sealed', '10 sealed', '20 open', '30 open'],
    );
    const verified = await segments(url, 'verify');
    assert.equal([verified.code, (JSON.parse(verified.stdout) as { ok: boolean }).ok], [0, true]);
    await execute(
      url,
      `SET session_replication_role = replica; UPDATE svc_events SET data = '{"text":"u"}' WHERE global_position = 12`,
    );
    const altered = await segments(url, 'verify');
    const report = JSON.parse(altered.stdout) as { segments: { low: number; faults: string[] }[] };
    assert.is(altered.code, 1);
    assert.equal(
      report.segments.map(({ low, faults }) => [low, ...faults]),
      [[0], [10, 'events-altered']],
    );
  }));

for (const failpoint of ['segment-gathered', 'segment-sealing'])
  test(`killed at ${failpoint}, a segment is sealed exactly once by the next one`, () =>
    withStore(async (url) => {
      await useSegmentsOf(url, 10);
      await append(url, 21);
      await segments(url, 'seal', { SVC_FAILPOINTS: failpoint });
      const states = await rowsOf(url, 'SELECT state FROM svc_segments ORDER BY low');
      assert.equal(states[0], ['open']);
      assert.equal(await rowsOf(url, sealedIn), []);
      await append(url, 3);
      await segments(url, 'seal');
      await segments(url, 'seal');
      assert.equal(await rowsOf(url, sealedIn), [['0'], ['10']]);
      assert.is((await segments(url, 'verify')).code, 0);
    }));

for (const version of ['0.1.0', '0.2.0'])
  test(`a store of ${version} is converted with its data, and goes on over the border`, () =>
    withStoreOf(version, async (url) => {
      assert.match((await segments(url, 'convert')).stderr, /svc migrate/);
      await svc(['migrate'], { DATABASE_URL: url });
      const before = await rowsOf(url, everyEvent);
      const other = await connect(url);
      assert.match((await segments(url, 'convert')).stderr, /Stop what is connected/);
      await other.end();
      const { stderr, code } = await segments(url, 'convert', { SVC_ACTOR: 'ann' });
      assert.equal([code, stderr], [0, '']);
      const acted = `SELECT r.data ->> 'actor', r.xmin = s.xmin FROM svc_system_events r, svc_segments s
        WHERE r.event_type = 'OperatorActed' AND r.data ->> 'action' = 'segments convert' AND s.low = 0`;
      assert.equal(await rowsOf(url, acted), [['ann', 'true']], 'recorded in the transaction that converts');
      assert.equal(await rowsOf(url, everyEvent), before);
      assert.equal(
        await rowsOf(
          url,
          "SELECT relkind FROM pg_class WHERE relname IN ('svc_events', 'svc_system_events')",
        ),
        [['p'], ['p']],
      );
      const config = readConfig({ SVC_PORT: '0', SVC_NAME: 'harbour', DATABASE_URL: url, SVC_LOG: 'error' });
      const host = await startHost(await parcelOrders(), config);
      assert.is((await post(host.url, anOrder, { path: '/orders' })).status, 200);
      await host.stop();
      const count = Number((await rowsOf(url, 'SELECT count(*) FROM svc_event_stream'))[0]?.[0]);
      // The process of the order may have stored more.
      assert.ok(count > before.length, 'the view reads the new table');
      const verified = await svc(['audit', 'verify', '--events', '--json'], { DATABASE_URL: url });
      assert.is((JSON.parse(verified.stdout) as { ok: boolean }).ok, true);
      assert.match((await segments(url, 'convert')).stdout, /"converted":false/);
      assert.equal(await rowsOf(url, 'SELECT min_level FROM svc_schema_levels WHERE owner = $$library$$'), [
        ['3'],
      ]);
    }));

const everyEvent =
  'SELECT global_position, stream_id, stream_position, event_id, origin FROM svc_events ORDER BY 1';
