import * as assert from 'uvu/assert';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { classifyMessage } from '../../runtime/inbox/classify-message.js';
import type { EpochGroup, EpochResult } from '../../runtime/inbox/inbox.js';
import { ForeignStore, inbound } from '../../runtime/testing/foreign-events.js';
import { holdOrigins } from './hold-origins.js';

const test = suite('hold origins');

const [north, south] = [new ForeignStore(), new ForeignStore()];

const received = (from: ForeignStore, globalPosition: number, epoch?: string, forks = '') => {
  const headers = epoch === undefined ? {} : { 'svc-epoch': epoch, 'svc-forks': forks };
  const message = inbound(from.event(newUuid(), { globalPosition }), { headers });
  const filter = { shouldReceiveFromTransport: () => true };
  return {
    classification: classifyMessage(message, { store: newUuid(), types: new Set(['Baked']), filter }),
  };
};

function ports(...results: readonly EpochResult[]) {
  const asked: EpochGroup[] = [];
  const reported: SystemMessage[] = [];
  const noteEpochs = (groups: readonly EpochGroup[]) => {
    asked.push(...groups);
    return Promise.resolve(results);
  };
  return {
    inbox: { noteEpochs },
    report: (message: SystemMessage) => void reported.push(message),
    asked,
    reported,
  };
}

const kinds = (messages: readonly ReturnType<typeof received>[]) =>
  messages.map(({ classification }) => classification.is);

test('messages of one store and epoch are compared together, in their order', async () => {
  const messages = [
    received(north, 7, '1'),
    received(south, 90, '1'),
    received(north, 9, '1'),
    received(north, 8, '2', '2:7'),
  ];
  const asking = ports({ is: 'current' }, { is: 'current' }, { is: 'current' });
  assert.equal(await holdOrigins(messages, asking), []);
  assert.equal(
    asking.asked.map(({ store, epoch, position, forks }) => [store === north.id, epoch, position, forks]),
    [
      [true, 1, 9, ''],
      [false, 1, 90, ''],
      [true, 2, 8, '2:7'],
    ],
  );
  assert.equal(kinds(messages), ['event', 'event', 'event', 'event']);
});

test('messages of a store that is held become dead letters, those of others go on, and it is reported once', async () => {
  const messages = [received(north, 8, '2', '2:7'), received(south, 1, '1')];
  const asking = ports({ is: 'held', fork: 7, heldTo: 9, isFresh: true }, { is: 'current' });
  await holdOrigins(messages, asking);
  assert.equal(kinds(messages), ['dead', 'event']);
  const [{ storeId, epoch, fork, heldTo } = {}] = asking.reported as unknown as Record<string, unknown>[];
  assert.equal([storeId, epoch, fork, heldTo], [north.id, 2, 7, 9]);
  const later = ports({ is: 'held', fork: 7, heldTo: 9, isFresh: false });
  await holdOrigins([received(north, 9, '2', '2:7')], later);
  assert.equal(later.reported, []);
});

test('of an earlier epoch, only what its store has lost becomes a dead letter', async () => {
  const messages = [received(north, 7, '1'), received(north, 8, '1')];
  await holdOrigins(messages, ports({ is: 'earlier', fork: 7 }));
  assert.equal(kinds(messages), ['event', 'dead']);
});

test('a message that states no epoch is received without a question', async () => {
  const messages = [received(north, 7)];
  const asking = ports();
  assert.equal(await holdOrigins(messages, asking), []);
  assert.equal([asking.asked, kinds(messages)], [[], ['event']]);
});

test('headers that cannot be an epoch make a dead letter', () => {
  assert.equal(kinds([received(north, 7, 'two')]), ['dead']);
});
