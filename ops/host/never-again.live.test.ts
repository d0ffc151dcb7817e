import * as assert from 'uvu/assert';
import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import {
  Renamed,
  RecordHistory,
  type Scene,
  withScene,
  sent,
  each,
  placed,
  withHistory,
  svc,
} from '../testing/thanking-shop.js';

const test = suite('what has happened causes nothing again');

/** For tests that leave the service as it is; what was sent before is theirs to count. */
const afterHistory = sharedIn<Scene & { readonly orders: readonly Uuid[] }>(test, (body) =>
  withScene(async (scene) => body({ ...scene, orders: (await withHistory(scene)).orders })),
);

const secondsAgo = (seconds: number): Timestamp => new Date(Date.now() - seconds * 1_000).toISOString();

test('never again: a rebuild in any mode sends no command', () =>
  afterHistory(async (scene) => {
    const before = await sent(scene);
    const [[events] = []] = await scene.rows('SELECT count(*) FROM svc_event_stream');
    const rebuild = ['perspectives', 'rebuild', 'orders', '--mode'] as const;
    for (const mode of ['BlueGreen', 'InPlace'])
      assert.match(await svc(scene, ...rebuild, mode), `${events} events`);
    const one = ['--stream', scene.orders[1] ?? ''];
    assert.match(await svc(scene, ...rebuild, 'SelectedStreams', ...one), /\b1 events/);
    assert.equal(await sent(scene), before);
  }));

test('never again: a rewind sends no command', () =>
  afterHistory(async (scene) => {
    const before = await sent(scene);
    const [orderId = ''] = scene.orders;
    await scene.send(RecordHistory.of({ events: [Renamed.of({ orderId })], occurredAt: secondsAgo(40) }));
    await until(
      async () =>
        (await scene.rows(`SELECT 1 FROM svc_system_events WHERE event_type = 'StreamRewindCompleted'`))
          .length === 1,
    );
    assert.equal(await sent(scene), before);
  }));

test('never again: messages that are published again send no command', () =>
  afterHistory(async (scene) => {
    const before = await sent(scene);
    const isPublished = () =>
      until(async () => (await scene.rows('SELECT count(*) FROM svc_outbox_pending'))[0]?.[0] === '0');
    await isPublished();
    assert.match(await svc(scene, 'outbox', 'republish', '--from', '1'), /^\d+ messages from position 1 /);
    await isPublished();
    assert.equal(await sent(scene), before);
  }));

test('never again: an import of 1,000 old events sends no command, and new events do', () =>
  afterHistory(async (scene) => {
    const count = async () =>
      Number((await scene.rows(`SELECT count(*) FROM svc_event_stream WHERE event_type = 'Placed'`))[0]?.[0]);
    const [before, placedBefore] = [await sent(scene), await count()];
    for (let n = 0; n < 10; n++)
      await scene.send(RecordHistory.of({ events: placed(100), occurredAt: '2020-02-29T12:00:00.000Z' }));
    assert.equal(await sent(scene), before);
    assert.is(await count(), placedBefore + 1_000);
    await scene.send(RecordHistory.of({ events: placed(5) }));
    assert.equal(await sent(scene), each((before['Thank'] ?? 0) + 5));
  }));
