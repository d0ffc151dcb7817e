import * as assert from 'uvu/assert';
import { suite } from '../../../../contracts/testing/suite.js';
import { newUuid } from '../../../../contracts/uuid.js';
import { commandIdOf } from '../../../../runtime/reactions/ids.js';
import { reactingShop } from '../../../testing/reacting-shop.js';
import type { Sender } from '../../model/event-model.js';
import { declaredSenders, sentCommands } from './senders.js';

const test = suite('who sends commands');

test('a process has its events and commands, a schedule its command', () => {
  const { definition } = reactingShop();
  const senders = declaredSenders(definition.create({} as never));
  assert.equal(
    senders.map(({ kind, name, commands }) => [kind, name, commands]),
    [
      ['reaction', 'remind-of-payment', []],
      ['process', 'order-fulfilment', ['ReserveStock', 'ReleaseStock', 'CancelOrder']],
      ['timer', 'nightly-close', ['CloseDay']],
    ],
  );
  assert.equal(senders[1]?.events, [
    ...['OrderCreated', 'StockReserved', 'PaymentReceived', 'StockReleased', 'OrderCancelled'],
  ]);
});

const [store, cause] = [newUuid(), newUuid()];
const reaction = (name: string): Sender => ({ kind: 'reaction', name, events: ['Ordered'], commands: [] });
const process: Sender = { kind: 'process', name: 'fulfil', events: ['Ordered'], commands: ['Reserve'] };
const ordered = { id: cause, type: 'Ordered', causationId: 'request', at: '1' };

const sentIn = (senders: readonly Sender[], command: string, ...events: readonly (typeof ordered)[]) =>
  sentCommands({
    store,
    senders,
    events: [ordered, ...events],
    commands: [{ causationId: cause, at: '2', command, agoSeconds: 1 }],
  }).map(({ by }) => by.name);

test('a command is of the one that reacts to its cause, or declares it', () => {
  assert.equal(sentIn([reaction('thank')], 'Thank'), ['thank']);
  assert.equal(sentIn([reaction('thank'), process], 'Reserve'), ['fulfil']);
  assert.equal(sentIn([reaction('thank'), process], 'Thank'), ['thank']);
  assert.equal(sentIn([process], 'Thank'), []);
});

test('of several reactions, the one that made the id of the command; nobody, if that is not known', () => {
  const both = [reaction('thank'), reaction('bill')];
  const thanked = { id: newUuid(), type: 'Thanked', at: '2' };
  const by = (name: string) => ({ ...thanked, causationId: commandIdOf(store, cause, name, 0) });
  assert.equal(sentIn(both, 'Send', by('bill')), ['bill']);
  assert.equal(sentIn(both, 'Send', by('thank')), ['thank']);
  assert.equal(sentIn(both, 'Send'), []);
});
