import * as assert from 'uvu/assert';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import type { InboundMessage } from '../../contracts/transport.js';
import { newUuid } from '../../contracts/uuid.js';
import { chainHeadType } from '../../runtime/audit/chain.js';
import { inbound } from '../../runtime/testing/foreign-events.js';
import type { LogHistory } from '../../runtime/trust/published-head.js';
import { signHead } from '../../runtime/trust/signed-head.js';
import type { StoreKey } from '../../runtime/trust/store-key.js';
import {
  epochHeaders,
  eventsOf,
  lettersIn,
  type ReceiverScene,
  type SigningStore,
  signingStore,
  withReceiver,
} from '../testing/receiver-scene.js';

const test = suite('signed epochs');

const eventAt = (bakery: SigningStore, globalPosition: number, epoch: number, forks = ''): InboundMessage =>
  inbound(bakery.event(newUuid(), { globalPosition }), { headers: epochHeaders({ epoch, forks }) });

let minutes = 0;

/** A head that the store has signed, each a minute after the one before. */
function headOf(
  bakery: SigningStore,
  position: number,
  history: LogHistory,
  key: StoreKey = bakery.key,
): InboundMessage {
  const at = new Date(Date.UTC(2026, 2, 1, 9, minutes++)).toISOString();
  const hash = 'ab'.repeat(32);
  const payload = signHead({ position, hash, at, history }, key);
  return inbound(bakery.event(SystemEventStreams.streamId, { messageType: chainHeadType, payload }));
}

const first = { epoch: 1, forks: '', publishedTo: 9 };
const second = { epoch: 2, forks: '2:7', publishedTo: 8 };

const withBakery = (body: (scene: ReceiverScene, bakery: SigningStore) => Promise<void>): Promise<void> =>
  withReceiver('pin', async (scene) => {
    const bakery = signingStore();
    await scene.handle(eventAt(bakery, 9, 1));
    await body(scene, bakery);
  });

const reportedBy = ({ reported }: ReceiverScene) =>
  reported.map(({ constructor }) => constructor.name).filter((name) => name === 'OriginWentBack');

test('a forged epoch does not hold a store that signs heads, and its own messages go on', () =>
  withBakery(async (scene, bakery) => {
    await scene.handle(headOf(bakery, 5, first));
    await scene.handle(eventAt(bakery, 8, 2, '2:1'));
    await scene.handle(eventAt(bakery, 10, 1), eventAt(bakery, 11, 1));
    assert.equal([reportedBy(scene), await lettersIn(scene.database)], [[], []]);
    assert.equal(await eventsOf(scene.database), [['4']]);
  }));

test('forged forks of a real epoch do not hold a store that signs heads', () =>
  withBakery(async (scene, bakery) => {
    await scene.handle(headOf(bakery, 5, { epoch: 2, forks: '2:9', publishedTo: 10 }));
    await scene.handle(eventAt(bakery, 11, 2, '2:1'), eventAt(bakery, 12, 2, '2:9'));
    assert.equal([reportedBy(scene), await lettersIn(scene.database)], [[], []]);
  }));

test('a real epoch is noticed with the head that its store has signed, also when a message comes first', () =>
  withBakery(async (scene, bakery) => {
    await scene.handle(headOf(bakery, 5, first));
    await scene.handle(eventAt(bakery, 8, 2, '2:7'));
    assert.equal(reportedBy(scene), []);
    await scene.handle(headOf(bakery, 4, second));
    assert.equal(reportedBy(scene), ['OriginWentBack']);
    await scene.handle(eventAt(bakery, 10, 2, '2:7'));
    assert.equal(await lettersIn(scene.database), ['origin-went-back']);
    assert.equal(reportedBy(scene), ['OriginWentBack'], 'once');
  }));

