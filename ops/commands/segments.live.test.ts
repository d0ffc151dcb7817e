import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { openDatabase } from '../../runtime/database/database.js';
import { openPostgresStore } from '../../runtime/store/postgres-event-store.js';
import { execute } from '../../runtime/kit/database.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { useSegmentsOf } from '../../runtime/testing/small-segments.js';
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
