import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { type SentCommand, checkConsistency, type StoredState } from './consistency-check.js';

const test = suite('chaos check');

const asked = (correlationId: string, more: Partial<SentCommand> = {}): SentCommand => ({
  correlationId,
  command: 'CreateOrder',
  orderId: `order-${correlationId}`,
  acknowledged: true,
  ...more,
});
const event = (correlationId: string, audits = 1) => ({
  eventId: `event-${correlationId}`,
  streamId: `order-${correlationId}`,
  correlationId,
  audits,
});
const facts = (more: Partial<StoredState>): StoredState => ({
  events: [],
  commandAudits: [],
  orphans: 0,
  ...more,
});
const clean = { lost: 0, doubled: 0, unaudited: 0, missing: 0, phantom: 0 };

test('a command that was acknowledged, stored and audited once is clean', () => {
  assert.equal(checkConsistency([asked('a')], facts({ events: [event('a')], commandAudits: ['a'] })), clean);
});

test('an acknowledged command without its event is lost, even if another order has the event', () => {
  assert.equal(checkConsistency([asked('a')], facts({ commandAudits: ['a'] })), { ...clean, lost: 1 });
  const elsewhere = { ...event('a'), streamId: 'order-b' };
  assert.is(checkConsistency([asked('a')], facts({ events: [elsewhere], commandAudits: ['a'] })).lost, 1);
});

test('an acknowledged command without its audit is unaudited, and its event counts as missing it', () => {
  assert.equal(checkConsistency([asked('a')], facts({ events: [event('a')] })), {
    ...clean,
    unaudited: 1,
    missing: 1,
  });
});

test('what the service does because of a command is audited, and done once', () => {
  const own = { events: [event('a')], commandAudits: ['a'] };
  const stock = { ...event('a'), streamId: 'stock-a' };
  const found = (events: readonly (typeof stock)[], commandAudits: readonly string[]) =>
    checkConsistency([asked('a')], facts({ ...own, byService: { events, commandAudits } }));
  assert.equal(found([stock], ['a']), clean);
  assert.equal(found([stock], []), { ...clean, missing: 1 });
  assert.equal(found([{ ...stock, audits: 0 }], ['a']), { ...clean, missing: 1 });
  assert.equal(found([stock, stock], ['a', 'a']), { ...clean, doubled: 2 });
  assert.is(found([{ ...stock, correlationId: 'b' }], ['b']).phantom, 2);
});

test('an event without its EventAudited counts as missing it', () => {
  const found = checkConsistency([asked('a')], facts({ events: [event('a', 0)], commandAudits: ['a'] }));
  assert.equal(found, { ...clean, missing: 1 });
});

test('two events, two audits of a command or two audits of an event are doubled', () => {
  const twice = [event('a'), { ...event('a'), eventId: 'other' }];
  assert.is(checkConsistency([asked('a')], facts({ events: twice, commandAudits: ['a'] })).doubled, 1);
  assert.is(
    checkConsistency([asked('a')], facts({ events: [event('a')], commandAudits: ['a', 'a'] })).doubled,
    1,
  );
  assert.is(
    checkConsistency([asked('a')], facts({ events: [event('a', 2)], commandAudits: ['a'] })).doubled,
    1,
  );
});

test('a command that was never answered may be stored or not, but not in part', () => {
  const open = asked('a', { acknowledged: false, orderId: undefined });
  assert.equal(checkConsistency([open], facts({})), clean);
  assert.equal(checkConsistency([open], facts({ events: [event('a')], commandAudits: ['a'] })), clean);
  assert.is(checkConsistency([open], facts({ events: [event('a')] })).missing, 1);
});

test('a command that the error-hook answered stores nothing', () => {
  const recovered = asked('a', { recovered: true });
  assert.equal(checkConsistency([recovered], facts({})), clean);
  assert.is(checkConsistency([recovered], facts({ commandAudits: ['a'] })).phantom, 1);
});

test('events without a command and audits without an event are phantoms', () => {
  assert.is(checkConsistency([], facts({ events: [event('x')], commandAudits: ['x'] })).phantom, 2);
  assert.is(checkConsistency([], facts({ orphans: 3 })).phantom, 3);
});