test('a replayed head of an earlier epoch changes nothing', () =>
  withBakery(async (scene, bakery) => {
    const old = headOf(bakery, 5, first);
    await scene.handle(old);
    await scene.handle(headOf(bakery, 7, { epoch: 2, forks: '2:9', publishedTo: 10 }));
    await scene.handle(eventAt(bakery, 12, 2, '2:9'));
    await scene.handle(old);
    await scene.handle(eventAt(bakery, 13, 2, '2:9'));
    assert.equal([reportedBy(scene), await lettersIn(scene.database)], [[], []]);
    await scene.handle(eventAt(bakery, 10, 1));
    assert.equal(await lettersIn(scene.database), ['origin-went-back'], 'lost by its store');
  }));

test('a head that another key signed says nothing about epochs', () =>
  withBakery(async (scene, bakery) => {
    await scene.handle(headOf(bakery, 5, first));
    const forger = { ...signingStore().key, storeId: bakery.id };
    const forged = headOf(bakery, 6, { epoch: 2, forks: '2:1', publishedTo: 9 }, forger);
    await scene.handle(forged, eventAt(bakery, 10, 2, '2:1'), eventAt(bakery, 11, 1));
    assert.equal([reportedBy(scene), await lettersIn(scene.database)], [[], []]);
    assert.is(scene.counts.refused, 1);
  }));

test('of many forged heads in a batch one is stored and all are counted: each would take the append lock', () =>
  withBakery(async (scene, bakery) => {
    await scene.handle(headOf(bakery, 5, first));
    const forger = { ...signingStore().key, storeId: bakery.id };
    const forged = [6, 7, 8].map((position) => headOf(bakery, position, first, forger));
    await scene.handle(...forged, headOf(bakery, 6, first), ...forged);
    assert.is(scene.counts.refused, 6);
    const text = 'SELECT head_position, refused_heads FROM svc_origins WHERE store = $1';
    assert.equal(await scene.database.rows({ text, values: [bakery.id] }), [['6', '1']]);
  }));

test('an epoch that was forged before the key was known is corrected by the first head', () =>
  withBakery(async (scene, bakery) => {
    await scene.handle(eventAt(bakery, 9, 900_000_000));
    await scene.handle(eventAt(bakery, 10, 1));
    assert.equal(await lettersIn(scene.database), ['origin-went-back']);
    await scene.handle(headOf(bakery, 5, first));
    await scene.handle(eventAt(bakery, 11, 1));
    assert.equal(await lettersIn(scene.database), ['origin-went-back']);
  }));

test('a forged position far beyond what was signed does not hold a store that is promoted without a loss', () =>
  withBakery(async (scene, bakery) => {
    await scene.handle(headOf(bakery, 5, first));
    await scene.handle(eventAt(bakery, 900_000_000_000, 1));
    await scene.handle(headOf(bakery, 7, { epoch: 2, forks: '2:9', publishedTo: 10 }));
    assert.equal(reportedBy(scene), []);
  }));

test('a signed message proves its epoch, and with other headers it is forged', () =>
  withBakery(async (scene, bakery) => {
    const at = (globalPosition: number) => bakery.event(newUuid(), { globalPosition });
    const [before, after] = [
      { epoch: 1, forks: '' },
      { epoch: 2, forks: '2:7' },
    ];
    await scene.handle(bakery.signed(at(9), before));
    const genuine = bakery.signed(at(10), before);
    const headers = epochHeaders({ epoch: 2, forks: '2:1' });
    await scene.handle({ ...genuine, header: (name) => headers[name] ?? genuine.header(name) }, genuine);
    assert.equal([reportedBy(scene), await lettersIn(scene.database)], [[], ['forged-message']]);
    await scene.handle(bakery.signed(at(8), after));
    assert.equal(reportedBy(scene), ['OriginWentBack']);
  }));

test('a signed message without its epoch is forged', () =>
  withBakery(async ({ handle, database }, bakery) => {
    const signed = bakery.signed(bakery.event(newUuid(), { globalPosition: 10 }));
    await handle({ ...signed, header: (name) => (name === 'svc-epoch' ? undefined : signed.header(name)) });
    assert.equal([await eventsOf(database), await lettersIn(database)], [[['1']], ['forged-message']]);
  }));
